package main

import (
	"context"
	"io"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/expect"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// repetition makes the call of an expectation again, with its answers. `call -replay` and
// `test` are made of it.
type repetition struct {
	*caller
	want expect.Expectation
}

// newRepetition returns the repetition of a call. header are the fields that the recording
// has; those of the command line follow them.
func newRepetition(
	o callOptions, want expect.Expectation, header []wire.Field, stderr io.Writer,
) (*repetition, error) {
	if o.url == "" {
		o.url = want.URL
	}
	o.capabilities, o.method = want.Capabilities, want.Call.Method
	c, err := newCaller(o, stderr)
	if err != nil {
		return nil, err
	}
	r := &repetition{caller: c, want: want}
	r.x.Target.Header, r.x.Call = append(append([]wire.Field(nil), header...), o.header...), want.Call
	if want.Era == playground.Legacy {
		r.x.Target.Era = playground.Legacy
	}
	return r, nil
}

// run makes the call again, as far as the server asks the same questions.
func (r *repetition) run(ctx context.Context) (playground.Transcript, error) {
	if _, failure := wire.CheckURL(r.x.Target.URL, reachOf(r.public)); failure != nil && r.stdio == nil {
		return playground.Transcript{}, &usageError{failure.Detail}
	}
	x, err := r.finish(ctx, drive.Driver{Runner: r.runner, Decide: r.want.Decider()}, playground.MaxRounds)
	if err != nil && !drive.IsUnanswered(err) {
		return playground.Transcript{}, err
	}
	return x.Fold(), nil
}
