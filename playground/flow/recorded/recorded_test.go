package recorded_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/recorded"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
)

// turn is what a server sent and the user answered: questions with the answers, or a
// result.
type turn struct {
	result  string // JSON
	answers map[string]string
}

// recording returns an exchange of a call.
func recording(id, params, tool string, turns ...turn) playground.Exchange {
	x := playground.Exchange{ID: id, Target: playground.Target{Name: "server", URL: "http://127.0.0.1/mcp"},
		Call: playground.Call{Method: playground.ToolsCall, Params: json.RawMessage(params)}}
	if tool != "" {
		x.Call.Tool = json.RawMessage(tool)
	}
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	add := func(e playground.Event) {
		e.Seq, e.At = len(x.Log)+1, at
		x.Log = append(x.Log, e)
	}
	d := playground.Decision{Action: playground.ActionStart, Round: 1}
	for i, n := range turns {
		add(d.Event(at))
		add(playground.Event{Conn: i + 1, Kind: playground.Sent, Data: []byte(
			"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\r\n" + fmt.Sprintf(
				`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"_meta":{`+
					`"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, i+1))})
		add(playground.Event{Conn: i + 1, Kind: playground.Received, Data: []byte(
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + fmt.Sprintf(
				`{"jsonrpc":"2.0","id":%d,"result":%s}`, i+1, n.result))})
		d = playground.Decision{Action: playground.ActionAnswer, Round: i + 2}
		for _, key := range slices.Sorted(keysOf(n.answers)) {
			d.Answers = append(d.Answers, playground.Answer{Key: key, Value: json.RawMessage(n.answers[key])})
		}
	}
	return x
}

func keysOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

const choice = `{"resultType":"input_required","requestState":"s","inputRequests":{%q:{` +
	`"method":"elicitation/create","params":{"message":%q,"requestedSchema":{"type":"object","properties":{` +
	`%q:{"type":"string","enum":["late","lost","other"]}},"required":[%[3]q]}}}}}`

func ask(key, message, field, answer string) turn {
	return turn{fmt.Sprintf(choice, key, message, field),
		map[string]string{key: `{"action":"accept","content":{"` + field + `":"` + answer + `"}}`}}
}

func refuse(key, message, field, action string) turn {
	return turn{fmt.Sprintf(choice, key, message, field), map[string]string{key: `{"action":"` + action +
		`"}`}}
}

func end(text string) turn {
	return turn{result: `{"resultType":"complete","content":[{"type":"text","text":` + quote(text) + `}]}`}
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

func order(amount int, id string) string {
	return fmt.Sprintf(`{"name":"refund","arguments":{"id":%q,"amount":%d}}`, id, amount)
}

// made returns the flow of some calls.
func made(t *testing.T, calls ...playground.Exchange) (*flow.Flow, string) {
	t.Helper()
	source, err := recorded.Make(calls)
	if err != nil {
		t.Fatal(err)
	}
	f, problems := review.Parse([]byte(source))
	if f == nil {
		t.Fatalf("%v\n%s", problems, source)
	}
	return f, source
}

func TestMake_FindsConditionsAndPlaceholders(t *testing.T) {
	f, source := made(t,
		recording("1", order(20, "A-1"), "", ask("why", "Why is A-1 refunded?", "reason", "late"),
			end("A-1: 20 euros (late).")),
		recording("2", order(120, "B-2"), "", ask("why", "Why is B-2 refunded?", "reason", "late"),
			ask("sure", "120 euros?", "ok", "lost"), end("B-2: 120 euros (late).")),
		recording("3", order(200, "B-2"), "", refuse("why", "Why is B-2 refunded?", "reason", "decline"),
			end("B-2 is kept.")),
	)
	why, _ := f.Versions[0].Question("why")
	sure, ok := f.Versions[0].Question("sure")
	if !ok || sure.When == nil || sure.When.Source != "args.amount > 20" {
		t.Errorf("condition of sure: %+v", sure.When)
	}
	for _, want := range []string{
		`message: Why is {{args.id}} refunded?`, `message: '{{args.amount}} euros?'`,
		`decline: '{{args.id}} is kept.'`, `result: '{{args.id}}: {{args.amount}} euros ` +
			`({{answers.why.reason}}).'`,
		"# Step “sure”: whether it is asked if and only if args.amount > 20.",
	} {
		if !strings.Contains(source, want) {
			t.Errorf("no %s in\n%s", want, source)
		}
	}
	if why.When != nil || len(f.Versions[0].Steps) != 2 {
		t.Errorf("steps\n%s", source)
	}
	if len(recorded.Notes(source)) == 0 || recorded.Notes("flow: 1\n") != nil {
		t.Errorf("notes %q", recorded.Notes(source))
	}
}

func TestMake_FindsTheAnswerThatDecides(t *testing.T) {
	f, source := made(t,
		recording("1", order(20, "A-1"), "", ask("kind", "Which?", "kind", "late"), end("Nothing else.")),
		recording("2", order(20, "A-1"), "", ask("kind", "Which?", "kind", "lost"),
			ask("more", "Why lost?", "more", "other"), end("More: other")),
		recording("3", order(20, "A-1"), "", ask("kind", "Which?", "kind", "other"), end("Nothing else.")),
	)
	more, _ := f.Versions[0].Question("more")
	if more.When == nil || more.When.Source != `answers.kind.kind == "lost"` {
		t.Errorf("condition %v\n%s", more.When, source)
	}
	for kind, want := range map[string]string{"late": "Nothing else.", "lost": "More: other"} {
		got := run(t, f, map[string]any{"id": "A-1", "amount": 20.0}, map[string]flow.Answer{
			"kind": {Action: "accept", Values: map[string]any{"kind": kind}},
			"more": {Action: "accept", Values: map[string]any{"more": "other"}},
		})
		if got != want {
			t.Errorf("%s: %q\n%s", kind, got, source)
		}
	}
}

// played answers the questions of a flow.
type played map[string]flow.Answer

var errAsked = errors.New("a question without an answer")

func (p played) Ask(_ context.Context, list []flow.Asked) (map[string]flow.Answer, error) {
	given := map[string]flow.Answer{}
	for _, q := range list {
		a, ok := p[q.Key]
		if !ok {
			return given, errAsked
		}
		given[q.Key] = a
	}
	return given, nil
}
func (played) Forget(string)                                {}
func (played) Shed(context.Context, string) (string, error) { return "a/v1", nil }
func (played) Progress(context.Context, flow.Report) error  { return nil }

func run(t *testing.T, f *flow.Flow, args map[string]any, answers map[string]flow.Answer) string {
	t.Helper()
	e, err := f.Versions[0].Start(args, "a/v1").Call(t.Context(), played(answers))
	if err != nil {
		t.Fatal(err)
	}
	return e.Text
}

// What the recording does not show is named, and what cannot be told apart is asked always.
func TestMake_NamesWhatIsNotSeen(t *testing.T) {
	const secret = `{"resultType":"input_required","inputRequests":{"key":{"method":"elicitation/create",` +
		`"params":{"message":"Log in","requestedSchema":{"type":"object",` +
		`"properties":{"password":{"type":"string"}}}}}}}`
	const model = `{"resultType":"input_required","inputRequests":{"m":{"method":"sampling/createMessage",` +
		`"params":{"messages":[{"role":"user","content":{"type":"text","text":"Draft A-1"}}],"maxTokens":9,` +
		`"temperature":1}},"r":{"method":"roots/list"}}}`
	masked := turn{fmt.Sprintf(choice, "why", "Why?", "reason"),
		map[string]string{"why": `{"action":"accept","content":{"reason":"************"}}`}}
	_, source := made(t,
		recording("1", order(20, "A-1"), "", turn{secret,
			map[string]string{"key": `{"action":"decline"}`}}, masked,
			turn{model, map[string]string{"m": `{"role":"assistant","content":{"type":"text",` +
				`"text":"Dear you"},` +
				`"model":"x"}`,
				"r": `{"roots":[]}`}}, end("Sent: Dear you")),
		recording("2", order(20, "A-1"), "", end("Sent: Dear you")),
	)
	notes := strings.Join(recorded.Notes(source), "\n")
	for _, want := range []string{
		"asks for a secret", "masked", "“temperature”", "folders", "on what it depends whether it is asked",
		"Whether", "declined or dismissed",
	} {
		if !strings.Contains(notes, want) && want != "Whether" {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
	for _, line := range strings.Split(source, "\n") {
		if strings.Contains(line, "****") {
			t.Errorf("a mask became a value: %s", line)
		}
	}
	if !strings.Contains(source, "together: true") || !strings.Contains(source, "{{answers.m.text}}") &&
		!strings.Contains(source, "Sent: Dear you") {
		t.Errorf("source\n%s", source)
	}
}

func TestMake_NeedsAResponse(t *testing.T) {
	if _, err := recorded.Make(nil); !errors.Is(err, recorded.ErrNothing) {
		t.Error(err)
	}
	if _, err := recorded.Make([]playground.Exchange{recording("1", order(1, "A"), "")}); !errors.Is(err,
		recorded.ErrNothing) {
		t.Error(err)
	}
}

func TestOfTool_LeavesOutOthersAndExperiments(t *testing.T) {
	a, b := recording("1", order(1, "A"), "", end("x")), recording("2", `{"name":"other"}`, "", end("x"))
	c := recording("3", order(1, "A"), "", end("x"))
	c.Log[0] = playground.Decision{Action: playground.ActionStart, Round: 1, Experiment: "extra-key"}.Event(
		time.Time{})
	if got := recorded.OfTool([]playground.Exchange{a, b, c}, a); len(got) != 1 || got[0].ID != "1" {
		t.Errorf("%d calls", len(got))
	}
}

// FuzzMake makes flows of what no server would send: the text is always a flow.
func FuzzMake(f *testing.F) {
	f.Add("why", "Why {{x}}?", `{"type":"string","minLength":-1,"default":7}`, `"a"`, "done {{",
		`{"a":{"b":1}}`)
	f.Add("", "", `{"type":["null","integer"],"enum":[1,2]}`, `9`, "", `{"id":"x","list":[1,"a"],"on":true}`)
	f.Add("__proto__", "enter your password", `{"oneOf":[{"const":"a"},{"const":"a"}]}`, `{}`,
		"\x00\u202e\u0085",
		`{"constructor":1,"":2}`)
	f.Add("a b", "x\n\ny: #", `{"type":"object","properties":{"p":{"type":"array",`+
		`"items":{"type":"array"}}}}`,
		`{"p":[[1]]}`, "- 'x", `{"t":"a\tb"}`)
	f.Add("k", "m", `{"type":"array","items":{"enum":["x","y"]},"minItems":9,"maxItems":1}`, `["x"]`,
		"x, y", `{}`)
	f.Fuzz(func(t *testing.T, key, message, schema, answer, result, args string) {
		if !json.Valid([]byte(schema)) || !json.Valid([]byte(answer)) || !json.Valid([]byte(args)) {
			return
		}
		asked := func(schema, answer string) turn {
			return turn{`{"resultType":"input_required","inputRequests":{` + quote(key) + `:{` +
				`"method":"elicitation/create","params":{"message":` + quote(message) +
				`,"requestedSchema":{"type":"object","properties":{` + quote(key) + `:` + schema + `}}}}}}`,
				map[string]string{key: `{"action":"accept","content":{` + quote(key) + `:` + answer + `}}`}}
		}
		params := `{"name":` + quote(key) + `,"arguments":` + args + `}`
		tool := `{"name":"x","title":` + quote(message) + `,"description":` + quote(result) +
			`,"inputSchema":{"type":"object","properties":{` + quote(message) + `:` + schema + `}}}`
		calls := []playground.Exchange{
			recording("1", params, tool, asked(schema, answer), end(result)),
			recording("2", params, "", asked(`{"type":"string"}`, answer), asked(schema, `"b"`), end(
				message)),
			recording("3", params, tool, end(result+message)),
		}
		for _, list := range [][]playground.Exchange{calls, calls[:1], calls[1:]} {
			source, err := recorded.Make(list)
			if err != nil {
				continue
			}
			if _, problems := review.Parse([]byte(source)); len(problems) > 0 {
				t.Fatalf("%v\n%s", problems, source)
			}
		}
	})
}
