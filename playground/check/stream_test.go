package check_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestRun_StreamsAreNotAccused: a right server that answers with event streams,
// however they are cut and whenever they end, is judged as one that answers with
// JSON.
func TestRun_StreamsAreNotAccused(t *testing.T) {
	for _, s := range peers.Streams() {
		for _, tool := range []string{"pay", "job"} {
			parallel(t, tool+"/"+s.Name, func(t *testing.T) {
				clock := newClock()
				r := checked(t, clock, peers.Streamed(fakeServer{now: clock.Now, jobs: &jobs{}}, s), tool)
				if diff := cmp.Diff(map[string]verdict.Outcome{}, remarks(r)); diff != "" ||
					!r.Verdict().OK() {
					show(t, r)
					t.Error(diff)
				}
				if tool == "job" {
					wantTaskResults(t, r)
				}
			})
		}
	}
}

// wantTaskResults fails the test if an experiment on tasks was not judged, except those
// with a need that the task does not meet.
func wantTaskResults(t *testing.T, r lab.Report, unmet ...lab.Need) {
	t.Helper()
	for _, p := range r.Results {
		if p.Group == lab.GroupTask && !slices.Contains(unmet, p.Needs) &&
			!p.Verdict.Judged() {
			t.Errorf("%s was not judged: %s", p.ID, p.Text)
		}
	}
}

// TestRun_TasksThatStream: the same for tasks of another style.
func TestRun_TasksThatStream(t *testing.T) {
	for _, s := range peers.Streams() {
		parallel(t, s.Name, func(t *testing.T) {
			p := peers.Tasks()
			server := inMemory(t, peers.Streamed(p.Handler, s))
			var answers map[string]json.RawMessage
			if err := json.Unmarshal(p.Answers, &answers); err != nil {
				t.Fatal(err)
			}
			r := checkOf(t, checkConfig(t, newClock(), run.NewMemory(), server), check.Plan{
				Target: playground.Target{ID: p.Name, URL: server.url(), Capabilities: p.Capabilities},
				Call:   playground.Call{Method: p.Method, Params: p.Params}, Answers: answers,
			})
			if diff := cmp.Diff(map[string]verdict.Outcome{}, remarks(r)); diff != "" || !r.Verdict().OK() {
				show(t, r)
				t.Error(diff)
			}
			wantTaskResults(t, r, lab.NeedsUpdates) // it asks one by one
		})
	}
}
