package views_test

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

// ask returns an input_required result; the questions are the members of its
// inputRequests.
func ask(state, questions string) string {
	if state != "" {
		state = fmt.Sprintf(`"requestState":%q,`, state)
	}
	return `{"resultType":"input_required",` + state + `"inputRequests":{` + questions + `}}`
}

// elicit returns a question in form mode.
func elicit(key, message, schema string) string {
	return fmt.Sprintf(`%q:{"method":"elicitation/create","params":{"mode":"form","message":%q,`+
		`"requestedSchema":%s}}`,
		key, message, schema)
}

func link(key, address string) string {
	return fmt.Sprintf(`%q:{"method":"elicitation/create","params":{"mode":"url",`+
		`"message":"Sign in to your bank.",`+
		`"elicitationId":"e-1","url":%q}}`, key, address)
}

// object returns the schema of an object.
func object(properties, required string) string {
	return `{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`
}

const everyField = `"name":{"type":"string","title":"Your name","description":"As on your passport.",` +
	`"minLength":2,"maxLength":40},
"mail":{"type":"string","format":"email","title":"E-mail"},
"site":{"type":"string","format":"uri","title":"Web site"},
"born":{"type":"string","format":"date","title":"Date of birth"},
"meet":{"type":"string","format":"date-time","title":"Meeting"},
"note":{"type":"string","title":"Note","default":"none","maxLength":2000},
"age":{"type":"integer","title":"Age","minimum":18,"maximum":120},
"rate":{"type":"number","title":"Hourly rate","minimum":0.5},
"terms":{"type":"boolean","title":"I accept the terms"},
"news":{"type":"boolean","title":"Newsletter","default":false},
"size":{"type":"string","title":"Size","enum":["S","M","L"]},
"plan":{"type":"string","title":"Plan","oneOf":[{"const":"free","title":"Free"},{"const":"pro",
"title":"Professional"}],"default":"pro"},
"days":{"type":"array","title":"Days","minItems":1,"items":{"type":"string","enum":["Mon","Tue","Wed"]}},
"colours":{"type":"array","title":"Colours","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g",
"title":"Green"}]}}`

var (
	confirm = elicit("confirm", "Delete 4 records?",
		object(`"ok":{"type":"boolean","title":"Delete them"}`, `"ok"`))
	reason = elicit("reason", "Why are they deleted?",
		object(`"why":{"type":"string","title":"Reason","minLength":3}`, `"why"`))
)

// samplingQuestion asks for a completion; more are further members of its
// params.
func samplingQuestion(more string) string {
	return `"draft":{"method":"sampling/createMessage","params":{"systemPrompt":"You are brief.",` +
		`"maxTokens":200,` +
		`"messages":[{"role":"user","content":{"type":"text",` +
		`"text":"Summarize the ticket in one sentence."}}]` + more + `}}`
}

const samplingTools = `,"tools":[{"name":"lookup","description":"Looks a ticket up.",` +
	`"inputSchema":{"type":"object",` +
	`"properties":{"id":{"type":"integer"}},"required":["id"]}}],"toolChoice":{"mode":"auto"}`

// deletion is a call whose first answer is an input_required result.
func deletion(state, questions string) *recorder {
	return call("delete_records", `{"table":"orders","before":"2020-01-01"}`).result(ask(state, questions))
}

// exchangeStories are open exchanges: the state of a page in which the user or
// the server has something to do.
func exchangeStories(b *fixtures) []story {
	waiting := func(name, questions string, edits ...edit) story {
		return story{group: "waiting", name: name, page: b.exchange(deletion("s-1", questions).x, edits...)}
	}
	azure := b.recorded("azure-devops")
	return []story{
		whole("exchange-waiting", b.exchange(upTo(azure, 1))),
		b.panel("waiting", "sample-first-question", selection.PanelState, upTo(azure, 1)),
		{group: "waiting", name: "sample-second-question", page: b.exchange(upTo(azure, 2))},
		story{group: "waiting", name: "sample-expired-state",
			page: b.exchange(upTo(azure, 2), func(in *exchangeview.Input) {
				in.Lab.Expired = func(playground.Round) bool { return true }
			})}.of("[data-expired]", ""),
		waiting("one-question", confirm),
		b.panel("waiting", "without-state", selection.PanelState, deletion("", confirm).x).
			of(".preview, .panel > *", ""),
		waiting("every-field", elicit("profile", "Please fill in your profile.",
			object(everyField, `"name","age","terms","size","days"`))).of(".question", ""),
		waiting("several-questions", confirm+","+reason).of(".answers", ".as-json, .preview"),
		story{group: "waiting", name: "task-one-left-for-later", page: b.exchange(report().poll().result(
			taskStatus("input_required", `,"inputRequests":{`+confirm+","+samplingQuestion("")+`}`)).x,
			func(in *exchangeview.Input) {
				in.Draft = question.NewDraft(*in.Transcript.Last()).Fill(form.ReadInputs(url.Values{
					"a0.action": {"accept"}, "a0.f0": {"true"}, "a1.action": {"later"}}))
			})}.of("[data-input-key=draft] .choices, .preview", ""),
		waiting("link-safe", link("pay", "https://bank.example/sign-in?for=4522")),
		waiting("link-not-encrypted", link("pay", "http://bank.example/sign-in")),
		waiting("link-script", link("pay", "javascript:alert(1)")),
		waiting("link-user-name", link("pay", "https://bank.example@evil.example/")),
		waiting("link-look-alike", link("pay", "https://bаnk.example/")),
		waiting("sampling", samplingQuestion("")).of(".answers", ".as-json, .preview"),
		waiting("sampling-with-tools", samplingQuestion(samplingTools)),
		waiting("roots", `"folders":{"method":"roots/list"}`, func(in *exchangeview.Input) {
			in.Draft = question.NewDraft(*in.Transcript.Last(),
				question.Root{URI: "file:///home/ada/project", Name: "project"})
		}),
		waiting("unknown-method", `"odd":{"method":"elicitation/later",`+
			`"params":{"message":"Something new"}}`).of(".answers", ""),
		waiting("broken-schema", elicit("odd", "Fill in the address.",
			`{"type":"object","properties":{"address":{"type":"object"}}}`)),
		waiting("nested-question", elicit("odd", "Fill in the addresses.", `{"type":"object","properties":{`+
			`"addresses":{"type":"array","items":{"type":"object","properties":{`+
			`"city":{"type":"string"}},"required":["city"]}},"note":{"type":["string","null"]}},`+
			`"required":["addresses"]}`)),
		waiting("form-without-fields",
			elicit("sure", "Are you sure?", `{"type":"object","properties":{}}`)),
		waiting("invalid-answer", elicit("profile", "Please fill in your profile.",
			object(everyField, `"name","age","terms"`)),
			typed(url.Values{"a0.action": {"accept"}, "a0.f0": {"A"}, "a0.f1": {"nobody"}, "a0.f6": {"12"},
				"a0.f7": {"cheap"}})).
			of(".field:has([aria-invalid]), [data-do=anyway], .preview .add", "label .muted"),
		waiting("invalid-json", confirm,
			typed(url.Values{"a0.action": {"accept"}, "a0.raw": {"true"}, "a0.json": {`{"action":`}})).
			of(".question", "none"),
		waiting("filled-in", confirm+","+reason, typed(url.Values{
			"a0.action": {"accept"}, "a0.f0": {"true"}, "a1.action": {"decline"},
		}), func(in *exchangeview.Input) {
			b.next(in, playground.Decision{Action: playground.ActionAnswer, Answers: []playground.Answer{
				{Key: "confirm", Value: []byte(`{"action":"accept","content":{"ok":true}}`)},
				{Key: "reason", Value: []byte(`{"action":"decline"}`)},
			}})
		}).of(".answers", ".send"),
		waiting("could-not-be-sent", confirm, func(in *exchangeview.Input) {
			in.Problem = &prose.Sentence{Code: "busy", What: "Too many calls are running.",
				Try: "Try again in a minute."}
		}).of(".problem", ""),
		waiting("in-a-lesson", confirm, func(in *exchangeview.Input) {
			in.Lesson = &paths.LessonLink{Path: "/learn/rounds#live",
				Words: "Continue lesson 4: Many rounds"}
		}).of(".crumb", ""),
		b.panel("waiting", "foreign-text", selection.PanelWire, foreign().x).
			of(".call-head, .note, .narration, .question, .sides, .besides", ".as-json"),
		b.panel("waiting", "foreign-text", selection.PanelState, foreign().x).
			of("#state > *", ".drawn, .state-size, [data-do=workbench], [data-copy]"),
		b.panel("waiting", "legacy-open-call", selection.PanelWire, upTo(b.recorded("legacy"), 1)).
			of(".ask > *", ".as-json, .actions, .preview > h3"),
		{group: "retry", name: "ready", page: b.exchange(shedding().x)},
		{group: "retry", name: "by-itself", page: b.exchange(shedding().decide(playground.Decision{
			Action: playground.ActionRetry, Auto: true,
		}).result(`{"resultType":"input_required","requestState":"primes-2"}`).x)},
		{group: "running", name: "first-request", page: b.exchange(call("deploy", `{"env":"prod"}`).x)},
		{group: "running", name: "progress", page: b.exchange(call("deploy", `{"env":"prod"}`).stream(
			progressMessage(1, "pulling"), progressMessage(2, "unpacking"),
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",`+
				`"logger":"deploy","data":"layer 2 of 4"}}`,
		).x)},
		{group: "running", name: "retry-sent",
			page: b.exchange(deletion("s-1", confirm).answer("confirm", accepted(`{"ok":true}`)).x)},
		{group: "task", name: "created", page: b.exchange(report().x)},
		story{group: "task", name: "working", page: b.exchange(working(report(), "collecting figures",
			"collecting figures", "drawing charts").x)}.of(".ask > *", ""),
		{group: "task", name: "answer-not-taken", page: b.exchange(answeredReport().
			poll().result(reportAsks).x)},
		story{group: "task", name: "asking-again", page: b.exchange(working(answeredReport(), "Writing").
			poll().result(reportAsks).x)}.of(".ask > *", ".actions, .as-json"),
		{group: "task", name: "polling-stopped", page: b.exchange(call("report", `{}`).
			result(`{"resultType":"task","taskId":"task-1","status":"working","ttlMs":1000}`).
			poll().result(taskStatus("working", "")).x)},
		{group: "task", name: "polling-stopped-cancelled", page: b.exchange(working(report(),
			"collecting figures").
			decide(playground.Decision{Action: playground.ActionStop}).
			result(`{"resultType":"complete"}`).poll().result(taskStatus("working", "")).x)},
		b.panel("task", "polling-stopped-many", selection.PanelWire, working(report(), "collecting figures").
			repeat(999).halt(playground.StoppedMany).x).
			of("[data-repeats], [data-frame=response] > h3", ""),
		{group: "task", name: "polling-stopped-full", golden: inSummary,
			page: b.exchange(working(report(),
				"collecting figures").
				halt(playground.StoppedFull).x)},
		{group: "task", name: "polling-stopped-unwatched", golden: inSummary,
			page: b.exchange(working(report(), "collecting figures").repeat(56).
				halt(playground.StoppedUnwatched).x)},
		{group: "task", name: "polling-stopped-early", page: b.exchange(report().
			halt(playground.StoppedUnwatched).x)},
		{group: "task", name: "polling-stopped-imported", golden: inSummary,
			page: b.exchange(report().poll().halt(playground.StoppedImported).x)},
		b.panel("task", "long-frame", selection.PanelWire, report().poll().result(taskStatus("working",
			`,"_meta":{"pad":"`+strings.Repeat("The server goes on and on. ", 30000)+`"}`)).x).
			of("[data-frame=response]", ""),
		b.panel("task", "asking", selection.PanelLab, b.recorded("tasks")).
			of(".answers, .board-group button", ".as-json, .preview > h3"),
		{group: "task", name: "answered",
			page: b.exchange(taskAsks().answer("tone", accepted(`{"tone":"formal"}`)).
				receive(200, "application/json",
					`{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete"}}`).x)},
		{group: "task", name: "asked-to-stop",
			page: b.exchange(working(report(), "collecting figures").decide(
				playground.Decision{Action: playground.ActionStop}).x)},
	}
}

// typed is a form as the user sent it.
func typed(values url.Values) edit {
	return func(in *exchangeview.Input) {
		in.Draft = question.NewDraft(*in.Transcript.Last()).Fill(form.ReadInputs(values))
	}
}

func accepted(content string) string { return `{"action":"accept","content":` + content + `}` }

// foreign is a server whose words have markup, hidden and right-to-left
// characters in them.
func foreign() *recorder {
	r := newRecorder(playground.Call{
		Method: playground.ToolsCall,
		Params: []byte("{\"name\":\"pay\u202eyap\",\"arguments\":{\"to\":\"a\u200bb\"}}"),
	})
	r.x.Target.Name = "evil\u202e.example\u0007 <b>bold</b>"
	return r.decide(playground.Decision{Action: playground.ActionStart}).result(
		"{\"resultType\":\"input_required\",\"requestState\":\"\u202estate\\u0000\"," +
			"\"inputRequests\":{\"k\u200bey\":{\"method\":" +
			"\"elicitation/create\",\"params\":{\"message\":\"<script>alert(1)</script> Pay " +
			"\u202e001\u202c\\u001b[31m now\\nline two\"," +
			"\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"p\u200dw\":{\"type\":\"string\"" +
			",\"title\":\"Pass\u00adword\",\"description\":\"<img src=x onerror=alert(1)>\"}}}}}}}")
}

func shedding() *recorder {
	return call("count_primes", `{"below":2000000}`).
		result(`{"resultType":"input_required","requestState":"primes-1"}`)
}

func progressMessage(n int, words string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress",`+
		`"params":{"progressToken":"round-1","progress":%d,"total":4,"message":%q}}`,
		n, words)
}

// report is a call that became a task.
func report() *recorder {
	return call("report", `{"topic":"sales"}`).result(taskCreated)
}

const taskCreated = `{"resultType":"task","taskId":"task-1","status":"working",` +
	`"createdAt":"2026-07-28T12:00:02Z","lastUpdatedAt":"2026-07-28T12:00:02Z","ttlMs":600000,` +
	`"pollIntervalMs":1000}`

// taskStatus returns the answer to a tasks/get.
func taskStatus(status, more string) string {
	return fmt.Sprintf(`{"resultType":"complete","taskId":"task-1","status":%q,`+
		`"createdAt":"2026-07-28T12:00:02Z",`+
		`"lastUpdatedAt":"2026-07-28T12:00:04Z","ttlMs":600000,"pollIntervalMs":1000%s}`, status, more)
}

// working polls a task that reports its progress.
func working(r *recorder, messages ...string) *recorder {
	for _, m := range messages {
		r.poll().result(taskStatus("working", fmt.Sprintf(`,"statusMessage":%q`, m)))
	}
	return r
}

func taskAsks() *recorder { return report().poll().result(reportAsks) }

var reportAsks = taskStatus("input_required", `,"inputRequests":{`+
	elicit("tone", "Which tone should the report have?",
		object(`"tone":{"type":"string","enum":["formal","casual"]}`, `"tone"`))+`}`)

// answeredReport is a task whose question was answered.
func answeredReport() *recorder {
	return taskAsks().answer("tone", accepted(`{"tone":"formal"}`)).result(`{"resultType":"complete"}`)
}
