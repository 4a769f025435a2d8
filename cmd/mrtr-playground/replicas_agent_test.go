package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// reply is an answer of the server for agents: a result or a task.
type reply struct {
	ResultType, RequestState, TaskID, Status string

	InputRequests     map[string]any
	StructuredContent struct{ Status, Note string }
	Result            struct {
		StructuredContent struct{ Status, Note string }
	}
}

// askAgent sends a request to the server for agents at base, as a client with tasks.
func askAgent(t *testing.T, base, method, name string, params map[string]any) reply {
	t.Helper()
	const prefix = "io.modelcontextprotocol/"
	params["_meta"] = map[string]any{
		prefix + "protocolVersion": "2026-07-28",
		prefix + "clientCapabilities": map[string]any{
			"elicitation": map[string]any{"form": map[string]any{}},
			"extensions":  map[string]any{prefix + "tasks": map[string]any{}},
		},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+web.AgentPath,
		bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}, "Mcp-Name": {name},
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(answer)), "\n")
	var message struct{ Result *reply }
	err = json.Unmarshal([]byte(strings.TrimPrefix(lines[len(lines)-1], "data: ")), &message)
	if err != nil || message.Result == nil {
		t.Fatalf("%s at %s: %d %s", method, base, res.StatusCode, answer)
	}
	return *message.Result
}

// resolving are the arguments of a call of the server for agents.
func resolving(url string) map[string]any {
	return map[string]any{"url": url, "tool": "update_work_item", "arguments": map[string]any{
		"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
	}}
}

func acceptedForm(content map[string]any) map[string]any {
	return map[string]any{"action": "accept", "content": content}
}

// playAgent makes a call and a check as an agent, each request in another process than the
// one before. The task of the check is read in other processes than that which makes it.
func playAgent(t *testing.T, bases []string) {
	server := newCheckedServer(t)
	call := func(n int, tool string, last reply, answers map[string]any) reply {
		t.Helper()
		params := map[string]any{"name": tool, "arguments": resolving(server.url)}
		if last.RequestState != "" {
			params["requestState"], params["inputResponses"] = last.RequestState, answers
		}
		return askAgent(t, bases[n%len(bases)], "tools/call", tool, params)
	}
	first := call(0, "call_tool", reply{}, nil)
	second := call(1, "call_tool", first, map[string]any{
		"round-1-1": acceptedForm(map[string]any{"resolution": "Duplicate"}),
	})
	third := call(2, "call_tool", second, map[string]any{
		"round-2-1": acceptedForm(map[string]any{"duplicateOfId": 4301}),
	})
	if third.StructuredContent.Status != "complete" {
		t.Errorf("the call: %+v", third)
	}
	asked := call(0, "check_server", reply{}, nil)
	task := call(1, "check_server", asked,
		map[string]any{"mine": acceptedForm(map[string]any{"mine": false})})
	if task.ResultType != "task" || task.TaskID == "" {
		t.Fatalf("no task: %+v", task)
	}
	ended := awaitTask(t, bases, task.TaskID)
	if got := ended.Result.StructuredContent; ended.Status != "completed" || got.Status != "stopped" ||
		!strings.Contains(got.Note, "Only the correct call was made") {
		t.Errorf("the check: %+v", ended)
	}
}

// awaitTask polls a task of the server for agents until it has ended, each time in
// another process.
func awaitTask(t *testing.T, bases []string, id string) reply {
	t.Helper()
	for n := 2; ; n++ {
		got := askAgent(t, bases[n%len(bases)], "tasks/get", id, map[string]any{"taskId": id})
		if got.Status != "working" {
			return got
		}
		lull()
	}
}

// TestReplicas_CheckOfAnAgentGoesOn: the process that makes the check of an agent is
// killed, and another makes it again.
func TestReplicas_CheckOfAnAgentGoesOn(t *testing.T) {
	t.Parallel() // most of the time it waits for the end of a lease
	where, data := pgtest.Start(t).URL("postgres"), t.TempDir()
	a, b := startVictim(t, data, "-db", where), startVictim(t, data, "-db", where)
	server := newCheckedServer(t)
	reached := make(chan struct{})
	var calls atomic.Int64
	hold := func(r *http.Request) {
		if calls.Add(1) == 1 {
			close(reached)
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}
	}
	server.onCall.Store(&hold)
	params := func() map[string]any {
		return map[string]any{"name": "check_server", "arguments": resolving(server.url)}
	}
	asked := askAgent(t, a.url, "tools/call", "check_server", params())
	again := params()
	again["requestState"] = asked.RequestState
	again["inputResponses"] = map[string]any{"mine": acceptedForm(map[string]any{"mine": false})}
	task := askAgent(t, a.url, "tools/call", "check_server", again)
	<-reached
	a.kill()
	ended := awaitTask(t, []string{b.url}, task.TaskID)
	if got := ended.Result.StructuredContent; ended.Status != "completed" || got.Status != "stopped" {
		t.Errorf("%+v", ended)
	}
}
