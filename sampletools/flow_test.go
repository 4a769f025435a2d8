package sampletools_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// flowPeer is a peer of a program that serves flows by their tokens.
type flowPeer struct {
	*peer
	flows map[string]string // written as JSON
}

func newFlowPeer(t testing.TB, flows map[string]string, change ...func(*sampletools.Config)) flowPeer {
	t.Helper()
	serve := func(c *sampletools.Config) {
		c.Flows = func(_ context.Context, token string) (sampletools.FlowText, error) {
			source, ok := flows[token]
			if !ok {
				return sampletools.FlowText{}, sampletools.ErrNoFlow
			}
			return sampletools.FlowText{Digest: source, Source: source}, nil
		}
	}
	return flowPeer{newPeer(t, append(change, serve)...), flows}
}

// written returns a flow with a tool x and an optional argument.
func written(rest string) string {
	return `{"flow":1,"name":"x","arguments":{"n":{"type":"number","maximum":9}},` + rest + `}`
}

const callX = `{"name":"x","arguments":{"n":1}}`

func (p flowPeer) call(token, query string, answers map[string]string, state string) reply {
	p.t.Helper()
	extra := map[string]any{}
	if answers != nil {
		all := map[string]any{}
		for key, a := range answers {
			all[key] = json.RawMessage(a)
		}
		extra["inputResponses"] = all
	}
	if state != "" {
		extra["requestState"] = state
	}
	return p.send("/mcp/flow/"+token+query, "tools/call", callX, extra)
}

const (
	formA = `{"form":"a","message":"A","fields":{"x":{"required":true}}}`
	formB = `{"form":"b","message":"B","fields":{"x":{}}}`
	saysX = `{"action":"accept","content":{"x":"X"}}`
	urlU  = `{"url":"u","message":"Open","page":{"title":"T","text":"n is {{args.n}}\nand <b>more</b>",` +
		`"button":"Go"}}`
	noFlow = "there is no such flow, or it has ended"
)

// asks fails unless a reply asks exactly these questions.
func (r reply) asks(t *testing.T, what string, keys ...string) {
	t.Helper()
	questions := r.questions()
	for _, key := range keys {
		if questions[key].Method == "" {
			t.Errorf("%s: no question %s: %s", what, key, r.body)
		}
	}
	if len(questions) != len(keys) || r.resultType() != "input_required" {
		t.Errorf("%s: %s", what, r.body)
	}
}

func (r reply) ends(t *testing.T, what, text string) {
	t.Helper()
	if r.text() != text || r.resultType() != "complete" {
		t.Errorf("%s: %s", what, r.body)
	}
}

// A refusal can ask again, which no prediction shows, and the other answers of
// the same round are kept.
func TestFlow_AsksAgain(t *testing.T) {
	p := newFlowPeer(t, map[string]string{"t": written(`"steps":[` + formA + `,
		{"form":"b","together":true,"message":"B","fields":{"x":{}},"decline":"again"}],
		"result":"{{answers.a.x}}{{answers.b.x}}"`)})
	p.call("t", "", nil, "").asks(t, "first", "a", "b")
	two := p.call("t", "", map[string]string{"a": saysX, "b": `{"action":"decline"}`}, "")
	two.asks(t, "declined", "b")
	three := p.call("t", "", map[string]string{"b": `{"action":"decline"}`}, two.state())
	three.asks(t, "declined again", "b")
	wrong := p.call("t", "", map[string]string{"b": `{"action":"accept","content":{"x":7}}`}, three.state())
	wrong.asks(t, "of another type", "b")
	if m := wrong.questions()["b"].Params.Message; m != `"x" is not of type string. B` {
		t.Errorf("asked again with %q", m)
	}
	p.call("t", "", map[string]string{"b": saysX}, three.state()).ends(t, "answered", "XX")
	ended := p.call("t", "", map[string]string{"a": `{"action":"cancel"}`}, "")
	ended.ends(t, "a refusal ends the call, whatever else is open",
		"Nothing was done: the question was dismissed.")
}

// An answer counts only if its question was asked: the first questions of a call can do
// without a state, every later one is in it. So a confirmation that comes with the answer
// before it confirms nothing.
func TestFlow_AsksWhatWasNotAsked(t *testing.T) {
	p := newFlowPeer(t, map[string]string{
		"t": written(`"steps":[` + formA + `,` + formB + `,
			{"form":"c","message":"C","fields":{"x":{}}}],
			"result":"{{answers.a.x}}{{answers.b.x}}{{answers.c.x}}"`),
		"shed": written(`"steps":[{"shed":"s"},` + formA + `],"result":"{{answers.a.x}}"`),
	})
	all := map[string]string{"a": saysX, "b": saysX, "c": saysX}
	two := p.call("t", "", all, "")
	two.asks(t, "all answers in the first request", "b")
	gap := p.call("t", "", map[string]string{"c": saysX}, two.state())
	gap.asks(t, "the answer to a later question", "b")
	three := p.call("t", "", all, gap.state())
	three.asks(t, "all answers with a state", "c")
	p.call("t", "", all, two.state()).asks(t, "all answers with an older state", "c")
	p.call("t", "", all, three.state()).ends(t, "asked and answered", "XXX")

	first := p.call("shed", "", all, "")
	if first.resultType() != "input_required" || first.state() == "" {
		t.Fatalf("%s", first.body)
	}
	asked := p.call("shed", "", all, first.state())
	asked.asks(t, "an answer when the work goes on elsewhere", "a")
	p.call("shed", "", all, asked.state()).ends(t, "asked and answered", "X")
}

// The arguments are checked before the first question.
func TestFlow_ChecksArguments(t *testing.T) {
	p := newFlowPeer(t, map[string]string{"t": `{"flow":1,"name":"x","arguments":{
		"n":{"type":"integer","required":true,"maximum":9},
		"o":{"properties":{"c":{"required":true,"enum":["p"]}}},
		"l":{"items":{"type":"number"},"maxItems":2},
		"m":{"type":"object","additionalProperties":{"type":"boolean"}}},
		"steps":[` + formA + `],"result":"r"}`})
	for arguments, want := range map[string]string{
		`{}`: `"n" is missing.`, `{"n":"1"}`: `"n" is not of type integer.`,
		`{"n":1.5}`:                   `"n" is not a whole number.`,
		`{"n":10}`:                    `"n" is greater than 9.`,
		`{"n":1,"o":{}}`:              `"o" has a member "c" that is missing.`,
		`{"n":1,"o":{"c":"q"}}`:       `"o" has a member "c" that is not one of the choices.`,
		`{"n":1,"o":[]}`:              `"o" is not of type object.`,
		`{"n":1,"l":["x"]}`:           `"l" has an entry that is not of type number.`,
		`{"n":1,"l":[1,2,3]}`:         `"l" takes at most 2 entries.`,
		`{"n":1,"m":{"__proto__":1}}`: `"m" has a member "__proto__" that is not of type boolean.`,
	} {
		r := p.send("/mcp/flow/t", "tools/call", `{"name":"x","arguments":`+arguments+`}`, nil)
		want = "The arguments do not fit the tool's input schema: " + want
		if r.text() != want || string(r.Result["isError"]) != "true" {
			t.Errorf("%s: %s, want %s", arguments, r.body, want)
		}
	}
	p.send("/mcp/flow/t", "tools/call", `{"name":"x","arguments":{"n":1,"o":{"c":"p"},"l":[1],`+
		`"m":{"y":true},"more":1}}`,
		nil).asks(t, "right", "a")
}

// An instance gives its work back once, another one goes on, and no progress is
// reported twice.
func TestFlow_Sheds(t *testing.T) {
	p := newFlowPeer(t, map[string]string{"t": written(`"steps":[{"progress":"one","done":1,"of":3},` +
		`{"shed":"s"},
		{"progress":"two"},` + formA + `,{"progress":"three","done":3,"of":3}],
		"result":"{{instances.s}} {{instance}} {{answers.a.x}}"`)})
	send := func(query string, extra map[string]any) (reply, []string) {
		extra["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": json.RawMessage(allCaps), "progressToken": "p",
		}
		r := p.send("/mcp/flow/t?instances=a,b&next="+query, "tools/call", callX, extra)
		var said []string
		for _, line := range strings.Split(string(r.body), "\n") {
			var m struct{ Params struct{ Message string } }
			data, ok := strings.CutPrefix(line, "data: ")
			if ok && json.Unmarshal([]byte(data), &m) == nil && m.Params.Message != "" {
				said = append(said, m.Params.Message)
			}
		}
		return r, said
	}
	one, said := send("a", map[string]any{})
	if _, asks := one.Result["inputRequests"]; asks || one.resultType() != "input_required" ||
		one.state() == "" ||
		strings.Join(said, " ") != "one" {
		t.Fatalf("shed: %q %s", said, one.body)
	}
	two, said := send("b", map[string]any{"requestState": one.state()})
	if two.asks(t, "after the shed", "a"); strings.Join(said, " ") != "two" {
		t.Errorf("progress %q", said)
	}
	three, said := send("b", map[string]any{"requestState": two.state(),
		"inputResponses": map[string]any{"a": json.RawMessage(saysX)}})
	if three.ends(t, "answered", "a/v1 b/v1 X"); strings.Join(said, " ") != "three" {
		t.Errorf("progress %q", said)
	}
}

// In an upgrade the next version keeps the answers that it can use, asks the
// new questions, and asks again for answers that it does not trust.
func TestFlow_Upgrade(t *testing.T) {
	p := newFlowPeer(t, map[string]string{"t": written(`"steps":[` + formA + `,` + formB + `],
		"result":"v1 {{answers.a.x}} {{answers.b.x}}","versions":[
		{"version":"v2","without":["b"],"add":[{"roots":"r"}],
		"result":"v2 {{answers.a.x}} {{answers.r.names}}"},
		{"version":"v3","again":["a"],"result":"v3 {{answers.a.x}} {{answers.r.names}}"}]`)})
	const roots = `{"roots":[{"uri":"file:///x","name":"x"}]}`
	p.call("t", "?instances=a:v1", nil, "").asks(t, "v1", "a")
	two := p.call("t", "?instances=a:v2", map[string]string{"a": saysX}, "")
	two.asks(t, "v2 with the answer to v1", "r")
	bare := p.call("t", "?instances=a:v3", map[string]string{"a": saysX}, "")
	bare.asks(t, "v3 does not know who asked", "a")
	one := p.call("t", "?instances=a:v1", nil, "")
	two = p.call("t", "?instances=a:v2", map[string]string{"a": saysX}, one.state())
	two.asks(t, "v2 with the answer and state of v1", "r")
	p.call("t", "?instances=a:v2", map[string]string{"r": roots}, two.state()).ends(t, "v2", "v2 X x")
	three := p.call("t", "?instances=a:v3", map[string]string{"r": roots}, two.state())
	three.asks(t, "v3 asks again", "a")
	four := p.call("t", "?instances=a:v3", map[string]string{"a": `{"action":"accept",` +
		`"content":{"x":"Y"}}`}, three.state())
	four.ends(t, "v3", "v3 Y x")
	back := p.call("t", "?instances=a:v1", map[string]string{"r": roots}, two.state())
	back.asks(t, "v1 again", "b")
	p.call("t", "?instances=a:v2", map[string]string{"b": saysX}, back.state()).ends(t,
		"versions that take turns lose no answer", "v2 X x")
}

// States are for one flow, one call and one user, for as long as the flow says.
func TestFlow_State(t *testing.T) {
	source := written(`"state":{"protection":"signed","life":"2m"},"steps":[` + formA + `,` + formB + `],
		"result":"{{answers.a.x}}{{answers.b.x}}"`)
	p := newFlowPeer(t, map[string]string{"t": source, "other": source})
	state := p.call("t", "", map[string]string{"a": saysX}, "").state()
	e := seal.Explain(state, p.keys, p.clock.Now())
	if e.Mode != seal.Signed || e.Expires.Sub(e.Issued) != 2*time.Minute ||
		!strings.HasPrefix(e.Claims.Request.Sample, "flow-") || e.Claims.Request.Sample == "flow-t" {
		t.Errorf("state: %s", e.JSON)
	}
	p.call("t", "", map[string]string{"b": saysX}, state).ends(t, "right", "XX")
	for what, r := range map[string]reply{
		"tampered":     p.call("t", "", nil, flip(state, len(state)-60)),
		"another flow": p.call("other", "", nil, state),
		"another mode": p.call("t", "?state=sealed", nil, state),
		"other arguments": p.send("/mcp/flow/t", "tools/call", `{"name":"x","arguments":{"n":2}}`,
			map[string]any{"requestState": state}),
	} {
		if r.code() != -32602 {
			t.Errorf("%s: %s", what, r.body)
		}
	}
	p.clock.pass(3 * time.Minute)
	if r := p.call("t", "", nil, state); r.code() != -32602 || !strings.Contains(r.Error.Message, "expired") {
		t.Errorf("expired: %s", r.body)
	}
	plain := p.call("t", "?state=plain", map[string]string{"a": saysX}, "")
	for _, work := range []string{`7`, `{"shed":[]}`, `{"asked":{"a":7}}`, `{"pages":{"u":{"ticket":7}}}`} {
		claims := seal.Explain(plain.state(), p.keys, p.clock.Now()).JSON
		forged, err := p.keys.SealJSON(seal.Plain, []byte(strings.TrimSuffix(string(claims),
			"}")+`,"work":`+work+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if r := p.call("t", "?state=plain", nil, forged); r.code() != -32602 {
			t.Errorf("work %s: %s", work, r.body)
		}
	}
}

// A flow changes and ends at once; whatever is no flow has one answer.
func TestFlow_ChangesAndEnds(t *testing.T) {
	flows := map[string]string{"t": written(`"steps":[` + formA + `],"result":"old"`)}
	p := newFlowPeer(t, flows)
	one := p.call("t", "", nil, "")
	flows["t"] = written(`"steps":[` + formA + `],"result":"new {{answers.a.x}}"`)
	p.call("t", "", map[string]string{"a": saysX}, one.state()).ends(t, "changed", "new X")
	delete(flows, "t")
	want := p.call("unknown", "", nil, "")
	if want.status != http.StatusNotFound || want.Error.Message != noFlow {
		t.Errorf("unknown: %d %s", want.status, want.body)
	}
	for _, token := range []string{"t", "", "a%20b", "..", strings.Repeat("a", 65), "t%2Fx"} {
		if r := p.call(token, "", nil, ""); r.status != http.StatusNotFound {
			t.Errorf("%q: %d %s", token, r.status, r.body)
		}
	}
	gone := p.call("t", "", nil, "")
	if gone.Error.Message != want.Error.Message || gone.Error.Code != want.Error.Code {
		t.Errorf("a flow that has ended: %s", gone.body)
	}
	if _, ok := p.samples.Lookup("flow-t"); ok {
		t.Error("Lookup finds a flow that has ended")
	}
}
