package sampletools_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// legacyPeer implements 2025-11-25 without an SDK, so that a test chooses the
// URL of each request.
type legacyPeer struct {
	*peer
	session string
}

func (p *legacyPeer) request(path, body string) *http.Response {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), "POST", p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if p.session != "" {
		req.Header.Set("Mcp-Session-Id", p.session)
		req.Header.Set("MCP-Protocol-Version", "2025-11-25")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { res.Body.Close() })
	return res
}

func (p *legacyPeer) initialize(path string) *http.Response {
	p.t.Helper()
	res := p.request(path, `{"jsonrpc":"2.0","id":0,"method":"initialize",`+
		`"params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},`+
		`"clientInfo":{"name":"test","version":"1"}}}`)
	if p.session = res.Header.Get("Mcp-Session-Id"); p.session == "" {
		return res
	}
	next(p.t, bufio.NewReader(res.Body)) // the session exists when the response is there
	p.request(path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return res
}

// next reads the next message of a stream.
func next(t testing.TB, r *bufio.Reader) (m struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}) {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("stream ended: %v", err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok && strings.TrimSpace(data) != "" {
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
}

// ask starts the call and reads the server's question from the open stream.
func (p *legacyPeer) ask(path string) (stream *bufio.Reader, question json.RawMessage) {
	p.t.Helper()
	res := p.request(path, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+resolve4522+`}`)
	stream = bufio.NewReader(res.Body)
	q := next(p.t, stream)
	if q.Method != "elicitation/create" {
		p.t.Fatalf("the server says %s %s %s, not a question", q.Method, q.Result, q.Error)
	}
	return stream, q.ID
}

func (p *legacyPeer) answer(path string, id json.RawMessage) *http.Response {
	p.t.Helper()
	return p.request(path, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept",`+
		`"content":{"resolution":"Fixed"}}}`, id))
}

func TestLegacy_StickyAnswerReachesTheWaitingInstance(t *testing.T) {
	p := &legacyPeer{peer: newPeer(t)}
	p.initialize("/mcp/before-mrtr")
	stream, id := p.ask("/mcp/before-mrtr")
	if res := p.answer("/mcp/before-mrtr", id); res.StatusCode != http.StatusAccepted ||
		res.Header.Get("Mcp-Sample-Instance") != "a/v1" {
		t.Errorf("answer: %d by %s", res.StatusCode, res.Header.Get("Mcp-Sample-Instance"))
	}
	if got := string(next(t, stream).Result); !strings.Contains(got, "Bug #4522 resolved as Fixed") {
		t.Errorf("the call ends with %s", got)
	}
}

func TestLegacy_AnswerToAnotherInstanceIsLost(t *testing.T) {
	p := &legacyPeer{peer: newPeer(t, func(c *sampletools.Config) { c.AnswerWait = 100 * time.Millisecond })}
	p.initialize("/mcp/before-mrtr?next=b")
	stream, id := p.ask("/mcp/before-mrtr?next=b")
	if res := p.answer("/mcp/before-mrtr?next=b", id); res.StatusCode != http.StatusNotFound ||
		res.Header.Get("Mcp-Sample-Instance") != "b/v1" {
		t.Errorf("answer: %d by %s", res.StatusCode, res.Header.Get("Mcp-Sample-Instance"))
	}
	m := next(t, stream)
	for m.Method != "" { // the server cancels its question first
		m = next(t, stream)
	}
	if got := string(m.Result); !strings.Contains(got, "No answer reached instance a") ||
		!strings.Contains(got, `"isError":true`) {
		t.Errorf("the call ends with %s", got)
	}
}

func TestLegacy_SessionDiesWithItsInstance(t *testing.T) {
	p := &legacyPeer{peer: newPeer(t)}
	p.initialize("/mcp/before-mrtr")
	for _, topology := range []string{"?instances=a:dead,b", "?instances=b"} {
		res := p.request("/mcp/before-mrtr"+topology, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", topology, res.StatusCode)
		}
	}
	if res := p.request("/mcp/before-mrtr?instances=a:drain,b", `{"jsonrpc":"2.0","id":1,`+
		`"method":"tools/list"}`); res.StatusCode != http.StatusOK {
		t.Errorf("a drained instance keeps its sessions: %d", res.StatusCode)
	}
}

func TestLegacy_RejectsModernVersion(t *testing.T) {
	p := newPeer(t)
	for method, params := range map[string]string{"server/discover": `{}`, "tools/call": resolve4522} {
		r := p.send("/mcp/before-mrtr", method, params, nil)
		if r.code() != -32022 || !strings.Contains(string(r.Error.Data), `"supported":["2025-11-25",`+
			`"2025-06-18","2025-03-26"]`) {
			t.Errorf("%s of 2026-07-28: %d %s", method, r.status, r.body)
		}
	}
}

func TestLegacy_SessionsAreBounded(t *testing.T) {
	p := newPeer(t)
	for range 200 {
		(&legacyPeer{peer: p}).initialize("/mcp/confirm?next=a")
	}
	res := (&legacyPeer{peer: p}).initialize("/mcp/confirm?next=a")
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("session 201: %d", res.StatusCode)
	}
	if r := p.send("/mcp/confirm?next=a", "tools/list", `{}`, nil); r.status != http.StatusOK {
		t.Errorf("2026-07-28 needs no session, but got %d", r.status)
	}
}

// Close, which the peer's cleanup calls, ends a call that would otherwise stay
// open for an hour.
func TestLegacy_CloseEndsOpenCalls(t *testing.T) {
	p := &legacyPeer{peer: newPeer(t, func(c *sampletools.Config) { c.AnswerWait = time.Hour })}
	p.initialize("/mcp/before-mrtr")
	p.ask("/mcp/before-mrtr")
}
