package capture_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// failed returns the rules with a fail or a hint, in alphabetical order.
func failed(r capture.Report) []string {
	var list []string
	for _, f := range r.Findings {
		if f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory {
			list = append(list, f.Rule)
		}
	}
	slices.Sort(list)
	return list
}

// TestTape_UnreadLines: a line that the limits of this program hide is no fault
// of either side.
func TestTape_UnreadLines(t *testing.T) {
	deep := `"x":` + strings.Repeat("[", 70) + strings.Repeat("]", 70)
	call := asks(1, "tools/call", `"name":"a","arguments":{},`, "")
	deepCall := asks(1, "tools/call", `"name":"a","arguments":{`+deep+`},`, "")
	cancel := `>{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	tests := map[string]struct {
		lines []string
		kinds []string
		rules []string
	}{
		"request too deep": {
			lines: []string{deepCall, gives(1, doneResult)}, kinds: []string{" interrupted 0", " pending 1"},
		},
		"request too deep, cancelled": {
			lines: []string{deepCall, cancel},
			kinds: []string{" interrupted 0", "notifications/cancelled ack 0"},
		},
		"request cut": {
			lines: []string{"cut" + call[:40], gives(1, doneResult)},
			kinds: []string{" transport_error 0", " pending 1"},
		},
		"request cut, cancelled": {
			lines: []string{"cut" + call[:40], cancel},
			kinds: []string{" transport_error 0", "notifications/cancelled ack 0"},
		},
		"response too deep": {
			lines: []string{call, gives(1, doneResult+","+deep), call, gives(1, doneResult)},
			kinds: []string{"tools/call interrupted 0", " pending 1", "tools/call complete 1"},
		},
		"response cut": {
			lines: []string{call, "cut" + gives(1, doneResult)[:30], call, gives(1, doneResult)},
			kinds: []string{"tools/call interrupted 0", " transport_error 1", "tools/call complete 1"},
		},
		"method of the wrong kind": {
			lines: []string{
				`>{"jsonrpc":"2.0","id":1,"method":5}`,
				`<{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no method"}}`,
			},
			kinds: []string{" rpc_error 1"},
			rules: []string{"client-envelope"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r, _ := tape(roomy, test.lines...)
			if got := received(r); !slices.Equal(got, test.kinds) {
				t.Errorf("%q", got)
			}
			if got := failed(r); !slices.Equal(got, test.rules) {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestTape_Batches: only revision 2025-03-26 has them.
func TestTape_Batches(t *testing.T) {
	open := func(version string, lines ...string) []string {
		hello := `"protocolVersion":"` + version + `","capabilities":{}`
		return append([]string{
			`>{"jsonrpc":"2.0","id":0,"method":"initialize","params":{` + hello +
				`,"clientInfo":{"name":"old","version":"1"}}}`,
			gives(0, hello+`,"serverInfo":{"name":"s","version":"1"}`),
			`>{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		}, lines...)
	}
	pings := `>[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`
	pongs := `<[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`
	questions := `<[{"jsonrpc":"2.0","id":7,"method":"ping"}]`
	answer := `>{"jsonrpc":"2.0","id":7,"result":{}}`
	tests := map[string]struct{ lines, rules []string }{
		"2025-03-26":  {open("2025-03-26", pings, pongs, questions, answer), nil},
		"apart":       {open("2025-03-26", pings, gives(2, ""), gives(1, "")), nil},
		"unanswered":  {open("2025-03-26")[:1], nil},
		"not known":   {append(open("2025-03-26")[:1], pings, pongs), nil},
		"no messages": {open("2025-03-26", ">[]", "<[1]"), []string{"line-client", "line-server"}},
		"2025-06-18":  {open("2025-06-18", pings, pongs), []string{"line-client", "line-server"}},
		"2026-07-28":  {[]string{pings, pongs}, []string{"line-client", "line-server"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r, _ := tape(roomy, test.lines...)
			if got := failed(r); !slices.Equal(got, test.rules) {
				t.Errorf("%q, %q", got, received(r))
			}
		})
	}
}

// TestTape_BeforeInitialize: a request that a legacy client sends before it
// opens its session is judged as a part of it, but for the probe of this
// revision.
func TestTape_BeforeInitialize(t *testing.T) {
	hello := `"protocolVersion":"2025-11-25","capabilities":{}`
	r, _ := tape(roomy,
		`>{"jsonrpc":"2.0","id":1,"method":"ping"}`, gives(1, ""),
		`>{"jsonrpc":"2.0","id":2,"method":"server/discover"}`,
		`<{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no _meta"}}`,
		`>{"jsonrpc":"2.0","id":3,"method":"initialize","params":{`+hello+
			`,"clientInfo":{"name":"old","version":"1"}}}`,
		gives(3, hello+`,"serverInfo":{"name":"s","version":"1"}`),
	)
	if got := failed(r); !slices.Equal(got, []string{"client-meta"}) {
		t.Errorf("%q", got)
	}
	for _, o := range r.Others {
		if o.Legacy == (o.Method == "server/discover") {
			t.Errorf("%s is legacy: %v", o.Method, o.Legacy)
		}
	}
}

// listed is a response to tools/list with one tool of a title.
func listed(id int, title string) string {
	return gives(id, `"resultType":"complete","ttlMs":0,"cacheScope":"private",`+
		`"tools":[{"name":"a","title":"`+title+`","inputSchema":{"type":"object"}}]`)
}

// TestTape_Tools: a call has the newest definition of its tool, and finding it costs the same
// however much was recorded before.
func TestTape_Tools(t *testing.T) {
	call := asks(9, "tools/call", `"name":"a","arguments":{},`, "")
	r, _ := tape(roomy, asks(1, "tools/list", "", ""), listed(1, "old"), call, gives(9, doneResult),
		asks(2, "tools/list", "", ""), listed(2, "new"), call, gives(9, doneResult))
	for i, title := range []string{"old", "new"} {
		if tool := string(r.Calls[i].Exchange.Call.Tool); !strings.Contains(tool, title) {
			t.Errorf("call %d: %s", i, tool)
		}
	}
	cost := func(requests int) float64 {
		p := newTaping(capture.TapeLimits{Bytes: 1 << 30, Lines: 1 << 20})
		for range requests {
			p.FromClient([]byte(asks(1, "prompts/list", "", "")[1:]+"\n"), p.next())
			p.FromServer([]byte(gives(1, "")[1:]+"\n"), p.next())
		}
		return testing.AllocsPerRun(10, func() { p.FromClient([]byte(call[1:]+"\n"), p.next()) })
	}
	if few, many := cost(1), cost(100); many > 2*few {
		t.Errorf("a call allocates %v times after 100 requests, %v after one", many, few)
	}
}

// TestTool_OfLog: a slash of the method may be escaped, and other requests cost little.
func TestTool_OfLog(t *testing.T) {
	exchange := func(conn int, body, response string) []playground.Event {
		return []playground.Event{
			{Conn: conn, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" + body)},
			{Conn: conn, Kind: playground.Received,
				Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + response)},
		}
	}
	log := exchange(1, `{"jsonrpc":"2.0","id":1,"method":"tools\/list"}`, listed(1, "t")[1:])
	read := func() (tools capture.Tools) {
		for i := range log { // one after the other, as they come
			tools.Read("log", log[i:i+1])
		}
		return tools
	}
	few := testing.AllocsPerRun(5, func() { read() })
	for conn := range 100 {
		log = append(log, exchange(conn+2, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, gives(1, "")[1:])...)
	}
	tools := read()
	if tool := string(tools.Definition("a", time.Time{})); !strings.Contains(tool, `"title":"t"`) {
		t.Error(tool)
	}
	if many := testing.AllocsPerRun(5, func() { read() }); many > 2*few {
		t.Errorf("%v allocations with 100 other requests, %v without", many, few)
	}
}

// TestJudge_EmptyLineOverHTTP: a server that responds with an empty line instead of a head is
// still one that is reached over HTTP.
func TestJudge_EmptyLineOverHTTP(t *testing.T) {
	body := asks(1, "tools/call", `"name":"a","arguments":{},`, "")[1:]
	head := "POST /mcp HTTP/1.1\r\nHost: a\r\n\r\n"
	log := []playground.Event{
		{Seq: 1, Conn: 1, Kind: playground.Sent, Data: []byte(head + body)},
		{Seq: 2, Conn: 1, Kind: playground.Received, Data: []byte("\nfoo")},
	}
	start := playground.Decision{Action: playground.ActionStart, Round: 1, By: playground.ByClient}
	x := playground.Exchange{ID: "x", Log: append([]playground.Event{start.Event(log[0].At)}, log...)}
	for name, r := range map[string]capture.Report{
		"a call":     capture.NewReport(session.Session{Exchanges: []playground.Exchange{x}}, nil),
		"the others": capture.NewReport(session.Session{}, log),
	} {
		got := failed(r)
		if !slices.Contains(got, "client-headers") {
			t.Errorf("%s: %q", name, got)
		}
		for _, f := range r.Findings {
			if known, _ := rules.ByID(f.Rule); known.Transport == rules.Stdio {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}
