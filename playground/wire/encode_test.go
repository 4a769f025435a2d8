package wire

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
)

func mustEncode(t *testing.T, r Request) Frame {
	t.Helper()
	f, err := Encode(r)
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	return f
}

func TestEncodeExactBytes(t *testing.T) {
	params := `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}, ` +
		`"name":"update_work_item",` +
		`"arguments":{"n":4522.0}}`
	f := mustEncode(
		t,
		Request{
			URL: "https://example.com:8443/a%2Fb/mcp?key=x&q=é", Method: "tools/call",
			ID: json.RawMessage("1"), Params: json.RawMessage(params),
		},
	)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	head := "POST /a%2Fb/mcp?key=x&q=%C3%A9 HTTP/1.1\r\n" +
		"Host: example.com:8443\r\n" +
		"Content-Type: application/json\r\n" +
		"Accept: application/json, text/event-stream\r\n" +
		"Accept-Encoding: identity\r\n" +
		"MCP-Protocol-Version: 2026-07-28\r\n" +
		"Mcp-Method: tools/call\r\n" +
		"Mcp-Name: update_work_item\r\n" +
		"User-Agent: " + userAgent + "\r\n" +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n" +
		"Connection: close\r\n\r\n"
	if string(f.Head) != head || string(f.Body) != body {
		t.Errorf("got\n%s%s\nwant\n%s%s", f.Head, f.Body, head, body)
	}
}

func TestEncodeBody(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    Request
		want string
	}{
		{"notification", Request{Method: "a/b"}, `{"jsonrpc":"2.0","method":"a/b"}`},
		{
			"string id", Request{Method: "m", ID: json.RawMessage(`"x"`)},
			`{"jsonrpc":"2.0","id":"x","method":"m"}`,
		},
		{
			"method is quoted, not escaped for HTML", Request{Method: `<a&"b>`},
			`{"jsonrpc":"2.0","method":"<a&\"b>"}`,
		},
		{
			"params verbatim, even broken",
			Request{Method: "m", Params: json.RawMessage("{ \"a\":1e400,\n")},
			"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{ \"a\":1e400,\n}",
		},
		{"whole body", Request{Method: "m", Body: []byte("\x00not json")}, "\x00not json"},
		{"empty body", Request{Method: "m", Body: []byte{}}, ""},
	} {
		tt.r.URL = "http://h/"
		f := mustEncode(t, tt.r)
		if string(f.Body) != tt.want ||
			!strings.Contains(string(f.Head), "Content-Length: "+strconv.Itoa(len(tt.want))+"\r\n") {
			t.Errorf("%s:\n%s%s", tt.name, f.Head, f.Body)
		}
	}
}

func TestEncodeMirrorsParams(t *testing.T) {
	for _, tt := range []struct{ method, params, name, version string }{
		{"tools/call", `{"name":"a b"}`, "a b", ProtocolVersion},
		{"prompts/get", `{"name":"Hello, 世界"}`, "=?base64?SGVsbG8sIOS4lueVjA==?=", ProtocolVersion},
		{"resources/read", `{"uri":"file:///x","name":"no"}`, "file:///x", ProtocolVersion},
		{"tasks/get", `{"taskId":"T"}`, "T", ProtocolVersion},
		{"tasks/update", `{"taskId":"T","name":"no"}`, "T", ProtocolVersion},
		{"tools/list", `{"name":"no"}`, "", ProtocolVersion},
		{"tools/call", `{"Name":"members are case-sensitive"}`, "", ProtocolVersion},
		{"tools/call", `{"name":5}`, "", ProtocolVersion},
		{"tools/call", `{"name":null}`, "", ProtocolVersion},
		{"tools/call", `{"name":"a\r\nX: y"}`, "=?base64?YQ0KWDogeQ==?=", ProtocolVersion},
		{"tools/call", `{"name":"a"`, "", ProtocolVersion},
		{"tools/call", `{"name":"last","name":"wins"}`, "wins", ProtocolVersion},
		{"x", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}}`, "", "1999-01-01"},
		{"x", `{"_meta":{"io.modelcontextprotocol/protocolVersion":7}}`, "", ProtocolVersion},
		{"x", `{"_meta":[]}`, "", ProtocolVersion},
		{"x", ``, "", ProtocolVersion},
	} {
		h, err := ParseHead(mustEncode(t, Request{
			URL: "http://h/", Method: tt.method, Params: json.RawMessage(tt.params),
		}).Head)
		if err != nil || h.Status != 0 || h.Get("mcp-name") != tt.name ||
			h.Get("Mcp-Protocol-VERSION") != tt.version || h.Get("Mcp-Method") != tt.method {
			t.Errorf("%s %s: %v %+v", tt.method, tt.params, err, h)
		}
	}
}

func TestEncodeOverrides(t *testing.T) {
	f := mustEncode(t, Request{
		URL: "http://h/", Method: "m",
		Header: []Field{
			{"X-B", "1"}, {"mcp-METHOD", "other"}, {"Mcp-Method", "second"}, {"x-a", ""},
			{"Authorization", "Bearer \xfc"},
		},
		Drop: []string{"user-agent", "Accept", "Content-Length", "Connection", "Mcp-Method"},
	})
	want := "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n" +
		"Accept-Encoding: identity\r\nMCP-Protocol-Version: 2026-07-28\r\n" +
		"mcp-METHOD: other\r\nMcp-Method: second\r\nContent-Length: 30\r\nConnection: close\r\nX-B: " +
		"1\r\nx-a: \r\nAuthorization: Bearer \xfc\r\n\r\n"
	if string(f.Head) != want {
		t.Errorf("got\n%s\nwant\n%s", f.Head, want)
	}
}

func TestEncodeRefusesFieldsThatSteerTheConnection(t *testing.T) { // fault 21
	for _, f := range []Field{
		{"Connection", "keep-alive"}, {"transfer-encoding", "chunked"}, {"Content-Length", "1"}, {"TE", "x"},
		{"Upgrade", "h2c"},
		{"Keep-Alive", "1"}, {"Proxy-Connection", "x"}, {"Proxy-Authorization", "x"}, {"Trailer", "x"},
		{"Expect", "100-continue"},
		{"", "x"}, {"a b", "x"}, {"a:", "x"}, {"a\r\nb", "x"}, {"ä", "x"}, {"a\x00", "x"},
		{"X", "a\r\nY: b"}, {"X", "a\nb"}, {"X", "a\rb"}, {"X", "a\x00b"}, {"X", "a\x1bb"}, {"X", "a\x7fb"},
	} {
		_, err := Encode(Request{URL: "http://h/", Method: "m", Header: []Field{f}})
		var field *FieldError
		if !errors.As(err, &field) {
			t.Errorf("%q: %v", f, err)
		}
	}
	for _, r := range []Request{
		{URL: "http://h/", Method: "m\r\nX: y"},
		{
			URL: "http://h/", Method: "m",
			Params: json.RawMessage(`{"_meta":{"io.modelcontextprotocol/protocolVersion":"a\nb"}}`),
		},
		{URL: "ftp://h/", Method: "m"},
	} {
		if f, err := Encode(r); err == nil {
			t.Errorf("%+v: %s", r, f.Head)
		}
	}
}

// The examples of basic/transports/streamable-http, "Value Encoding".
func TestFieldValue(t *testing.T) {
	for in, want := range map[string]string{
		"us-west1":           "us-west1",
		"Hello, 世界":          "=?base64?SGVsbG8sIOS4lueVjA==?=",
		" padded ":           "=?base64?IHBhZGRlZCA=?=",
		"line1\nline2":       "=?base64?bGluZTEKbGluZTI=?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
		"=?base64?half":      "=?base64?half",
		"tab\tinside":        "tab\tinside",
		"\x7f":               "=?base64?fw==?=",
		"":                   "",
	} {
		if got := FieldValue(in); got != want {
			t.Errorf("FieldValue(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEncodeHostField(t *testing.T) {
	for url, want := range map[string]string{
		"http://Example.COM/":       "Example.COM",
		"http://h:80":               "h:80",
		"http://[::1]:8080/":        "[::1]:8080",
		"http://[fe80::1%25lo]/":    "[fe80::1]",
		"http://[fe80::1%25lo]:81/": "[fe80::1]:81",
	} {
		f := mustEncode(t, Request{URL: url, Method: "m"})
		if h, _ := ParseHead(f.Head); h.Get("Host") != want || !strings.HasPrefix(h.Line, "POST / ") {
			t.Errorf("%s: %q %q", url, h.Line, h.Get("Host"))
		}
	}
}

func TestIsToken(t *testing.T) {
	for s, want := range map[string]bool{
		"Mcp-Name": true, "tools": true, "!#$%&'*+-.^_`|~09azAZ": true,
		"": false, "a b": false, "a:b": false, "@file": false, "a\x00": false, "a\x7f": false,
		"é": false, "a/b": false,
		"\u212a": false, // the Kelvin sign folds to k
	} {
		if got := IsToken(s); got != want {
			t.Errorf("IsToken(%q) = %v", s, got)
		}
	}
}
