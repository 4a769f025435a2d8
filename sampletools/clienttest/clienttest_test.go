package clienttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// reply is a response to a request.
type reply struct {
	status int
	head   http.Header
	body   string
	ID     json.RawMessage
	Result map[string]json.RawMessage
	Error  *struct {
		Code int
		Data map[string]json.RawMessage
	}
}

const everything = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// send posts a request with these members of params.
func send(t *testing.T, s *Server, method, params, capabilities string) reply {
	t.Helper()
	if params != "" {
		params += ","
	}
	return post(t, s, `{"jsonrpc":"2.0","id":"a","method":"`+method+`","params":{`+params+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":`+capabilities+`}}}`)
}

func post(t *testing.T, s *Server, body string) reply {
	t.Helper()
	w := httptest.NewRecorder()
	func() {
		defer func() { _ = recover() }() // a stream that is cut off
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://test.example/mcp/client-test",
			strings.NewReader(body)))
	}()
	r := reply{status: w.Code, head: w.Header(), body: w.Body.String()}
	_ = json.Unmarshal(w.Body.Bytes(), &r)
	return r
}

// asked returns params that answer a result.
func (r reply) asked(params string) string {
	if r.Result["inputRequests"] != nil {
		var requests map[string]json.RawMessage
		_ = json.Unmarshal(r.Result["inputRequests"], &requests)
		answers := map[string]json.RawMessage{}
		for key := range requests {
			answers[key] = json.RawMessage(`{"action":"cancel"}`)
		}
		raw, _ := json.Marshal(answers)
		params += `,"inputResponses":` + string(raw)
	}
	if r.Result["requestState"] != nil {
		params += `,"requestState":` + string(r.Result["requestState"])
	}
	return params
}

func (r reply) kind() string {
	var kind string
	_ = json.Unmarshal(r.Result["resultType"], &kind)
	return kind
}

// first returns the first request of a scenario.
func first(s Scenario) (method, params string) {
	switch s.Kind {
	case "prompt":
		return "prompts/get", `"name":` + quote(s.Name)
	case "resource":
		return "resources/read", `"uri":` + quote(uriPrefix+s.Name)
	}
	return "tools/call", `"name":` + quote(s.Name) + `,"arguments":{}`
}

// TestServer_WorksWithoutArguments: every tool answers a call without arguments, and ends
// after its rounds; only the ends that its deviation names are missing.
func TestServer_WorksWithoutArguments(t *testing.T) {
	s := New(Config{Hold: time.Millisecond})
	for _, x := range Scenarios() {
		if x.Kind == "list" {
			continue
		}
		method, params := first(x)
		r := send(t, s, method, params, everything)
		rounds := 1
		for ; r.kind() == "input_required" && rounds < 12; rounds++ {
			r = send(t, s, method, r.asked(params), everything)
		}
		ends := r.kind() == "complete" || r.kind() == "task"
		if !ends && x.Deviation == "" {
			t.Errorf("%s ends after %d rounds with %d %s", x.Name, rounds, r.status, r.body)
		}
		if strings.Contains(r.body, "unknown tool") {
			t.Errorf("%s is unknown", x.Name)
		}
	}
}

// TestServer_MarksAreUnique: no two calls have a key, a state or a task id in common that must
// not be the same.
func TestServer_MarksAreUnique(t *testing.T) {
	s := New(Config{Hold: time.Millisecond})
	for _, x := range Scenarios() {
		if x.Kind == "list" {
			continue
		}
		method, params := first(x)
		seen := [2]string{}
		for i := range seen {
			r := send(t, s, method, params, everything)
			if r.kind() != "input_required" && r.kind() != "task" {
				continue
			}
			found := marks.FindString(string(r.Result["inputRequests"]) +
				unfold(text(r.Result["requestState"])) +
				string(r.Result["taskId"]))
			if found == "" {
				t.Errorf("%s has no mark: %s", x.Name, r.body)
			}
			seen[i] = found
		}
		if seen[0] != "" && seen[0] == seen[1] {
			t.Errorf("%s has the same mark twice", x.Name)
		}
	}
}

func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// TestServer_AsksOnlyForWhatIsDeclared: a scenario whose deviation is another needs the capabilities
// of its questions.
func TestServer_AsksOnlyForWhatIsDeclared(t *testing.T) {
	s := New(Config{Hold: time.Millisecond})
	for _, name := range []string{"echo_json", "link_accept", "sampling", "sampling_tool_none", "roots",
		"task_input",
		"stream", "extra_members"} {
		r := send(t, s, "tools/call", `"name":"`+name+`"`, `{}`)
		if r.Error == nil || r.Error.Code != -32021 || r.status != 400 ||
			r.Error.Data["requiredCapabilities"] == nil {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	for _, name := range []string{"undeclared_form", "undeclared_sampling", "undeclared_roots"} {
		if r := send(t, s, "tools/call", `"name":"`+name+`"`, `{}`); r.kind() != "input_required" {
			t.Errorf("%s: %s", name, r.body)
		}
		if r := send(t, s, "tools/call", `"name":"`+name+`"`, everything); r.kind() != "complete" {
			t.Errorf("%s, declared: %s", name, r.body)
		}
	}
}

// TestServer_OddStates: the states are as their scenario says.
func TestServer_OddStates(t *testing.T) {
	s := New(Config{})
	state := func(name string) string {
		return text(send(t, s, "tools/call", `"name":"`+name+`"`, everything).Result["requestState"])
	}
	if got := len(state("echo_large")); got != 65536 {
		t.Errorf("the large state has %d bytes", got)
	}
	if !json.Valid([]byte(state("echo_json"))) || state("echo_space") != " " || state("echo_empty") != "" {
		t.Error("a state is another")
	}
	for name, part := range map[string]string{"echo_unicode": "\U0001F642", "echo_quotes": `"a" 'b'`,
		"echo_backslashes": `\u0041`, "echo_controls": "\x00", "echo_markup": "<b>&amp;"} {
		if !strings.Contains(state(name), part) {
			t.Errorf("%s lacks %q: %q", name, part, state(name))
		}
	}
}

// TestServer_Canaries: a visit of an address is in the answers of its call, and in no other.
func TestServer_Canaries(t *testing.T) {
	s := New(Config{})
	call := func(visit string) string {
		params := `"name":"link_accept"`
		r := send(t, s, "tools/call", params, everything)
		var requests map[string]struct{ Params struct{ URL string } }
		_ = json.Unmarshal(r.Result["inputRequests"], &requests)
		for _, q := range requests {
			if visit != "" {
				s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(visit, q.Params.URL, nil))
			}
			if !strings.HasPrefix(q.Params.URL, "http://test.example/mcp/client-test/canary/") {
				t.Errorf("the address is %s", q.Params.URL)
			}
		}
		return send(t, s, "tools/call", r.asked(params), everything).body
	}
	for visit, want := range map[string]string{"": `visits":[]`, "GET": `"how":"visit"`,
		"HEAD": `"how":"prefetch"`} {
		if body := call(visit); !strings.Contains(body, want) {
			t.Errorf("%q: %s", visit, body)
		}
	}
	for _, path := range []string{"/canary/x/link", "/canary/ct1x/link", "/canary/" + strings.Repeat("a",
		30) + "/schema"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/mcp/client-test"+path, nil))
		if w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if based := New(Config{Base: "https://a.example/mcp/client-test"}); !strings.Contains(
		send(t, based, "tools/list", "",
			`{}`).body, `"$ref":"https://a.example/mcp/client-test/canary/ct1x`) {
		t.Error("the base is not used")
	}
}

// TestServer_PagesOfTemplates: each page of the list of templates has one fault: the second
// has entries and an empty cursor, the third has no entries, and the fourth is refused.
func TestServer_PagesOfTemplates(t *testing.T) {
	s := New(Config{})
	params := ""
	for n, want := range []struct {
		entries, code int
		last          bool // the cursor after it is empty
	}{{entries: 1}, {entries: 1, last: true}, {}, {code: -32602}} {
		r := send(t, s, "resources/templates/list", params, everything)
		if r.Error != nil || want.code != 0 {
			if r.Error == nil || r.Error.Code != want.code {
				t.Errorf("page %d: %s", n+1, r.body)
			}
			continue
		}
		var list []json.RawMessage
		_ = json.Unmarshal(r.Result["resourceTemplates"], &list)
		cursor, given := r.Result["nextCursor"]
		if len(list) != want.entries || !given || (string(cursor) == `""`) != want.last {
			t.Errorf("page %d: %s", n+1, r.body)
		}
		params = `"cursor":` + string(cursor)
	}
}

// TestServer_Tasks: a task goes on as its scenario says, and ends with its time.
func TestServer_Tasks(t *testing.T) {
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	s := New(Config{Now: func() time.Time { return now }})
	start := func(name string) string {
		return `"taskId":` + string(send(t, s, "tools/call", `"name":"`+name+`"`,
			everything).Result["taskId"])
	}
	status := func(id string) (string, reply) {
		r := send(t, s, "tasks/get", id, everything)
		return text(r.Result["status"]), r
	}
	id := start("task_twice")
	for range 2 {
		got, r := status(id)
		if got != "input_required" {
			t.Fatalf("it is %s: %s", got, r.body)
		}
		send(t, s, "tasks/update", r.asked(id), everything)
	}
	if got, r := status(id); got != "completed" || r.Result["result"] == nil {
		t.Errorf("it is %s: %s", got, r.body)
	}
	id = start("task_cancel")
	send(t, s, "tasks/cancel", id, everything)
	if got, _ := status(id); got != "cancelled" {
		t.Errorf("a cancelled task is %s", got)
	}
	id = start("task_ttl")
	if got, _ := status(id); got != "working" {
		t.Errorf("it is %s", got)
	}
	now = now.Add(3 * time.Second)
	if _, r := status(id); r.Error == nil || r.Error.Code != -32602 {
		t.Errorf("after its time: %s", r.body)
	}
	for _, id := range []string{"", "x", "task_ttl.1.ct1x", "task_ttl.99999999999999999.ct1x" +
		strings.Repeat("a", 26)} {
		if _, r := status(`"taskId":"` + id + `"`); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("%q: %s", id, r.body)
		}
	}
}

// TestServer_OddRequests: a message that is no request gets an error of HTTP or
// JSON-RPC.
func TestServer_OddRequests(t *testing.T) {
	s := New(Config{})
	for body, want := range map[string]string{
		"":   `400 -32700`,
		"{":  `400 -32700`,
		"[]": `400 -32700`,
		"{}": `400 -32600`,
		`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`:          `400 -32600`,
		`{"jsonrpc":"2.0","id":true,"method":"tools/list"}`:          `400 -32600`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                       `400 -32600`,
		`{"jsonrpc":"2.0","method":"notifications/x"}`:               `202 0`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`: `404 -32601`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`: `200 -32602`,
	} {
		r := post(t, s, body)
		code := 0
		if r.Error != nil {
			code = r.Error.Code
		}
		if got := fmt.Sprintf("%d %d", r.status, code); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	if r := post(t, s, strings.Repeat(" ", maxBody+1)); r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %d", r.status)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/mcp/client-test", nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != http.MethodPost {
		t.Errorf("GET: %d", w.Code)
	}
}

// TestMemory_IsBounded: notes are few, and old ones are gone.
func TestMemory_IsBounded(t *testing.T) {
	now := time.Now()
	m := &memory{now: func() time.Time { return now }}
	for i := range 2 * maxIDs {
		m.Add("", fmt.Sprint(i), "a")
	}
	for range 2 * maxNotes {
		m.Add("", "many", "a")
	}
	if len(m.notes) > maxIDs || len(m.order) > maxIDs || len(m.Of("many")) != maxNotes || m.Of("0") != nil {
		t.Errorf("%d ids, %d notes", len(m.notes), len(m.Of("many")))
	}
	now = now.Add(NoteLife + time.Second)
	if m.Of("many") != nil {
		t.Error("old notes are still there")
	}
}

// TestRendezvous_Pairs: two calls wait for each other, and one that leaves is not waited for.
func TestRendezvous_Pairs(t *testing.T) {
	var p rendezvous
	done := make(chan struct{})
	go func() {
		p.meet(nil, time.Hour)
		close(done)
	}()
	p.meet(nil, time.Hour)
	<-done
	gone := make(chan struct{})
	close(gone)
	p.meet(gone, time.Hour)
	if p.waiting != nil {
		t.Error("a call that left is waited for")
	}
}

// TestResults_MatchTheOfficialSchema: the answers of scenarios without an deviation are valid by the
// official JSON Schemas, which are no part of this repository: set MRTR_MCP_SCHEMA and
// MRTR_TASKS_SCHEMA to their files.
func TestResults_MatchTheOfficialSchema(t *testing.T) {
	core, tasks := os.Getenv("MRTR_MCP_SCHEMA"), os.Getenv("MRTR_TASKS_SCHEMA")
	if core == "" || tasks == "" {
		t.Skip("MRTR_MCP_SCHEMA and MRTR_TASKS_SCHEMA name no files")
	}
	check := func(what string, r reply, file, definition string) {
		t.Helper()
		raw, _ := json.Marshal(r.Result)
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled(t, file, definition).Validate(v); err != nil {
			t.Errorf("%s as %s: %v\n%s", what, definition, err, r.body)
		}
	}
	s := New(Config{})
	for method, definition := range map[string]string{"server/discover": "DiscoverResult",
		"tools/list":   "ListToolsResult",
		"prompts/list": "ListPromptsResult", "resources/list": "ListResourcesResult",
		"resources/templates/list": "ListResourceTemplatesResult"} {
		check(method, send(t, s, method, "", everything), core, definition)
	}
	final := map[string]string{"tools/call": "CallToolResult", "prompts/get": "GetPromptResult",
		"resources/read": "ReadResourceResult"}
	for _, x := range Scenarios() {
		if x.Kind == "list" || x.Deviation != "" || x.Name == "parallel_calls" {
			continue
		}
		method, params := first(x)
		r := send(t, s, method, params, everything)
		for n := 0; r.kind() == "input_required" && n < 10; n++ {
			check(x.Name, r, core, "InputRequiredResult")
			r = send(t, s, method, r.asked(params), everything)
		}
		if r.kind() != "task" {
			check(x.Name, r, core, final[method])
			continue
		}
		check(x.Name, r, tasks, "CreateTaskResult")
		check(x.Name, send(t, s, "tasks/get", `"taskId":`+string(r.Result["taskId"]), everything), tasks,
			"GetTaskResult")
	}
}

// compiled returns a definition of a schema.
func compiled(t *testing.T, file, definition string) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("schema.json#/$defs/" + definition)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
