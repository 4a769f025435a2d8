package sampletools_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestSpec_LegacyOutsideASession holds what a legacy client may expect of a
// message outside a session: an error that is true, in JSON (basic/transports,
// "Sending Messages to the Server" and "Session Management" of 2025-11-25).
func TestSpec_LegacyOutsideASession(t *testing.T) {
	const old = "Mcp-Protocol-Version: 2025-11-25"
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	var rows []sentence
	for _, slug := range []string{"azure-devops", "before-mrtr"} {
		for _, s := range []sentence{
			{name: "a request needs a session", body: list, status: 400, code: -32600, id: "1",
				want: "initialize"},
			{name: "broken JSON is a parse error", body: `{`, status: 400, code: -32700},
			{name: "id is not null", body: strings.Replace(list, `"id":1`, `"id":null`, 1), status: 400,
				code: -32600},
			{name: "id has no fraction", body: strings.Replace(list, `"id":1`, `"id":1.5`, 1), status: 400,
				code: -32600},
			{name: "batches ended with 2025-06-18", body: "[" + list + "]", status: 400, code: -32600},
			{name: "method is there", body: `{"jsonrpc":"2.0","id":1}`, status: 400, code: -32600, id: "1"},
			{name: "params are an object", body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":[]}`,
				status: 400, code: -32602, id: "1"},
			{name: "GET needs a session", verb: "GET", status: 400, code: -32600},
			{name: "DELETE needs a session", verb: "DELETE", status: 400, code: -32600},
			{name: "an unknown session is 404", header: old + "\nMcp-Session-Id: a.unknown", body: list,
				status: 404, code: -32600, id: "1"},
			{name: "Accept lists both types", header: old + "\nAccept: application/json", body: list,
				status: 406, code: -32600, id: "1"},
			{name: "Content-Type is JSON", header: old + "\nContent-Type: text/plain", body: list,
				status: 415,
				code:   -32600, id: "1"},
			{name: "a posted response needs a session", body: `{"jsonrpc":"2.0","id":1,"result":{}}`,
				status: 400, code: -32600, id: "1"},
		} {
			s.name, s.slug = slug+": "+s.name, slug
			if s.header == "" {
				s.header = old
			}
			rows = append(rows, s)
		}
	}
	checkSentences(t, newPeer(t), rows)
}

// TestSpec_LegacyInitialize holds "the server MUST respond with the same
// protocol version, or with another one that it supports".
func TestSpec_LegacyInitialize(t *testing.T) {
	p := newPeer(t)
	for asked, want := range map[string]string{
		"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		for _, slug := range []string{"azure-devops", "before-mrtr"} {
			res, body := sendSentence(t, p, sentence{slug: slug, header: "Mcp-Protocol-Version:",
				body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + asked +
					`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`})
			if res.StatusCode != 200 || !strings.Contains(string(body), `"protocolVersion":"`+want+`"`) {
				t.Errorf("%s of %s: %d %s", asked, slug, res.StatusCode, body)
			}
		}
	}
}

func TestSpec_LegacySession(t *testing.T) {
	p := &legacyPeer{peer: newPeer(t)}
	p.initialize("/mcp/conformance")
	for _, tt := range []struct{ name, body, want string }{
		{"an unusual id comes back", `{"jsonrpc":"2.0","id":"\u0041<","method":"tools/list"}`,
			`"id":"\u0041<"`},
		{"a large id comes back", `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}`,
			`"id":9007199254740993`},
		{"server/discover does not exist", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`,
			`"code":-32601`},
		{"subscriptions/listen does not exist", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` +
			`"params":{"notifications":{}}}`, `"code":-32601`},
		{"tasks of 2026 do not exist",
			`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"x"}}`,
			`"code":-32601`},
		{"ping is answered", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `"result":{}`},
		{"results have no resultType", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` +
			`"name":"greet","arguments":{"name":"Ada"}}}`, `"result":{"content"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := p.request("/mcp/conformance", tt.body)
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != 200 || !strings.Contains(string(body), tt.want) {
				t.Errorf("%d %s %v", res.StatusCode, body, err)
			}
			if res.Header.Get("Content-Type") == "text/event-stream" &&
				res.Header.Get("X-Accel-Buffering") != "no" {
				t.Error("a stream without X-Accel-Buffering: no")
			}
		})
	}
	if res := p.request("/mcp/conformance", `{"jsonrpc":"2.0","method":"notifications/cancelled",`+
		`"params":{"requestId":"\u0042"}}`); res.StatusCode != http.StatusAccepted {
		t.Errorf("notification: %d", res.StatusCode)
	}
}

// TestSpec_LegacyBatch holds the batches of 2025-03-26.
func TestSpec_LegacyBatch(t *testing.T) {
	p := newPeer(t)
	p0 := &legacyPeer{peer: p}
	p0.initialize("/mcp/conformance")
	session := "Mcp-Session-Id: " + p0.session + "\nMcp-Protocol-Version: 2025-03-26"
	checkSentences(t, p, []sentence{
		{name: "a batch is answered", slug: "conformance", header: session, status: 200, id: "2",
			body: `[{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`},
		{name: "an empty batch is refused", slug: "conformance", header: session, body: `[]`, status: 400,
			code: -32600},
		{name: "a wrong message refuses the batch", slug: "conformance", header: session, status: 400,
			code: -32600, body: `[{"jsonrpc":"2.0","id":null,"method":"tools/list"}]`},
	})
}

// TestSpec_LegacyResume holds the priming event and "the server MAY use this
// header to replay messages" of 2025-11-25.
func TestSpec_LegacyResume(t *testing.T) {
	p := &legacyPeer{peer: newPeer(t)}
	p.initialize("/mcp/conformance")
	res := p.request("/mcp/conformance", `{"jsonrpc":"2.0","id":"\u0041","method":"tools/call","params":{`+
		`"name":"test_reconnection","arguments":{}}}`)
	rest, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	id := ""
	for line := range strings.Lines(string(rest)) {
		if text, ok := strings.CutPrefix(line, "id: "); ok && id == "" {
			id = strings.TrimSpace(text)
		}
	}
	if id == "" {
		t.Fatalf("no priming event with an id: %s", rest)
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", p.url+"/mcp/conformance", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {p.session},
		"Mcp-Protocol-Version": {"2025-11-25"}, "Last-Event-Id": {id}}
	again, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Body.Close()
	line, r := "", bufio.NewReader(again.Body)
	for !strings.Contains(line, "Reconnection test completed") {
		if line, err = r.ReadString('\n'); err != nil {
			t.Fatalf("the stream is not resumed: %d %v", again.StatusCode, err)
		}
	}
	if !strings.Contains(line, `"id":"\u0041"`) || again.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("resumed: %s %v", line, again.Header)
	}
}
