package history_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestImport_TaskThatWasNotDeclared imports a call whose first request did not
// declare the tasks extension, although it became a task that was polled: every page
// of it shows that.
func TestImport_TaskThatWasNotDeclared(t *testing.T) {
	t.Parallel()
	for name, polls := range map[string][]string{
		"polls":    {"working", "working", "completed"},
		"one poll": {"completed"},
		"working":  {"working"},
		"question": {"working", "input_required", "update", "working", "completed"},
		"gap":      {"-", "-", "update"},
		"none":     nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := sitetest.New(t, app.Local)
			var file map[string]any
			if err := json.Unmarshal([]byte(s.Get(s.StartOf("tasks")+".json").Body), &file); err != nil {
				t.Fatal(err)
			}
			x := file["exchanges"].([]any)[0].(map[string]any)
			x["log"] = undeclaredTask(x["log"].([]any), polls)
			changed, _ := json.Marshal(file)
			got := s.Do("POST", "/import", string(changed), http.Header{"Content-Type": {"application/json"}})
			path := got.Header.Get("Location")
			if got.Status != http.StatusSeeOther || path == "" {
				t.Fatal(sitetest.Excerpt(got.Body))
			}
			for _, address := range []string{
				path, path + "?round=1", path + "?panel=rules", path + "?panel=lab", path + "?panel=state",
				path + "?panel=picture", path + ".json", path + ".md", path + ".har", path + ".txt", path +
					".svg",
			} {
				if page := s.Get(address); page.Status != http.StatusOK {
					t.Errorf("%s: %d %s", strings.TrimPrefix(address, path), page.Status,
						sitetest.Excerpt(page.Body)[:200])
				}
			}
			page := s.Get(path + "?panel=rules")
			page.Has(t, `[data-rule="task-declared"]`)
			if strings.HasSuffix(name, "poll") || strings.HasSuffix(name, "polls") || name == "question" {
				page.Has(t, `[data-status="complete"]`, `[data-method="tasks/get"]`)
			}
		})
	}
}

// undeclaredTask returns the events of a call without the declaration that becomes a
// task, which has these statuses when it is polled. Its first event, the decision,
// stays.
func undeclaredTask(events []any, polls []string) []any {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":%s}`
	const task = `"taskId":"T","createdAt":"2026-11-20T09:00:00Z","lastUpdatedAt":"2026-11-20T09:00:00Z",` +
		`"ttlMs":null,"pollIntervalMs":200`
	list := events[:1]
	add := func(conn int, kind, text string) {
		list = append(list, map[string]any{"seq": len(list) + 1, "at": "2026-11-25T04:30:43Z", "conn": conn,
			"kind": kind, "text": text})
	}
	trip := func(conn int, method, name, params, capabilities, result string) {
		add(conn, "sent", fmt.Sprintf("POST /mcp/tasks HTTP/1.1\r\nHost: 127.0.0.1:2322\r\n"+
			"Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s\r\n"+
			"Mcp-Name: %s\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":%q,\"params\":{%s,"+
			meta+"}}", method, name, conn, method, params, capabilities))
		add(conn, "received", fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
			`{"jsonrpc":"2.0","id":%d,"result":{%s}}`, conn, result))
	}
	trip(1, "tools/call", "report", `"name":"report","arguments":{"topic":"sales"}`, "{}",
		`"resultType":"task","status":"working",`+task)
	for i, status := range polls {
		if status == "-" {
			continue // the polls before were not recorded
		}
		if status == "update" {
			add(0, "decision", `{"action":"answer","round":4,"answers":[{"key":"k",`+
				`"value":{"action":"accept","content":{}}}]}`)
			trip(i+2, "tasks/update", "T",
				`"taskId":"T","inputResponses":{"k":{"action":"accept","content":{}}}`,
				`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, `"resultType":"complete"`)
			continue
		}
		trip(i+2, "tasks/get", "T", `"taskId":"T"`, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
			`"resultType":"complete","status":"`+status+`","result":{"content":[]},"inputRequests":{"k":{`+
				`"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object",`+
				`"properties":{"a":{"type":"string"}}}}}},`+task)
	}
	return list
}
