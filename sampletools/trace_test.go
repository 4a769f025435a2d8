package sampletools_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	spanID  = "00f067aa0ba902b7"
)

// TestTrace_IsLogged: a request with a valid traceparent is logged with its span
// and its outcome, and with nothing else of it; another request is not.
func TestTrace_IsLogged(t *testing.T) {
	const call = `"name":"update_work_item","arguments":{"id":4210,"status":"secret-7"}`
	parent := func(version, trace, span, rest string) string {
		return `"` + version + "-" + trace + "-" + span + "-" + rest + `"`
	}
	valid := parent("00", traceID, spanID, "01")
	served := func(more map[string]any) map[string]any {
		line := map[string]any{
			"level": "INFO", "msg": "traced request served", "sample": "azure-devops", "instance": "a/v1",
			"trace": traceID, "span": spanID, "method": "tools/call", "name": "update_work_item",
			"status": 200.0,
		}
		maps.Copy(line, more)
		maps.DeleteFunc(line, func(_ string, v any) bool { return v == nil })
		return line
	}
	for name, test := range map[string]struct {
		method, params, trace string
		want                  map[string]any // nil for nothing
	}{
		"a call":          {"tools/call", call, valid, served(nil)},
		"without trace":   {"tools/call", call, "", nil},
		"a later version": {"tools/call", call, parent("01", traceID, spanID, "ff"), served(nil)},
		"upper case":      {"tools/call", call, parent("00", strings.ToUpper(traceID), spanID, "01"), nil},
		"a second line":   {"tools/call", call, parent("00", traceID, spanID, `01\nlevel=ERROR`), nil},
		"no string":       {"tools/call", call, `[` + valid + `]`, nil},
		"version ff":      {"tools/call", call, parent("ff", traceID, spanID, "01"), nil},
		"zero trace":      {"tools/call", call, parent("00", strings.Repeat("0", 32), spanID, "01"), nil},
		"zero span":       {"tools/call", call, parent("00", traceID, strings.Repeat("0", 16), "01"), nil},
		"unknown method": {"tools/none", call, valid,
			served(map[string]any{"method": "tools/none", "name": nil, "status": 404.0})},
		"a method with a line break": {`tools/call\nx`, call, valid,
			served(map[string]any{"method": nil, "name": nil, "status": 400.0})},
		"a name with a line break": {"tools/call", `"name":"a\nlevel=ERROR"`, valid,
			served(map[string]any{"name": nil, "status": 400.0})},
		"a task": {"tasks/get", `"taskId":"secret-7"`, valid,
			served(map[string]any{"method": "tasks/get", "name": nil, "status": 400.0})},
	} {
		var log bytes.Buffer
		p := newPeer(t, func(c *sampletools.Config) {
			c.Log = slog.New(slog.NewJSONHandler(&log, nil))
		})
		if test.trace != "" {
			test.trace = `,"traceparent":` + test.trace
		}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"%s","params":{%s,"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":%s%s}}}`,
			test.method, test.params, allCaps, test.trace)
		r := httptest.NewRequest("POST", "/mcp/azure-devops?instances=a:v1", strings.NewReader(body))
		for field, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": test.method, "Mcp-Name": "update_work_item",
		} {
			r.Header.Set(field, value)
		}
		w := httptest.NewRecorder()
		p.samples.ServeHTTP(w, r)
		checkLog(t, name, log.Bytes(), test.want, w.Result())
	}
}

// checkLog compares the line of a log that is about a trace with the expected
// one.
func checkLog(t *testing.T, name string, log []byte, want map[string]any, res *http.Response) {
	t.Helper()
	var got map[string]any
	for line := range bytes.Lines(log) {
		var members map[string]any
		if err := json.Unmarshal(line, &members); err != nil {
			t.Fatal(err)
		}
		if members["trace"] == nil {
			continue
		}
		if got != nil {
			t.Errorf("%s: two lines: %s", name, log)
		}
		delete(members, "time")
		got = members
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
	if want != nil && float64(res.StatusCode) != want["status"] {
		t.Errorf("%s: status %d", name, res.StatusCode)
	}
	if bytes.Contains(log, []byte("secret-7")) {
		t.Errorf("%s: a secret is in the log: %s", name, log)
	}
}
