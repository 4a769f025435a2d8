package check_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/sampletools/peers"
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
			if !r.OK() {
				t.Errorf("the check of a right server is not ok: %s %s", r.Status, r.Detail)
			}
			for _, found := range r.Results {
				if found.ID == "spare-bits" && slices.Contains(laxDecoders, p.Name) {
					continue
				}
				if found.Verdict == rules.Fail || found.Verdict == rules.Hint {
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
