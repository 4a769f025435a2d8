package mcptest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// TestAnswer_AsItIsSent: what a script returns is sent as it is, over HTTP and on lines.
func TestAnswer_AsItIsSent(t *testing.T) {
	const request = `{"jsonrpc":"2.0","id":"a 1","method":"tools/call","params":{"name":"t","_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	for name, c := range map[string]struct {
		answer mcptest.Answer
		status int
		kind   string
		body   string
		line   string // if it is not the body
	}{
		"result": {mcptest.Complete(`"content":[]`), 200, "application/json",
			`{"jsonrpc":"2.0","id":"a 1","result":{"resultType":"complete","content":[]}}`, ""},
		"text": {mcptest.Text("<a>\n"), 200, "application/json",
			`{"jsonrpc":"2.0","id":"a 1","result":{"resultType":"complete","content":[{"type":"text",` +
				`"text":"\u003ca\u003e\n"}]}}`, ""},
		"question": {mcptest.Ask(mcptest.Form("k", "Why?", "f", `{}`), "s"), 200, "application/json",
			`{"jsonrpc":"2.0","id":"a 1","result":{"resultType":"input_required","requestState":"s",` +
				`"inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"form",` +
				`"message":"Why?","requestedSchema":{"type":"object","properties":{"f":{}},` +
				`"required":["f"]}}}}}}`, ""},
		"error": {mcptest.Refuse(400, -32602, `[1]`), 400, "application/json",
			`{"jsonrpc":"2.0","id":"a 1","error":{"code":-32602,"message":"no","data":[1]}}`, ""},
		"named": {mcptest.Answer{Result: `{"a":1}`}.Named("n"), 200, "application/json",
			`{"jsonrpc":"2.0","id":"a 1","result":{"_meta":{"io.modelcontextprotocol/serverInfo":{` +
				`"name":"n","version":"1"}},"a":1}}`, ""},
		"wrong": {mcptest.Answer{Raw: `{"id":ID,"id":ID`, Type: "text/html"}, 200, "text/html",
			`{"id":"a 1","id":ID`, ""},
		"stream": {mcptest.Answer{Result: `{}`, Before: []string{`{"method":"m"}`}, EventID: "7"},
			200, "text/event-stream",
			"data: {\"method\":\"m\"}\n\nid: 7\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"a 1\",\"result\":{}}\n\n",
			`{"jsonrpc":"2.0","id":"a 1","result":{}}`},
		"status": {mcptest.Answer{Status: 202, Header: []string{"X-A", "b"}}, 202, "", "", ""},
	} {
		var got mcptest.Message
		script := mcptest.Script(func(m mcptest.Message, _ *http.Request) mcptest.Answer {
			got = m
			return c.answer
		})
		w := httptest.NewRecorder()
		r := mcptest.Request([]byte(request))
		script.ServeHTTP(w, r)
		again, _ := io.ReadAll(r.Body)
		if w.Code != c.status || w.Header().Get("Content-Type") != c.kind || w.Body.String() != c.body ||
			string(again) != request {
			t.Errorf("%s: %d %q\n%s\nwant\n%s", name, w.Code, w.Header(), w.Body, c.body)
		}
		if line := string(script.Line([]byte(request))); line != c.line && line != c.body {
			t.Errorf("%s: the line is %s", name, line)
		}
		if got.Err != nil || got.Method != "tools/call" || got.Params.Name != "t" ||
			r.Header.Get("Mcp-Name") != "t" || r.Header.Get("Mcp-Protocol-Version") != "2026-07-28" {
			t.Errorf("%s: %+v %q", name, got, r.Header)
		}
	}
}

// TestMessage_ReadAsFarAsItGoes: a member of another type is left out, and named.
func TestMessage_ReadAsFarAsItGoes(t *testing.T) {
	m := mcptest.Parse([]byte(`{"id":null,"method":"m","params":{"name":5,"cursor":"c"}}`))
	if m.Err == nil || string(m.ID) != "null" || m.Method != "m" || m.Params.Cursor != "c" {
		t.Errorf("%+v", m)
	}
	if m := mcptest.Parse([]byte("what?")); m.Err == nil || m.ID != nil || string(m.Body) != "what?" {
		t.Errorf("%+v", m)
	}
}

// TestTools_AreListed: by name, and as they are written.
func TestTools_AreListed(t *testing.T) {
	list := mcptest.Parse([]byte(`{"method":"tools/list"}`))
	got := mcptest.Tools(nil, "a", `{"name":"b"}`)(list, nil).Result
	want := `{"resultType":"complete","ttlMs":0,"cacheScope":"private",` +
		`"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b"}]}`
	if got != want {
		t.Errorf("got %s", got)
	}
	unknown := mcptest.Tools(nil)(mcptest.Message{Method: "x"}, nil)
	if unknown.Status != http.StatusNotFound || unknown.Error == "" {
		t.Errorf("%+v", unknown)
	}
}
