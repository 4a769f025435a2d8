package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// TestCheck_LegacyWithoutList: a server of an earlier revision whose list of tools fails is not
// judged as one of this revision.
func TestCheck_LegacyWithoutList(t *testing.T) {
	url := mcptest.Start(t, mcptest.Script(func(m mcptest.Message, _ *http.Request) mcptest.Answer {
		switch m.Method {
		case "initialize":
			return mcptest.Answer{Result: `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
				`"serverInfo":{"name":"legacy","version":"1"}}`}
		case "tools/call":
			return mcptest.Answer{Result: `{"content":[{"type":"text","text":"ok"}]}`}
		case "server/discover":
			return mcptest.Answer{Error: `{"code":-32601,"message":"Method not found"}`}
		case "tools/list":
			return mcptest.Answer{Error: `{"code":-32603,"message":"upstream is away"}`}
		}
		return mcptest.Answer{Status: http.StatusAccepted}
	}))
	code, out, errs := inTerminal(t, "check", url, "-tool", "echo", "-args", "{}")
	if code == exitWrong || strings.Contains(out, "no-meta") || !strings.Contains(out, "revision") {
		t.Errorf("exit code %d\n%s\n%s", code, out, errs)
	}
}
