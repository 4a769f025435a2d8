package lab_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

// TestSendsForeignState: only a state that the server issued in this call, or
// one that anyone can read, is known to be no other user's. What a server might
// read differently than this program counts as foreign.
func TestSendsForeignState(t *testing.T) {
	log := func(params string, experiment string) playground.Exchange {
		decided := func(d playground.Decision) playground.Event { return d.Event(time.Time{}) }
		sent := func(conn int, body string) playground.Event {
			return playground.Event{Conn: conn, Kind: playground.Sent,
				Data: []byte("POST /mcp HTTP/1.1\r\n\r\n" + body)}
		}
		return playground.Exchange{Log: []playground.Event{
			decided(playground.Decision{Action: playground.ActionStart, Round: 1}),
			sent(1, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`),
			{Conn: 1, Kind: playground.Received, Data: []byte("HTTP/1.1 200 OK\r\n" +
				"Content-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"result":` +
				`{"resultType":"input_required","requestState":"issued"}}`)},
			decided(playground.Decision{Action: playground.ActionRetry, Round: 2, Experiment: experiment,
				Changed: true}),
			sent(2, `{"jsonrpc":"2.0","id":2,"method":"tools/call",`+params+`}`),
		}}
	}
	readable := func(state string) bool { return strings.HasPrefix(state, "plain") }
	for params, want := range map[string]bool{
		`"params":{"requestState":"issued"}`:                               false,
		`"params":{}`:                                                      false,
		`"params":{"requestState":"plain.x"}`:                              false,
		`"params":{"requestState":"other"}`:                                true,
		`"params":{"requestState":"other","requestState":"issued"}`:        true,
		`"params":{"requestState":"issued","requeststate":"other"}`:        true,
		`"params":{"requestState":"other"},"params":{}`:                    true,
		`"Params":{"requestState":"other"}`:                                true,
		`"params":{"requestState":"other"`:                                 true,
		`"params":{"requestState":"issu\u0065d"}`:                          false,
		`"params":{"requestState":"plain.x","arguments":{"params":"any"}}`: false,
	} {
		if got := lab.SendsForeignState(log(params, lab.EditedID), readable); got != want {
			t.Errorf("%s: %t", params, got)
		}
	}
	if lab.SendsForeignState(log(`"params":{"requestState":"other"}`, "flip-state"), readable) {
		t.Error("an experiment of the table counts, which changes a state of its own call")
	}
}
