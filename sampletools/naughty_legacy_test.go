package sampletools_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

func TestNaughtyLegacy_HasAFaultForEveryRule(t *testing.T) {
	p := newPeer(t)
	catalog, err := sampletools.New(sampletools.Config{Keys: p.keys})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	sample, _ := catalog.Lookup("naughty-legacy")
	rules := []string{"legacy-declared", "legacy-progress", "legacy-envelope", "legacy-result",
		"legacy-input", "legacy-session"}
	var broken []string
	for _, f := range sample.Faults {
		if !slices.Contains(rules, f.Rule) || f.Title == "" || f.Description == "" {
			t.Errorf("fault %+v", f)
		}
		broken = append(broken, f.Rule)
	}
	for _, rule := range rules {
		if !slices.Contains(broken, rule) {
			t.Errorf("no fault breaks %s", rule)
		}
	}
}

func TestNaughtyLegacy_ShowsItsFaults(t *testing.T) {
	p := &legacyPeer{peer: newPeer(t)}
	p.session = p.request("/mcp/naughty-legacy", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{`+
		`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`).
		Header.Get("Mcp-Session-Id")
	if res := p.request("/mcp/naughty-legacy", `{"jsonrpc":"2.0","method":"notifications/initialized"}`); res.
		StatusCode != 202 {
		t.Errorf("initialized: %d", res.StatusCode)
	}
	for name, want := range map[string]string{
		"asks_undeclared":       `"method":"sampling/createMessage"`,
		"asks_undeclared_roots": `"method":"roots/list"`,
		"progress_falls":        `"progress":30`, "progress_of_another": `"progressToken":"another"`,
		"jsonrpc_one": `"jsonrpc":"1.0"`, "null_id": `"id":null`, "error_code_text": `"code":"E_BUSY"`,
		"no_content": `"result":{}}`, "modern_result": `"resultType":"input_required"`, "new_session": `"ok"`,
	} {
		res := p.request("/mcp/naughty-legacy", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call",`+
			`"params":{"name":%q,"arguments":{},"_meta":{"progressToken":"p"}}}`, name))
		body, err := io.ReadAll(res.Body)
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s %v", name, body, err)
		}
		if session := res.Header.Get("Mcp-Session-Id"); session != "" && name != "new_session" {
			t.Errorf("%s: session %q", name, session)
		}
	}
	list := p.request("/mcp/naughty-legacy", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if body, err := io.ReadAll(list.Body); err != nil || strings.Contains(string(body), "resultType") ||
		!strings.Contains(string(body), `"name":"asks_undeclared"`) {
		t.Errorf("tools/list: %s %v", body, err)
	}
}
