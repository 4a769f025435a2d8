package check_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Tokens that the server of the tests accepts. They have the form of a JWT.
const (
	alice  = "Bearer aGVhZA.eyJzdWIiOiJhbGljZSIsImF1ZCI6Im1lIiwiZXhwIjo0MTAyNDQ0ODAwfQ.c2ln"
	bob    = "Bearer aGVhZA.eyJzdWIiOiJib2IiLCJhdWQiOiJtZSIsImV4cCI6NDEwMjQ0NDgwMH0.c2ln"
	narrow = "Bearer narrow-narrow" // without the scope of the tools
)

func planOf(url string) check.Plan {
	return check.Plan{
		Target: playground.Target{URL: url,
			Capabilities: []byte(`{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`),
			Header:       []wire.Field{{Name: "Authorization", Value: alice}}},
		Call: playground.Call{Method: "tools/call",
			Params: []byte(`{"name":"pay","arguments":{"amount":7}}`)},
		Answers: map[string]json.RawMessage{"who": json.RawMessage(`{"name":"Ada","age":36}`)},
		Person:  []wire.Field{{Name: "Authorization", Value: bob}},
		Narrow:  []wire.Field{{Name: "Authorization", Value: narrow}},
		Other:   &playground.Call{Method: "tools/call", Params: []byte(`{"name":"other","arguments":{}}`)},
		MaxWait: time.Hour, Late: 2 * time.Minute,
	}
}

// checked is the report on a handler.
func checked(t *testing.T, clock *clock, h http.Handler, tools ...string) lab.Report {
	t.Helper()
	server := inMemory(t, h)
	cfg := checkConfig(t, clock, run.NewMemory(), server)
	plan := planOf(server.url() + "/mcp")
	for _, tool := range tools {
		plan.Call.Params = []byte(`{"name":"` + tool + `","arguments":{"amount":7}}`)
		if tool != "pay" {
			plan.Answers = nil
		}
	}
	return checkOf(t, cfg, plan)
}

// toolOf is the tool whose call an experiment can be made on.
func toolOf(e lab.Experiment) string {
	if e.Group == lab.GroupTask {
		return "job"
	}
	if e.Needs == lab.NeedsBox {
		return "confirm"
	}
	return "pay"
}

// remarks are the fails and hints of a report, of probes and rules alike.
func remarks(r lab.Report) map[string]verdict.Outcome {
	list := map[string]verdict.Outcome{}
	for _, p := range r.Results {
		if p.Verdict == verdict.Failed || p.Verdict == verdict.Advisory {
			list[p.ID] = p.Verdict
		}
	}
	for _, f := range r.Findings {
		list[f.Rule] = f.Verdict
	}
	return list
}

// TestRun_EachFaultHasItsVerdict: one server per experiment that falls
// for it, and for nothing else.
func TestRun_EachFaultHasItsVerdict(t *testing.T) {
	// both outcomes are right, or the call has no place for it
	notAFault := map[string]bool{"replay": true, "late-state": true, "no-token": true, "early-answer": true,
		"early-after-gap": true, "flip-after-gap": true}
	// what the server did is not visible in the structure of its result
	mayBeRight := map[string]bool{"decline-answer": true, "cancel-answer": true}
	// a legacy server could do so, but the result is a modern one
	modern := map[string]bool{"no-version-header": true}
	for _, id := range []string{"made-up-token", "other-audience", "expired-token"} {
		mayBeRight[id] = true // a server may need no token at all
	}
	for _, e := range lab.Experiments() {
		parallel(t, e.ID, func(t *testing.T) {
			want := map[string]verdict.Outcome{e.ID: verdict.Advisory}
			switch {
			case notAFault[e.ID]:
				want = map[string]verdict.Outcome{}
			case e.Level == lab.Must && !mayBeRight[e.ID], modern[e.ID]:
				want[e.ID] = verdict.Failed
			}
			if e.ID == "wrong-type" { // it takes any object
				want["malformed-answer"] = verdict.Advisory
			}
			if e.ID == "task-cancel" {
				// the check cancels tasks that it has no more use for
				want["task-unknown"] = verdict.Failed
			}
			clock := newClock()
			r := checked(t, clock, fakeServer{fault: e.ID, now: clock.Now, jobs: &jobs{}},
				toolOf(e))
			if diff := cmp.Diff(want, remarks(r)); diff != "" {
				show(t, r)
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRun_CorrectServerPasses(t *testing.T) {
	clock := newClock()
	r := checked(t, clock, fakeServer{now: clock.Now})
	if diff := cmp.Diff(map[string]verdict.Outcome{}, remarks(r)); diff != "" || !r.Verdict().OK() {
		show(t, r)
		t.Error(diff)
	}
	tasks := 0
	for _, e := range lab.Experiments() {
		if e.Group == lab.GroupTask {
			tasks++
		}
	}
	// the replay, which cannot be judged; two that need several questions at once, and one
	// that needs a box
	if c := r.Experiments().Counts(); c.NotApplicable != 3+tasks || c.NotJudged != 1 {
		show(t, r)
		t.Errorf("%+v", c)
	}
}

// TestRun_NoServer: nothing is probed where the call does not work.
func TestRun_NoServer(t *testing.T) {
	clock := newClock()
	for name, h := range map[string]http.HandlerFunc{
		"html": func(w http.ResponseWriter,
			_ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
		},
		"broken": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"closed": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"401":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
	} {
		r := checked(t, clock, h)
		if r.Status != lab.Failed || r.Detail == "" || r.Verdict().OK() {
			t.Errorf("%s: %s %q", name, r.Status, r.Detail)
		}
	}
}

// TestExperiments_ClausesAreThoseOfTheRules: a probe and the rule beside it
// link alike.
func TestExperiments_ClausesAreThoseOfTheRules(t *testing.T) {
	links := map[string]string{}
	for _, r := range rules.All() {
		links[r.ID] = r.Link
	}
	// a clause of their own
	differ := map[string]bool{"omit-capability": true, "unknown-method": true, "no-version-header": true,
		"task-cancel": true}
	for _, e := range lab.Experiments() {
		if e.Rule != "" && !differ[e.ID] && links[e.Rule] != e.Clause {
			t.Errorf("%s: %s, the rule %s has %s", e.ID, e.Clause, e.Rule, links[e.Rule])
		}
	}
}
