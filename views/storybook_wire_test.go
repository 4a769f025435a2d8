package views_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// wirePanel returns the Wire panel of an exchange with a selection.
func (b *fixtures) wirePanel(x playground.Exchange, s selection.Selection) wireview.Panel {
	b.t.Helper()
	f := x.Fold()
	i := slices.IndexFunc(f.Rounds, func(r playground.Round) bool { return r.N == s.Round })
	if i < 0 {
		b.t.Fatalf("there is no round %d", s.Round)
	}
	issues := standing.NewVerdicts(rules.JudgeFolded(x, f), nil).Issues
	return wireview.NewPanel(wireview.Input{
		Transcript: f, Index: i, Selection: s, Frames: wireview.FramesAt("/x/"+x.ID, ""),
		Address: func(s selection.Selection) string { return s.At("/x/"+x.ID, nil) },
		Curl:    wireview.CurlOf(f.Rounds[i].Request, x.Target),
		Issues:  slices.DeleteFunc(issues, func(v standing.Verdict) bool { return v.Round != s.Round }),
	})
}

// wire returns a page with nothing but a Wire panel.
func (b *fixtures) wire(x playground.Exchange, s selection.Selection) func(layout.Page) templ.Component {
	panel := wireview.PanelView(b.wirePanel(x, s))
	main := templ.Raw(`<main id="main" class="page"><div class="panel">` + b.html(panel) + `</div></main>`)
	return func(p layout.Page) templ.Component { return withChildren(layout.Layout(p), main) }
}

func (b *fixtures) html(c templ.Component) string {
	b.t.Helper()
	var html bytes.Buffer
	b.check(c.Render(context.Background(), &html))
	return html.String()
}

// bare is a call whose request has only these header fields.
func bare(fields string) *recorder {
	r := newRecorder(playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"report"}`)})
	r.add(playground.Decision{Action: playground.ActionStart, Round: 1}.Event(noon))
	r.conn++
	return r.part(playground.Sent, "POST /mcp HTTP/1.1\r\nHost: h\r\n"+fields+"\r\n"+
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report"}}`)
}

// noisy answers with so many notifications before its result.
func noisy(notifications int) *recorder {
	var messages []string
	for i := range notifications {
		messages = append(messages, progressMessage(i+1, "step"))
	}
	messages = append(messages, `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","content":[]}}`)
	return call("deploy", `{"env":"prod"}`).stream(messages...)
}

// askingAll asks so many questions at once, with markup in each of them.
func askingAll(questions int) *recorder {
	list := make([]string, questions)
	for i := range list {
		list[i] = elicit(fmt.Sprintf("q%d", i), "<img src=x onerror=alert(1)> Number?",
			object(`"n":{"type":"integer"}`, `"n"`))
	}
	return deletion("s-1", strings.Join(list, ","))
}

// wireStories are Wire panels.
func wireStories(b *fixtures) []story {
	azure, legacy := b.recorded("azure-devops"), b.recorded("legacy")
	round := func(name string, x playground.Exchange, s selection.Selection) story {
		return story{group: "wire", name: name, page: b.wire(x, s)}
	}
	of := func(n int) selection.Selection { return selection.Selection{Round: n} }
	plain := newRecorder(playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"report"}`)})
	const request, response, both = "[data-frame=request]", "[data-frame=response]", ".sides"
	const other = ".wire-panel > :not(.wire-bar, .sides)"
	return []story{
		round("first-round", azure, of(1)).of(".wire-bar, "+request, ""),
		round("retry", azure, of(2)).of(both, ""),
		round("retry-selected", azure, selection.Selection{Round: 2, Message: selection.MessageResponse}).
			of("[aria-current]", ".json, .fields"),
		round("retry-exact", azure, selection.Selection{
			Round: 2, Message: selection.MessageRequest, Exact: true,
		}).of(".wire-bar, "+both, ""),
		round("last-round", azure, of(3)).of(both, ""),
		round("legacy-first", legacy, of(1)).of(other, ""),
		round("legacy-answer", legacy, of(2)).of(both+", "+other, ""),
		round("task-polled",
			working(report(), "collecting figures", "collecting figures").repeat(36).x, of(2)).
			of(other, ".json"),
		round("task-exact", working(report(), "collecting figures", "drawing charts").x,
			selection.Selection{Round: 2, Exact: true}).of(both+", "+other, ""),
		round("stream", noisy(3).x, of(1)).of(response+", .besides", ""),
		round("stream-of-many", noisy(20).x, of(1)).of(response+" > h3, "+response+" .json > *", ""),
		round("error", call("t", `{}`).receive(401, "application/json", `{"jsonrpc":"2.0","id":1,"error":`+
			`{"code":-32001,"message":"Sign in first.","data":{"why":"<b>expired</b>"}}}`,
			`WWW-Authenticate: Bearer resource_metadata="https://h/.well-known/x"`).x, of(1)).
			of(response+", .besides", ""),
		round("headers-missing", bare("").x, of(1)).of(request+", .besides", ""),
		round("headers-broken", plain.decide(playground.Decision{Action: playground.ActionStart}).
			part(playground.Received, "HTTP/1.1 200 OK\r\nno field\r\n\r\nnothing").x, of(1)).
			of(response+", .besides", ""),
		round("not-json", call("t", `{}`).receive(502, "text/html", "<h1>Bad Gateway</h1>\n\u202e").x, of(1)),
		round("no-response", call("t", `{}`).x, of(1)).of(".wire-bar, .sides > :last-child", ""),
		round("long-body", call("t", `{}`).result(`{"text":"`+strings.Repeat("x", 600<<10)+`"}`).x, of(1)),
		round("all-messages", azure, selection.Selection{
			Round: 2, Message: selection.MessageResponse, All: true,
		}).of("#wire-list, tr:not(:last-child), [data-form=find]", "noscript, th"),
		round("all-messages-of-a-task",
			working(report(), "collecting figures", "collecting figures").repeat(36).x,
			selection.Selection{Round: 2, All: true}).of("tbody", ""),
		round("found", azure, selection.Selection{Round: 2, Exact: true, Find: "dupLICATE"}).
			of(".hits, [data-found], mark.hit", ""),
		round("not-found", azure, selection.Selection{Round: 2, Find: "<none>"}).
			of("[data-form=find]", "noscript"),
		round("many-questions", askingAll(32).x, of(1)).of(response+" > h3, "+response+" .json > *", ""),
	}
}

// TestWirePanel_IsSmall: the fragment of a page with Wire open has at most 24 KB,
// picture and question included.
func TestWirePanel_IsSmall(t *testing.T) {
	b := newFixtures(t)
	for n := range 3 {
		panel := b.wirePanel(b.recorded("azure-devops"), selection.Selection{Round: n + 1})
		if size := len(b.html(wireview.PanelView(panel))); size > 9_000 {
			t.Errorf("round %d: %d bytes", n+1, size)
		}
	}
}

// TestWirePanel_IssuesLeadToRules: the panel that explains them is another page.
func TestWirePanel_IssuesLeadToRules(t *testing.T) {
	b := newFixtures(t)
	x := call("weather", `{"city":"Lisbon"}`).
		result(`{"resultType":"input_required","requestState":42,"inputRequests":{` + confirm + `}}`).x
	page := b.html(wireview.PanelView(b.wirePanel(x, selection.Selection{Round: 1})))
	if want := `li > a[href="/x/` + x.ID + `?panel=rules&round=1"]`; !htmltest.Parse(page).Has(want) {
		t.Errorf("no %s in %s", want, page)
	}
}
