package capture_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// posts returns a log of requests over HTTP that all get status 202. Each is its head
// without the request line, and its body.
func posts(requests ...[2]string) []playground.Event {
	var log []playground.Event
	for i, r := range requests {
		verb := "POST"
		if r[1] == "" {
			verb = "GET"
		}
		at := time.Unix(int64(10*i), 0)
		head := verb + " /mcp HTTP/1.1\r\nAccept: application/json, text/event-stream\r\n" + r[0]
		log = append(log,
			playground.Event{Conn: i + 1, Kind: playground.Sent, At: at, Data: []byte(head + "\r\n" + r[1])},
			playground.Event{Conn: i + 1, Kind: playground.Received, At: at.Add(time.Second),
				Data: []byte("HTTP/1.1 202 Accepted\r\n\r\n")})
	}
	return log
}

// TestJudge_TheVersionDecidesTheEra: neither a session id nor anything but the version in _meta,
// or else in the header, or else a session that was opened, makes a request a legacy one.
func TestJudge_TheVersionDecidesTheEra(t *testing.T) {
	const (
		named   = "Mcp-Session-Id: s1\r\n"
		version = "MCP-Protocol-Version: 2026-07-28\r\n"
		list    = `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{%s}}`
		open    = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`
		method  = "Mcp-Method: tools/list\r\n"
	)
	modern := fmt.Sprintf(list, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},`+
		`"io.modelcontextprotocol/clientCapabilities":{}}`)
	bare := fmt.Sprintf(list, "")
	for name, c := range map[string]struct {
		requests [][2]string
		legacy   bool
		wrong    []string
	}{
		"modern":             {[][2]string{{version + method, modern}}, false, nil},
		"modern, session id": {[][2]string{{named + version + method, modern}}, false, nil},
		"modern, no version header": {
			[][2]string{{named + method, modern}}, false, []string{"client-headers"},
		},
		"modern, older header": {
			[][2]string{{"MCP-Protocol-Version: 2025-11-25\r\n" + method, modern}}, false,
			[]string{"client-headers"},
		},
		"no _meta": {
			[][2]string{{named + version + method, bare}}, false, []string{"client-meta"},
		},
		"no version, session id": {[][2]string{{named + method, bare}}, false, []string{"client-meta"}},
		"an older header": {
			[][2]string{{"MCP-Protocol-Version: 2025-11-25\r\n", bare}}, true, nil,
		},
		"a session of 2025-03-26":   {[][2]string{{"", open}, {named, bare}}, true, nil},
		"its stream":                {[][2]string{{"", open}, {named, ""}}, true, nil},
		"a stream of this revision": {[][2]string{{version, ""}}, false, []string{"client-envelope"}},
		"modern in a legacy session": {
			[][2]string{{"", open}, {named + version + method, modern}}, false, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := capture.NewReport(session.Session{}, posts(c.requests...))
			var wrong []string
			for _, f := range r.Findings {
				if f.Side == rules.Client && (f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory) {
					wrong = append(wrong, f.Rule)
				}
			}
			if last := r.Others[len(r.Others)-1]; last.Legacy != c.legacy || !slices.Equal(wrong, c.wrong) {
				t.Errorf("legacy %v, %q", last.Legacy, wrong)
			}
		})
	}
}

// TestObserve_InitializeAfterOtherCalls: an initialize is the consequence of the newest
// answer before it, and of no earlier error.
func TestObserve_InitializeAfterOtherCalls(t *testing.T) {
	for name, c := range map[string]struct {
		drive []string
		want  []string
	}{
		"after the last error": {[]string{"error_version", "error_legacy"},
			[]string{"error_legacy/no-fallback"}},
		"after a call": {[]string{"error_version", "echo_quotes"}, []string{"requests/era-kept"}},
	} {
		one := newClient(t, fault{})
		for _, id := range c.drive {
			s, _ := rules.ScenarioByID(id)
			one.drive(s)
		}
		one.send(newRequest("initialize", members([]byte(initialize))))
		var got []string
		for _, tick := range capture.ObserveEnded(one.contacts) {
			if tick.Outcome == verdict.Failed || tick.Outcome == verdict.Advisory {
				got = append(got, tick.Scope+"/"+tick.ID)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
