package views_test

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" +
	"AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// complete returns a result of a tool.
func complete(content, more string) string {
	return `{"resultType":"complete","content":[` + content + `]` + more + `}`
}

func textContent(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }

// answeredStories are exchanges that ended, and earlier Rounds.
func answeredStories(b *fixtures) []story {
	weather := func() *recorder { return call("weather", `{"city":"Lisbon"}`) }
	done := func(name, result string) story {
		return story{group: "complete", name: name, page: b.exchange(weather().result(result).x)}
	}
	failed := func(name string, r *recorder) story {
		return story{group: "failed", name: name, page: b.exchange(r.x)}
	}
	azure, legacy := b.recorded("azure-devops"), b.recorded("legacy")
	lost := b.recorded("demo-azure-devops-legacy")
	lost = cut(lost, slices.IndexFunc(lost.Log,
		func(e playground.Event) bool { return e.Kind == playground.Cancelled }))
	violation := weather().
		result(`{"resultType":"input_required","requestState":42,"inputRequests":{` + confirm + `}}`).x
	return []story{
		whole("exchange-finished", b.exchange(azure)).of("main", ".panel"),
		b.panel("complete", "sample", selection.PanelState, azure).
			of("#state > p", ".state-size, [data-do=workbench]"),
		b.panel("complete", "sample", selection.PanelRules, azure),
		b.panel("complete", "sample", selection.PanelTiming, azure),
		b.panel("complete", "traced", selection.PanelTiming, traced().x),
		b.panel("complete", "sample", selection.PanelPicture, azure),
		story{group: "complete", name: "legacy", page: b.exchange(legacy)}.of(".ask > *", ".actions"),
		done("text", complete(textContent("It is 21 degrees in Lisbon.\nSunny, no wind."), "")),
		done("structured", complete(textContent(`{"degrees":21,"sky":"clear"}`),
			`,"structuredContent":{"degrees":21,"sky":"clear","wind":null}`)),
		done("structured-nested", complete("",
			`,"structuredContent":{"days":[{"degrees":21},{"degrees":19}]}`)),
		{group: "complete", name: "structured-against-its-schema",
			page: b.exchange(weatherWithSchema(`{"type":"number"}`).result(
				complete("", `,"structuredContent":{"degrees":"warm"}`)).x)},
		{group: "complete", name: "structured-without-its-format",
			page: b.exchange(weatherWithSchema(`{"format":"date-time"}`).result(
				complete("", `,"structuredContent":{"degrees":"2026-11-20"}`)).x)},
		{group: "complete", name: "structured-not-checked",
			page: b.exchange(weatherWithSchema(`{"$ref":"https://schemas.example/degrees.json"}`).result(
				complete("", `,"structuredContent":{"degrees":21}`)).x)},
		done("media", complete(fmt.Sprintf(`{"type":"image","mimeType":"image/png","data":%q},`+
			`{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="},`+
			`{"type":"resource_link","uri":"https://example.com/report.pdf","name":"report.pdf",`+
			`"mimeType":"application/pdf"},`+
			`{"type":"resource","resource":{"uri":"file:///notes.md","mimeType":"text/markdown",`+
			`"text":"# Notes"}},{"type":"hologram","depth":3}`, pixel), "")),
		done("empty", complete("", "")),
		done("without-result-type", `{"content":[`+textContent("Done.")+`]}`),
		done("tool-error", complete(textContent("There is no city of that name."), `,"isError":true`)).
			of("[data-result]", ""),
		{group: "complete", name: "tool-error-after-an-answer",
			page: b.exchange(deletion("s-1", confirm).answer("confirm", accepted(`{"ok":true}`)).
				result(complete(textContent("The table is locked."), `,"isError":true`)).x)},
		{group: "complete", name: "prompt",
			page: b.exchange(prompt().
				result(`{"resultType":"complete","description":"A review","messages":[` +
					`{"role":"user","content":{"type":"text","text":"Review this Go code."}},` +
					`{"role":"assistant","content":{"type":"text","text":"Which part?"}}]}`).x)},
		{group: "complete", name: "resource",
			page: b.exchange(resource().result(`{"resultType":"complete","contents":[` +
				`{"uri":"file:///notes.md","mimeType":"text/markdown","text":"# Notes\n\n* one"},` +
				`{"uri":"file:///logo.png","mimeType":"image/png","blob":"` + pixel + `"}],"ttlMs":0,` +
				`"cacheScope":"private"}`).x)},
		{group: "task", name: "done",
			page: b.exchange(working(report(), "collecting figures").poll().result(
				taskStatus("completed", `,"result":{"content":[`+textContent("Sales rose by 4 %.")+`]}`)).x)},
		{group: "task", name: "failed",
			page: b.exchange(report().poll().
				result(taskStatus("failed", `,"error":{"code":-32603,"message":"disk full"}`)).x)},
		{group: "task", name: "cancelled",
			page: b.exchange(report().poll().result(taskStatus("cancelled", "")).x)},
		{group: "task", name: "unknown",
			page: b.exchange(report().poll().rpcError(-32602, "Task not found").x)},
		{group: "task", name: "expired", page: b.exchange(expiredTask().x)},
		{group: "said-no", name: "declined",
			page: b.exchange(deletion("s-1", confirm).answer("confirm", `{"action":"decline"}`).
				result(complete(textContent("Nothing was deleted."), "")).x)},
		{group: "said-no", name: "cancelled",
			page: b.exchange(deletion("s-1", confirm).answer("confirm", `{"action":"cancel"}`).
				result(complete(textContent("Nothing was deleted."), "")).x)},
		{group: "said-no", name: "refused",
			page: b.exchange(deletion("s-1", samplingQuestion("")).refuse().x)},
		{group: "said-no", name: "request-cancelled",
			page: b.exchange(call("deploy", `{"env":"prod"}`).end(playground.Cancelled).x)},
		failed("rpc-error", weather().rpcError(-32602, "Unknown tool: weather")),
		failed("rpc-error-after-an-answer",
			deletion("s-1", confirm).answer("confirm", accepted(`{"ok":true}`)).
				rpcError(-32602, "Invalid requestState")),
		failed("capability", weather().
			receive(400, "application/json",
				`{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"Sampling is required",`+
					`"data":{"requiredCapabilities":{"sampling":{}}}}}`)),
		failed("http-401", weather().
			receive(401, "text/plain", "no token",
				`WWW-Authenticate: Bearer `+
					`resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"`)),
		failed("http-401-oauth", weather().
			receive(401, "application/json", `{"error":"invalid_token","error_description":"The token `+
				`expired."}`,
				`WWW-Authenticate: Bearer error="invalid_token"`)),
		failed("url-required", weather().
			receive(200, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32042,`+
				`"message":"Authorization is needed","data":{"elicitations":[{"mode":"url",`+
				`"elicitationId":"e1","message":"Sign in",`+
				`"url":"https://login.example.com/start?id=e1"}]}}}`)),
		failed("http-404", weather().receive(404, "text/html", "<h1>Not found</h1>")),
		failed("http-429", weather().receive(429, "text/plain", "slow down", "Retry-After: 40")),
		failed("http-503", weather().receive(503, "text/plain", "overloaded")),
		failed("redirect", weather().
			receive(307, "text/plain", "", "Location: https://mcp.example.com/v2/mcp")),
		failed("login-page", weather().receive(200, "text/html", "<html><title>Sign in</title></html>")),
		failed("not-json", weather().receive(200, "application/json", `{"jsonrpc":"2.0",`)),
		failed("refused", weather().fail(wire.Refused, "connection refused by 203.0.113.7:443")),
		failed("timeout", weather().fail(wire.TimeoutFirstByte, "no byte after 30s")),
		failed("truncated", weather().
			receive(200, "application/json", `{"jsonrpc":"2.0","id":1,"result":{"conten`).
			fail(wire.Reset, "the answer ended after 38 of 400 bytes")),
		failed("stream-without-response",
			weather().stream(progressMessage(1, "looking")).
				fail(wire.Class(playground.NoResponse), "the stream ended without a response")),
		failed("violation", weather().result(`{"resultType":"input_required"}`)),
		b.panel("failed", "violation", selection.PanelWire, violation).
			of("[data-error], [data-frame=response]", ""),
		b.panel("failed", "violation", selection.PanelRules, violation).of("#rules > *", "thead"),
		b.panel("failed", "legacy-lost-answer", selection.PanelWire, lost).
			of(".ask > *, .sides", ".actions, .json"),
		{group: "failed", name: "legacy-lost-and-ended",
			page: b.exchange(b.recorded("demo-azure-devops-legacy"))},
		{group: "failed", name: "capped", page: b.exchange(capped().x)},
		{group: "interrupted", name: "request", page: b.exchange(weather().end(playground.Interrupted).x)},
		{group: "interrupted", name: "legacy", page: b.exchange(interrupted(upTo(legacy, 1)))},
		{group: "earlier-round", name: "answered", page: b.exchange(azure, round(1))},
		b.panel("earlier-round", "answered", selection.PanelState, azure, round(2)).of(".state-head", ""),
		{group: "earlier-round", name: "of-a-waiting-exchange", golden: inSummary,
			page: b.exchange(upTo(azure, 2), round(1))},
		{group: "earlier-round", name: "retried",
			page: b.exchange(shedding().decide(playground.Decision{Action: playground.ActionRetry}).
				result(complete(textContent("148933 primes."), "")).x, round(1))},
		{group: "earlier-round", name: "task",
			page: b.exchange(working(report(), "collecting figures").poll().result(
				taskStatus("completed", `,"result":{"content":[]}`)).x, round(2))},
		branchStory(b, "experiment-passed", "flip-sealed").of(".branch", ""),
		branchStory(b, "experiment-failed", "flip-plain").of(".branch > *, [data-summary]", "dt"),
		branchStory(b, "edited-by-hand", "edited-plain").of(".branch", ""),
		story{group: "branch", name: "another-answer",
			page: b.exchange(branched(deletion("s-1", confirm).x), inSession)}.
			of(".branch > p, [data-summary]", ""),
		story{group: "branch", name: "experiment-hint", page: b.exchange(hintBranch(), inSession)}.
			of(".branch > *, [data-summary]", "dt"),
		{group: "branch", name: "experiment-running", page: b.exchange(runningBranch(), inSession)},
		{group: "branch", name: "task-experiment-passed", page: b.exchange(onTask().
			rpcError(-32602, "Unknown task").x, besideReport)},
		{group: "branch", name: "task-experiment-running", page: b.exchange(onTask().x, besideReport)},
		{group: "branch", name: "task-experiment-not-made", page: b.exchange(experimentCall().
			result(complete(textContent("Sales rose by 4 %."), "")).x, besideReport)},
	}
}

// weatherWithSchema is a call of a tool whose structured content has degrees.
func weatherWithSchema(degrees string) *recorder {
	r := newRecorder(playground.Call{Method: playground.ToolsCall,
		Params: []byte(`{"name":"weather","arguments":{"city":"Lisbon"}}`),
		Tool: []byte(`{"name":"weather","inputSchema":{"type":"object"},` +
			`"outputSchema":{"type":"object","properties":{"degrees":` + degrees + `},` +
			`"required":["degrees"]}}`)})
	return r.decide(playground.Decision{Action: playground.ActionStart})
}

func prompt() *recorder {
	r := newRecorder(playground.Call{Method: playground.PromptsGet,
		Params: []byte(`{"name":"review_code","arguments":{"language":"Go"}}`)})
	return r.decide(playground.Decision{Action: playground.ActionStart})
}

// traced is a call of two Rounds in a trace.
func traced() *recorder {
	r := newRecorder(playground.Call{Method: playground.PromptsGet,
		Params: []byte(`{"name":"review_code","arguments":{"language":"Go"},"_meta":{"traceparent":` +
			`"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"}}`)})
	return r.decide(playground.Decision{Action: playground.ActionStart}).
		result(ask("s-1", confirm)).answer("confirm", accepted(`{"ok":true}`)).
		result(`{"resultType":"complete","messages":[]}`)
}

func resource() *recorder {
	r := newRecorder(playground.Call{Method: playground.ResourcesRead,
		Params: []byte(`{"uri":"file:///notes.md"}`)})
	return r.decide(playground.Decision{Action: playground.ActionStart})
}

// expiredTask is asked for after its ttlMs.
func expiredTask() *recorder {
	r := call("report", `{}`).result(`{"resultType":"task","taskId":"task-1","status":"working",` +
		`"ttlMs":1000,"pollIntervalMs":1000}`)
	return r.poll().rpcError(-32602, "Task not found")
}

// capped is an exchange whose server asks until the limit of Rounds.
func capped() *recorder {
	r := deletion("s-1", confirm)
	for range playground.MaxRounds - 1 {
		r.answer("confirm", accepted(`{"ok":true}`)).result(ask("s-1", confirm))
	}
	return r
}

// interrupted ends an exchange as a program does that starts again after it
// was stopped.
func interrupted(x playground.Exchange) playground.Exchange {
	last := x.Log[len(x.Log)-1]
	r := recorder{x: x, now: last.At, conn: last.Conn}
	return r.end(playground.Interrupted).x
}

func branchStory(b *fixtures, name, recording string) story {
	s := b.recording(recording)
	x := s.Exchanges[len(s.Exchanges)-1]
	return story{group: "branch", name: name, page: b.exchange(x, func(in *exchangeview.Input) {
		in.Lab.Session = before(s)
	})}
}

// inSession is of a branch: the exchange that it continues is beside it.
func inSession(in *exchangeview.Input) {
	if o := in.Exchange.Origin; o != nil && o.Parent != nil {
		in.Lab.Session = []playground.Exchange{*o.Parent}
	}
}

// branched returns a branch of an exchange that waits, with nothing sent yet.
func branched(parent playground.Exchange) playground.Exchange {
	parent.ID = "X0"
	origin := parent.At(1)
	x := parent
	x.ID, x.Log, x.Origin = "X1", nil, &origin
	return x
}

// experiment returns a branch in which the retry was changed on purpose.
func experiment(id string) *recorder {
	parent := deletion("s-1", confirm+","+reason).
		answer("confirm", accepted(`{"ok":true}`), "reason", accepted(`{"why":"old"}`)).
		result(complete(textContent("4 records deleted."), ""))
	r := recorder{x: branched(parent.x), now: parent.now}
	d := playground.Decision{Action: playground.ActionAnswer, Round: 2, Experiment: id, Changed: true}
	r.add(d.Event(noon))
	body := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_records",` +
		`"arguments":{"table":"orders","before":"2020-01-01"},` +
		`"inputResponses":{"reason":` + accepted(`{"why":"old"}`) +
		`},"requestState":"s-1","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"mrtr-playground","version":"storybook"},` +
		`"io.modelcontextprotocol/clientCapabilities":` + string(everything) + `}}}`
	head := "POST /mcp HTTP/1.1\r\nHost: mcp.example.com\r\n" +
		"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: delete_records\r\n\r\n"
	r.conn++
	return r.add(playground.Event{Conn: r.conn, Kind: playground.Sent, Data: []byte(head + body)})
}

func hintBranch() playground.Exchange {
	return experiment("skip-answer").rpcError(-32602, "confirm is missing").x
}

func runningBranch() playground.Exchange { return experiment("skip-answer").x }

// experimentCall begins the call that an experiment on a task makes again.
func experimentCall() *recorder {
	r := newRecorder(report().x.Call)
	r.x.Origin = &playground.Origin{Exchange: "X0"}
	return r.decide(playground.Decision{Action: playground.ActionStart, Experiment: "task-unknown-id"})
}

// onTask sends tasks/get for an unknown task, as soon as there is one.
func onTask() *recorder {
	r := experimentCall().result(taskCreated)
	e, _ := lab.ExperimentByID("task-unknown-id")
	me := playground.Client{Name: "mrtr-playground", Version: "storybook"}
	f := r.x.Fold()
	right, _ := lab.PollOf(r.x, me)
	changed, err := e.Change(right, lab.Material{Round: *f.Last()})
	if err != nil {
		panic("change request: " + err.Error())
	}
	return r.add(playground.Decision{
		Action: playground.ActionResend, Round: f.Next(), Experiment: e.ID, Changed: true,
	}.Event(noon)).send(changed)
}

// besideReport is of an experiment on a task: the recorded call is beside it.
func besideReport(in *exchangeview.Input) {
	original := report().x
	original.ID = "X0"
	in.Lab.Session = []playground.Exchange{original}
}
