package sampletools_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// TestSpec_Features holds the sentences of server/tools, server/prompts and
// server/resources about requests that cannot be served.
func TestSpec_Features(t *testing.T) {
	request := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `,` + meta + `}}`
	}
	checkSentences(t, newPeer(t), []sentence{
		{name: "an unknown tool is a protocol error", body: request("tools/call", `"name":"none"`),
			status: 400,
			code:   -32602, id: "1"},
		{name: "tool names are case-sensitive", body: request("tools/call", `"name":"Update_work_item"`),
			status: 400, code: -32602, id: "1"},
		{name: "a tool has a name", body: request("tools/call", `"arguments":{}`), status: 400, code: -32602,
			id: "1"},
		{name: "wrong arguments are a tool error", body: request("tools/call", `"name":"update_work_item",`+
			`"arguments":{"workItemId":"x"}`), status: 200, id: "1", want: `"isError":true`},
		{name: "an unknown prompt is a protocol error", slug: "conformance",
			status: 400, code: -32602, id: "1",
			body: request("prompts/get", `"name":"none"`)},
		{name: "a prompt without its required arguments is -32602", slug: "conformance", status: 400,
			code: -32602, id: "1", body: request("prompts/get", `"name":"test_prompt_with_arguments"`)},
		{name: "an unknown resource is -32602, not empty contents", slug: "conformance", status: 400,
			code: -32602, id: "1", body: request("resources/read", `"uri":"test://none"`), lacks: "contents"},
		{name: "a URI outside the server is refused", slug: "conformance", status: 400, code: -32602, id: "1",
			body: request("resources/read", `"uri":"file:///etc/passwd"`)},
		{name: "a URI that is none is refused", slug: "conformance", status: 400, code: -32602, id: "1",
			body: request("resources/read", `"uri":"../../secret"`)},
		{name: "an invalid cursor is -32602", status: 400, code: -32602, id: "1",
			body: request("tools/list", `"cursor":"none"`)},
		{name: "a cursor is a string", status: 400, code: -32602, id: "1",
			body: request("tools/list", `"cursor":7`), want: "cursor must be a string", lacks: "mcp."},
		{name: "arguments of a tool are an object", status: 400, code: -32602, id: "1",
			body: request("tools/call", `"name":"update_work_item","arguments":[]`), want: "an object"},
		{name: "arguments of a fixture are an object", slug: "conformance", status: 400, code: -32602,
			id: "1", body: request("tools/call", `"name":"test_x_mcp_header","arguments":"x"`)},
		{name: "naughty: arguments are an object", slug: "naughty", status: 400, code: -32602, id: "1",
			body: request("tools/call", `"name":"neither_field","arguments":7`)},
		{name: "arguments of a prompt are an object", slug: "prompt-resource", status: 400, code: -32602,
			id: "1", body: request("prompts/get", `"name":"review_code","arguments":"x"`)},
		{name: "an argument of a prompt is a string", slug: "prompt-resource", status: 400, code: -32602,
			id: "1", body: request("prompts/get", `"name":"review_code","arguments":{"language":7}`)},
		{name: "absent arguments may be null", slug: "conformance", status: 200, id: "1",
			body: request("tools/call", `"name":"test_simple_text","arguments":null`)},
		{name: "a wrong argument is named without words of Go", status: 200, id: "1",
			body: request("tools/call", `"name":"update_work_item","arguments":{"workItemId":"x"}`),
			want: "workItemId must not be of type string", lacks: "Go "},
		{name: "a server without prompts knows none", status: 400, code: -32602, id: "1",
			body: request("prompts/get", `"name":"x"`)},
		{name: "a server without resources knows none", status: 400, code: -32602, id: "1",
			body: request("resources/read", `"uri":"x:y"`)},
		{name: "a server without completions has no such method", status: 404, code: -32601, id: "1",
			body: request("completion/complete", `"ref":{"type":"ref/prompt","name":"x"},"argument":{`+
				`"name":"a","value":""}`)},
		{name: "resources/subscribe is no method of this revision", slug: "conformance", status: 404,
			code: -32601, id: "1", body: request("resources/subscribe", `"uri":"test://static-text"`)},
		{name: "logging/setLevel is no method of this revision", slug: "conformance", status: 404,
			code: -32601, id: "1", body: request("logging/setLevel", `"level":"info"`)},
		{name: "clients have roots, not servers", slug: "workspace", status: 404, code: -32601, id: "1",
			body: request("roots/list", `"x":1`)},
		{name: "a URI beside a template is refused", slug: "conformance", status: 400, code: -32602, id: "1",
			body: request("resources/read", `"uri":"test://template/a/b/data"`)},
		{name: "a template's resource may be cached by its user", slug: "conformance", status: 200, id: "1",
			body: request("resources/read", `"uri":"test://template/7/data"`),
			want: `"cacheScope":"private"`},
		{name: "every resource template has a name", slug: "conformance", status: 200, id: "1",
			body: request("resources/templates/list", `"x":1`),
			want: `"uriTemplate":"test://template/{id}/data"`},
		{name: "naughty: an unknown tool is a protocol error", slug: "naughty", status: 400, code: -32602,
			id: "1", body: request("tools/call", `"name":"none"`)},
		{name: "naughty: an unknown task is -32602", slug: "naughty", status: 400, code: -32602, id: "1",
			body: request("tasks/get", `"taskId":"none"`)},
	})
}

// TestSpec_StructuredContent holds "SHOULD also return the serialized JSON in a
// TextContent block" (server/tools, "Structured Content").
func TestSpec_StructuredContent(t *testing.T) {
	p := newPeer(t)
	last, _ := p.drive(func(int) string { return "/mcp/profile" }, "tools/call",
		`{"name":"create_profile","arguments":{}}`)
	var content []struct{ Text string }
	if err := json.Unmarshal(last.Result["content"], &content); err != nil || len(content) != 2 ||
		content[1].Text != string(last.Result["structuredContent"]) {
		t.Errorf("%s", last.body)
	}
	for _, action := range []string{"decline", "cancel"} {
		r := p.send("/mcp/profile", "tools/call", `{"name":"create_profile"}`, map[string]any{
			"inputResponses": map[string]any{"profile": map[string]any{"action": action}}})
		if string(r.Result["structuredContent"]) != "{}" { // a tool with an outputSchema MUST have it
			t.Errorf("%s: %s", action, r.body)
		}
	}
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// TestSpec_Lists holds "Servers that support tools MUST declare the tools
// capability", "MUST respond to tools/list", and the form of names and schemas,
// for every sample.
func TestSpec_Lists(t *testing.T) {
	p := newPeer(t)
	catalog, err := sampletools.New(sampletools.Config{Keys: p.keys})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	for _, sample := range catalog.Samples() {
		if sample.Era == sampletools.Legacy {
			continue
		}
		path := "/mcp/" + sample.Slug
		p.enter(sample.Slug)
		discovered := p.send(path, "server/discover", `{}`, nil)
		var capabilities map[string]json.RawMessage
		if err := json.Unmarshal(discovered.Result["capabilities"], &capabilities); err != nil {
			t.Fatalf("%s: %s", sample.Slug, discovered.body)
		}
		if !strings.Contains(string(discovered.Result["supportedVersions"]), `"2026-07-28"`) ||
			!strings.Contains(string(discovered.Result["_meta"]), `serverInfo":{"name":"`+sample.Slug) {
			t.Errorf("%s: %s", sample.Slug, discovered.body)
		}
		for kind, extra := range map[string]string{"tools": "tools", "prompts": "prompts",
			"resources": "resources"} {
			first := p.send(path, kind+"/list", `{}`, nil)
			_, declared := capabilities[kind]
			var entries []struct {
				Name        string
				InputSchema struct{ Type string }
			}
			_ = json.Unmarshal(first.Result[extra], &entries) // an error has none
			if declared && first.Result[extra] == nil || !declared && len(entries) > 0 {
				t.Errorf("%s declares %s: %t, but lists %s", sample.Slug, kind, declared, first.body)
			}
			if again := p.send(path, kind+"/list", `{}`, nil); string(again.Result[extra]) !=
				string(first.Result[extra]) {
				t.Errorf("%s: two lists of %s differ", sample.Slug, kind)
			}
			var names []string
			for _, e := range entries {
				if kind == "tools" && (!toolName.MatchString(e.Name) || e.InputSchema.Type != "object") ||
					slices.Contains(names, e.Name) {
					t.Errorf("%s: tool %q", sample.Slug, e.Name)
				}
				names = append(names, e.Name)
			}
		}
	}
}

// TestSpec_Tasks holds the sentences about the answers to tasks/get, one per
// status.
func TestSpec_Tasks(t *testing.T) {
	p := newPeer(t)
	for _, tt := range []struct{ tool, status, has, lacks string }{
		{"failing_job", "completed", `"isError":true`, `"error"`},
		{"protocol_error_job", "failed", `"statusMessage":"`, `"result":{"content`},
		{"confirm_delete", "input_required", `"inputRequests":{`, `"result":{"content`},
	} {
		started := p.send("/mcp/conformance", "tools/call", `{"name":"`+tt.tool+`","arguments":{`+
			`"filename":"a.txt"}}`, nil)
		if started.resultType() != "task" || started.Result["requestState"] != nil ||
			started.Result["inputRequests"] != nil {
			t.Errorf("%s: %s", tt.tool, started.body)
			continue
		}
		for _, name := range []string{"taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs"} {
			if started.Result[name] == nil {
				t.Errorf("%s: a new task without %s: %s", tt.tool, name, started.body)
			}
		}
		params := `{"taskId":` + string(started.Result["taskId"]) + `}`
		poll := p.send("/mcp/conformance", "tasks/get", params, nil)
		for range 10000 {
			if unquote(poll.Result["status"]) == tt.status {
				break
			}
			poll = p.send("/mcp/conformance", "tasks/get", params, nil)
		}
		if poll.resultType() != "complete" || !strings.Contains(string(poll.body), tt.has) ||
			strings.Contains(string(poll.body), tt.lacks) || poll.Result["requestState"] != nil ||
			string(poll.Result["taskId"]) != string(started.Result["taskId"]) ||
			string(poll.Result["createdAt"]) != string(started.Result["createdAt"]) {
			t.Errorf("%s: %s", tt.tool, poll.body)
		}
		for _, method := range []string{"tasks/update", "tasks/cancel"} {
			update := `{"taskId":` + string(started.Result["taskId"]) + `,"inputResponses":{"never-asked":7}}`
			if ack := p.send("/mcp/conformance", method, update, nil); ack.resultType() != "complete" ||
				len(ack.Result) != 2 { // resultType and _meta
				t.Errorf("%s of %s: %s", method, tt.tool, ack.body)
			}
		}
	}
}
