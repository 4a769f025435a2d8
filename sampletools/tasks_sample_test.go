package sampletools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

const report = `{"name":"report","arguments":{"topic":"sales"}}`

// settle polls until the task has one of the statuses.
func settle(p *peer, id string, statuses ...string) reply {
	p.t.Helper()
	for range 10000 {
		r := p.send("/mcp/tasks", "tasks/get", `{"taskId":"`+id+`"}`, nil)
		for _, s := range statuses {
			if unquote(r.Result["status"]) == s {
				return r
			}
		}
	}
	p.t.Fatalf("task %s never gets to %v", id, statuses)
	return reply{}
}

func startReport(p *peer) string {
	p.t.Helper()
	one := p.send("/mcp/tasks", "tools/call", report, nil)
	two := p.send("/mcp/tasks", "tools/call", report, p.answers(one))
	if two.resultType() != "task" || two.Result["requestState"] != nil ||
		two.Result["inputRequests"] != nil {
		p.t.Fatalf("after the question: %s", two.body)
	}
	return unquote(two.Result["taskId"])
}

func TestTasks_ReportAsksInTheCallAndOnTheTask(t *testing.T) {
	p := newPeer(t)
	id := startReport(p)
	asking := settle(p, id, "input_required")
	q, ok := asking.questions()["tone-1"]
	if !ok || asking.resultType() != "complete" {
		t.Fatalf("midway: %s", asking.body)
	}
	update := func(answers string) {
		r := p.send("/mcp/tasks", "tasks/update", `{"taskId":"`+id+`"}`,
			map[string]any{"inputResponses": json.RawMessage(answers)})
		if r.resultType() != "complete" || r.Result["status"] != nil {
			t.Errorf("tasks/update: %s", r.body)
		}
	}
	update(`{"tone-1":{"action":"accept","content":{"tone":"shouting"}}}`)
	again := settle(p, id, "input_required")
	for again.questions()["tone-2"].Method == "" {
		again = settle(p, id, "input_required")
	}
	if m := again.questions()["tone-2"].Params.Message; !strings.Contains(m,
		"not one of the choices") || !strings.Contains(m, q.Params.Message) {
		t.Errorf("asked again with %q", m)
	}
	update(`{"tone-2":{"action":"accept","content":{"tone":"plain"}}}`)
	done := settle(p, id, "completed")
	if !strings.Contains(string(done.Result["result"]), "A plain report on sales over the last week") {
		t.Errorf("done: %s", done.body)
	}
}

func TestTasks_BelongToTheirOwner(t *testing.T) {
	p := newPeer(t)
	p.auth = "demo-alice"
	id := startReport(p)
	p.auth = "demo-bob"
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		r := p.send("/mcp/tasks", method, `{"taskId":"`+id+`"}`,
			map[string]any{"inputResponses": json.RawMessage(`{}`)})
		if r.code() != -32602 {
			t.Errorf("%s by another user: %s", method, r.body)
		}
	}
}

func TestTasks_MethodsAreStrict(t *testing.T) {
	p := newPeer(t)
	id := startReport(p)
	if r := p.send("/mcp/tasks", "tasks/update", `{"taskId":"`+id+`"}`,
		map[string]any{"inputResponses": json.RawMessage(`[]`)}); r.code() != -32602 {
		t.Errorf("answers in an array: %s", r.body)
	}
	if r := p.send("/mcp/tasks", "tasks/get", `{"taskId":"none"}`, nil); r.code() != -32602 {
		t.Errorf("unknown task: %s", r.body)
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"tasks/get",` +
		`"params":{"taskId":"` + id + `","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":` + allCaps + `}}}`
	if r := p.post("/mcp/tasks", body, map[string]string{"Mcp-Method": "tasks/get",
		"Mcp-Name": "other"}); r.code() != -32020 || r.status != 400 {
		t.Errorf("another Mcp-Name: %d %s", r.status, r.body)
	}
	for _, method := range []string{"tasks/list", "tasks/result"} {
		if r := p.send("/mcp/tasks", method, `{"taskId":"`+id+`"}`, nil); r.code() != -32601 ||
			r.status != 404 {
			t.Errorf("%s: %d %s", method, r.status, r.body)
		}
	}
	p.caps = `{}`
	if r := p.send("/mcp/tasks", "tasks/get", `{"taskId":"`+id+`"}`, nil); r.code() != -32021 {
		t.Errorf("undeclared: %s", r.body)
	}
}

func TestTasks_BuildCanBeCancelled(t *testing.T) {
	// The sample waits for real, so that there is something to cancel.
	p := newPeer(t, func(c *sampletools.Config) { c.Wait = nil })
	r := p.send("/mcp/tasks", "tools/call", `{"name":"build","arguments":{"seconds":60}}`, nil)
	id := unquote(r.Result["taskId"])
	settle(p, id, "working")
	if r := p.send("/mcp/tasks", "tasks/cancel", `{"taskId":"`+id+`"}`,
		nil); r.resultType() != "complete" || r.Result["status"] != nil {
		t.Errorf("tasks/cancel: %s", r.body)
	}
	settle(p, id, "cancelled")
}

// A legacy client gets the same work inside its call.
func TestTasks_ReportRunsInsideALegacyCall(t *testing.T) {
	p := newPeer(t)
	completeStory(t, p, story{"tasks", "tools/call", report, 1, `^A plain report on sales over the ` +
		`last week`}, "2025-11-25", false)
}
