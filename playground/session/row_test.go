package session_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

func TestCallSummary(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`{"name":"update","arguments":{"id":4522,"fields":{"State":"Resolved"}}}`,
			`id: 4522, fields: {"State":"Resolved"}`},
		{`{"name":"greet","arguments":{"who":"Ada \"A\"","loud":true}}`, `who: Ada "A", loud: true`},
		{`{"name":"now","arguments":{}}`, ""},
		{`{"uri":"file:///a"}`, ""},
		{`{"arguments":[1]}`, ""},
		{`{"arguments"`, ""},
		{"", ""},
	} {
		if got := session.CallSummary(playground.Call{Method: "tools/call",
			Params: json.RawMessage(c.params)}); got != c.want {
			t.Errorf("summary of %s: %q, want %q", c.params, got, c.want)
		}
	}
}

// TestRowOf: a branch has the status of the whole exchange and the number of its
// own Rounds.
func TestRowOf(t *testing.T) {
	at := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	start := playground.Decision{Action: playground.ActionStart, Round: 1}
	retry := playground.Decision{Action: playground.ActionRetry, Round: 2, Experiment: "flip-byte"}
	original := playground.Exchange{
		ID: "x1", Target: playground.Target{ID: "t1", Name: "example.com"},
		Call: playground.Call{Method: "tools/call",
			Params: json.RawMessage(`{"name":"n","arguments":{"a":1}}`)},
		Log: log(at, start, `{"resultType":"input_required","requestState":"s"}`),
	}
	branch := original
	branch.ID, branch.Origin = "x2", &playground.Origin{Exchange: "x1", Round: 1, Parent: &original}
	branch.Log = log(at, retry, `{"resultType":"complete","isError":true,"content":[]}`)
	got := session.RowOf(session.Session{ID: "s", Title: "title", Note: "note", Kind: session.KindExchange,
		Pinned: true, Imported: true, Changed: at, Exchanges: []playground.Exchange{original, branch}})
	want := session.Row{ID: "s", Title: "title", Note: "note", Kind: session.KindExchange,
		Pinned: true, Imported: true, Changed: at, Exchanges: []session.ExchangeRow{
			{ID: "x1", Target: "example.com", TargetID: "t1", Method: "tools/call", Summary: "a: 1",
				Status: playground.StatusWaiting, Rounds: 1},
			{ID: "x2", Target: "example.com", TargetID: "t1", Method: "tools/call", Summary: "a: 1",
				Status: playground.StatusComplete, ToolError: true, Rounds: 1, Experiment: "flip-byte",
				Parent: "x1", From: 1},
		}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// log returns the log of one Round with a result.
func log(at time.Time, d playground.Decision, result string) []playground.Event {
	decided := d.Event(at)
	decided.Seq = 1
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"n"}}`, d.Round)
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, d.Round, result)
	return []playground.Event{decided,
		{Seq: 2, At: at, Conn: 1, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" + body)},
		{Seq: 3, At: at, Conn: 1, Kind: playground.Received,
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + answer)},
	}
}
