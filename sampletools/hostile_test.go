package sampletools_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestOptions_RejectsInvalidValues(t *testing.T) {
	p := newPeer(t)
	for _, query := range []string{"state=rot13", "ttl=0s", "ttl=25h", "ttl=soon", "instances=z",
		"instances=a:v9", "next=b&instances=a", "stream=yes"} {
		r := p.send("/mcp/azure-devops?"+query, "tools/call", resolve4522, nil)
		name, _, _ := strings.Cut(query, "=")
		if r.status != http.StatusBadRequest || !strings.Contains(string(r.body), name) {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
	}
}

func TestInstance_DeadOneIsNamed(t *testing.T) {
	p := newPeer(t)
	r := p.send("/mcp/azure-devops?instances=a:dead,b&next=a", "tools/call", resolve4522, nil)
	if r.status != http.StatusServiceUnavailable || r.instance() != "a/v1" {
		t.Errorf("dead instance: %d, %q", r.status, r.instance())
	}
	if r := p.send("/mcp/azure-devops?instances=a:dead,b", "tools/call", resolve4522,
		nil); r.instance() != "b/v1" {
		t.Errorf("beside a dead instance: %q", r.instance())
	}
}

// Every body gets a response, and the next request is served.
func TestBody_HostileOnesAreAnswered(t *testing.T) {
	p := newPeer(t)
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	for _, body := range []string{
		``, `{`, `null`, `[]`, `7`, `"x"`, `[{}]`, `{}`, `{"jsonrpc":"2.0"}`, "\x00\xff\xfe",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7,` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_work_item",` +
			`"arguments":"x",` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_work_item",` +
			`"arguments":{"workItemId":1e400},` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_work_item",` +
			`"arguments":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `,` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"update_work_item",` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"nothing/at/all","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":7,` + meta + `}}`,
		strings.Repeat(" ", 600<<10),
	} {
		for _, slug := range []string{"azure-devops", "tasks", "conformance", "naughty", "before-mrtr",
			"wizard"} {
			for _, version := range []string{"2026-07-28", "2025-11-25", "", "1999-01-01", "9999-99-99"} {
				r := p.post("/mcp/"+slug, body, map[string]string{"Mcp-Method": "tools/call",
					"Mcp-Name": "update_work_item", "MCP-Protocol-Version": version})
				if r.status < 200 || r.status >= 500 {
					t.Errorf("%s, %q: %.80q gives %d %.200s", slug, version, body, r.status, r.body)
				}
			}
		}
	}
	if r := p.send("/mcp/azure-devops", "tools/call", resolve4522, nil); r.resultType() != "input_required" {
		t.Errorf("afterwards: %s", r.body)
	}
}

func TestBody_IsBounded(t *testing.T) {
	p := newPeer(t)
	for _, slug := range []string{"azure-devops", "naughty"} {
		r := p.post("/mcp/"+slug, `{"pad":"`+strings.Repeat("x", 512<<10)+`"}`, nil)
		if r.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d", slug, r.status)
		}
	}
}
