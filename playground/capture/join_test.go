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
		"the state altered": {retried("t", `{}`, "altered", "k"), []playground.Exchange{
			asked("a", "t", `{"n":1}`, result("x", "k")), asked("b", "t", `{}`, result("s", "k")),
		}, "call b answer 2 certain"},
		"the state left out": {retried("t", `{}`, "-", "k"), []playground.Exchange{
			asked("b", "t", `{}`, result("s", "k")),
		}, "call b answer 2 certain"},
		"a state where none was given": {retried("t", `{}`, "s", "k"), []playground.Exchange{
			asked("b", "t", `{}`, result("-", "k")),
		}, "call b answer 2 certain"},
		"the state altered, no questions": {retried("t", `{}`, "altered"), []playground.Exchange{
			asked("b", "t", `{}`, result("s")),
		}, "call b retry 2 certain"},
		"the state altered, one answer missing": {retried("t", `{}`, "altered", "k"), []playground.Exchange{
			asked("b", "t", `{}`, result("s", "k", "m")),
		}, "call b answer 2 certain"},
		"numbers in another notation": {retried("t", `{"n":1.0}`, "altered", "k"), []playground.Exchange{
			asked("b", "t", `{"n":1}`, result("s", "k")),
		}, "call b answer 2 certain"},
		"a masked state": {retried("t", `{}`, longState, "k"), []playground.Exchange{
			asked("b", "t", `{}`, result("********", "k")),
		}, "call b answer 2 likely"},
		"other arguments": {retried("t", `{"n":1}`, "s", "k"), []playground.Exchange{
			asked("b", "t", `{}`, result("s", "k")),
		}, "call b answer 2 certain"},
		"other arguments and state": {retried("t", `{"n":1}`, "altered", "k"), []playground.Exchange{
			asked("b", "t", `{}`, result("s", "k")),
		}, "call b answer 2 likely"},
		"other keys and state": {retried("t", `{}`, "altered", "wrong"), []playground.Exchange{
			asked("b", "t", `{}`, result("s", "k")),
		}, "call b answer 2 likely"},
		"no key in common": {retried("u", `{}`, "-", "wrong"), []playground.Exchange{
			asked("b", "t", `{}`, result("s", "k")),
		}, "call start 1"},
		"a state spelled with escapes": {
			strings.Replace(retried("t", `{}`, longState, "k"), "a state", `\u0061 state`, 1),
			[]playground.Exchange{asked("b", "t", `{}`, result(longState, "k"))}, "call b answer 2 certain"},
		"a state without questions": {retried("t", `{}`, longState), []playground.Exchange{
			asked("b", "t", `{}`, result(longState)),
		}, "call b retry 2 certain"},

		"by a short state": {retried("t", `{}`, "step-2", "k"), []playground.Exchange{
			asked("a", "t", `{}`, result("step-1", "k")), asked("b", "t", `{}`, result("step-2", "k")),
		}, "call b answer 2 certain"},
		"by a short state and the arguments": {retried("t", `{"n":2}`, "step-2", "k"), []playground.Exchange{
			asked("a", "t", `{"n":1}`, result("step-2", "k")), asked("b", "t", `{"n": 2}`, result("step-2",
				"k")),
		}, "call b answer 2 certain"},
		"by keys and arguments": {retried("t", `{"n":2}`, "-", "k"), []playground.Exchange{
			asked("a", "t", `{"n":1}`, result("-", "k")), asked("b", "t", `{"n":2}`, result("-", "k")),
		}, "call b answer 2 certain"},
		"by the call alone, keys wrong": {retried("t", `{}`, "-", "wrong"), []playground.Exchange{
			asked("a", "u", `{}`, result("-", "k")), asked("b", "t", `{}`, result("-", "k")),
		}, "call b answer 2 certain"},

		"two calls alike": {retried("t", `{}`, "-", "k"), []playground.Exchange{
			asked("a", "t", `{}`, result("-", "k")), asked("b", "t", `{}`, result("-", "k")),
		}, "call b answer 2 either"},
		"two calls with one state": {retried("t", `{}`, longState, "k"), []playground.Exchange{
			asked("a", "t", `{}`, result(longState, "k")), asked("b", "t", `{}`, result(longState, "k")),
		}, "call b answer 2 either"},
		"two calls, the state of neither": {retried("t", `{}`, "altered", "k"), []playground.Exchange{
			asked("a", "t", `{}`, result("s1", "k")), asked("b", "t", `{}`, result("s2", "k")),
		}, "call b answer 2 either"},
		"two calls, the state left out": {retried("t", `{}`, "-", "k"), []playground.Exchange{
			asked("a", "t", `{}`, result("s1", "k")), asked("b", "t", `{}`, result("s2", "k")),
		}, "call b answer 2 either"},
		"two calls, one with exactly the keys": {retried("t", `{}`, "altered", "k"), []playground.Exchange{
			asked("a", "t", `{}`, result("s1", "k")), asked("b", "t", `{}`, result("s2", "k", "m")),
		}, "call a answer 2 either"},
		"two calls with other questions": {retried("t", `{}`, "altered", "k", "x"), []playground.Exchange{
			asked("a", "t", `{}`, result("s1", "k")), asked("b", "t", `{}`, result("s2", "k", "m", "n")),
		}, "call start 1"},
		"state of one, long key of another": {retried("t", `{}`, longState, longKey), []playground.Exchange{
			asked("a", "t", `{"n":1}`, result(longState, "k")),
			asked("b", "t", `{"n":2}`, result("x", longKey)),
		}, "call start 1 mixed"},
		"state of one, call and key of another": {retried("t", `{"n":2}`, "s1", "k"), []playground.Exchange{
			asked("a", "t", `{"n":1}`, result("s1", "k")), asked("b", "t", `{"n":2}`, result("s2", "k")),
		}, "call start 1 mixed"},
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
			p := Locate([]byte(c.message), Open{Exchanges: c.open})
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
	if want := `{"arguments":{"a":1,"b":2},"name":"t"}`; string(n.call) != want {
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

// answeredWith returns an Exchange that a retry continued, which got a response.
func answeredWith(id, response string) playground.Exchange {
	x := asked(id, "t", `{}`, result("s", "k"))
	at := time.Unix(2, 0)
	d := playground.Decision{
		Action: playground.ActionAnswer, Round: 2, By: playground.ByClient, Join: playground.JoinCertain,
	}
	x.Log = append(x.Log, d.Event(at),
		playground.Event{Seq: 5, At: at, Conn: 2, Kind: playground.Sent,
			Data: []byte("POST / HTTP/1.1\r\n\r\n" + retried("t", `{}`, "s", "k"))},
		playground.Event{Seq: 6, At: at, Conn: 2, Kind: playground.Received, Data: []byte(response)})
	return x
}

// TestLocate_SentAgain: a retry that got no result may be sent again.
func TestLocate_SentAgain(t *testing.T) {
	busy := answeredWith("a", "HTTP/1.1 503 Service Unavailable\r\n\r\n")
	refused := answeredWith("a", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}}`)
	complete := answeredWith("a", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
		`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}`)
	for name, c := range map[string]struct {
		message string
		open    playground.Exchange
		action  playground.Action
	}{
		"after a status":           {retried("t", `{}`, "s", "k"), busy, playground.ActionResend},
		"after an error":           {retried("t", `{}`, "s", "k"), refused, playground.ActionResend},
		"with another state":       {retried("t", `{}`, "x", "k"), busy, playground.ActionStart},
		"after the end":            {retried("t", `{}`, "s", "k"), complete, playground.ActionStart},
		"after one of another one": {retried("t", `{"n":1}`, "s", "k"), busy, playground.ActionStart},
	} {
		p := Locate([]byte(c.message), Open{Exchanges: []playground.Exchange{c.open}})
		if p.Decision == nil || p.Decision.Action != c.action ||
			(c.action == playground.ActionResend) != (p.Decision.Round == 3) {
			t.Errorf("%s: %+v", name, p.Decision)
		}
	}
}

// TestLocate_TooManyWait: with calls that were not read, only a state
// identifies the call.
func TestLocate_TooManyWait(t *testing.T) {
	open := Open{Exchanges: []playground.Exchange{asked("b", "t", `{}`, result("s", "k"))}, Cut: true}
	for state, want := range map[string]playground.Join{
		"s": playground.JoinCertain, "altered": playground.JoinLikely, "-": playground.JoinLikely,
	} {
		if p := Locate([]byte(retried("t", `{}`, state, "k")), open); p.Decision.Join != want {
			t.Errorf("%s: %+v", state, p.Decision)
		}
	}
}

// TestNewOpen_KeepsTheOrder: calls read from a store are oldest first, and say
// whether they are all.
func TestNewOpen_KeepsTheOrder(t *testing.T) {
	var open []playground.Exchange
	for n := range MostOpen + 1 {
		open = append(open, playground.Exchange{Created: time.Unix(int64(100-n), 0)})
	}
	ended := []playground.Exchange{{ID: "ended", Created: time.Unix(60, 0)}}
	if o := NewOpen(open, ended); !o.Cut || len(o.Exchanges) != MostOpen+1 ||
		o.Exchanges[0].Created.Unix() != 37 ||
		o.Exchanges[23].ID != "ended" && o.Exchanges[24].ID != "ended" {
		t.Errorf("%+v", o)
	}
	if o := NewOpen(open[:MostOpen], nil); o.Cut || len(o.Exchanges) != MostOpen {
		t.Errorf("%+v", o)
	}
}
