package narrate_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

const (
	link = `{"resultType":"input_required","requestState":"s","inputRequests":{"go":{` +
		`"method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://a.example/"}}}}`
	yields   = `{"resultType":"input_required","requestState":"s"}`
	wrong    = `{"resultType":"complete","isError":true,"content":[]}`
	question = asks + "}"
	accepts  = `{"action":"accept","content":{}}`
)

// trip is one request and its result.
type trip struct{ instance, topology, result string }

// callOf records a call of one request for each trip.
func callOf(answer string, trips ...trip) playground.Transcript {
	s := &story{at: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	for i, t := range trips {
		d := playground.Decision{Action: playground.ActionStart, Round: i + 1}
		if i > 0 {
			d.Action = playground.ActionAnswer
			d.Answers = []playground.Answer{{Key: "resolution", Value: json.RawMessage(answer)}}
			if trips[i-1].result == yields {
				d.Action, d.Answers = playground.ActionRetry, nil
			}
		}
		query, header := "", ""
		if t.topology != "" {
			query = "?instances=" + t.topology
		}
		if t.instance != "" {
			header = "Mcp-Sample-Instance: " + t.instance + "\r\n"
		}
		s.decide(d)
		s.conn++
		s.add(playground.Sent, fmt.Sprintf("POST /mcp/x%s HTTP/1.1\r\n\r\n"+
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call"}`, query, s.conn))
		s.add(playground.Received, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%s\r\n"+
			`{"jsonrpc":"2.0","id":%d,"result":%s}`, header, s.conn, t.result))
	}
	return playground.Fold(s.log)
}

// TestCall_SaysOnlyWhatTheRecordShows: one sentence for a call that ended with a
// result, and none for any other.
func TestCall_SaysOnlyWhatTheRecordShows(t *testing.T) {
	a, b := "a/v1", "b/v1"
	for _, c := range []struct {
		name   string
		target playground.Target
		f      playground.Transcript
		want   string
	}{
		{"one request", sample, callOf(accepts, trip{a, "", done}),
			"One request. The server asked for nothing more."},
		{"two instances", sample, callOf(accepts, trip{a, "", question}, trip{b, "", question}, trip{a, "",
			done}),
			"Three requests, two instances, nothing remembered in between."},
		{"one instance", sample, callOf(accepts, trip{a, "", question}, trip{a, "", done}),
			"Two requests, nothing remembered in between."},
		{"a foreign server", foreign, callOf(accepts, trip{"", "", question}, trip{"", "", done}),
			"Two requests, each complete in itself."},
		{"a foreign server that names instances", foreign, callOf(accepts, trip{a, "", question}, trip{b, "",
			done}),
			"Two requests, each complete in itself."},
		{"killed after it asked", sample,
			callOf(accepts, trip{a, "", question}, trip{b, "", question}, trip{a, "a:v1,b:dead", done}),
			"Instance\u00a0b asked and was killed. Instance\u00a0a finished the call."},
		{"killed, topology named from the start", sample,
			callOf(accepts, trip{a, "a:v1,b:v1", question}, trip{b, "a:dead,b:v1", done}),
			"Instance\u00a0a asked and was killed. Instance\u00a0b finished the call."},
		{"an instance that did not ask was killed", sample,
			callOf(accepts, trip{a, "a:v1,b:v1,c:v1", question}, trip{b, "a:v1,b:v1,c:dead", done}),
			"Two requests, two instances, nothing remembered in between."},
		{"a foreign URL with such a parameter", foreign,
			callOf(accepts, trip{a, "a:v1,b:v1", question}, trip{b, "a:dead,b:v1", done}),
			"Two requests, each complete in itself."},
		{"drained after it yielded", sample,
			callOf("", trip{a, "a:v1,b:v1", yields}, trip{b, "a:v1:drain,b:v1", done}),
			"Instance\u00a0a yielded and was drained. Instance\u00a0b finished the call."},
		{"yielded", sample, callOf("", trip{a, "", yields}, trip{b, "", done}),
			"Two requests, two instances: requestState carried the work from one to the next."},
		{"yielded, foreign", foreign, callOf("", trip{"", "", yields}, trip{"", "", done}),
			"Two requests: requestState carried the work from one to the next."},
		{"upgraded", sample,
			callOf(accepts, trip{"a/v1", "a:v1,b:v1", question}, trip{"a/v2", "a:v2,b:v1", done}),
			"Version\u00a0v1 asked. Version\u00a0v2 finished the call."},
		{"a link", sample, callOf(accepts, trip{a, "", link}, trip{b, "", done}),
			"Two requests. What was entered on the server's page did not pass through the client."},
		{"waiting", sample, callOf(accepts, trip{a, "", question}), ""},
		{"declined", sample, callOf(`{"action":"decline"}`, trip{a, "", question}, trip{b, "", done}), ""},
		{"tool error", sample, callOf(accepts, trip{a, "", question}, trip{b, "", wrong}), ""},
		{"nothing sent", sample, playground.Transcript{}, ""},
	} {
		if got := narrate.Call(c.target, c.f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
