package sampletools_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// The page of a question shows texts, and its button counts on every instance.
func TestFlow_Page(t *testing.T) {
	p := newFlowPeer(t, map[string]string{
		"t":     written(`"steps":[` + urlU + `,` + formA + `],"result":"{{actions.u}} {{answers.a.x}}"`),
		"other": written(`"steps":[` + urlU + `],"result":"other"`),
	})
	one := p.call("t", "?instances=a,b&next=a", map[string]string{"u": `{"action":"accept"}`}, "")
	one.asks(t, "an answer to no question", "u")
	link := one.questions()["u"].Params.URL
	status, header, body := p.page(http.MethodGet, link, nil)
	for _, want := range []string{"<h1>T</h1>", "<p>n is 1</p>", "<p>and &lt;b&gt;more&lt;/b&gt;</p>",
		">Go</button>",
		"A visitor of this playground wrote this flow. Enter no real data."} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if status != http.StatusOK || !strings.HasPrefix(header.Get("Content-Security-Policy"),
		"default-src 'none'") ||
		strings.Count(body, "<input") != 1 || !strings.Contains(body, `type="hidden"`) {
		t.Errorf("page: %d %v %s", status, header, body)
	}
	two := p.call("t", "?instances=a,b&next=b", map[string]string{"u": `{"action":"accept"}`}, one.state())
	if q := two.questions()["u"]; q.Params.URL != link || !strings.Contains(q.Params.Message,
		"not confirmed yet") {
		t.Errorf("accepted and not pressed: %s", two.body)
	}
	ticket := url.Values{"ticket": {link[strings.Index(link, "ticket=")+7:]}}
	if r := p.post("/samples/flow/t/page", ticket.Encode(), map[string]string{
		"Content-Type":   "application/x-www-form-urlencoded",
		"Sec-Fetch-Site": "cross-site"}); r.status != http.StatusForbidden {
		t.Errorf("from another site: %d", r.status)
	}
	for _, wrong := range []string{"/samples/flow/other/page", "/samples/flow/nothing/page"} {
		if status, _, body := p.page(http.MethodPost, p.url+wrong, ticket); status != http.StatusNotFound ||
			!strings.Contains(body, "expired") {
			t.Errorf("%s: %d", wrong, status)
		}
	}
	if status, _, body := p.page(http.MethodPost, p.url+"/samples/flow/t/page",
		ticket); status != http.StatusOK ||
		!strings.Contains(body, "Done.") {
		t.Errorf("pressed: %d %s", status, body)
	}
	three := p.call("t", "?instances=a,b&next=a", nil, two.state())
	three.asks(t, "pressed", "a")
	p.clock.pass(59 * time.Minute)
	p.call("t", "", map[string]string{"a": saysX}, three.state()).ends(t, "then", "accept X")
	p.clock.pass(2 * time.Minute)
	if status, _, _ := p.page(http.MethodGet, link, nil); status != http.StatusNotFound {
		t.Errorf("an hour later: %d", status)
	}
}

func (p flowPeer) page(method, link string, form url.Values) (int, http.Header, string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, link, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(body)
}

// A task belongs to its flow, and its question is asked until it has an answer.
func TestFlow_Task(t *testing.T) {
	source := written(`"steps":[],"task":{"required":true,"steps":[{"progress":"Working","seconds":1},` +
		formA + `]},
		"result":"{{answers.a.x}}"`)
	p := newFlowPeer(t, map[string]string{"t": source, "other": source})
	started := p.call("t", "", nil, "")
	id := unquote(started.Result["taskId"])
	if started.resultType() != "task" || id == "" {
		t.Fatalf("start: %s", started.body)
	}
	task := `{"taskId":"` + id + `"}`
	if r := p.send("/mcp/flow/other", "tasks/get", task, nil); r.code() != -32602 {
		t.Errorf("by another flow: %s", r.body)
	}
	status := func() reply { return p.send("/mcp/flow/t", "tasks/get", task, nil) }
	for unquote(status().Result["status"]) != "input_required" {
	}
	p.send("/mcp/flow/t", "tasks/update", task, map[string]any{"inputResponses": map[string]any{
		"a-1": json.RawMessage(`{"action":"accept","content":{}}`)}})
	for status().questions()["a-2"].Method == "" {
	}
	p.send("/mcp/flow/t", "tasks/update", task, map[string]any{"inputResponses": map[string]any{
		"a-2": json.RawMessage(saysX)}})
	for unquote(status().Result["status"]) != "completed" {
	}
	if r := status(); !strings.Contains(string(r.Result["result"]), `"text":"X"`) {
		t.Errorf("end: %s", r.body)
	}
	p.caps = `{"elicitation":{}}`
	if r := p.call("t", "", nil, ""); r.code() != -32021 {
		t.Errorf("a client without tasks: %s", r.body)
	}
}

// The official Go client completes a flow with every kind of question, in both eras; a
// legacy client has no tasks, so its steps are inside the call.
func TestFlow_GoSDKClientCompletes(t *testing.T) {
	const all = `{"progress":"p","seconds":1},` + formA + `,` + urlU + `,
		{"sampling":"m","prompt":"P","together":true},{"roots":"r"}`
	p := newFlowPeer(t, map[string]string{
		"modern": written(`"steps":[` + all + `],"result":"{{answers.a.x}} {{actions.u}} ` +
			`{{answers.m.model}} {{answers.r.names}}"`),
		"legacy": written(`"steps":[` + all + `,{"shed":"s"}],"task":{"steps":[` + formB + `]},
			"result":"{{instances.s}} {{answers.b.x}} {{answers.r.uris}}"`),
	})
	for _, s := range []struct{ token, version, ends string }{
		{"modern", "2026-07-28", `^Ada accept .+ home$`},
		{"modern", "2025-06-18", `^Ada accept .+ home$`},
		{"legacy", "2025-11-25", `^[ab]/v1 Ada file:///home/ada$`},
	} {
		completeStory(t, p.peer, story{"flow/" + s.token, "tools/call", callX, 0, s.ends}, s.version, false)
	}
}

// A flow that no check has seen is refused in words, and holds up no other.
func TestFlow_Hostile(t *testing.T) {
	flows := map[string]string{
		"big":      written(`"steps":[],"result":"` + strings.Repeat("a", 10<<20) + `"`),
		"loop":     written(`"steps":[{"roots":"r","when":"len(range(999999999)) > 0"}],"result":"r"`),
		"instance": written(`"steps":[],"result":"r","instances":"../x"`),
		"right":    written(`"steps":[],"result":"r"`),
	}
	p := newFlowPeer(t, flows)
	for token, want := range map[string]string{
		"big": "The text is too long", "loop": "The function “range” is not allowed",
		"instance": "“../x” is not a valid instance",
	} {
		r := p.call(token, "", nil, "")
		if r.status != http.StatusInternalServerError || r.code() != -32603 || len(r.body) > 500 ||
			!strings.Contains(r.Error.Message, "this flow cannot run: ") ||
			!strings.Contains(r.Error.Message, want) {
			t.Errorf("%s: %d %.500s", token, r.status, r.body)
		}
		if _, ok := p.samples.Lookup("flow-" + token); ok {
			t.Errorf("Lookup finds %s", token)
		}
		if status, _, _ := p.page(http.MethodGet, p.url+"/samples/flow/"+token+"/page",
			nil); status != http.StatusNotFound {
			t.Errorf("page of %s: %d", token, status)
		}
	}
	p.call("right", "", nil, "").ends(t, "right", "r")
}

// The values of a call are limited where a flow uses them.
func TestFlow_LongValues(t *testing.T) {
	p := newFlowPeer(t, map[string]string{
		"text": written(`"steps":[{"sampling":"m","prompt":"P"}],"result":"{{answers.m.text}}"`),
		"link": `{"flow":1,"name":"x","arguments":{"s":{}},"steps":[{"url":"u","message":"M",` +
			`"page":{"text":"{{args.s}}"}}],"result":"r"}`,
	})
	long, err := json.Marshal(map[string]any{"role": "assistant", "model": "m",
		"content": map[string]any{"type": "text", "text": strings.Repeat("a", 20<<10)}})
	if err != nil {
		t.Fatal(err)
	}
	r := p.call("text", "", map[string]string{"m": string(long)}, "")
	if string(r.Result["isError"]) != "true" || !strings.Contains(r.text(), "too long") {
		t.Errorf("a long answer: %.300s", r.body)
	}
	r = p.send("/mcp/flow/link", "tools/call", `{"name":"x","arguments":{"s":"`+strings.Repeat("a",
		3000)+`"}}`, nil)
	if string(r.Result["isError"]) != "true" || !strings.Contains(r.text(), "too long for a link") {
		t.Errorf("a long link: %.300s", r.body)
	}
}
