package views

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

func TestExchange_RejectedExperimentIsNoFailure(t *testing.T) {
	for _, c := range []struct {
		tried lab.Result
		want  bool
	}{
		{lab.Result{Reaction: lab.Rejected, Verdict: rules.Pass}, true},
		{lab.Result{Reaction: lab.Rejected, Verdict: rules.Fail}, false},
		{lab.Result{Reaction: lab.NoAnswer, Verdict: rules.Pass}, false},
	} {
		x := Exchange{Status: playground.StatusFailed, Now: Now{Failed: &Failed{}}}
		x.expect(c.tried)
		if got := x.Standing.Words == "rejected, as expected"; got != c.want ||
			x.Now.Failed.Expected != c.want {
			t.Errorf("%+v: standing %+v, expected %v", c.tried, x.Standing, x.Now.Failed.Expected)
		}
	}
}
