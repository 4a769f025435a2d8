package flow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// Addresses finds flows by the tokens of their addresses.
type Addresses interface {
	FlowAt(ctx context.Context, token string) (flow.Saved, error)
	UseFlow(ctx context.Context, f flow.Saved, at time.Time) error
}

// Lookup returns how the samples find what runs at the address of a flow: the
// starting points have their slugs as tokens, and the flows of visitors are found
// while their addresses are open. With expires, an address ends when it was not
// used for long.
func Lookup(
	store Addresses, expires bool, now func() time.Time,
) func(ctx context.Context, token string) (sampletools.FlowText, error) {
	return func(ctx context.Context, token string) (sampletools.FlowText, error) {
		if x, ok := flow.FindExample(token); ok {
			return sampletools.FlowText{Digest: token, Source: x.Source, Example: true}, nil
		}
		f, err := store.FlowAt(ctx, token)
		switch {
		case errors.Is(err, playground.ErrNotFound), err == nil && !f.Open(now(), expires):
			return sampletools.FlowText{}, sampletools.ErrNoFlow
		case err != nil:
			return sampletools.FlowText{}, err
		}
		_ = store.UseFlow(ctx, f, now()) // a note; where it cannot be written, the flow still runs
		return sampletools.FlowText{
			Digest: fmt.Sprint(f.ID, " ", f.Number), Source: f.Text, Owner: f.Workspace,
		}, nil
	}
}
