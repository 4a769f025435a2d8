package question

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// prompt is the only question of a Round that asks request.
func prompt(t *testing.T, request string, roots ...Root) Form {
	t.Helper()
	result := `{"resultType":"input_required","inputRequests":{"k":` + request + `}}`
	log := []playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Time{}),
		{Conn: 1, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)},
		{Conn: 1, Kind: playground.Received, Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"result":` + result + `}`)},
	}
	return Forms(*playground.Fold(log).Last(), roots...)[0]
}

const (
	formRequest     = `{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":1,"default":3}},"required":["n"]}}}`
	linkRequest     = `{"method":"elicitation/create","params":{"mode":"url","message":"?","url":"https://example.com/"}}`
	samplingRequest = `{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":10,"tools":[{"name":"look","inputSchema":{"type":"object"}}]}}`
	rootsRequest    = `{"method":"roots/list"}`
	vendorRequest   = `{"method":"vendor/ask","params":{"x":1}}`
	brokenRequest   = `{"method":"elicitation/create","params":{"message":"?","requestedSchema":"none"}}`
)

func TestWhatWasFilledInBecomesTheAnswer(t *testing.T) {
	tests := []struct {
		name, request, form, want, problem string
		noAnswer                           bool
	}{
		{"form", formRequest, "a0.action=accept&a0.f0=7", `{"action":"accept","content":{"n":7}}`, "", false},
		{"decline needs no field", formRequest, "a0.action=decline&a0.f0=", `{"action":"decline"}`, "", false},
		{"cancel", formRequest, "a0.action=cancel", `{"action":"cancel"}`, "", false},
		{"no action", formRequest, "a0.f0=7", `{}`, "Choose accept", true},
		{"refused by the schema, kept for sending on purpose", formRequest, "a0.action=accept&a0.f0=0", `{"action":"accept","content":{"n":0}}`, "1", false},
		{"JSON counts", formRequest, `a0.raw=true&a0.json={"action":"accept","content":{"n": 8}}`, `{"action":"accept","content":{"n": 8}}`, "", false},
		{"JSON that the schema refuses", formRequest, `a0.raw=true&a0.json={"action":"accept","content":{"n":"8"}}`, `{"action":"accept","content":{"n":"8"}}`, " ", false},
		{"JSON without content", formRequest, `a0.raw=true&a0.json={"action":"accept"}`, `{"action":"accept"}`, "has content", false},
		{"JSON of another shape", formRequest, `a0.raw=true&a0.json=[1]`, `[1]`, "must be accept", false},
		{"no JSON", formRequest, `a0.raw=true&a0.json={`, ``, "not JSON", true},
		{"link", linkRequest, "a0.action=accept", `{"action":"accept"}`, "", false},
		{"text of a model", samplingRequest, "a0.text=hi", `{"role":"assistant","content":{"type":"text","text":"hi"},"model":"a-person","stopReason":"endTurn"}`, "", false},
		{"ready answer", samplingRequest, "a0.text=&a0.canned=Yes.", `{"role":"assistant","content":{"type":"text","text":"Yes."},"model":"a-person","stopReason":"endTurn"}`, "", false},
		{"tool use", samplingRequest, `a0.tool=look&a0.input={"q":1}`, `{"role":"assistant","content":{"type":"tool_use","id":"call-1","name":"look","input":{"q":1}},"model":"a-person","stopReason":"toolUse"}`, "", false},
		{"tool use without arguments", samplingRequest, `a0.tool=look&a0.input=x`, `{"role":"assistant","content":{"type":"tool_use","id":"call-1","name":"look","input":{}},"model":"a-person","stopReason":"toolUse"}`, "JSON object", false},
		{"silence of a model", samplingRequest, "a0.text=", `{"role":"assistant","content":{"type":"text","text":""},"model":"a-person","stopReason":"endTurn"}`, "Write what", false},
		{"roots", rootsRequest, "a0.uri=file:///a&a0.name=A&a0.uri=&a0.name=x&a0.uri=file:///b&a0.name=", `{"roots":[{"uri":"file:///a","name":"A"},{"uri":"file:///b"}]}`, "", false},
		{"no roots", rootsRequest, "a0.uri=", `{"roots":[]}`, "", false},
		{"a root on the web", rootsRequest, "a0.uri=https://x", `{"roots":[{"uri":"https://x"}]}`, "file://", false},
		{"vendor", vendorRequest, `a0.json={"y":1.0}`, `{"y":1.0}`, "", false},
		{"schema without a form", brokenRequest, `a0.json={"action":"accept","content":{}}`, `{"action":"accept","content":{}}`, "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values, err := url.ParseQuery(strings.ReplaceAll(test.form, "+", "%2B"))
			if err != nil {
				t.Fatal(err)
			}
			p, r := prompt(t, test.request).Read(0, values)
			if string(r.Value) != test.want || p.NoAnswer != test.noAnswer {
				t.Errorf("got %s (no answer: %v), want %s", r.Value, p.NoAnswer, test.want)
			}
			got := ""
			if len(p.Problems) > 0 {
				got = p.Problems[0].Text
			}
			if (test.problem == "") != (got == "") || !strings.Contains(got, strings.TrimSpace(test.problem)) {
				t.Errorf("problem %q, want %q", got, test.problem)
			}
		})
	}
}

func TestFieldsAndJSONShowTheSameAnswer(t *testing.T) {
	p := prompt(t, formRequest)
	if p.JSON != `{"action":"accept","content":{"n":3}}` {
		t.Errorf("untouched: %s", p.JSON)
	}
	p, _ = p.Read(0, url.Values{"a0.action": {"accept"}, "a0.f0": {"5"}})
	if p.JSON != `{"action":"accept","content":{"n":5}}` {
		t.Errorf("from fields: %s", p.JSON)
	}
	p, _ = prompt(t, formRequest).Read(0, url.Values{"a0.raw": {"true"}, "a0.json": {`{"action":"accept","content":{"n":9}}`}})
	if got := p.Fields.Fields[0].Value; len(got) != 1 || got[0] != "9" {
		t.Errorf("from JSON: %q", got)
	}
	p, _ = prompt(t, rootsRequest).Read(0, url.Values{"a0.raw": {"true"}, "a0.json": {`{"roots":[{"uri":"file:///z"}]}`}})
	if len(p.Roots) != 1 || p.Roots[0].URI != "file:///z" {
		t.Errorf("roots from JSON: %v", p.Roots)
	}
}

func TestRootsOfTheUserAreOffered(t *testing.T) {
	p := prompt(t, rootsRequest, Root{URI: "file:///mine"})
	if p.JSON != `{"roots":[{"uri":"file:///mine"}]}` {
		t.Errorf("got %s", p.JSON)
	}
}

func TestStandInsAnswerWithoutAPerson(t *testing.T) {
	for request, want := range map[string]string{
		formRequest:     `{"action":"accept","content":{"n":3}}`,
		linkRequest:     `{"action":"accept"}`,
		rootsRequest:    `{"roots":[]}`,
		vendorRequest:   `{}`,
		samplingRequest: `{"role":"assistant","content":{"type":"text","text":"No model is connected here; this text stands in for its answer."},"model":"a-person","stopReason":"endTurn"}`,
		`{"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{
			"t":{"type":"string","minLength":6},"e":{"type":"string","format":"email"},"c":{"type":"string","enum":["x","y"]},
			"m":{"type":"array","minItems":2,"items":{"type":"string","enum":["a","b","c"]}},"b":{"type":"boolean"},"i":{"type":"integer","minimum":4},
			"optional":{"type":"string"}},"required":["t","e","c","m","b","i"]}}}`: `{"action":"accept","content":{"t":"texttt","e":"person@example.com","c":"x","m":["a","b"],"b":true,"i":4}}`,
	} {
		r, err := prompt(t, request).Placeholder()
		if err != nil || string(r.Value) != want {
			t.Errorf("got %s, %v, want %s", r.Value, err, want)
		}
	}
}

func TestGivenAnswersAreWholeOrJustContent(t *testing.T) {
	p := prompt(t, formRequest)
	for given, want := range map[string]string{
		`{"n":4}`:              `{"action":"accept","content":{"n":4}}`,
		`{"action":"decline"}`: `{"action":"decline"}`,
	} {
		r, err := p.FromJSON(json.RawMessage(given))
		if err != nil || string(r.Value) != want {
			t.Errorf("%s: got %s, %v", given, r.Value, err)
		}
	}
	if _, err := p.FromJSON(json.RawMessage(`{"n":0}`)); err == nil {
		t.Error("an answer that the schema refuses was taken")
	}
}

func TestAQuestionIsReadWhereThePageHadIt(t *testing.T) {
	tests := []struct {
		name, key, form string
		i, want         int
	}{
		{"as it was", "5", "a0.key=5&a1.key=6", 0, 0},
		{"another came before it", "6", "a0.key=6", 1, 0},
		{"one before it was taken back", "6", "a0.key=5&a1.key=6", 0, 1},
		{"not on the page", "7", "a0.key=5&a1.key=6", 2, -1},
		{"a page without keys", "7", "a2.text=x", 2, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values, err := url.ParseQuery(test.form)
			if err != nil {
				t.Fatal(err)
			}
			p := Form{Question: playground.Question{Key: test.key}}
			if got := p.Place(test.i, values); got != test.want {
				t.Errorf("Place = %d, want %d", got, test.want)
			}
		})
	}
}

// FuzzQuestionsCanBeRead asks whatever a server may ask.
func FuzzQuestionsCanBeRead(f *testing.F) {
	for _, request := range []string{formRequest, linkRequest, samplingRequest, rootsRequest, vendorRequest, brokenRequest} {
		f.Add([]byte(request))
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		log := []playground.Event{
			playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Time{}),
			{Conn: 1, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)},
			{Conn: 1, Kind: playground.Received, Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
				`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":` + string(request) + `}}}`)},
		}
		for i, p := range Forms(*playground.Fold(log).Last()) {
			_, _ = p.Read(i, nil)
			_, _ = p.Placeholder()
		}
	})
}
