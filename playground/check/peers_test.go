package check_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// laxDecoders are the right servers that ignore unused bits of Base64, which is
// worth an advisory.
var laxDecoders = []string{"lax", "decline-is-a-result"}

// TestRun_RightServersGetNoFinding: servers of different styles that keep the
// specification get no violation, and no advisory that is not true, from the
// experiments and from the rules.
func TestRun_RightServersGetNoFinding(t *testing.T) {
	for _, p := range peers.All() {
		parallel(t, p.Name, func(t *testing.T) {
			server := inMemory(t, p.Handler)
			var answers map[string]json.RawMessage
			if err := json.Unmarshal(p.Answers, &answers); err != nil {
				t.Fatal(err)
			}
			r := checkOf(t, checkConfig(t, newClock(), run.NewMemory(), server), check.Plan{
				Target: playground.Target{ID: p.Name, URL: server.url(), Capabilities: p.Capabilities},
				Call:   playground.Call{Method: p.Method, Params: p.Params}, Answers: answers,
			})
			if !r.Verdict().OK() {
				t.Errorf("the check of a right server is not ok: %s %s", r.Status, r.Detail)
			}
			for _, found := range r.Results {
				if found.ID == "spare-bits" && slices.Contains(laxDecoders, p.Name) {
					continue
				}
				if found.Verdict == verdict.Failed || found.Verdict == verdict.Advisory {
					t.Errorf("%s: %s %s", found.ID, found.Verdict, found.Text)
				}
			}
			for _, found := range r.Findings {
				t.Errorf("%s: %s %s (%s, round %d)", found.Rule, found.Verdict, found.Text, found.Experiment,
					found.Round)
			}
		})
	}
}

// TestRun_AnswersBeforeTheyAreAsked: for a server that uses them the report
// says so, without an accusation, and one that asks all the same passes.
func TestRun_AnswersBeforeTheyAreAsked(t *testing.T) {
	for fault, want := range map[string][2]verdict.Outcome{
		"":                   {verdict.Passed, verdict.Passed},
		"books unasked":      {verdict.NotJudged, verdict.NotJudged},
		"any state confirms": {verdict.Passed, verdict.NotJudged},
	} {
		parallel(t, "fault "+fault, func(t *testing.T) {
			server := inMemory(t, peers.Table(fault))
			r := checkOf(t, checkConfig(t, newClock(), run.NewMemory(), server), check.Plan{
				Target: playground.Target{ID: "table", URL: server.url(),
					Capabilities: json.RawMessage(`{"elicitation":{"form":{}}}`)},
				Call: exercise.Call(), Answers: exercise.Answers(),
			})
			got := [2]verdict.Outcome{}
			for _, found := range r.Results {
				switch {
				case found.ID == "early-answer":
					got[0] = found.Verdict
				case found.ID == "early-after-gap":
					got[1] = found.Verdict
				case found.Verdict == verdict.Failed || found.Verdict == verdict.Advisory:
					t.Errorf("%s: %s %s", found.ID, found.Verdict, found.Text)
				}
			}
			if got != want {
				show(t, r)
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
