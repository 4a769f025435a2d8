package sampletools_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// serverRules are the ids of the rules that a server of 2026-07-28 can break,
// each of which needs a fault. They are spelled here, because the samples share
// no code with the rules.
var serverRules = strings.Fields(`S0 S1 S2 S3 S4 S5 S6 S7 result-type requests-object requests-known
	unique-keys state-string elicitation-params schema-subset form-secret url-https same-question
	result-beside cache-hints cache-beside state-content state-moves state-protected state-secret
	state-expires state-bound state-personal json-rpc response-id stream-requests stream-ends progress-rises
	progress-token media-type header-mismatch meta-missing version-unknown error-status error-data
	error-code session-id x-mcp-header error-shape result-object result-members questions-beside
	stream-notifications notification-params log-level sampling-params roots-params schema-satisfiable
	look-alike buffering url-personal form-links content-shape structured-content structured-text server-info
	meta-keys tool-schema tool-name declared-lists body-length task-shape task-status task-result-type
	task-members task-identity task-keys task-no-state task-where task-declared task-unknown task-ack
	task-terminal listen-acknowledged listen-requested listen-id listen-tasks annotations resource-uri
	sampling-context extension-names`)

func naughtyFaults(t *testing.T, p *peer) []sampletools.Fault {
	t.Helper()
	catalog, err := sampletools.New(sampletools.Config{Keys: p.keys})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	sample, ok := catalog.Lookup("naughty")
	if !ok {
		t.Fatal("no sample naughty")
	}
	return sample.Faults
}

func TestNaughty_HasAFaultForEveryRule(t *testing.T) {
	var broken []string
	names := map[string]bool{}
	for _, f := range naughtyFaults(t, newPeer(t)) {
		if f.Title == "" || f.Description == "" || f.Method == "" || names[f.Name] {
			t.Errorf("fault %+v", f)
		}
		if f.Rule != "" && !slices.Contains(serverRules, f.Rule) {
			t.Errorf("%s breaks the unknown rule %s", f.Name, f.Rule)
		}
		names[f.Name] = true
		broken = append(broken, f.Rule)
	}
	for _, rule := range serverRules {
		if !slices.Contains(broken, rule) {
			t.Errorf("no fault breaks %s", rule)
		}
	}
}

// sendFault sends the request that shows a fault.
func sendFault(t *testing.T, p *peer, f sampletools.Fault) (*http.Response, []byte) {
	t.Helper()
	params := map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(p.caps),
		"progressToken": "p",
	}}
	meta := params["_meta"].(map[string]any)
	if f.Capabilities != nil {
		meta["io.modelcontextprotocol/clientCapabilities"] = f.Capabilities
	}
	if f.LogLevel != "" {
		meta["io.modelcontextprotocol/logLevel"] = f.LogLevel
	}
	switch f.Method {
	case "tools/call":
		params["name"], params["arguments"] = f.Name, f.Arguments
		if f.Arguments == nil {
			params["arguments"] = map[string]any{}
		}
	case "resources/read":
		params["uri"] = f.Name
	case "subscriptions/listen":
		params["notifications"] = map[string]any{"toolsListChanged": true}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": f.Method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), "POST", p.url+"/mcp/naughty?"+f.Query,
		strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"},
		"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2026-07-28"},
		"Mcp-Method": {f.Method}, "Mcp-Name": {f.Name}}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.Do(req)
	if f.Name == "hangs_up" {
		if err == nil {
			t.Errorf("hangs_up answers %d", res.StatusCode)
		}
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if (err != nil) != (f.Name == "body_too_short") {
		t.Errorf("read: %v", err)
	}
	return res, answer
}

// Every fault is shown by the request that its description names. One fault
// must not hide behind another: apart from the faults about them, a stream is
// not buffered and a result names the server.
func TestNaughty_ShowsEveryFault(t *testing.T) {
	p := newPeer(t)
	for _, f := range naughtyFaults(t, p) {
		if f.Name == "never_answers" {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			res, body := sendFault(t, p, f)
			if res == nil {
				return
			}
			if len(body) == 0 && f.Name != "redirects" {
				t.Errorf("no body, status %d", res.StatusCode)
			}
			stream := strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream")
			if buffered := res.Header.Get("X-Accel-Buffering") != "no"; stream &&
				buffered != (f.Rule == "buffering") {
				t.Errorf("buffered: %t", buffered)
			}
			var m struct {
				Result map[string]json.RawMessage `json:"result"`
			}
			if json.Unmarshal(lastEvent(res.Header, body), &m) != nil || m.Result == nil {
				return
			}
			named := strings.Contains(string(m.Result["_meta"]), "serverInfo")
			if named == (f.Rule == "server-info") {
				t.Errorf("names the server: %t: %.300s", named, body)
			}
		})
	}
}

// The list holds every fault of a call, so that a client can find it, and no
// fault of the list itself unless the URL asks for it.
func TestNaughty_ListsItsTools(t *testing.T) {
	p := newPeer(t)
	names := toolNames(t, p.send("/mcp/naughty", "tools/list", `{}`, nil))
	for _, f := range naughtyFaults(t, p) {
		if listed := slices.Contains(names, f.Name); listed != (f.Method == "tools/call") {
			t.Errorf("%s listed: %t", f.Name, listed)
		}
	}
}

// A fault of a task is shown by the answers to tasks/*.
func TestNaughty_Tasks(t *testing.T) {
	p := newPeer(t)
	for name, want := range map[string]string{
		"poll_type_task":         `"resultType":"task"`,
		"poll_input_required":    `"resultType":"input_required"`,
		"task_unknown_status":    `"status":"paused"`,
		"task_same_key":          `"inputRequests":{"color"`,
		"task_other_id":          `"taskId":"another-task"`,
		"task_with_state":        `"status":"completed"`,
		"task_undeclared":        `"status":"completed"`,
		"task_without_questions": `"status":"input_required"}`,
		"task_revived":           `"status":"completed"`,
		"task_lost":              `-32602`,
	} {
		started := p.send("/mcp/naughty", "tools/call", `{"name":"`+name+`","arguments":{}}`, nil)
		if started.resultType() != "task" {
			t.Errorf("%s: %s", name, started.body)
			continue
		}
		poll := p.send("/mcp/naughty", "tasks/get", `{"taskId":`+string(started.Result["taskId"])+`}`, nil)
		if !strings.Contains(string(poll.body), want) {
			t.Errorf("%s: %s", name, poll.body)
		}
	}
	started := p.send("/mcp/naughty", "tools/call", `{"name":"task_bad_ack","arguments":{}}`, nil)
	ack := p.send("/mcp/naughty", "tasks/update", `{"taskId":`+string(started.Result["taskId"])+
		`,"inputResponses":{}}`, nil)
	if ack.Result["taskId"] == nil {
		t.Errorf("tasks/update: %s", ack.body)
	}
	p.caps = `{}`
	if r := p.send("/mcp/naughty", "tools/call", `{"name":"task_other_id"}`, nil); r.code() != -32021 {
		t.Errorf("a task for a client without tasks: %s", r.body)
	}
}

// Each signed state is checked for everything but one thing.
func TestNaughty_StatesMissOneCheck(t *testing.T) {
	call := func(name, n string) string { return `{"name":"` + name + `","arguments":{"n":` + n + `}}` }
	change := map[string]func(p *peer, name, state string) reply{
		"state_unverified": func(p *peer, name, state string) reply {
			return p.send("/mcp/naughty", "tools/call", call(name, "1"),
				colorRetry(state[:len(state)-4]+"AAAA"))
		},
		"state_unbound": func(p *peer, name, state string) reply {
			return p.send("/mcp/naughty", "tools/call", call(name, "2"), colorRetry(state))
		},
		"state_anyone": func(p *peer, name, state string) reply {
			p.auth = "demo-bob"
			defer func() { p.auth = "" }()
			return p.send("/mcp/naughty", "tools/call", call(name, "1"), colorRetry(state))
		},
	}
	p := newPeer(t)
	for _, name := range []string{"state_unverified", "state_unbound", "state_anyone", "state_forever"} {
		first := p.send("/mcp/naughty", "tools/call", call(name, "1"), nil)
		if r := p.send("/mcp/naughty", "tools/call", call(name, "1"),
			colorRetry(first.state())); r.text() != "Done." {
			t.Errorf("%s, right retry: %s", name, r.body)
		}
		for fault, send := range change {
			accepted := send(p, name, first.state()).code() == 0
			if accepted != (fault == name) {
				t.Errorf("%s accepts the change of %s: %t", name, fault, accepted)
			}
		}
	}
}

func colorRetry(state string) map[string]any {
	return map[string]any{"requestState": state, "inputResponses": map[string]any{
		"color": accept(`{"color":"red"}`)}}
}
