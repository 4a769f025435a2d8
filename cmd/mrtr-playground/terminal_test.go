package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// escapes move a cursor, set a title, hide text or turn it round.
const escapes = "x\x1b[31mred\x1b]0;pwn\x07\u009b2J\u202egnp.exe\u200b\rover"

// hostileServer returns the URL of a server whose every string is hostile: its
// name, lists, questions, answers and errors.
func hostileServer(t *testing.T) string {
	t.Helper()
	quoted, err := json.Marshal(escapes)
	if err != nil {
		t.Fatal(err)
	}
	e := string(quoted)
	common := `"resultType":"complete","ttlMs":0,"cacheScope":"private"`
	results := map[string]string{
		"server/discover": `{` + common + `,"supportedVersions":["2026-07-28",` + e + `],"capabilities":` +
			`{"tools":{},"prompts":{},"resources":{}},"instructions":` + e + `,"_meta":{` +
			`"io.modelcontextprotocol/serverInfo":{"name":` + e + `,"version":` + e + `}}}`,
		"tools/list": `{` + common + `,"tools":[{"name":"t","title":` + e + `,"description":` + e +
			`,"inputSchema":{"type":"object"}},{"name":` + e + `,"description":` + e +
			`,"inputSchema":{"type":"object"}}]}`,
		"prompts/list": `{` + common + `,"prompts":[{"name":` + e + `,"description":` + e + `}]}`,
		"resources/list": `{` + common + `,"resources":[{"uri":` + e + `,"name":` + e +
			`,"description":` + e + `}]}`,
		"resources/templates/list": `{` + common + `,"resourceTemplates":[]}`,
		"tools/call": `{"resultType":"complete","content":[{"type":"text","text":` + e + `},` +
			`{"type":"resource_link","uri":` + e + `,"name":` + e + `},{"type":` + e + `}],` +
			`"structuredContent":{` + e + `:` + e + `}}`,
	}
	return mcptest.Start(t, mcptest.Script(func(m mcptest.Message, _ *http.Request) mcptest.Answer {
		switch {
		case results[m.Method] == "" || m.Params.Name == "fails":
			return mcptest.Answer{Error: `{"code":-32603,"message":` + e + `,"data":` + e + `}`}
		case m.Method == "tools/call" && m.Params.InputResponses == nil:
			form := mcptest.Form(escapes, escapes, escapes, `{"type":"string","title":`+e+`}`)
			return mcptest.Ask(form, escapes)
		}
		return mcptest.Answer{Result: results[m.Method]}
	}))
}

// TestTerminal_NothingHidden holds faults 52 and 94: nothing that a server sends
// reaches the terminal as anything but text, and JSON keeps its values.
func TestTerminal_NothingHidden(t *testing.T) {
	url := hostileServer(t)
	for _, args := range [][]string{
		{"call", url}, {"call", "-json", url}, {"call", url, "t"}, {"call", "-json", url, "t"},
		{"call", url, "fails"}, {"call", "-json", url, "fails"}, {"call", url, escapes},
		{"call", "-method", "prompts/get", url, escapes}, {"call", "-method", "resources/read", url, escapes},
		{"check", "-tool", "t", url}, {"check", "-tool", "t", "-json", url},
		{"check", "-tool", "t", "-junit", url}, {"check", url}, {"nonsense\x1b[31m"},
	} {
		var out, errs bytes.Buffer
		err := run(t.Context(), args, noEnv, &out, &errs)
		code := exitCode(err, &errs)
		if hidden := text.Hidden(out.String() + errs.String()); len(hidden) > 0 {
			t.Errorf("%q prints %U", args, hidden)
		}
		if out.Len()+errs.Len() == 0 {
			t.Errorf("%q prints nothing, exit %d", args, code)
		}
		if strings.Contains(strings.Join(args, " "), "json ") && !json.Valid(out.Bytes()) {
			t.Errorf("%q prints no JSON: %.300s", args, out.String())
		}
	}
}

// TestCall_WarnsOfWhatIsUnseen holds fault 106 on the terminal: characters that
// are not seen are named in what a server lists, asks, answers and fails with,
// and a server without them has no warning.
func TestCall_WarnsOfWhatIsUnseen(t *testing.T) {
	url := hostileServer(t)
	for _, tt := range []struct {
		subject string
		args    []string
	}{
		{"The response to tools/list", []string{url}},
		{"What the server sent in round 1", []string{url, "t"}},
		{"What the server sent in round 2", []string{url, "t"}},
		{"What the server sent in round 1", []string{url, "fails"}},
	} {
		want := "warning: " + tt.subject + " has characters that are not visible or that reorder text: U+0007"
		if out, _ := called(t, tt.args...); !strings.Contains(out, want) {
			t.Errorf("%q does not print %q:\n%s", tt.args, want, out)
		}
	}
	p := startProgram(t, t.TempDir())
	for _, args := range [][]string{
		{p.url + "/mcp/tasks"}, {p.url + "/mcp/before-mrtr", "update_work_item", resolve},
	} {
		if out, _ := called(t, args...); out == "" || strings.Contains(out, "warning") {
			t.Errorf("%q: %s", args, out)
		}
	}
}

// TestLogs_NothingHidden holds fault 52 for the logs: the handlers that serve and
// call log with escape whatever is not seen, in messages, keys and values.
func TestLogs_NothingHidden(t *testing.T) {
	discard := func(slog.Level) {}
	for name, newLog := range map[string]func(io.Writer) *slog.Logger{
		"call": func(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) },
		"text": func(w io.Writer) *slog.Logger { return newLogger(logSettings{}, app.Local, w, discard) },
		"json": func(w io.Writer) *slog.Logger { return newLogger(logSettings{}, app.Public, w, discard) },
	} {
		var out bytes.Buffer
		logger := newLog(&out)
		logger.Error(escapes, escapes, escapes, "err", errors.New(escapes), "list", []string{escapes},
			slog.Group("target", "name", escapes))
		logger.With("tool", escapes+"\nlevel=INFO msg=forged").Warn("call failed")
		slog.NewLogLogger(logger.Handler(), slog.LevelWarn).Print("http: " + escapes)
		if got := strings.Count(out.String(), "\n"); got != 3 {
			t.Errorf("%s: %d lines:\n%s", name, got, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if hidden := text.Hidden(strings.TrimSuffix(line, "\n")); len(hidden) > 0 {
				t.Errorf("%s: %U in %q", name, hidden, line)
			}
			if name == "json" && !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %q", line)
			}
		}
	}
}
