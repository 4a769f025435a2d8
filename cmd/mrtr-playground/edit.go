package main

import (
	"context"
	"fmt"
	"io"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

// readEdit reads the value of -edit; nil if there is none.
func readEdit(v *values, path string) (*lab.Patch, error) {
	if path == "" {
		return nil, nil
	}
	data, err := v.fileOrObject("-edit", path)
	if err != nil {
		return nil, err
	}
	patch, err := lab.ReadPatch(data)
	if err != nil {
		return nil, fmt.Errorf("read edit: %s: %w", path, err)
	}
	return &patch, nil
}

// sendEdited drives the call to the Round before the one that is edited, and
// sends that one's request as edited. Nothing follows it: a task that it started
// is cancelled. It prints the changes.
func (c *caller) sendEdited(ctx context.Context, d drive.Driver, stdout io.Writer) (playground.Exchange,
	error) {
	if c.x.Target.Era == playground.Legacy {
		return c.x, &usageError{
			"-edit needs a server of 2026-07-28: for earlier ones a library writes the requests",
		}
	}
	d.Client = client()
	n := c.edit.Round
	x, err := c.finish(ctx, d, n-1)
	if err != nil {
		return x, err
	}
	f := x.Fold()
	if last := f.Last(); n > 1 && (last == nil || last.N != n-1 || !last.Open()) {
		return x, fmt.Errorf("the call has no request of round %d to edit: it is %s", n, f.Status)
	}
	experiment := lab.ByHand(false, func(right lab.Edit) (lab.Edit, error) {
		edited, err := c.edit.Apply(right)
		for _, change := range lab.Changes(right, edited) {
			c.changes = append(c.changes, change.Text)
		}
		return edited, err
	})
	t, err := d.Plan(x, experiment, lab.Material{})
	if err != nil {
		return x, fmt.Errorf("edit the request of round %d: %w", n, err)
	}
	for _, line := range c.changes {
		if !c.json {
			fmt.Fprintf(stdout, "edited %s\n", line)
		}
	}
	if x, err = d.Make(ctx, x, t); err == nil && x.Fold().Task() != nil {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), giveUpTime)
		defer stop()
		d.GiveUp(ctx, x)
	}
	return x, err
}
