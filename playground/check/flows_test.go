package check_test

import (
	"context"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// TestRun_FlowsHaveNoFinding: every starting point, as its server protects its state.
func TestRun_FlowsHaveNoFinding(t *testing.T) {
	for _, e := range flow.Examples() {
		parallel(t, e.Slug, func(t *testing.T) {
			b := newBench(t, sampletools.Config{
				Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
				Flows: func(context.Context, string) (sampletools.FlowText, error) {
					return sampletools.FlowText{Digest: "1", Source: e.Source}, nil
				},
			})
			plan := b.plan(t, "flow-token", "")
			plan.Other = nil // a flow is one tool
			r := checkOf(t, b.config, plan)
			counts := r.Verdict().Counts()
			// The check does not press the button of a page, and declines when asked again.
			if !r.Verdict().OK() || !r.Worked || r.Status != lab.Complete ||
				counts.Failed+counts.Advisory > 0 {
				show(t, r)
				t.Errorf("%s: %+v %s", r.Status, counts, r.Detail)
			}
		})
	}
}
