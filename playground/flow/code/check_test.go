package code_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// check runs a check, which must find nothing.
func (b *balancer) check(v *flow.Version, f *flow.Flow) {
	b.t.Helper()
	made := 0
	exchanges, err := check.Run(b.t.Context(), check.Config{
		Runner: b.runner(), Client: me, Now: time.Now, Expiry: check.Expiry,
		Wait:  func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		NewID: func() string { made++; return fmt.Sprint("x", made) },
		Begin: func(context.Context, playground.Exchange) error { return nil },
	}, check.Plan{Target: b.target(), Call: call(f), Answers: onWire(v, v.ExampleAnswers()),
		Person: bearer("demo-bob")})
	if err != nil {
		b.t.Fatal(err)
	}
	report := lab.NewReport(exchanges, server.Connection{}, false)
	found, want := []string{}, []string{}
	if f.State.Protection == "plain" {
		want = []string{"flip-state", "state-protected"} // which is what the flow shows
	}
	for _, r := range report.Results {
		if r.Verdict == verdict.Failed || r.Verdict == verdict.Advisory {
			found = append(found, r.ID)
			b.t.Logf("%s: %s %s", r.ID, r.Verdict, r.Text)
		}
	}
	for _, r := range report.Findings {
		if r.Verdict == verdict.Failed || r.Verdict == verdict.Advisory {
			found = append(found, r.Rule)
			b.t.Logf("%s: %s %s (%s, round %d)", r.Rule, r.Verdict, r.Text, r.Experiment, r.Round)
		}
	}
	slices.Sort(found)
	if !slices.Equal(slices.Compact(found), want) || report.Status != lab.Complete || !report.Worked {
		b.t.Errorf("the check found %q, want %q: %s %s", found, want, report.Status, report.Detail)
	}
}
