package sampletools_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// changeClaims edits a plain state.
func changeClaims(t *testing.T, state, from, to string) string {
	t.Helper()
	const prefix = "mrtr1.plain."
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(state, prefix))
	if err != nil || !strings.Contains(string(b), from) {
		t.Fatalf("plain state %s: %v", b, err)
	}
	return prefix + base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(b), from, to, 1)))
}

func TestLoadShedding_HasNoInputRequests(t *testing.T) {
	p := newPeer(t)
	r := p.send("/mcp/load-shedding", "tools/call", `{"name":"count_primes",`+
		`"arguments":{"below":1000}}`, nil)
	for _, absent := range []string{"inputRequests", "content", "isError", "ttlMs", "cacheScope"} {
		if _, ok := r.Result[absent]; ok {
			t.Errorf("%s is there: %s", absent, r.body)
		}
	}
	if r.resultType() != "input_required" || r.state() == "" {
		t.Errorf("shed: %s", r.body)
	}
}

func TestAnswers_MalformedAreErrors(t *testing.T) {
	p := newPeer(t)
	for _, responses := range []string{
		`[]`, `"x"`, `7`, `null`, `{"resolution":null}`, `{"resolution":[]}`, `{"resolution":"Fixed"}`,
		`{"resolution":{}}`,
		`{"resolution":{"action":"maybe"}}`, `{"resolution":{"action":7}}`,
		`{"resolution":{"action":"accept","content":[]}}`,
	} {
		r := p.send("/mcp/azure-devops", "tools/call", resolve4522,
			map[string]any{"inputResponses": json.RawMessage(responses)})
		if r.code() != -32602 || r.status != 400 {
			t.Errorf("%s: %d %s", responses, r.status, r.body)
		}
	}
	for _, state := range []string{`7`, `null`, `{}`, `[]`} {
		r := p.send("/mcp/azure-devops", "tools/call", resolve4522,
			map[string]any{"requestState": json.RawMessage(state)})
		if r.code() != -32602 {
			t.Errorf("requestState %s: %s", state, r.body)
		}
	}
}

// Missing and invalid answers are asked for again; unexpected ones are ignored
// (basic/patterns/mrtr, error handling).
func TestAnswers_InvalidAreAskedForAgain(t *testing.T) {
	p := newPeer(t)
	for responses, want := range map[string]string{
		`{}`: "Resolving Bug",
		`{"other":{"action":"accept"},"vendor/x":[1,{"y":null}],"__proto__":{}}`: "Resolving Bug",
		`{"resolution":{"action":"accept"}}`:                                     "has no content",
		`{"resolution":{"action":"accept","content":null}}`:                      "has no content",
		`{"resolution":{"action":"accept","content":{}}}`:                        `"resolution" is missing`,
		`{"resolution":{"action":"accept","content":{"resolution":"Later"}}}`:    "not one of the choices",
		`{"resolution":{"action":"accept","content":{"resolution":7}}}`:          "not of type string",
	} {
		r := p.send("/mcp/azure-devops", "tools/call", resolve4522,
			map[string]any{"inputResponses": json.RawMessage(responses)})
		if r.resultType() != "input_required" ||
			!strings.Contains(r.questions()["resolution"].Params.Message, want) {
			t.Errorf("%s: %s", responses, r.body)
		}
	}
	r := p.send("/mcp/azure-devops", "tools/call", resolve4522, map[string]any{
		"inputResponses": json.RawMessage(`{"resolution":{"action":"accept",` +
			`"content":{"resolution":"Fixed","x":{}}},"more":7}`)})
	if r.resultType() != "complete" {
		t.Errorf("one answer too many: %s", r.body)
	}
}

func TestProfile_SaysWhatIsWrong(t *testing.T) {
	p := newPeer(t)
	good := map[string]any{"name": "Ada", "email": "ada@example.com", "terms": true,
		"languages": []string{"Go"}}
	for _, tt := range []struct {
		field string
		value any
		want  string
	}{
		{"name", "A", "shorter than 2"}, {"name", strings.Repeat("é", 41), "longer than 40"},
		{"email", "ada", "valid email"},
		{"website", "example.com", "valid uri"}, {"birthday", "10.12.1815", "valid date"},
		{"nextMeeting", "noon", "valid date-time"},
		{"age", 12, "less than 18"}, {"age", 121, "greater than 120"}, {"age", 36.5, "whole number"},
		{"rating", 5.5, "greater than 5"},
		{"terms", "true", "not of type boolean"}, {"plan", "gold", "not one of the choices"},
		{"theme", "x", "not one of the choices"},
		{"languages", []string{}, "at least 1"}, {"languages",
			[]string{"Go", "Rust", "Python", "TypeScript"}, "at most 3"},
		{"languages", []string{"COBOL"}, "not one of the choices"},
		{"languages", "Go", "not of type array"}, {"topics", []any{1}, "not one of the choices"},
	} {
		content := map[string]any{tt.field: tt.value}
		for k, v := range good {
			if k != tt.field {
				content[k] = v
			}
		}
		r := p.send("/mcp/profile", "tools/call", `{"name":"create_profile"}`, map[string]any{
			"inputResponses": map[string]any{"profile": map[string]any{"action": "accept",
				"content": content}}})
		if got := r.questions()["profile"].Params.Message; !strings.Contains(got, tt.want) {
			t.Errorf("%s = %v: %s", tt.field, tt.value, r.body)
		}
	}
}

func TestCapabilities_UndeclaredAreNotAskedFor(t *testing.T) {
	p := newPeer(t)
	for _, tt := range []struct{ caps, slug, params, missing string }{
		{`{}`, "azure-devops", resolve4522, `{"elicitation":{"form":{}}}`},
		{`{"elicitation":{"url":{}}}`, "azure-devops", resolve4522, `{"elicitation":{"form":{}}}`},
		{`{"elicitation":{}}`, "azure-devops", resolve4522, ``},
		{`{"elicitation":{"form":{}}}`, "azure-devops", resolve4522, ``},
		{`{"elicitation":{}}`, "sign-in", `{"name":"list_invoices"}`, `{"elicitation":{"url":{}}}`},
		{`{"elicitation":{}}`, "trip", `{"name":"plan_trip",` +
			`"arguments":{"destination":"x"}}`, `{"roots":{},"sampling":{}}`},
		{`{"sampling":{}}`, "interview", `{"name":"prepare_interview",` +
			`"arguments":{"role":"designer"}}`, `{"sampling":{"tools":{}}}`},
		{`{"sampling":{"tools":{}}}`, "interview", `{"name":"prepare_interview",` +
			`"arguments":{"role":"designer"}}`, ``},
		{`{}`, "workspace", `{"name":"describe_workspace"}`, `{"roots":{}}`},
		{`{}`, "tasks", `{"name":"build"}`, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`},
		{`{}`, "confirm", `{"name":"delete_records","arguments":{"table":"drafts"}}`, ``},
	} {
		p.caps = tt.caps
		r := p.send("/mcp/"+tt.slug, "tools/call", tt.params, nil)
		if tt.missing == "" {
			if r.Error != nil {
				t.Errorf("%s with %s: %s", tt.slug, tt.caps, r.body)
			}
			continue
		}
		if r.code() != -32021 || r.status != 400 {
			t.Errorf("%s with %s: %d %s", tt.slug, tt.caps, r.status, r.body)
			continue
		}
		wantJSON(t, r.Error.Data, `{"requiredCapabilities":`+tt.missing+`}`)
	}
}

func TestHeader_NameInBase64(t *testing.T) {
	p := newPeer(t)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_work_item",` +
		`"arguments":{"workItemId":4188,"fields":{"System.State":"Active"}},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	encoded := base64.StdEncoding.EncodeToString([]byte("update_work_item"))
	for name, code := range map[string]int{
		"=?base64?" + encoded + "?=": 0, "update_work_item": 0,
		"=?base64?" + encoded: -32020, "=?base64?!!?=": -32020, "list_work_items": -32020, "": -32020,
	} {
		r := p.post("/mcp/azure-devops", body, map[string]string{"Mcp-Method": "tools/call",
			"Mcp-Name": name})
		if r.code() != code {
			t.Errorf("Mcp-Name %q: %d %s", name, r.status, r.body)
		}
	}
}

func TestLists_ArePrivate(t *testing.T) {
	p := newPeer(t)
	for _, method := range []string{"tools/list", "server/discover"} {
		r := p.send("/mcp/azure-devops", method, `{}`, nil)
		if unquote(r.Result["cacheScope"]) != "private" || r.resultType() != "complete" ||
			r.Result["ttlMs"] == nil {
			t.Errorf("%s: %s", method, r.body)
		}
	}
}

func TestOptions_StreamSelectsSSEOrJSON(t *testing.T) {
	p := newPeer(t)
	for query, want := range map[string]string{"": "application/json", "?stream=0": "application/json",
		"?stream=1": "text/event-stream"} {
		r := p.send("/mcp/azure-devops"+query, "tools/call", resolve4522, nil)
		if got := r.header.Get("Content-Type"); !strings.HasPrefix(got, want) ||
			r.resultType() != "input_required" {
			t.Errorf("%q: %s, %s", query, got, r.body)
		}
	}
}

func TestProgress_IncreasesOnTheStream(t *testing.T) {
	p := newPeer(t)
	r := p.send("/mcp/slow", "tools/call", `{"name":"wait",`+
		`"arguments":{"seconds":2}}`, map[string]any{"_meta": json.RawMessage(
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p"}`)})
	at := 0
	for _, want := range []string{`"progress":1`, `"progress":2`, `"progress":3`, `"progress":4`,
		`"result"`} {
		i := strings.Index(string(r.body[at:]), want)
		if i < 0 {
			t.Fatalf("%s does not follow in:\n%s", want, r.body)
		}
		at += i
	}
}
