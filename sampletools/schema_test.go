package sampletools_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	// Not the validator of go-sdk, which the samples themselves use.
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Every result is valid by the official JSON Schemas. They are not part of this
// repository: set MRTR_MCP_SCHEMA and MRTR_TASKS_SCHEMA to their files. Without
// them, the official suite and the schemas of the TypeScript client check the
// wire (see e2e).
func TestResults_MatchTheOfficialSchema(t *testing.T) {
	core, tasks := os.Getenv("MRTR_MCP_SCHEMA"), os.Getenv("MRTR_TASKS_SCHEMA")
	if core == "" || tasks == "" {
		t.Skip("MRTR_MCP_SCHEMA and MRTR_TASKS_SCHEMA name no files")
	}
	judges := map[string]func(string) *jsonschema.Schema{"core": definitions(t, core),
		"tasks": definitions(t, tasks)}
	checked := 0
	check := func(what string, r reply, definition string) {
		t.Helper()
		book := "core"
		switch r.resultType() {
		case "input_required":
			definition = "InputRequiredResult"
		case "task":
			book, definition = "tasks", "CreateTaskResult"
		}
		if strings.HasPrefix(what, "tasks/") {
			book = "tasks"
		}
		raw, err := json.Marshal(r.Result)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := judges[book](definition).Validate(v); err != nil {
			t.Errorf("%s as %s: %v\n%s", what, definition, err, raw)
		}
		checked++
	}
	p := newPeer(t)
	final := map[string]string{"tools/call": "CallToolResult", "prompts/get": "GetPromptResult",
		"resources/read": "ReadResourceResult"}
	for _, s := range stories() {
		path := "/mcp/" + s.slug
		p.enter(s.slug)
		check("server/discover of "+s.slug, p.send(path, "server/discover", `{}`, nil), "DiscoverResult")
		check("tools/list of "+s.slug, p.send(path, "tools/list", `{}`, nil), "ListToolsResult")
		var extra map[string]any
		for range s.rounds {
			r := p.send(path, s.method, s.params, extra)
			check(s.String(), r, final[s.method])
			extra = p.answers(r)
		}
	}
	p.enter("")
	for _, list := range []string{"prompts/list:ListPromptsResult",
		"resources/list:ListResourcesResult", "resources/templates/list:ListResourceTemplatesResult"} {
		method, definition, _ := strings.Cut(list, ":")
		check(method, p.send("/mcp/conformance", method, `{}`, nil), definition)
	}
	one := p.send("/mcp/tasks", "tools/call", report, nil)
	two := p.send("/mcp/tasks", "tools/call", report, p.answers(one))
	check("report, round 2", two, "")
	id := `{"taskId":` + string(two.Result["taskId"]) + `}`
	check("tasks/get", settle(p, unquote(two.Result["taskId"]), "input_required"), "GetTaskResult")
	check("tasks/update", p.send("/mcp/tasks", "tasks/update", id,
		map[string]any{"inputResponses": json.RawMessage(`{"tone-1":{"action":"decline"}}`)}),
		"UpdateTaskResult")
	check("tasks/get, done", settle(p, unquote(two.Result["taskId"]), "completed"), "GetTaskResult")
	check("tasks/cancel", p.send("/mcp/tasks", "tasks/cancel", id, nil), "CancelTaskResult")
	t.Logf("%d results are valid", checked)
}

func definitions(t *testing.T, path string) func(string) *jsonschema.Schema {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://schema.test/s", doc); err != nil {
		t.Fatal(err)
	}
	return func(name string) *jsonschema.Schema {
		s, err := c.Compile("https://schema.test/s#/$defs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}
