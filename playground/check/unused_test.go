package check_test

import (
	"encoding/json"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// TestRun_NotesUnusedAnswers: the report names an answer given in advance that the server
// never asked, in every form that it has, if no answer was made up in its place.
func TestRun_NotesUnusedAnswers(t *testing.T) {
	m := inMemory(t, peers.Table(""))
	exchanges, err := check.Run(t.Context(), checkConfig(t, newClock(), run.NewMemory(), m), check.Plan{
		Target: playground.Target{ID: "table", URL: m.url(), Capabilities: []byte(`{"elicitation":{}}`)},
		Call: server.ToolCall(server.Tool{Name: "book_table"},
			[]byte(`{"restaurant":"Luigi","day":"Friday"}`)),
		Answers: map[string]json.RawMessage{
			"people": json.RawMessage(`{"people":4}`), "time": json.RawMessage(`{"time":"19:00"}`),
			"confirm": json.RawMessage(`{"confirm":true}`), "hour": json.RawMessage(`{}`),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := lab.NewReport(exchanges, server.Connection{}, false)
	const want = `The answer to "hour" was not used: it was never asked.`
	v, d := r.Verdict(), r.Document()
	if r.Unused != want || len(v.Notes) != 1 || v.Notes[0] != want || d.Note != want {
		t.Errorf("unused %q, notes %q, document %q", r.Unused, v.Notes, d.Note)
	}
	if r.Status != lab.Complete || r.Control.Fold().Status != playground.StatusComplete {
		t.Errorf("%s: the note changed the call: %s", r.Status, r.Detail)
	}
}
