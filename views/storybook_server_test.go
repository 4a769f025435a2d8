package views_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
	doorsview "github.com/mrtr-playground/mrtr-playground/views/doors"
	judgedview "github.com/mrtr-playground/mrtr-playground/views/kit/judged"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	startview "github.com/mrtr-playground/mrtr-playground/views/start"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

const discovered = `{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],` +
	`"capabilities":{"tools":{},"prompts":{},"resources":{},"completions":{}},` +
	`"serverInfo":{"name":"shop","title":"The shop","version":"1.4.0"},` +
	`"instructions":"Ask before you delete.","ttlMs":60000,"cacheScope":"public"}`

const tools = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[` +
	`{"name":"delete_records","title":"Delete records",` +
	`"description":"Deletes the records of a table.\nAsks first.","inputSchema":{"type":"object",` +
	`"properties":{"table":{"type":"string","enum":["orders","users"]},"before":{"type":"string",` +
	`"format":"date","description":"Older ones are deleted."}},"required":["table"]}},` +
	`{"name":"odd","description":"Has a schema that gives no form.","inputSchema":{"type":"object",` +
	`"properties":{"deep":{"type":"object","properties":{"a":{"type":"array",` +
	`"items":{"type":"object"}}}}}}},` +
	`{"name":"no_schema","description":"Has none."}]}`

func reply(result string) func(*recorder) { return func(r *recorder) { r.result(result) } }

func refusal(status int, contentType, body string, fields ...string) func(*recorder) {
	return func(r *recorder) { r.receive(status, contentType, body, fields...) }
}

func broken(class wire.Class, detail string) func(*recorder) {
	return func(r *recorder) { r.fail(class, detail) }
}

// serverStories are the list of servers and the page of one.
func serverStories(b *fixtures) []story {
	connected := connecting(reply(discovered), reply(tools),
		reply(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","prompts":[{"name":"review",`+
			`"description":"Reviews code.","arguments":[{"name":"language","required":true}]}]}`),
		reply(`{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+
			`"resources":[{"uri":"file:///notes.md","name":"notes","mimeType":"text/markdown"}]}`),
		reply(`{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+
			`"resourceTemplates":[{"uriTemplate":"orders://{year}/{id}","name":"order"}]}`))
	reached := func(name string, log []playground.Event) story {
		return story{group: "server", name: name, page: b.server(log, nil)}
	}
	choose := func(kind string, i int, change func(*serverview.Target)) func(layout.Page) templ.Component {
		return b.serverPage(connected, func(t *serverview.Target) {
			offer(t, newRecorder(playground.Call{}).x.Target, server.FoldConnection(connected), kind, i)
			if change != nil {
				change(t)
			}
		})
	}
	chosen := func(name, kind string, i int, change func(*serverview.Target)) story {
		return story{group: "server", name: name, page: choose(kind, i, change)}.of("#chosen", ".options")
	}
	return []story{
		chosen("prompt", "prompt", 0, nil), chosen("resource", "resource", 0, nil),
		chosen("template", "template", 0, nil), chosen("no-form", "tool", 2, nil),
		story{group: "server", name: "filtered",
			page: choose("tool", 1, func(t *serverview.Target) {
				g := t.Menu.Groups[0]
				g.Count, g.Short, g.Entries = 2, true, g.Entries[1:2]
				g.Entries[0].Best, g.Entries[0].Excluded = true, true
				t.Menu.Filter, t.Menu.Cut, t.Menu.Groups = "od", true, []serverview.MenuGroup{g}
				t.Chosen.Excluded = "the header X is not a token"
			})}.of(".offers", ".options, .arguments"),
		chosen("not-offered", "tool", 0, func(t *serverview.Target) { t.Chosen, t.Missing = nil, "gone" }),
		story{group: "server", name: "saved-and-last",
			page: choose("tool", 0, func(t *serverview.Target) {
				call := savedCall()
				t.Saved = []serverview.SavedLine{
					serverview.NewSavedLine(call), serverview.NewSavedLine(omitting(call)),
				}
				t.Added = &t.Saved[1]
				t.Chosen.Omitted = "password"
				t.Last = serverview.NewLastCall(b.recorded("azure-devops"), noon.Add(2*time.Hour))
			})}.of(".offers", ".options, .arguments, #entries, .filter"),
		story{group: "saved", name: "new", page: func(p layout.Page) templ.Component {
			return serverview.NewSavedPage(p, serverview.NewSaved{
				Exchange: "X1", Title: "delete_records · table: orders", Server: "mcp.example.com",
				Summary: "table: orders"})
		}}.of("main > *", ""),
		story{group: "saved", name: "one", page: func(p layout.Page) templ.Component {
			return serverview.SavedPage(p, serverview.NewSavedLine(omitting(savedCall())))
		}}.of("main > *", ".confirm"),
		whole("test",
			b.servers(serverview.ConnectForm{Declared: serverview.NewDeclared(everything)}, serverRows())),
		story{group: "test", name: "deep-link", page: b.servers(serverview.ConnectForm{
			URL: "https://mcp.example.com/mcp", Tool: "delete_records", Args: `{"table":"orders"}`,
			Declared: serverview.NewDeclared(everything),
		}, nil)}.of(".connect", ".settings"),
		story{group: "test", name: "refused-address", page: b.servers(refusedAddress(), nil)}.
			of("[data-error], .guesses, [aria-invalid], p.problem, [name=declare]", ""),
		story{group: "server", name: "connecting", page: b.server(nil, nil)}.
			of(".call-head, [data-awaits], .report", ""),
		whole("server", b.server(connected, nil)).of("main", ".round:not([data-round='1']) .frames"),
		story{group: "server", name: "nested-arguments", page: b.server(connected, nested(nil))}.
			of("#t0-fields", ""),
		story{group: "server", name: "nested-problems", page: b.server(connected, nested(url.Values{
			"t0.f0.0": {"x"}, "t0.f1.rows": {"0", "1"}, "t0.f1.0": {"a"}, "t0.f1.1": {"too long"},
			"t0.f2.rows": {"0"}, "t0.f2.0.1": {"0"}, "t0.f3.rows": {"0", "1"}, "t0.f3.0.key": {"eur"},
			"t0.f3.0": {"1"}, "t0.f3.1.key": {"eur"}, "t0.f3.1": {"2"}, "t0.f4": {"1"}, "t0.f4.1": {"1.5"},
			"t0.f5.json": {"[1]"},
		}))}.of("#t0-fields, #t0-json", "label .muted"),
		story{group: "server", name: "arguments-without-fields",
			page: b.server(connected, func(f *callview.Form) {
				f.Form, f.FormErr = form.Arguments([]byte(`{"type":"object","anyOf":[` +
					`{"properties":{"id":{"type":"integer"}},"required":["id"]},` +
					`{"properties":{"name":{"type":"string"}},"required":["name"]}]}`))
			})}.of("#t0-fields, .as-json", ""),
		story{group: "server", name: "argument-refused",
			page: b.server(connected,
				func(f *callview.Form) { fillIn(f, url.Values{"t0.f1": {"yesterday"}}) })}.
			of(".field:has([aria-invalid]), #t0-json", "label .muted"),
		reached("connected-with-findings",
			connecting(refusal(200, "application/json",
				`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],`+
					`"capabilities":{"tools":{},"tolls":{}}}}`, "Set-Cookie: a=1", "Mcp-Mood: fine"),
				reply(`{"resultType":"complete","tools":[]}`))).
			of(".connection, .connection ~ p", ".report > :has(.timing), .verdict"),
		reached("nothing-to-call", connecting(reply(`{"resultType":"complete",`+
			`"supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}`))).
			of(".connection > summary, .report > :not(:has(.timing)), .connection ~ p", ""),
		reached("failed-dns", connecting(broken(wire.DNS, "lookup mcp.example.com: no such host"))).
			of("[data-error], .tried", ""),
		reached("failed-refused", connecting(broken(wire.Refused,
			"dial tcp 203.0.113.7:443: connection refused"))).of("[data-error], .tried", ""),
		reached("failed-sign-in", connecting(refusal(401, "text/plain", "no token",
			`WWW-Authenticate: Bearer realm="shop",`+
				` resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource",`+
				` scope="orders"`))).of("[data-error], [data-challenge], .tried", ""),
		reached("failed-wrong-path", refusingBoth(refusal(200, "text/html",
			"<html><title>Shop</title></html>"))).of("[data-error], .tried, .verdicts", ".verdict"),
		reached("failed-version", connecting(reply(`{"resultType":"complete",`+
			`"supportedVersions":["1999-01-01"],"capabilities":{}}`))).of("[data-error], .tried", ""),
		reached("legacy", legacyConnection()).
			of(".connection > summary, .report > :not(:has(.timing)), .round > summary", ""),
		whole("sample", b.samplePage("azure-devops",
			connecting(reply(discovered), reply(tools), reply(`{"prompts":[]}`), reply(`{"resources":[]}`),
				reply(`{"resourceTemplates":[]}`)))).of("main", ".offers"),
		story{group: "server", name: "sample-legacy", page: b.samplePage("before-mrtr", legacyConnection())}.
			of(".sample-start, .sample-lesson, .section .facts", ""),
		story{group: "server", name: "credentials-lost",
			page: b.serverPage(connected, func(t *serverview.Target) {
				t.Connect.Saved, t.Connect.Lost, t.Connect.Open = []string{"Authorization"}, true, true
			})}.of("[data-error], .reconnect", "label .muted, fieldset"),
		story{group: "server", name: "process",
			page: b.serverPage(connected, func(t *serverview.Target) {
				t.Command = wireview.NewCommand(commandTarget(), startedCommand(), noon.Add(time.Hour))
			})}.of(".command", ""),
		story{group: "server", name: "certificate", page: func(layout.Page) templ.Component {
			return serverview.CertificateView(serverview.Certificate{Target: "T1", Trusted: "AA:BB"})
		}}.of("[data-certificate] > *", ""),
		story{group: "server", name: "command-ended",
			page: b.serverPage(connecting(broken(wire.CommandEnded, "exit")), func(t *serverview.Target) {
				t.Command = wireview.NewCommand(commandTarget(), startedCommand(), noon.Add(time.Hour))
				t.Name, t.Report.Failed.LastLine = t.Command.Words, "no DATABASE_URL"
			})}.of(".call-head, .call-head + *", ".tools"),
		story{group: "server", name: "away", page: b.serverPage(
			connecting(broken(wire.Refused, "dial tcp 203.0.113.7:443: connection refused")),
			func(t *serverview.Target) { t.Away = serverview.NewAway(3) })}.of(".away", ""),
		story{group: "server", name: "away-for-long", page: b.serverPage(
			connecting(broken(wire.Refused, "dial tcp 203.0.113.7:443: connection refused")),
			func(t *serverview.Target) { t.Away = serverview.NewAway(server.MaxAway + 1) })}.of(".away", ""),
		story{group: "server", name: "watch", page: func(p layout.Page) templ.Component {
			return serverview.WatchPage(p, "mcp.example.com", "/servers/T1")
		}}.of("h1, h1 ~ *", ""),
		story{group: "server", name: "watched", page: func(p layout.Page) templ.Component {
			return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
				var page, items bytes.Buffer
				err := serverview.WatchPage(p, "mcp.example.com", "/servers/T1").Render(ctx, &page)
				if err != nil {
					return err
				}
				for _, e := range watchedEvents() {
					if item, ok := serverview.NewWatchItem(e); ok {
						if err := serverview.WatchItemView(item).Render(ctx, &items); err != nil {
							return err
						}
					}
				}
				end := serverview.WatchEnd(noon, "Ten minutes are over.", false)
				if err := serverview.WatchItemView(end).Render(ctx, &items); err != nil {
					return err
				}
				_, err = w.Write(bytes.ReplaceAll(page.Bytes(), []byte(serverview.WatchMark), items.Bytes()))
				return err
			})
		}}.of(".watched > li", ""),
		story{group: "server", name: "import-settings", page: func(p layout.Page) templ.Component {
			return serverview.SetupPage(p, serverview.Setup{})
		}}.of("main > form", ""),
		story{group: "server", name: "imported-settings", page: func(p layout.Page) templ.Component {
			return serverview.SetupPage(p, importedSettings())
		}}.of("main > .note, main > section, main > form", ""),
		story{group: "server", name: "unknown-command",
			page: b.serverPage(connected, func(t *serverview.Target) {
				t.Command = wireview.NewCommand(commandTarget(), server.Command{}, noon)
			})}.of(".command", ""),
	}
}

// watchedEvents are what came while a server was watched.
func watchedEvents() []playground.Event {
	message := func(json string) playground.Event {
		return playground.Event{At: noon, Kind: playground.Message, Data: []byte("data: " + json + "\n\n")}
	}
	return []playground.Event{
		{At: noon, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" +
			`{"jsonrpc":"2.0","id":"watch","method":"subscriptions/listen"}`)},
		{At: noon, Kind: playground.Received,
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")},
		message(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` +
			`"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///a"]}}}`),
		message(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`),
		message(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"<b>\u202e"}}`),
		message("no JSON"), {At: noon, Kind: playground.Message, Data: []byte(": a comment\n\n")},
		message(`{"jsonrpc":"2.0","id":"watch","error":{"code":-32603,"message":"no more"}}`),
		playground.PartEvent(wire.Part{Kind: wire.Failed, At: noon,
			Failure: &wire.Failure{Class: wire.Reset, Detail: "connection reset by peer"}}, 1),
	}
}

// importedSettings is a page with everything that the settings of a client can have.
func importedSettings() serverview.Setup {
	p := prose.SentenceCode("nothing_selected", "No server is ticked.",
		"Tick the servers to connect to first.")
	return serverview.Setup{
		Problem: &p, More: 903, Sealed: "sealed", Local: true,
		Servers: []serverview.SetupServer{
			{Control: "s0", Name: "shop", URL: "https://mcp.example.com/mcp?key=********",
				To: "https://mcp.example.com/mcp", Values: []serverview.SetupValue{
					{Control: "s0.v0", Text: "${API_KEY}", In: "header X-Key", Typed: true, Secret: true,
						Tick: "Use API_KEY of the environment of this program"},
					{Control: "s0.v1", Text: "${workspaceFolder}", In: "the URL", Typed: true},
					{Control: "s0.h1", Text: "X-Own", In: "header X-Own",
						Tick: "Use the value in the file, 12 characters"},
				}},
			{Control: "s1", Name: "<b>off</b>", URL: "ftp://x", To: "ftp://x", Off: true,
				Problem: "This is not a valid server URL."},
			{Control: "s2", Name: "files", Line: "mrtr-playground -stdio 'npx -y files'",
				Env: []string{"DEBUG"}},
			{Control: "s3", Name: "odd", Line: "mrtr-playground -stdio 'x\u202ey'"},
		},
		Results: []serverview.SetupResult{
			{Name: "shop", Path: "/servers/T1", Left: []string{"X-Key"}},
			{Name: "other", Path: "/servers/T2"},
			{Name: "third", Problem: "The address has a variable without a value."},
		},
	}
}

func commandTarget() playground.Target {
	words := []string{"node", "server.js"}
	return playground.Target{ID: "T1", Name: strings.Join(words, " "), URL: wire.CommandURL(words)}
}

// startedCommand is a command that was restarted, with lines of every kind.
func startedCommand() server.Command {
	stray := playground.Event{Kind: playground.Received, Data: wire.Line([]byte("Hello\x1b[1m\n")).Bytes()}
	return server.Command{
		URL: commandTarget().URL, Name: commandTarget().Name,
		Processes: []server.Process{
			{N: 1, Started: noon, Ended: "exit status 3"},
			{N: 2, Session: true, Started: noon.Add(time.Minute)},
		},
		Stderr: []server.Said{{At: noon, Process: 1, Text: "out of \x1b[31mideas\n"}}, Cut: true,
		Stray: []playground.Event{stray}, Missed: 2,
	}
}

func savedCall() session.SavedCall {
	return session.SavedCall{ID: "V1", Title: "Old orders", Target: "T1", Kind: "tool",
		Name: "delete_records", Arguments: []byte(`{"table":"orders","before":"2026-01-01"}`),
		Server: "The shop"}
}

// omitting is a saved call without a secret argument.
func omitting(c session.SavedCall) session.SavedCall {
	c.ID, c.Title, c.Omitted = "V2", "With a password", []string{"password"}
	return c
}

// legacyConnection is with a server of 2025-11-25.
func legacyConnection() []playground.Event {
	r := initializing(refusal(400, "application/json",
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no session"}}`))
	r.result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
		`"serverInfo":{"name":"old-shop","version":"0.9"}}`)
	postLegacy(r, "tools/list", `{}`).result(
		`{"tools":[{"name":"delete_records","inputSchema":{"type":"object"}}]}`)
	return r.x.Log
}

// refusingBoth is with a server that responds in the same way to the requests of both eras.
func refusingBoth(response func(*recorder)) []playground.Event {
	r := initializing(response)
	response(r)
	return r.x.Log
}

// initializing is the begin of a handshake, after the response to server/discover.
func initializing(discovered func(*recorder)) *recorder {
	r := newRecorder(playground.Call{})
	r.x.Log = connecting(discovered)
	r.now, r.conn = r.x.Log[len(r.x.Log)-1].At, 1
	return postLegacy(r, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},`+
		`"clientInfo":{"name":"mrtr-playground","version":"storybook"}}`)
}

// postLegacy adds a request of a legacy session.
func postLegacy(r *recorder, method, params string) *recorder {
	r.conn++
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	return r.add(playground.Event{Conn: r.conn, Kind: playground.Sent,
		Data: []byte("POST /mcp HTTP/1.1\r\nHost: mcp.example.com\r\n\r\n" + body)})
}

func refusedAddress() serverview.ConnectForm {
	s := doctor.SentenceOf(wire.BlockedAddress)
	return serverview.ConnectForm{URL: "http://10.0.0.1/mcp", Declared: serverview.NewDeclared(nil),
		Open: true, Problem: &s,
		Detail: "10.0.0.1 is a private address.", Headers: "X-Key",
		HeadersProblem: "Line 1 is not a header: write Name: value.",
		Suggestions: []server.Suggestion{{
			URL: "http://10.0.0.1:8080/mcp", Why: "The port may be missing.",
		}}}
}

func serverRows() []server.Row {
	return []server.Row{
		{ID: "T4", Name: "new.example", URL: "https://new.example/mcp", Status: server.Connected,
			Created: noon},
		{ID: "T1", Name: "mcp.example.com", URL: "https://mcp.example.com/mcp", Status: server.Connected,
			ReportedName: "The shop", Created: noon.Add(time.Hour)},
		{ID: "T2", Name: "127.0.0.1:8080", URL: "http://127.0.0.1:8080/mcp", Status: server.ConnectFailed,
			Created: noon},
		{ID: "T3", Name: "slow.example", URL: "https://slow.example/mcp", Status: server.Connecting,
			Created: noon},
	}
}

func (b *fixtures) starts() []startview.Line {
	var list []startview.Line
	for _, x := range b.catalog.Samples() {
		list = append(list, startLine(x))
	}
	return list
}

func startLine(x sampletools.Sample) startview.Line {
	return startview.Line{Slug: x.Slug, Title: x.Title, Group: x.Group, Summary: x.Summary,
		Label: x.Start.Label}
}

func (b *fixtures) servers(f serverview.ConnectForm, mine []server.Row) func(layout.Page) templ.Component {
	model := doorsview.Doors{Connect: f, Servers: mine, Samples: b.starts(), Base: base}
	if len(mine) > 0 {
		model.Captures, model.Results = testedClients(), testedResults()
	}
	return func(p layout.Page) templ.Component { return doorsview.Page(p, model) }
}

// testedClients are an open capture, one that the user ended, and one that expired.
func testedClients() []doorsview.Capture {
	open := exampleCapture()
	ended, expired := open, open
	ended.ID, ended.Ended = "K2", noon.Add(time.Hour)
	expired.ID, expired.Created = "K0", noon.Add(-time.Hour)
	return []doorsview.Capture{{Capture: open, Open: true}, {Capture: ended}, {Capture: expired}}
}

// testedResults are those of a server with a failure, of one client, and of one that sent nothing.
func testedResults() map[string]doorsview.Result {
	line := func(o verdict.Outcome, counts ...judgedview.Count) standing.Standing {
		return judgedview.Card{Verdict: o, Counts: counts}.Line()
	}
	passed := judgedview.Count{Kind: string(verdict.Passed), N: 128}
	return map[string]doorsview.Result{
		"T1": {Standing: line(verdict.Failed, passed, judgedview.Count{Kind: string(verdict.Failed), N: 3}),
			Path: "/servers/T1/check/S1"},
		"K1": {Standing: line(verdict.Passed, passed), Who: "my-agent 1.0"},
		"K2": {Standing: line(verdict.NotJudged, passed)},
		"K0": {Standing: standing.Muted("no request")},
	}
}

// server is the page of a foreign server; change is of its first tool.
func (b *fixtures) server(log []playground.Event,
	change func(*callview.Form)) func(layout.Page) templ.Component {
	return b.serverPage(log, func(t *serverview.Target) {
		if change != nil {
			change(t.Chosen)
		}
	})
}

func (b *fixtures) serverPage(log []playground.Event,
	change func(*serverview.Target)) func(layout.Page) templ.Component {
	t, c := newRecorder(playground.Call{}).x.Target, server.FoldConnection(log)
	t.Era = c.Era
	model := serverview.Target{ID: t.ID, Name: cmp.Or(c.Name, t.Name), URL: t.URL, Status: c.Status,
		Events: len(log), Tools: len(c.Tools) > 0, Fresh: serverview.NewFreshness(c, noon.Add(3*time.Minute))}
	offer(&model, t, c, "tool", 0)
	model.Report = serverview.NewReport(t, c, wire.Reach{})
	model.Report.ID = t.ID
	model.Connect = &serverview.ConnectForm{ID: t.ID, URL: t.URL,
		Declared: serverview.NewDeclared(t.Capabilities), Reconnect: true}
	for _, trip := range c.Trips {
		round := wireview.NewRound(trip, false, wireview.CurlOf(trip.Request, t),
			wireview.FramesAt("/servers/"+t.ID, ""))
		round.Label = trip.Method
		model.Trips = append(model.Trips, round)
	}
	change(&model)
	return func(p layout.Page) templ.Component { return serverview.TargetPage(p, model) }
}

func (b *fixtures) samplePage(slug string, log []playground.Event) func(layout.Page) templ.Component {
	t, c, x := b.target(slug), server.FoldConnection(log), b.sample(slug)
	start := startLine(x)
	model := serverview.Target{ID: t.ID, Name: x.Title, URL: t.URL, Status: c.Status, Tools: len(c.Tools) > 0,
		Report:  serverview.NewReport(t, c, wire.Reach{}),
		Summary: x.Summary, Teaches: x.Teaches, Try: x.Try, Start: &start}
	offer(&model, t, c, "tool", 0)
	for _, o := range x.Options {
		model.Options = append(model.Options,
			serverview.OptionLine{Name: o.Name, Values: o.Default, Meaning: o.Meaning})
	}
	return func(p layout.Page) templ.Component { return serverview.TargetPage(p, model) }
}

// offer fills in the list of the offers of a server, and the form of entry i of
// a kind.
func offer(model *serverview.Target, t playground.Target, c server.Connection, kind string, i int) {
	model.Menu = serverview.Menu{Target: t.ID}
	list := func(title, id, of string, n int, name func(int) (name, label string)) {
		g := serverview.MenuGroup{Title: title, ID: id, Count: n}
		for j := range n {
			e := serverview.MenuEntry{Kind: of, Current: of == kind && j == i}
			e.Name, e.Label = name(j)
			e.Path = paths.Call(t.ID, of, e.Name, "", nil)
			g.Entries = append(g.Entries, e)
		}
		if model.Menu.Total += n; n > 0 {
			model.Menu.Groups = append(model.Menu.Groups, g)
		}
	}
	list("Tools", "tools", "tool", len(c.Tools),
		func(j int) (string, string) { return c.Tools[j].Name, c.Tools[j].Label() })
	list("Prompts", "prompts", "prompt", len(c.Prompts),
		func(j int) (string, string) { return c.Prompts[j].Name, c.Prompts[j].Label() })
	list("Resources", "resources", "resource", len(c.Resources),
		func(j int) (string, string) { return c.Resources[j].URI, c.Resources[j].Label() })
	list("Resource templates", "templates", "template", len(c.Templates),
		func(j int) (string, string) { return c.Templates[j].URI, c.Templates[j].Label() })
	if model.Menu.Total > 0 {
		model.Chosen = callForm(t, c, kind, i)
	}
}

// callForm is the form of entry i of a kind.
func callForm(t playground.Target, c server.Connection, kind string, i int) *callview.Form {
	f := callview.Form{Kind: kind, Target: t.ID, Prefix: serverview.Prefix(kind, i), JSON: "{}"}
	switch kind {
	case "tool":
		x := c.Tools[i]
		f.Name, f.Label, f.Description, f.Excluded = x.Name, x.Label(), x.Description, x.Excluded
		f.Form, f.FormErr = form.Arguments(x.InputSchema)
	case "prompt":
		x := c.Prompts[i]
		f.Name, f.Label, f.Description, f.Completes = x.Name, x.Label(), x.Description, c.Completable()
		f.Form, f.FormErr = x.Form()
		f.Suggestions = callview.Suggestions{Field: "p0.f0", Values: []string{"Go", "Python"}}
	case "resource":
		f.Name, f.Label, f.About = c.Resources[i].URI, c.Resources[i].Label(), c.Resources[i].MIMEType
	case "template":
		x := c.Templates[i]
		f.Name, f.Label, f.About = x.URI, x.Label(), x.MIMEType
		f.Form, f.FormErr = x.TemplateForm()
	}
	return &f
}

// nestedSchema has every kind of part.
const nestedSchema = `{"type":"object","properties":{
	"address":{"type":"object","title":"Address","required":["city"],"properties":{
		"street":{"type":"string","minLength":2},"city":{"type":"string","title":"City"}}},
	"tags":{"type":"array","title":"Tags","items":{"type":"string","maxLength":5}},
	"legs":{"type":"array","title":"Legs","items":{"type":"object","required":["to"],"properties":{
		"to":{"type":"string"},"nights":{"type":"integer","minimum":1}}}},
	"budget":{"type":"object","title":"Budget","additionalProperties":{"type":"number"}},
	"pay":{"title":"Payment","oneOf":[{"title":"Card","type":"object","required":["kind","no"],
		"properties":{"kind":{"const":"card"},"no":{"type":"string"}}},
		{"title":"Points","type":"integer"}]},
	"point":{"type":"array","title":"Point","prefixItems":[{"type":"number","title":"x"},
		{"type":"number","title":"y"}]},
	"note":{"type":["string","null"],"title":"Note"},
	"deep":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object",
		"required":["d"],"properties":{"d":{"type":"string"}}}}}}}},"required":["address","legs","pay"]}`

// nested gives the first tool nested arguments, and fills them in.
func nested(values url.Values) func(*callview.Form) {
	return func(f *callview.Form) {
		f.Form, f.FormErr = form.Arguments([]byte(nestedSchema))
		if values == nil {
			content, _ := f.Form.Content(f.Form.Entries())
			f.JSON = serverview.Indented(content)
			return
		}
		fillIn(f, values)
	}
}

// fillIn puts typed values into a form.
func fillIn(f *callview.Form, values url.Values) {
	entries := form.ReadEntries(values, f.Prefix)
	arguments, problems := f.Form.Read(entries)
	f.Form, f.Problems, f.JSON = f.Form.With(entries), problems, string(arguments)
}
