package views

import (
	"strings"
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

// TestNewFailed_NotFoundAfterAnAnswer: a URL that answered before is not
// misspelt.
func TestNewFailed_NotFoundAfterAnAnswer(t *testing.T) {
	for action, want := range map[playground.Action]string{
		playground.ActionStart:  "Check the path of the URL.",
		playground.ActionResend: "Check the path of the URL.",
		playground.ActionAnswer: "The same URL answered the request before.",
	} {
		r := playground.Round{N: 2, Decision: playground.Decision{Action: action}}
		r.Kind, r.Class = playground.OutcomeHTTPError, playground.HTTP404
		if got := newFailed("x", "", r, true); !strings.HasPrefix(got.Sentence.Try, want) {
			t.Errorf("%s: %q", action, got.Sentence.Try)
		}
	}
}
