package capture

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

const (
	longState = "a state of at least forty bytes, as sealed ones are"
	longKey   = "a key of at least sixteen bytes"
)

// result returns an InputRequiredResult with a state and keys; "-" for no state.
func result(state string, keys ...string) string {
	var members []string
	if state != "-" {
		members = append(members, fmt.Sprintf(`"requestState":%q`, state))
	}
	var questions []string
	for _, k := range keys {
		questions = append(questions, fmt.Sprintf(`%q:{"method":"elicitation/create","params":{"message":"?",
			"requestedSchema":{"type":"object","properties":{}}}}`, k))
	}
	if len(questions) > 0 {
		members = append(members, `"inputRequests":{`+strings.Join(questions, ",")+`}`)
	}
	return `{"resultType":"input_required",` + strings.Join(members, ",") + `}`
}

// asked returns an Exchange of a call with arguments whose newest result is given.
func asked(id, tool, arguments, result string) playground.Exchange {
	at := time.Unix(1, 0)
	start := playground.Decision{Action: playground.ActionStart, Round: 1, By: playground.ByClient}
	params := fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments)
	const meta = `,"_meta":{"io.modelcontextprotocol/clientCapabilities":
		{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + strings.TrimSuffix(params, "}") +
		meta + `}`
	answer := `{"jsonrpc":"2.0","id":1,"result":` + result + `}`
	return playground.Exchange{
		ID: id, Call: playground.Call{Method: playground.ToolsCall, Params: json.RawMessage(params)},
		Log: []playground.Event{
			start.Event(at),
			{Seq: 2, At: at, Conn: 1, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" + body)},
			{Seq: 3, At: at, Conn: 1, Kind: playground.Received,
				Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + answer)},
		},
	}
}

// retried returns the message of a retry.
func retried(tool, arguments, state string, keys ...string) string {
	var responses []string
	for _, k := range keys {
		responses = append(responses, fmt.Sprintf(`%q:{"action":"accept","content":{}}`, k))
	}
	params := fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments)
	if state != "-" {
		params += fmt.Sprintf(`,"requestState":%q`, state)
	}
	if keys != nil {
		params += `,"inputResponses":{` + strings.Join(responses, ",") + `}`
	}
	return `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{` + params + `}}`
}

func TestLocate(t *testing.T) {
	const task = `{"resultType":"task","taskId":"T1","status":"working","createdAt":"2026-01-01T00:00:00Z",
		"lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null,"pollIntervalMs":5}`
	ofTask := func(method, id string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":%q,"params":{"taskId":%q}}`, method, id)
	}
	for name, c := range map[string]struct {
		message string
		open    []playground.Exchange
		want    string // call or own, exchange, action, round, join
	}{
		"no JSON":             {`{`, nil, "own"},
		"batch":               {`[]`, nil, "own"},
		"notification":        {`{"jsonrpc":"2.0","method":"tools/call","params":{}}`, nil, "own"},
		"list":                {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, nil, "own"},
		"call without params": {`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, nil, "own"},
		"first request": {retried("t", `{}`, "-"), []playground.Exchange{asked("a", "t", `{}`, result("s",
			"k"))},
			"call start 1"},
		"retry of nothing": {retried("t", `{}`, longState, "k"), nil, "call start 1"},

		"by a long state": {retried("t", `{}`, longState, "k"), []playground.Exchange{
			asked("a", "t", `{}`, result("other", "k")), asked("b", "t", `{}`, result(longState, "k")),
		}, "call b answer 2 certain"},
		"by a long state, another tool": {retried("u", `{"x":1}`, longState, "k"), []playground.Exchange{
			asked("b", "t", `{}`, result(longState, "k")),
		}, "call b answer 2 certain"},
		"by a long key, the state altered": {retried("t", `{}`, "altered", longKey), []playground.Exchange{
			asked("a", "t", `{}`, result("x", "k")), asked("b", "t", `{}`, result(longState, longKey)),
		}, "call b answer 2 likely"},
		"by a long key, no state": {retried("t", `{}`, "-", longKey), []playground.Exchange{
			asked("b", "t", `{}`, result("-", longKey)),
		}, "call b answer 2 likely"},
		"a state spelled with escapes": {
			strings.Replace(retried("t", `{}`, longState, "k"), "a state", `\u0061 state`, 1),
			[]playground.Exchange{asked("b", "t", `{}`, result(longState, "k"))}, "call b answer 2 certain"},
		"a state without questions": {retried("t", `{}`, longState), []playground.Exchange{
			asked("b", "t", `{}`, result(longState)),
		}, "call b retry 2 certain"},

		"by a short state": {retried("t", `{}`, "step-2", "k"), []playground.Exchange{
			asked("a", "t", `{}`, result("step-1", "k")), asked("b", "t", `{}`, result("step-2", "k")),
		}, "call b answer 2 likely"},
		"by a short state and the arguments": {retried("t", `{"n":2}`, "step-2", "k"), []playground.Exchange{
			asked("a", "t", `{"n":1}`, result("step-2", "k")), asked("b", "t", `{"n": 2}`, result("step-2",
				"k")),
		}, "call b answer 2 likely"},
		"by keys and arguments": {retried("t", `{"n":2}`, "-", "k"), []playground.Exchange{
			asked("a", "t", `{"n":1}`, result("-", "k")), asked("b", "t", `{"n":2}`, result("-", "k")),
		}, "call b answer 2 likely"},
		"by the call alone, keys wrong": {retried("t", `{}`, "-", "wrong"), []playground.Exchange{
			asked("a", "u", `{}`, result("-", "k")), asked("b", "t", `{}`, result("-", "k")),
		}, "call b answer 2 likely"},

		"two calls alike": {retried("t", `{}`, "-", "k"), []playground.Exchange{
			asked("a", "t", `{}`, result("-", "k")), asked("b", "t", `{}`, result("-", "k")),
		}, "call start 1"},
		"two calls with one state": {retried("t", `{}`, longState, "k"), []playground.Exchange{
			asked("a", "t", `{}`, result(longState, "k")), asked("b", "t", `{}`, result(longState, "k")),
		}, "call start 1"},
		"state of one, key of another": {retried("t", `{}`, longState, longKey), []playground.Exchange{
			asked("a", "t", `{}`, result(longState, "k")), asked("b", "t", `{}`, result("x", longKey)),
		}, "call start 1"},
		"a call that is complete": {retried("t", `{}`, longState, "k"), []playground.Exchange{
			asked("a", "t", `{}`, `{"resultType":"complete","content":[]}`),
		}, "call start 1"},

		"poll": {ofTask("tasks/get", "T1"), []playground.Exchange{asked("a", "t", `{}`, task)},
			"call a poll"},
		"answer of task": {ofTask("tasks/update", "T1"), []playground.Exchange{asked("a", "t", `{}`, task)},
			"call a answer 2 certain"},
		"cancel of task": {ofTask("tasks/cancel", "T1"), []playground.Exchange{asked("a", "t", `{}`, task)},
			"call a stop 2 certain"},
		"unknown task": {ofTask("tasks/get", "T2"), []playground.Exchange{asked("a", "t", `{}`, task)},
			"own"},
		"a task twice": {ofTask("tasks/get", "T1"), []playground.Exchange{
			asked("a", "t", `{}`, task), asked("b", "t", `{}`, task),
		}, "own"},
	} {
		t.Run(name, func(t *testing.T) {
			p := Locate([]byte(c.message), c.open, max(2, len(c.open)))
			got := "own"
			if p.Call {
				got = "call"
				if p.Exchange != nil {
					got += " " + p.Exchange.ID
				}
				if d := p.Decision; d != nil {
					got += fmt.Sprintf(" %s %d", d.Action, d.Round)
					if d.Join != "" {
						got += " " + string(d.Join)
					}
					if d.By != playground.ByClient {
						t.Error("the decision is not the client's")
					}
				} else {
					got += " poll"
				}
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestCallParams_AreWithoutWhatARetryAdds(t *testing.T) {
	n := newRetry("tools/call", parse(t, `{"name":"t","_meta":{"a":1},"arguments":{"b": 2, "a": 1.0},
		"inputResponses":{"k":1},"requestState":"s"}`))
	if want := `{"arguments":{"a":1.0,"b":2},"name":"t"}`; string(n.call) != want {
		t.Errorf("%s, want %s", n.call, want)
	}
}

func parse(t *testing.T, text string) *jsontree.Node {
	t.Helper()
	n, err := jsontree.Parse([]byte(text), jsontree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLocate_TheOnlyCall: the client has made one call, so its answers can be for no other.
func TestLocate_TheOnlyCall(t *testing.T) {
	open := []playground.Exchange{asked("a", "t", `{}`, result("short", "k"))}
	for name, c := range map[string]struct {
		message string
		all     int
		want    playground.Join
	}{
		"the state altered":      {retried("t", `{}`, "other", "k"), 1, playground.JoinCertain},
		"the state left out":     {retried("t", `{}`, "-", "k"), 1, playground.JoinCertain},
		"there was another call": {retried("t", `{}`, "other", "k"), 2, playground.JoinLikely},
		"other arguments":        {retried("t", `{"n":1}`, "other", "k"), 1, playground.JoinLikely},
		"other keys":             {retried("t", `{}`, "other", "wrong"), 1, playground.JoinLikely},
	} {
		if p := Locate([]byte(c.message), open, c.all); p.Exchange == nil || p.Decision.Join != c.want {
			t.Errorf("%s: %+v", name, p.Decision)
		}
	}
}
