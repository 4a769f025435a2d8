package capture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// taping writes lines on a Tape, one second apart.
type taping struct {
	*capture.Tape
	at time.Time
	x  int
}

func newTaping(l capture.TapeLimits) *taping {
	p := &taping{at: time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)}
	newID := func() string {
		p.x++
		return fmt.Sprintf("x%d", p.x)
	}
	p.Tape = capture.NewTape(playground.Target{ID: "stdio"}, newID, l)
	return p
}

func (p *taping) next() time.Time {
	p.at = p.at.Add(time.Second)
	return p.at
}

// tape returns the report on lines: those of the client begin with ">", those of the server
// with "<". Of one that begins with "cut", only the beginning is recorded.
func tape(l capture.TapeLimits, lines ...string) (capture.Report, *taping) {
	p := newTaping(l)
	for _, line := range lines {
		line, cut := strings.CutPrefix(line, "cut")
		text := []byte(line[1:] + "\n")
		switch {
		case cut && line[0] == '<':
			p.CutFromServer(text[:len(text)-1], p.next())
		case cut:
			p.CutFromClient(text[:len(text)-1], p.next())
		case line[0] == '<':
			p.FromServer(text, p.next())
		default:
			p.FromClient(text, p.next())
		}
	}
	return p.End(p.next()), p
}

var roomy = capture.TapeLimits{Bytes: 1 << 20, Lines: 1000}

const metaOfLine = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"l","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}%s}`

// asks returns a line of the client. The last part is added to _meta.
func asks(id int, method, params, meta string) string {
	return fmt.Sprintf(`>{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s`+metaOfLine+`}}`,
		id, method, params, meta)
}

func gives(id int, result string) string {
	return fmt.Sprintf(`<{"jsonrpc":"2.0","id":%d,"result":{%s}}`, id, result)
}

const (
	doneResult = `"resultType":"complete","content":[]`
	askResult  = `"resultType":"input_required",` +
		`"requestState":"a state that only this call has, long enough",` +
		`"inputRequests":{"who":{"method":"elicitation/create","params":{"message":"?","requestedSchema":` +
		`{"type":"object","properties":{"name":{"type":"string"}}}}}}`
	answered = `"name":"a","arguments":{},"requestState":"a state that only this call has, long enough",` +
		`"inputResponses":{"who":{"action":"accept","content":{}}},`
)

// received are the lines of the server on each request, in the order of requests.
func received(r capture.Report) []string {
	var list []string
	for _, c := range r.Contacts() {
		list = append(list, fmt.Sprintf("%s %s %d", c.Method, c.Kind, len(c.Messages)))
	}
	return list
}

func TestTape_JoinsByWhatTheProtocolGives(t *testing.T) {
	token := `,"progressToken":"%s"`
	progress := `<{"jsonrpc":"2.0","method":"notifications/progress",` +
		`"params":{"progressToken":"%s","progress":1}}`
	logged := `<{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`
	r, _ := tape(roomy,
		asks(1, "tools/call", `"name":"a","arguments":{},`, fmt.Sprintf(token, "one")),
		logged, // the only request in progress
		asks(2, "tools/call", `"name":"b","arguments":{},`, fmt.Sprintf(token, "two")),
		fmt.Sprintf(progress, "one"), fmt.Sprintf(progress, "two"), fmt.Sprintf(progress, "three"),
		logged, // either's
		gives(2, doneResult), gives(1, askResult),
		asks(3, "tools/call", answered, ""), gives(3, doneResult),
		asks(4, "subscriptions/listen", `"notifications":{"toolsListChanged":true},`, ""),
		`<{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":`+
			`{"io.modelcontextprotocol/subscriptionId":4}}}`,
		gives(9, doneResult),
	)
	want := []string{
		"tools/call input_required 3", "tools/call complete 2", " pending 3", "tools/call complete 1",
		"subscriptions/listen transport_error 1",
	}
	if got := received(r); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if len(r.Calls) != 2 || len(r.Calls[0].Transcript.Rounds) != 2 || r.Requests() != 4 {
		t.Fatalf("%d calls, %d requests", len(r.Calls), r.Requests())
	}
	if d := r.Calls[0].Transcript.Rounds[1].Decision; d.Join != playground.JoinCertain ||
		r.Calls[0].Transcript.Status != playground.StatusComplete {
		t.Errorf("%+v", d)
	}
}

func TestTape_Cancellation(t *testing.T) {
	r, _ := tape(roomy,
		asks(1, "tools/call", `"name":"a","arguments":{},`, ""),
		`>{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		gives(1, doneResult), // they have crossed each other
	)
	want := []string{"tools/call cancelled 1", "notifications/cancelled ack 0"}
	if got := received(r); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, f := range r.Findings {
		if f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory && f.Rule != "line-silent" {
			t.Errorf("%+v", f)
		}
	}
}

// TestTape_LegacySession: the session is judged as one, and a request of this revision beside it
// as such.
func TestTape_LegacySession(t *testing.T) {
	r, _ := tape(roomy,
		`<{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, // before it was asked
		`>{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
			`"capabilities":{"elicitation":{}},"clientInfo":{"name":"old","version":"1"}}}`,
		gives(0, `"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}`),
		`>{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`>{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}`,
		`<{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?"}}`,
		`>{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`,
		gives(1, `"content":[]`),
		`>{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, gives(2, `"tools":[]`),
		`>{"jsonrpc":"2.0","id":5,"result":{}}`, // no question had this id
		`<{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{}}`,
		asks(3, "server/discover", "", ""),
	)
	var got []string
	for _, f := range r.Findings {
		if f.Verdict == verdict.Failed {
			got = append(got, f.Rule)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, []string{"client-legacy-answers", "legacy-declared"}) {
		t.Errorf("%q", got)
	}
	if len(r.Calls) > 0 || !slices.Equal(r.Clients, []string{"old 1", "l 1"}) {
		t.Errorf("%d calls, %q", len(r.Calls), r.Clients)
	}
	for _, o := range r.Others {
		if o.Legacy == (o.Method == "server/discover") {
			t.Errorf("%s is legacy: %v", o.Method, o.Legacy)
		}
	}
}

// TestTape_RulesAboutHTTP: a good client and server on lines have no finding, and no verdict
// of a rule about HTTP.
func TestTape_RulesAboutHTTP(t *testing.T) {
	r, _ := tape(roomy,
		asks(1, "tools/list", "", ""),
		gives(1, `"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[`+
			`{"name":"a","inputSchema":{"type":"object","properties":{"region":`+
			`{"type":"string","x-mcp-header":"Region"}}}}],`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}`),
		asks(2, "tools/call", `"name":"a","arguments":{"region":"eu"},`, ""), gives(2, doneResult),
		`>{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}`,
		`<{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no _meta"}}`,
	)
	judged := map[string]bool{}
	for _, f := range r.Findings {
		known, _ := rules.ByID(f.Rule)
		if known.Transport == rules.HTTP && f.Verdict != verdict.NotApplicable {
			t.Errorf("%s judges a line: %s", f.Rule, f.Text)
		}
		if f.Verdict == verdict.Failed && f.Rule != "client-meta" {
			t.Errorf("%s: %s", f.Rule, f.Text)
		}
		judged[f.Rule] = judged[f.Rule] || f.Verdict == verdict.Passed
	}
	for _, id := range []string{"meta-missing", "json-rpc", "line-client", "line-server", "response-id"} {
		if !judged[id] {
			t.Errorf("%s did not pass", id)
		}
	}
}

func TestTape_Limits(t *testing.T) {
	list := asks(1, "tools/list", "", "")
	for name, l := range map[string]capture.TapeLimits{
		"lines": {Bytes: 1 << 20, Lines: 2}, "bytes": {Bytes: 2*len(list) + 10, Lines: 1000},
	} {
		r, p := tape(l, list, strings.Replace(list, `"id":1`, `"id":2`, 1), gives(1, doneResult), list)
		if r.Requests() != 2 || p.Missed() != 2 {
			t.Errorf("%s: %d requests, %d lines are missing", name, r.Requests(), p.Missed())
		}
		for _, c := range r.Contacts() {
			if c.Kind != playground.OutcomeInterrupted {
				t.Errorf("%s: %s", name, c.Kind)
			}
		}
	}
}

// TestTape_CutLines: a line that is too long is recorded as cut, and not judged.
func TestTape_CutLines(t *testing.T) {
	r, _ := tape(roomy, `cut>{"jsonrpc":"2.0","id":1`, `cut<{"jsonrpc":"2.0","id":1`)
	if got := received(r); !slices.Equal(got, []string{" transport_error 0", " transport_error 1"}) {
		t.Errorf("%q", got)
	}
	if got := failed(r); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
