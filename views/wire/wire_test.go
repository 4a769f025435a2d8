package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/views/kit/jsonview"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

// transcript folds rounds of requests and responses, each without the CR of its
// head.
func transcript(t *testing.T, frames ...string) playground.Transcript {
	t.Helper()
	var log []playground.Event
	for i, f := range frames {
		conn, kind := 1+i/2, playground.Sent
		if i%2 == 1 {
			kind = playground.Received
		} else {
			d := playground.Decision{Action: playground.ActionStart, Round: conn}
			if i > 0 {
				d.Action = playground.ActionRetry
			}
			log = append(log, d.Event(time.Unix(0, 0)))
		}
		head, body, _ := strings.Cut(f, "\n\n")
		data := strings.ReplaceAll(head+"\n\n", "\n", "\r\n") + body
		log = append(log, playground.Event{Conn: conn, Kind: kind, Data: []byte(data)})
	}
	for i := range log {
		log[i].Seq, log[i].At = i+1, time.Unix(int64(i), 0)
	}
	return playground.Fold(log)
}

func panelOf(f playground.Transcript, s selection.Selection) Panel {
	return NewPanel(Input{
		Transcript: f, Index: s.Round - 1, Selection: s, Curl: "curl x", Frames: FramesAt("/x/1", ""),
		Address: func(s selection.Selection) string { return s.At("/x/1", nil) },
	})
}

const (
	request = "POST /mcp HTTP/1.1\nHost: h\nMcp-Method: tools/call\nMCP-Protocol-Version: 2026-07-28\n" +
		"Mcp-Param-Env: prod\n\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`
	retryResult = "HTTP/1.1 200 OK\nContent-Type: application/json\nDate: today\n\n" +
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}}`
)

func TestWirePanel_HeaderFields(t *testing.T) {
	p := panelOf(transcript(t, request, retryResult), selection.Selection{Round: 1})
	q, r := p.Request.Frame, p.Response.Frame
	names := func(f *Frame) string {
		var shown []string
		for _, h := range f.Fields {
			shown = append(shown, h.Name)
		}
		return fmt.Sprintf("%s + %d", strings.Join(shown, " "), f.More)
	}
	if got := names(q); got != "Mcp-Method MCP-Protocol-Version Mcp-Param-Env + 1" {
		t.Errorf("request: %s", got)
	}
	if got := names(r); got != "Content-Type + 1" {
		t.Errorf("response: %s", got)
	}
	if q.Line != "POST /mcp" || r.Line != "200 OK" || !strings.HasPrefix(r.Facts, "84\u00a0B · ") {
		t.Errorf("%q, %q %q", q.Line, r.Line, r.Facts)
	}
}

// TestWirePanel_MissingFields: only what the specification requires of the
// message is said to be missing.
func TestWirePanel_MissingFields(t *testing.T) {
	const version, method, name = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
	post := "POST /mcp HTTP/1.1\nHost: h\n"
	call := `{"id":1,"method":"tools/call","params":{"name":"t"}}`
	for name, c := range map[string]struct{ fields, body, want string }{
		"all": {"", call, version + " " + method + " " + name},
		"uri": {
			"mcp-method: x\nmcp-protocol-version: x\n",
			`{"id":1,"method":"resources/read","params":{"uri":"u"}}`, name,
		},
		"task": {
			"Mcp-Method: x\n", `{"id":1,"method":"tasks/get","params":{"taskId":"u"}}`,
			version + " " + name,
		},
		"no name": {
			"Mcp-Method: x\n", `{"id":1,"method":"tools/list","params":{"name":"t"}}`, version,
		},
		"empty":          {"Mcp-Method:\nMcp-Name:\n", call, version},
		"a notification": {"", `{"method":"notifications/cancelled"}`, ""},
		"not JSON":       {"", `{`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := panelOf(transcript(t, post+c.fields+"\n"+c.body), selection.Selection{Round: 1})
			if got := strings.Join(p.Request.Frame.Missing, " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	f := transcript(t, post+"\n"+call)
	f.Rounds[0].Legacy = true
	if got := panelOf(f, selection.Selection{Round: 1}).Request.Frame.Missing; got != nil {
		t.Errorf("legacy: %q", got)
	}
}

func TestWirePanel_Addresses(t *testing.T) {
	f := transcript(t, request, retryResult)
	p := panelOf(f, selection.Selection{Round: 1, Message: selection.MessageResponse})
	for got, want := range map[string]string{
		p.OtherPath:     "/x/1?message=response&round=1&view=exact",
		p.Response.Mark: "1.response",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if p.Request.Selected || !p.Response.Selected {
		t.Errorf("selected: %v, %v", p.Request.Selected, p.Response.Selected)
	}
	p = panelOf(f, selection.Selection{Round: 1, Exact: true})
	if p.OtherPath != "/x/1?round=1" {
		t.Errorf("exact: %s", p.OtherPath)
	}
}

// TestWirePanel_OneViewAtATime: a page has the messages formatted or byte for
// byte, never both.
func TestWirePanel_OneViewAtATime(t *testing.T) {
	f := transcript(t, request, retryResult)
	for _, exact := range []bool{false, true} {
		p := panelOf(f, selection.Selection{Round: 1, Exact: exact})
		for _, side := range []*Frame{p.Request.Frame, p.Response.Frame} {
			if (len(side.Body) > 0) != exact || (len(side.Readable) > 0) == exact {
				t.Errorf("exact %v: %+v", exact, side)
			}
		}
	}
}

// shown returns the text of lines, without folded lines.
func shown(t *testing.T, lines []jsonview.Line) string {
	t.Helper()
	list := htmltest.Parse(rendered(t, lines)).Texts("body > *, summary")
	return strings.Join(list, "\n") + "\n"
}

func rendered(t *testing.T, lines []jsonview.Line) string {
	t.Helper()
	var b strings.Builder
	if err := jsonview.Lines(lines).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWirePanel_ComparesTheSameMethod: a poll is not compared with a call.
func TestWirePanel_ComparesTheSameMethod(t *testing.T) {
	poll := strings.ReplaceAll(strings.Replace(request, `"id":1`, `"id":2`, 1), "tools/call", "tasks/get")
	again := strings.Replace(request, `"id":1`, `"id":2`, 1)
	for second, want := range map[string]string{
		again: `{ "jsonrpc": "2.0", "id": 1 → 2, "method": "tools/call",` + "\n" +
			`"params": { "name": "t" } }` + "\n",
		poll: `{ "jsonrpc": "2.0", "id": 2, "method": "tasks/get",` + "\n" +
			`"params": { "name": "t" } }` + "\n",
	} {
		p := panelOf(transcript(t, request, retryResult, second), selection.Selection{Round: 2})
		if got := shown(t, p.Request.Frame.Readable); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// TestWirePanel_IDsAreThoseOfOneElement: a stream with two responses has two
// states.
func TestWirePanel_IDsAreThoseOfOneElement(t *testing.T) {
	state := strings.Repeat("s", 40)
	f := transcript(t, request, strings.Replace(retryResult, `"s"`, `"`+state+`"`, 1))
	f.Rounds[0].Messages = append(f.Rounds[0].Messages, f.Rounds[0].Messages...)
	html := rendered(t, panelOf(f, selection.Selection{Round: 1}).Response.Frame.Readable)
	if got := len(htmltest.Parse(html).Find("#response-1-state")); got != 1 {
		t.Errorf("%d elements:\n%s", got, html)
	}
	if got := strings.Count(html, state); got != 2 {
		t.Errorf("%d states", got)
	}
}
