package sampletools_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// listen opens a subscription and returns its stream.
func (p *peer) listen(path, id, filter string) (*http.Response, *bufio.Reader) {
	p.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{`+
		`"notifications":%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":%s}}}`, id, filter, p.caps)
	req, err := http.NewRequestWithContext(p.t.Context(), "POST", p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"},
		"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2026-07-28"},
		"Mcp-Method": {"subscriptions/listen"}}
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { res.Body.Close() })
	return res, bufio.NewReader(res.Body)
}

// nextData returns the next message of a stream as it came.
func nextData(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			t.Fatalf("stream ended: %v", err)
		}
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok && len(bytes.TrimSpace(data)) > 0 {
			return string(bytes.TrimSpace(data))
		}
	}
}

// TestSpec_Listen holds the sentences of basic/patterns/subscriptions. The
// change is made on one instance and heard on all.
func TestSpec_Listen(t *testing.T) {
	p := newPeer(t)
	const id = `"\u0041 1"`
	streams := map[string]*bufio.Reader{}
	for _, instance := range []string{"a", "b", "c"} {
		res, r := p.listen("/mcp/conformance?instances=a,b,c&next="+instance, id,
			`{"toolsListChanged":true,"resourceSubscriptions":["test://static-text"]}`)
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" ||
			res.Header.Get("X-Accel-Buffering") != "no" {
			t.Errorf("%s: %d %v", instance, res.StatusCode, res.Header)
		}
		first := nextData(t, r)
		for _, want := range []string{`"method":"notifications/subscriptions/acknowledged"`,
			`"io.modelcontextprotocol/subscriptionId":` + id, `"toolsListChanged":true`} {
			if !strings.Contains(first, want) {
				t.Errorf("%s: the first message is %s, want %s", instance, first, want)
			}
		}
		if strings.Contains(first, "promptsListChanged") {
			t.Errorf("%s: more than requested: %s", instance, first)
		}
		streams[instance] = r
	}
	for _, name := range []string{"test_trigger_prompt_change", "test_trigger_tool_change"} {
		if r := p.send("/mcp/conformance?instances=a,b,c&next=b", "tools/call", `{"name":"`+name+`"}`,
			nil); r.resultType() != "complete" {
			t.Fatalf("%s: %s", name, r.body)
		}
	}
	for instance, r := range streams {
		change := nextData(t, r)
		if !strings.Contains(change, `"method":"notifications/tools/list_changed"`) ||
			!strings.Contains(change, `"io.modelcontextprotocol/subscriptionId":`+id) {
			t.Errorf("%s hears %s", instance, change)
		}
		list := p.send("/mcp/conformance?instances=a,b,c&next="+instance, "tools/list", `{}`, nil)
		if !strings.Contains(strings.Join(toolNames(t, list), " "), "transient_tool") {
			t.Errorf("%s does not list the new tool", instance)
		}
	}
	if list := p.send("/mcp/conformance?instances=d&next=d", "tools/list", `{}`, nil); !strings.Contains(
		string(list.body), "transient_tool") {
		t.Error("an instance that starts later does not list the new tool")
	}
}

// TestSpec_ListenToResources holds "Resource Subscriptions" of server/resources:
// the resource is changed through one instance, and subscribers of all hear it.
func TestSpec_ListenToResources(t *testing.T) {
	p := newPeer(t)
	read := func(instance string) string {
		return p.send("/mcp/conformance?instances=a,b,c&next="+instance, "resources/read",
			`{"uri":"test://watched-resource"}`, nil).text()
	}
	before := read("a")
	streams := map[string]*bufio.Reader{}
	for _, instance := range []string{"a", "b", "c"} {
		_, r := p.listen("/mcp/conformance?instances=a,b,c&next="+instance, "7",
			`{"resourcesListChanged":true,"resourceSubscriptions":["test://watched-resource"]}`)
		if first := nextData(t, r); !strings.Contains(first,
			`"notifications":{"resourceSubscriptions":["test://watched-resource"]}`) {
			t.Errorf("%s: the acknowledgment is %s", instance, first)
		}
		streams[instance] = r
	}
	_, other := p.listen("/mcp/conformance?instances=a,b,c&next=a", "8",
		`{"toolsListChanged":true,"resourceSubscriptions":["test://static-text"]}`)
	nextData(t, other)
	for _, name := range []string{"test_trigger_resource_change", "test_trigger_tool_change"} {
		p.send("/mcp/conformance?instances=a,b,c&next=b", "tools/call", `{"name":"`+name+`"}`, nil)
	}
	for instance, r := range streams {
		change := nextData(t, r)
		if !strings.Contains(change, `"method":"notifications/resources/updated"`) ||
			!strings.Contains(change, `"uri":"test://watched-resource"`) ||
			!strings.Contains(change, `"io.modelcontextprotocol/subscriptionId":7`) {
			t.Errorf("%s hears %s", instance, change)
		}
		if after := read(instance); after == before {
			t.Errorf("%s still reads %q", instance, after)
		}
	}
	if next := nextData(t, other); !strings.Contains(next, "notifications/tools/list_changed") {
		t.Errorf("a subscriber of another resource hears %s", next)
	}
}

// A sample that declares a notification sends it to those who listen; the others
// agree to nothing.
func TestSpec_ListenAgreesToWhatIsDeclared(t *testing.T) {
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
		p.enter(sample.Slug)
		discovered := p.send("/mcp/"+sample.Slug, "server/discover", `{}`, nil)
		declared := string(discovered.Result["capabilities"])
		_, r := p.listen("/mcp/"+sample.Slug, "1", `{"toolsListChanged":true,"promptsListChanged":true,`+
			`"resourcesListChanged":true,"resourceSubscriptions":["test://watched-resource"]}`)
		first := nextData(t, r)
		agrees := !strings.Contains(first, `"notifications":{}`)
		promises := strings.Contains(declared, "listChanged") || strings.Contains(declared, "subscribe")
		if agrees != promises || promises != (sample.Slug == "conformance") {
			t.Errorf("%s declares %s and agrees to %s", sample.Slug, declared, first)
		}
	}
}

// A sample has room for a number of subscriptions. One that its client closes
// makes room (basic/patterns/cancellation, "Behavior Requirements").
func TestListen_IsBoundedAndFreed(t *testing.T) {
	p := newPeer(t)
	task := startReport(p)
	filter := `{"taskIds":["` + task + `"]}`
	settle(p, task, "input_required")
	var open []*http.Response
	for range 100 {
		res, r := p.listen("/mcp/tasks", "1", filter)
		nextData(t, r)
		open = append(open, res)
	}
	refused, r := p.listen("/mcp/tasks", `"\u0041"`, filter)
	body, err := io.ReadAll(r)
	if err != nil || refused.StatusCode != http.StatusServiceUnavailable ||
		!strings.Contains(string(body), `"id":"\u0041","error":{"code":-32603`) {
		t.Errorf("subscription 101: %d %s %v", refused.StatusCode, body, err)
	}
	open[0].Body.Close()
	for range 10000 {
		res, _ := p.listen("/mcp/tasks", "1", filter)
		if res.StatusCode == http.StatusOK {
			return
		}
		res.Body.Close()
	}
	t.Error("a subscription that was closed makes no room")
}

// readUntil reads messages of a stream until one contains the text, and returns
// them.
func readUntil(t *testing.T, r *bufio.Reader, text string) []string {
	t.Helper()
	var list []string
	for len(list) < 100 {
		list = append(list, nextData(t, r))
		if strings.Contains(list[len(list)-1], text) {
			return list
		}
	}
	t.Fatalf("no %s in %q", text, list)
	return nil
}

// TestSpec_ListenToTasks holds "Task Status Notifications" of ext-tasks. The
// task starts on one instance and is heard on another.
func TestSpec_ListenToTasks(t *testing.T) {
	p := newPeer(t)
	task := startReport(p)
	settle(p, task, "input_required")
	const id = `"\u0041 1"`
	const subscription = `"_meta":{"io.modelcontextprotocol/subscriptionId":` + id
	filter := `{"toolsListChanged":true,"taskIds":["` + task + `","task-none"]}`
	streams := map[string]*bufio.Reader{}
	for _, instance := range []string{"a", "b"} {
		res, r := p.listen("/mcp/tasks?next="+instance, id, filter)
		if res.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%s: %d %v", instance, res.StatusCode, res.Header)
		}
		first := nextData(t, r)
		if !strings.Contains(first, `"notifications":{"taskIds":["`+task+`"]}`) ||
			!strings.Contains(first, `"io.modelcontextprotocol/subscriptionId":`+id) {
			t.Errorf("%s: the acknowledgment is %s", instance, first)
		}
		streams[instance] = r
	}
	p.send("/mcp/tasks?next=a", "tasks/update", `{"taskId":"`+task+`"}`, map[string]any{
		"inputResponses": json.RawMessage(`{"tone-1":{"action":"accept","content":{"tone":"plain"}}}`)})
	done := settle(p, task, "completed")
	for instance, r := range streams {
		list := readUntil(t, r, `"id":`+id)
		var seen []string
		for _, message := range list {
			var m struct {
				Method string
				Params struct{ TaskID, Status string }
			}
			if err := json.Unmarshal([]byte(message), &m); err != nil || !strings.Contains(message,
				subscription) {
				t.Errorf("%s: %s %v", instance, message, err)
			}
			if seen = append(seen, m.Method+" "+m.Params.Status); m.Method == "notifications/tasks" &&
				m.Params.TaskID != task {
				t.Errorf("%s: %s", instance, message)
			}
		}
		want := []string{"notifications/tasks input_required", "notifications/tasks working",
			"notifications/tasks working", "notifications/tasks completed", "notifications/cancelled ", " "}
		if !slices.Equal(seen, want) {
			t.Errorf("%s hears %q, want %q", instance, seen, want)
		}
		last := list[len(list)-3]
		for _, member := range []string{"taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "result"} {
			if !strings.Contains(last, `"`+member+`":`+string(done.Result[member])) {
				t.Errorf("%s: tasks/get has %s %s, the notification is %s", instance, member,
					done.Result[member], last)
			}
		}
		if _, err := r.ReadByte(); err != io.EOF {
			if rest, err := io.ReadAll(r); err != nil || strings.Contains(string(rest), "data: {") {
				t.Errorf("%s: after the response %s %v", instance, rest, err)
			}
		}
	}
}

// A subscription to tasks belongs to their owner, and ends with the first notice
// if they are over. One to lists as well stays open.
func TestSpec_ListenToTasksOfOthers(t *testing.T) {
	p := newPeer(t)
	p.auth = "demo-alice"
	task := startReport(p)
	_, r := p.listen("/mcp/tasks", "1", `{"taskIds":["`+task+`"]}`) // sent as a guest
	list := readUntil(t, r, `"id":1,"result"`)
	if len(list) != 3 || strings.Contains(strings.Join(list, ""), task) {
		t.Errorf("a guest hears %q", list)
	}
	p.auth = ""
	job := p.send("/mcp/conformance", "tools/call", `{"name":"protocol_error_job"}`, nil)
	id := unquote(job.Result["taskId"])
	_, both := p.listen("/mcp/conformance", "2", `{"toolsListChanged":true,"taskIds":["`+id+`"]}`)
	heard := readUntil(t, both, `"status":"failed"`)
	if !strings.Contains(heard[0], `"toolsListChanged":true`) || !strings.Contains(heard[0], id) ||
		!strings.Contains(heard[len(heard)-1], `"statusMessage":"this job always breaks"`) {
		t.Errorf("heard %q", heard)
	}
	p.send("/mcp/conformance", "tools/call", `{"name":"test_trigger_tool_change"}`, nil)
	if next := nextData(t, both); !strings.Contains(next, "notifications/tools/list_changed") {
		t.Errorf("after the end of the task: %s", next)
	}
}

// TestSpec_ListenRefused holds the refused requests, in JSON.
func TestSpec_ListenRefused(t *testing.T) {
	listen := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + params + meta + `}}`
	}
	missing := `"data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
	task := func(method string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method +
			`","params":{"taskId":"t","inputResponses":{},` +
			meta + `}}`
	}
	checkSentences(t, newPeer(t), []sentence{
		{name: "taskIds need the declared extension", slug: "tasks", status: 400, code: -32021, id: "1",
			body: listen(`"notifications":{"taskIds":["t"]},`), want: missing},
		{name: "empty taskIds need it too", slug: "conformance", status: 400, code: -32021, id: "1",
			body: listen(`"notifications":{"taskIds":[]},`), want: missing},
		{name: "taskIds are strings", slug: "tasks", status: 400, code: -32602, id: "1",
			body: strings.Replace(listen(`"notifications":{"taskIds":[7]},`), `Capabilities":{}`,
				`Capabilities":`+allCaps, 1)},
		{name: "toolsListChanged is a boolean", status: 400, code: -32602, id: "1", lacks: "mcp.",
			body: listen(`"notifications":{"toolsListChanged":"yes"},`), want: "must be a boolean"},
		{name: "resourceSubscriptions are strings", slug: "conformance", status: 400, code: -32602, id: "1",
			body: listen(`"notifications":{"resourceSubscriptions":"x"},`), want: "must be an array"},
		{name: "naughty: notifications are an object", slug: "naughty", status: 400, code: -32602, id: "1",
			body: listen(`"notifications":[],`)},
		{name: "notifications are required", slug: "tasks", status: 400, code: -32602, id: "1",
			body: listen(``)},
		{name: "a server that sends nothing ends the stream well", slug: "azure-devops", status: 200, id: "1",
			body: listen(`"notifications":{"toolsListChanged":true},`), want: `"notifications":{}`},
		{name: "a server that sends nothing cancels the request", slug: "azure-devops", status: 200, id: "1",
			body: listen(`"notifications":{"toolsListChanged":true},`),
			want: `"method":"notifications/cancelled","params":{` +
				`"_meta":{"io.modelcontextprotocol/subscriptionId":1},"requestId":1,`},
		{name: "naughty cancels the request too", slug: "naughty", status: 200, id: "1",
			body: listen(`"notifications":{"toolsListChanged":true},`),
			want: `"method":"notifications/cancelled","params":{` +
				`"_meta":{"io.modelcontextprotocol/subscriptionId":1},"requestId":1}`},
		{name: "a refused subscription is not cancelled", slug: "azure-devops", status: 400, code: -32602,
			id: "1", body: listen(``), lacks: "notifications/cancelled"},
		{name: "tasks/get needs the declared extension", slug: "tasks", status: 400, code: -32021, id: "1",
			body: task("tasks/get"), want: missing},
		{name: "tasks/update needs the declared extension", slug: "tasks", status: 400, code: -32021, id: "1",
			body: task("tasks/update"), want: missing},
		{name: "tasks/cancel needs the declared extension", slug: "tasks", status: 400, code: -32021, id: "1",
			body: task("tasks/cancel"), want: missing},
		{name: "tasks/list does not exist", slug: "tasks", status: 404, code: -32601, id: "1",
			body: task("tasks/list")},
		{name: "tasks/result does not exist", slug: "tasks", status: 404, code: -32601, id: "1",
			body: task("tasks/result")},
		{name: "a server without tasks has no tasks/get", slug: "azure-devops", status: 404, code: -32601,
			id: "1", body: task("tasks/get")},
	})
}

// TestSpec_Logging holds "The server MUST NOT emit notifications/message for a
// request that does not include this field" and the order of the levels.
func TestSpec_Logging(t *testing.T) {
	p := newPeer(t)
	for level, messages := range map[string]int{"": 0, "debug": 1, "info": 1, "emergency": 0} {
		extra := map[string]any{"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": json.RawMessage(`{}`),
		}}
		if level != "" {
			extra["_meta"].(map[string]any)["io.modelcontextprotocol/logLevel"] = level
		}
		r := p.send("/mcp/conformance?stream=1", "tools/call", `{"name":"test_logging_tool"}`, extra)
		if n := strings.Count(string(r.body), "notifications/message"); n != messages ||
			r.resultType() != "complete" {
			t.Errorf("level %q: %d messages: %s", level, n, r.body)
		}
	}
}

// TestSpec_CacheHints holds "Servers MUST include caching hints" and "carry no
// caching hints" (server/utilities/caching).
func TestSpec_CacheHints(t *testing.T) {
	p := newPeer(t)
	for method, params := range map[string]string{
		"server/discover": `{}`, "tools/list": `{}`, "prompts/list": `{}`, "resources/list": `{}`,
		"resources/templates/list": `{}`, "resources/read": `{"uri":"test://static-text"}`,
	} {
		r := p.send("/mcp/conformance", method, params, nil)
		if string(r.Result["ttlMs"]) == "" || strings.HasPrefix(string(r.Result["ttlMs"]), "-") ||
			unquote(r.Result["cacheScope"]) != "private" {
			t.Errorf("%s: %.300s", method, r.body)
		}
	}
	r := p.send("/mcp/prompt-resource", "prompts/list", `{}`, nil)
	if r.Result["ttlMs"] == nil {
		t.Errorf("prompts/list: %s", r.body)
	}
}

// TestSpec_ListenEnds holds "it SHOULD respond to the original
// subscriptions/listen request with a completion result before closing the
// stream", and that notifications/cancelled names the request.
func TestSpec_ListenEnds(t *testing.T) {
	keys := seal.Generate()
	catalog, err := sampletools.New(sampletools.Config{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(catalog)
	defer srv.Close()
	p := &peer{t: t, url: srv.URL, caps: allCaps}
	_, r := p.listen("/mcp/conformance", `"\u0041"`, `{"toolsListChanged":true}`)
	nextData(t, r)
	catalog.Close()
	cancelled, result := nextData(t, r), nextData(t, r)
	if !strings.Contains(cancelled, `"method":"notifications/cancelled"`) ||
		!strings.Contains(cancelled, `"requestId":"\u0041"`) {
		t.Errorf("first %s", cancelled)
	}
	if !strings.Contains(result, `"id":"\u0041","result":{"resultType":"complete"`) ||
		!strings.Contains(result, `"io.modelcontextprotocol/subscriptionId":"\u0041"`) {
		t.Errorf("then %s", result)
	}
	if rest, err := io.ReadAll(r); err != nil || strings.Contains(string(rest), "data: {") {
		t.Errorf("after the response: %s %v", rest, err)
	}
}
