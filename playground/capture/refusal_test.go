package capture_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestJudge_ToolThatHasChanged: a call without a header that only the newest definition of its
// tool has is refused rightly, and one that has all headers is not. If the client does not
// list the tool again, neither is known.
func TestJudge_ToolThatHasChanged(t *testing.T) {
	const (
		meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},` +
			`"io.modelcontextprotocol/clientCapabilities":{}}`
		plain  = `{"name":"a","inputSchema":{"type":"object","properties":{"env":{"type":"string"}}}}`
		header = `{"name":"a","inputSchema":{"type":"object","properties":{"env":{"type":"string",` +
			`"x-mcp-header":"Env"}}}}`
	)
	trip := func(at int64, method, name, params, status, body string) []playground.Event {
		head := "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n" +
			"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n" +
			"Mcp-Method: " + method + "\r\n" + name + "\r\n"
		request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, method, params, meta)
		return []playground.Event{
			{Conn: 1, Kind: playground.Sent, At: time.Unix(at, 0), Data: []byte(head + request)},
			{Conn: 1, Kind: playground.Received, At: time.Unix(at, 1), Data: []byte("HTTP/1.1 " + status +
				"\r\nContent-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":1,` + body + `}`)},
		}
	}
	for name, c := range map[string]struct {
		listed string
		since  time.Duration // when it was listed, since the call was sent
		want   verdict.Outcome
	}{
		"changed":          {header, time.Second, verdict.NotApplicable},
		"unchanged":        {plain, time.Second, verdict.Failed},
		"not listed again": {plain, -time.Second, verdict.NotJudged},
	} {
		t.Run(name, func(t *testing.T) {
			call := trip(100, "tools/call", "Mcp-Name: a\r\n", `"name":"a","arguments":{"env":"prod"},`,
				"400 Bad Request", `"error":{"code":-32020,"message":"Header mismatch"}`)
			m, err := jsontree.Parse([]byte(`{"method":"tools/call","params":{"name":"a",`+
				`"arguments":{"env":"prod"},`+meta+`}}`), jsontree.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			x := capture.Begin("x", "s", playground.Target{URL: "http://a/mcp"}, time.Unix(99, 0), m)
			x.Call.Tool = json.RawMessage(plain)
			decision := playground.Decision{Round: 1, By: playground.ByClient}.Event(time.Unix(100, 0))
			x.Log = append([]playground.Event{decision}, call...)
			for i := range x.Log {
				x.Log[i].Seq = i + 1
			}
			list := trip(100+int64(c.since/time.Second), "tools/list", "", "", "200 OK",
				`"result":{"resultType":"complete","ttlMs":0,`+
					`"cacheScope":"private","tools":[`+c.listed+`]}`)
			got := verdict.NotApplicable
			r := capture.NewReport(session.Session{Exchanges: []playground.Exchange{x}}, list)
			for _, f := range r.Findings {
				if f.Rule == "header-mismatch" && f.Verdict != verdict.Passed {
					got = f.Verdict
				}
			}
			if got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
