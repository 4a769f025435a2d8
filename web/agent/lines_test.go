package agent_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestAgent_LinesWithMistakes: a message without a session is one of 2026-07-28, and what is
// wrong with it is said without a word of headers, which lines do not have.
func TestAgent_LinesWithMistakes(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	meta := func(version string) string {
		return `"_meta":{"io.modelcontextprotocol/protocolVersion":` + version +
			`,"io.modelcontextprotocol/clientCapabilities":{}}`
	}
	const modern = `"2026-07-28"`
	for name, tt := range map[string]struct {
		method, params string
		code           int
	}{
		"no _meta": {"tools/list", ``, -32602},
		"no version": {
			"tools/list", `"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}`, -32602,
		},
		"a number as version":     {"tools/list", meta("7"), -32602},
		"discover without _meta":  {"server/discover", ``, -32602},
		"another version":         {"tools/list", meta(`"2099-01-01"`), -32022},
		"a version with controls": {"tools/list", meta(`"2026-07-28\n"`), -32022},
		"an unknown method":       {"tools/none", meta(modern), -32601},
		"a method beyond ASCII":   {"tools/\u0441all", meta(modern), -32601},
		"no name":                 {"tools/call", meta(modern), -32602},
		"a number as name":        {"tools/call", `"name":7,` + meta(modern), -32602},
		"an empty name":           {"tools/call", `"name":"",` + meta(modern), -32602},
		"a name beyond ASCII":     {"tools/call", `"name":"\u0441\n",` + meta(modern), -32602},
	} {
		in := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}` + "\n" +
			`{"jsonrpc":"2.0","id":1,"method":"` + tt.method + `","params":{` + tt.params + `}}` + "\n"
		var out bytes.Buffer
		sitetest.Check(t, s.Pages.ServeLines(t.Context(), strings.NewReader(in), &out))
		var m struct{ Error struct{ Code int } }
		if err := json.Unmarshal(out.Bytes(), &m); err != nil || m.Error.Code != tt.code ||
			strings.Contains(strings.ToLower(out.String()), "header") {
			t.Errorf("%s: want %d: %s", name, tt.code, &out)
		}
	}
}

// TestAgent_Lines: over standard input, a client of each era gets an answer to each request,
// and a line that is too long or no message gets an error and ends nothing.
func TestAgent_Lines(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 700<<10) + `"}}`,
		"", "not JSON",
		`{"jsonrpc":"2.0","id":"2","method":"tools/list","params":{` + modern + `}}`,
		`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
			`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"search_lessons",` +
			`"arguments":{"query":"state"},` + modern + `}}`,
	}, "\n") + "\n"
	var out bytes.Buffer
	sitetest.Check(t, s.Pages.ServeLines(t.Context(), strings.NewReader(in), &out))
	answers := map[string]string{}
	broken := 0
	for line := range strings.Lines(out.String()) {
		var m struct {
			ID     json.RawMessage
			Result json.RawMessage
			Error  struct{ Code int }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if m.ID == nil && m.Error.Code == -32700 {
			broken++
			continue
		}
		answers[string(m.ID)] += string(m.Result)
	}
	if broken != 2 || len(answers) != 3 {
		t.Errorf("%d errors without an id, %d answers", broken, len(answers))
	}
	for id, want := range map[string]string{`"2"`: "check_server", "3": "2025-11-25", "4": `"results"`} {
		if !strings.Contains(answers[id], want) {
			t.Errorf("%s: %.300s", id, answers[id])
		}
	}
}
