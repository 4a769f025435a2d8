package question

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// asked returns the form of the only question of a Round that asks request.
func asked(t *testing.T, request string, roots ...Root) Form {
	t.Helper()
	return Forms(*waiting(request).Last(), roots...)[0]
}

// waiting returns the transcript of a call that asks request.
func waiting(request string) playground.Transcript {
	return answered(`{"resultType":"input_required","inputRequests":{"k":` + request + `}}`)
}

// answered returns the transcript of a call with this first result.
func answered(result string) playground.Transcript {
	return after(playground.Event{Conn: 1, Kind: playground.Received,
		Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
			`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)})
}

// after returns the transcript of a call whose request was followed by e.
func after(e playground.Event) playground.Transcript {
	return playground.Fold([]playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Time{}),
		{Conn: 1, Kind: playground.Sent,
			Data: []byte("POST / HTTP/1.1\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)},
		e,
	})
}

// sent returns the values of a page's form.
func sent(t *testing.T, query string) form.Inputs {
	t.Helper()
	values, err := url.ParseQuery(strings.ReplaceAll(query, "+", "%2B"))
	if err != nil {
		t.Fatal(err)
	}
	return form.ReadInputs(values)
}

// input returns the values of a page's form for its first question.
func input(t *testing.T, query string) form.Input {
	t.Helper()
	in, ok := sent(t, query).For(0, "k")
	if !ok {
		t.Fatalf("%s: the page does not have the question", query)
	}
	return in
}

const (
	formRequest = `{"method":"elicitation/create","params":{"message":"?",` +
		`"requestedSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":1,` +
		`"default":3}},"required":["n"]}}}`
	linkRequest = `{"method":"elicitation/create","params":{"mode":"url","message":"?",` +
		`"url":"https://example.com/"}}`
	samplingRequest = `{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":10,` +
		`"tools":[{"name":"look","inputSchema":{"type":"object"}}]}}`
	rootsRequest  = `{"method":"roots/list"}`
	vendorRequest = `{"method":"vendor/ask","params":{"x":1}}`
	brokenRequest = `{"method":"elicitation/create","params":{"message":"?","requestedSchema":"none"}}`
)

// toolRequest is a samplingRequest with a tool choice.
func toolRequest(mode string) string {
	return strings.Replace(samplingRequest, `"maxTokens"`, `"toolChoice":{"mode":"`+mode+`"},"maxTokens"`, 1)
}

func TestWhatWasFilledInBecomesTheAnswer(t *testing.T) {
	tests := []struct {
		name, request, form, want, problem string
		noAnswer                           bool
	}{
		{"form", formRequest, "a0.action=accept&a0.f0=7", `{"action":"accept","content":{"n":7}}`, "", false},
		{"decline needs no field", formRequest, "a0.action=decline&a0.f0=",
			`{"action":"decline"}`, "", false},
		{"cancel", formRequest, "a0.action=cancel", `{"action":"cancel"}`, "", false},
		{"no action", formRequest, "a0.f0=7", `{}`, "Choose accept", true},
		{"refused by the schema, kept for sending on purpose", formRequest, "a0.action=accept&a0.f0=0",
			`{"action":"accept","content":{"n":0}}`, "1", false},
		{"JSON counts", formRequest, `a0.raw=true&a0.json={"action":"accept","content":{"n": 8}}`,
			`{"action":"accept","content":{"n": 8}}`, "", false},
		{"JSON that the schema refuses", formRequest, `a0.raw=true&a0.json={"action":"accept",` +
			`"content":{"n":"8"}}`, `{"action":"accept","content":{"n":"8"}}`, " ", false},
		{"JSON without content", formRequest, `a0.raw=true&a0.json={"action":"accept"}`,
			`{"action":"accept"}`, "has content", false},
		{"JSON of another shape", formRequest, `a0.raw=true&a0.json=[1]`, `[1]`, "must be accept", false},
		{"no JSON", formRequest, `a0.raw=true&a0.json={`, ``, "not JSON", true},
		{"link", linkRequest, "a0.action=accept", `{"action":"accept"}`, "", false},
		{"text of a model", samplingRequest, "a0.text=hi",
			`{"role":"assistant","content":{"type":"text","text":"hi"},"model":"a-person",` +
				`"stopReason":"endTurn"}`, "", false},
		{"ready answer", samplingRequest, "a0.text=&a0.canned=Yes.",
			`{"role":"assistant","content":{"type":"text","text":"Yes."},"model":"a-person",` +
				`"stopReason":"endTurn"}`, "", false},
		{"tool use", samplingRequest, `a0.tool=look&a0.input={"q":1}`,
			`{"role":"assistant","content":{"type":"tool_use","id":"call-1","name":"look",` +
				`"input":{"q":1}},"model":"a-person","stopReason":"toolUse"}`, "", false},
		{"tool use without arguments", samplingRequest, `a0.tool=look&a0.input=x`,
			`{"role":"assistant","content":{"type":"tool_use","id":"call-1","name":"look","input":{}},` +
				`"model":"a-person","stopReason":"toolUse"}`, "JSON object", false},
		{"silence of a model", samplingRequest, "a0.text=",
			`{"role":"assistant","content":{"type":"text","text":""},"model":"a-person",` +
				`"stopReason":"endTurn"}`, "Write what", false},
		{"a text that is too long", samplingRequest, "a0.text=a b c d e f g h i j k",
			`{"role":"assistant","content":{"type":"text","text":"a b c d e f g h i j k"},` +
				`"model":"a-person","stopReason":"endTurn"}`, "11 words", false},
		{"a tool is required", toolRequest("required"), "a0.text=hi",
			`{"role":"assistant","content":{"type":"text","text":"hi"},"model":"a-person",` +
				`"stopReason":"endTurn"}`, "requires that the model uses a tool", false},
		{"no tool is allowed", toolRequest("none"), `a0.tool=look&a0.input={"q":1}`,
			`{"role":"assistant","content":{"type":"tool_use","id":"call-1","name":"look",` +
				`"input":{"q":1}},"model":"a-person","stopReason":"toolUse"}`, "tool choice none", false},
		{"a root with a step up", rootsRequest, "a0.uri=file:///a/%2e%2e/b",
			`{"roots":[{"uri":"file:///a/../b"}]}`, "folder above", false},
		{"a root with a hidden step up", rootsRequest, "a0.uri=file:///a/%252e%252e/b",
			`{"roots":[{"uri":"file:///a/%2e%2e/b"}]}`, "folder above", false},
		{"a root with two dots in a name", rootsRequest, "a0.uri=file:///a/b..c",
			`{"roots":[{"uri":"file:///a/b..c"}]}`, "", false},
		{"roots", rootsRequest, "a0.uri=file:///a&a0.name=A&a0.uri=&a0.name=x&a0.uri=file:///b&a0.name=",
			`{"roots":[{"uri":"file:///a","name":"A"},{"uri":"file:///b"}]}`, "", false},
		{"no roots", rootsRequest, "a0.uri=", `{"roots":[]}`, "", false},
		{"a root on the web", rootsRequest, "a0.uri=https://x", `{"roots":[{"uri":"https://x"}]}`,
			"file://", false},
		{"vendor", vendorRequest, `a0.json={"y":1.0}`, `{"y":1.0}`, "", false},
		{"schema without a form", brokenRequest, `a0.json={"action":"accept","content":{}}`,
			`{"action":"accept","content":{}}`, "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, r := asked(t, test.request).Read(input(t, test.form))
			if string(r.Value) != test.want || p.NoAnswer != test.noAnswer {
				t.Errorf("got %s (no answer: %v), want %s", r.Value, p.NoAnswer, test.want)
			}
			got := ""
			if len(p.Problems) > 0 {
				got = p.Problems[0].Text
			}
			if (test.problem == "") != (got == "") ||
				!strings.Contains(got, strings.TrimSpace(test.problem)) {
				t.Errorf("problem %q, want %q", got, test.problem)
			}
			quiet := Draft{Forms: []Form{p}}.WithoutProblems().Forms[0]
			if want := test.problem == "" && !test.noAnswer; p.Answered() != want ||
				quiet.Answered() != want {
				t.Errorf("answered: %v, in a preview: %v, want %v", p.Answered(), quiet.Answered(), want)
			}
		})
	}
}

func TestFieldsAndJSONShowTheSameAnswer(t *testing.T) {
	p := asked(t, formRequest)
	if p.JSON != `{"action":"accept","content":{"n":3}}` {
		t.Errorf("untouched: %s", p.JSON)
	}
	p, _ = p.Read(form.Input{Action: "accept", Fields: form.Entries{0: {Values: []string{"5"}}}})
	if p.JSON != `{"action":"accept","content":{"n":5}}` {
		t.Errorf("from fields: %s", p.JSON)
	}
	p, _ = asked(t, formRequest).Read(form.Input{Raw: true, JSON: `{"action":"accept","content":{"n":9}}`})
	if got := p.Fields.Fields[0].Value; len(got) != 1 || got[0] != "9" {
		t.Errorf("from JSON: %q", got)
	}
	p, _ = asked(t, rootsRequest).Read(form.Input{Raw: true, JSON: `{"roots":[{"uri":"file:///z"}]}`})
	if len(p.Roots) != 1 || p.Roots[0].URI != "file:///z" {
		t.Errorf("roots from JSON: %v", p.Roots)
	}
}

func TestRootsOfTheUserAreOffered(t *testing.T) {
	p := asked(t, rootsRequest, Root{URI: "file:///mine"})
	if p.JSON != `{"roots":[{"uri":"file:///mine"}]}` {
		t.Errorf("got %s", p.JSON)
	}
}

func TestPlaceholder_AnswersWithoutAPerson(t *testing.T) {
	for request, want := range map[string]string{
		formRequest:   `{"action":"accept","content":{"n":3}}`,
		linkRequest:   `{"action":"accept"}`,
		rootsRequest:  `{"roots":[]}`,
		vendorRequest: `{}`,
		samplingRequest: `{"role":"assistant","content":{"type":"text","text":"No model is connected ` +
			`here; this text takes its place."},"model":"a-person","stopReason":"endTurn"}`,
		`{"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{
			"t":{"type":"string","minLength":6},"e":{"type":"string","format":"email"},
			"c":{"type":"string","enum":["x","y"]},
			"m":{"type":"array","minItems":2,"items":{"type":"string","enum":["a","b","c"]}},
			"b":{"type":"boolean"},"i":{"type":"integer","minimum":4},"optional":{"type":"string"}},
			"required":["t","e","c","m","b","i"]}}}`: `{"action":"accept",` +
			`"content":{"t":"texttt","e":"person@example.com","c":"x","m":["a","b"],"b":true,"i":4}}`,
		toolRequest("required"): `{"role":"assistant","content":{"type":"tool_use","id":"call-1",` +
			`"name":"look","input":{}},"model":"a-person","stopReason":"toolUse"}`,
		strings.Replace(samplingRequest, `"maxTokens":10`, `"maxTokens":3`, 1): `{"role":"assistant",` +
			`"content":{"type":"text","text":"No model is"},"model":"a-person","stopReason":"endTurn"}`,
	} {
		r, err := asked(t, request).Placeholder()
		if err != nil || string(r.Value) != want {
			t.Errorf("got %s, %v, want %s", r.Value, err, want)
		}
	}
}

func TestFromJSON_TakesAWholeAnswerOrItsContent(t *testing.T) {
	p := asked(t, formRequest)
	for given, want := range map[string]string{
		`{"n":4}`:              `{"action":"accept","content":{"n":4}}`,
		`{"action":"decline"}`: `{"action":"decline"}`,
	} {
		r, err := p.FromJSON(json.RawMessage(given))
		if err != nil || string(r.Value) != want {
			t.Errorf("%s: got %s, %v", given, r.Value, err)
		}
	}
	if _, err := p.FromJSON(json.RawMessage(`{"n":0}`)); err == nil || IsMisshapen(err) {
		t.Errorf("an answer that the schema refuses: %v", err)
	}
}

// TestFromJSON_RefusesAnotherShape: a value that cannot answer such a question
// is not sent, and the error shows what one looks like.
func TestFromJSON_RefusesAnotherShape(t *testing.T) {
	const message = `{"role":"assistant","content":{"type":"text","text":"…"},"model":"…"}`
	for _, c := range []struct{ request, given, need string }{
		{formRequest, `4`, "the content of the form, an object, or "},
		{formRequest, `{"action":"agree"}`, `{"action":"accept","content":{…}}`},
		{formRequest, `{"action":"accept"}`, `{"action":"accept","content":{…}}`},
		{formRequest, `{"action":"accept","content":{"n":0}}`, ""}, // on purpose
		{linkRequest, `{"url":"x"}`, `{"action":"accept"}`},
		{linkRequest, `{"action":"accept"}`, ""},
		{samplingRequest, `{"draft":"hello"}`, message},
		{samplingRequest, `"hello"`, message},
		{samplingRequest, `{"role":"assistant","content":"hello","model":"m"}`, message},
		{samplingRequest, `{"action":"accept","content":{}}`, message},
		{samplingRequest, `{"role":"assistant","content":[],"model":"m"}`, ""},
		{rootsRequest, `{"roots":["file:///a"]}`, `{"roots":[{"uri":"file:///…"}]}`},
		{rootsRequest, `{"roots":[]}`, ""},
	} {
		p := asked(t, c.request)
		_, err := p.FromJSON(json.RawMessage(c.given))
		if IsMisshapen(err) != (c.need != "") || err != nil && !strings.Contains(err.Error(), c.need) {
			t.Errorf("%s: %v", c.given, err)
		}
	}
}

// FuzzQuestionsCanBeRead asks whatever a server may ask.
func FuzzQuestionsCanBeRead(f *testing.F) {
	for _, request := range []string{formRequest, linkRequest, samplingRequest, rootsRequest, vendorRequest,
		brokenRequest} {
		f.Add([]byte(request))
	}
	f.Fuzz(func(_ *testing.T, request []byte) {
		for _, p := range Forms(*waiting(string(request)).Last()) {
			_, _ = p.Read(form.Input{})
			_, _ = p.Placeholder()
		}
	})
}

// An edit in the form keeps the members of the content that only the JSON
// shows.
func TestRead_KeepsMembersWithoutField(t *testing.T) {
	before := `{"action":"accept","content":{"n":9,"own":[1.0]}}`
	in := form.Input{Action: "accept", JSON: before, Fields: form.Entries{0: {Values: []string{"5"}}}}
	f, answer := asked(t, formRequest).Read(in)
	want := `{"action":"accept","content":{"n":5,"own":[1.0]}}`
	if string(answer.Value) != want || f.JSON != want || len(f.Problems) != 0 {
		t.Errorf("got %s and %s, %v", answer.Value, f.JSON, f.Problems)
	}
	if _, answer = f.edited(f.Fields); string(answer.Value) != want {
		t.Errorf("after an edit of the rows: %s", answer.Value)
	}
	in.Action = "decline"
	if _, answer = f.Read(in); string(answer.Value) != `{"action":"decline"}` {
		t.Errorf("got %s", answer.Value)
	}
}

// TestForms_WithoutASchema: the error names the member that is missing, and the one that
// was perhaps meant.
func TestForms_WithoutASchema(t *testing.T) {
	for params, want := range map[string]string{
		`{"message":"Name?"}`: "requestedSchema is missing",
		`{"message":"Name?","schema":{"type":"object","properties":{}}}`: "requestedSchema is missing; " +
			"the question has schema, which is not its name",
	} {
		f := asked(t, `{"method":"elicitation/create","params":`+params+`}`)
		if f.FormErr == nil || f.FormErr.Error() != want {
			t.Errorf("%s: %v", params, f.FormErr)
		}
	}
}
