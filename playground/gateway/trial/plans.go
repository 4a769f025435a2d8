package trial

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
)

// how a plan is made.
type how int

const (
	usual    how = iota
	twice        // with the same arguments
	alike        // two calls at the same time with the same arguments
	together     // two calls at the same time
	stopped      // the client closes the connection
	released     // the result waits for another call
	givenUp      // the client cancels the task
)

// plan is one call of the test.
type plan struct {
	method    string // empty for tools/call
	tool      string // of the client test's server; or the prompt or the URI
	arguments string // further members
	answers   []string
	focus     string // see gateway.Call
	logs      bool   // the request asks for log messages
	how       how
}

// values are the values that a hop may change, as members.
const values = `"big":9007199254740993,"huge":123456789012345678901234567890,"exponent":1.5E+300,` +
	`"zero":1.0,"text":"Grüße e\u0301 世界 \ud83d\ude42 \u2028","nothing":null,"blank":"","list":[],` +
	`"object":{},"x-unknown":{"a":[null,1]}`

// Answers to elicitations.
const (
	accept  = `{"action":"accept","content":{"text":"Grüße \ud83d\ude42"}}`
	opened  = `{"action":"accept"}`
	rich    = `{"action":"accept","content":{` + values + `}}`
	plain   = `{"action":"accept","content":{"text":"plain"}}`
	decline = `{"action":"decline"}`
	cancel  = `{"action":"cancel"}`
)

// resource is the URI of the resource of the upstream.
const resource = "test://client-test/hop_resource"

// plans returns the calls, in the order in which they are made.
func plans() []plan {
	return []plan{
		{tool: "same_arguments", arguments: values, answers: []string{plain}},
		{tool: "hop_result"},
		{tool: "hop_question", answers: []string{rich}},
		{tool: "no_state"},
		{tool: "state_only"},
		{tool: "echo_unicode"},
		{tool: "echo_quotes"},
		{tool: "echo_controls"},
		{tool: "echo_json"},
		{tool: "echo_empty"},
		{tool: "echo_large"},
		{tool: "three_questions", answers: []string{accept, decline, cancel}},
		{tool: "decline", answers: []string{decline}},
		{tool: "cancel", answers: []string{cancel}},
		{tool: "five_rounds", answers: []string{accept}},
		{tool: "sampling"},
		{tool: "roots"},
		{tool: "hop_link", answers: []string{opened}},
		{
			method: playground.PromptsGet, tool: "hop_prompt", arguments: `"text":"Grüße \ud83d\ude42 + =?"`,
			answers: []string{accept}, how: twice,
		},
		{method: playground.ResourcesRead, tool: resource, answers: []string{accept}, how: twice},
		{tool: "hop_paged", arguments: `"amount":9007199254740991,"city":"Köln"`},
		{tool: "hop_error_result"},
		{tool: "hop_error"},
		{tool: "error_params"},
		{tool: "hop_surrogates", focus: gateway.Surrogates},
		{tool: "mirror_text", arguments: `"text":"plain"`},
		{tool: "mirror_unicode", arguments: `"text":"Grüße"`},
		{tool: "mirror_integer", arguments: `"count":42`},
		{tool: "error_capability"},
		{tool: "stream"},
		{tool: "Case_Matters", how: twice},
		{tool: "hop_stream", how: released, logs: true},
		{tool: "hop_pair", how: alike},
		{tool: "hop_large", focus: gateway.Large},
		{tool: "task_input", focus: gateway.Tasks, answers: []string{plain}},
		{tool: "task_cancel", focus: gateway.Tasks, how: givenUp},
		{tool: "parallel_calls", focus: gateway.Mixed, how: together},
		{tool: "hop_challenge", focus: gateway.Challenge},
		{method: playground.Listen, focus: gateway.Subscriptions},
		{tool: "hop_silent", focus: gateway.Cancellation, how: stopped},
	}
}

// answer returns the answer to the nth question of a result.
func (p plan) answer(q playground.Question, n int) json.RawMessage {
	switch q.Method {
	case playground.CreateMessage:
		return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"An answer."},` +
			`"model":"none","stopReason":"endTurn"}`)
	case playground.RootsList:
		return json.RawMessage(`{"roots":[{"uri":"file:///a","name":"a"}]}`)
	}
	if len(p.answers) == 0 {
		return json.RawMessage(accept)
	}
	return json.RawMessage(p.answers[n%len(p.answers)])
}
