package sampletools_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestSpec_Balancer holds that a request which does not get to an instance is
// answered as JSON-RPC, with its id (basic/index, "Error Responses").
func TestSpec_Balancer(t *testing.T) {
	list := strings.Replace(listTools, `"id":1`, `"id":"\u0041 9007199254740993"`, 1)
	const id = `"\u0041 9007199254740993"`
	old := "Mcp-Protocol-Version: 2025-11-25\nMcp-Session-Id: b.gone"
	checkSentences(t, newPeer(t), []sentence{
		{name: "a wrong parameter of the URL", slug: "azure-devops?ttl=soon", body: list, status: 400,
			code: -32600, id: id, want: `ttl \"soon\"`},
		{name: "an unknown version of an instance", slug: "azure-devops?instances=a:v9", body: list,
			status: 400, code: -32600, id: id, want: "v9"},
		{name: "a dead instance", slug: "azure-devops?instances=a:dead,b&next=a", body: list, status: 503,
			code: -32603, id: id, want: "the instance a is down", reply: "Mcp-Sample-Instance: a/v1"},
		{name: "no live instance", slug: "azure-devops?instances=a:dead,b:drain", body: list, status: 503,
			code: -32603, id: id, want: "no instance is live"},
		{name: "an instance that held a session is dead", slug: "confirm?instances=a,b:dead", header: old,
			body: `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, status: 404, code: -32600, id: "7",
			want: "session not found"},
		{name: "an instance that held a session is gone", slug: "confirm?instances=a", header: old,
			body: `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, status: 404, code: -32600, id: "7"},
		{name: "naughty has a balancer too", slug: "naughty?instances=a:dead", body: list, status: 503,
			code: -32603, id: id},
		{name: "an id that is none is not repeated", slug: "azure-devops?ttl=soon", status: 400,
			code: -32600, body: strings.Replace(listTools, `"id":1`, `"id":null`, 1)},
		{name: "a notification has no id", slug: "azure-devops?ttl=soon", status: 400, code: -32600,
			body: `{"jsonrpc":"2.0","method":"notifications/cancelled"}`},
		{name: "the id of a response is not the client's", slug: "confirm?instances=a", header: old,
			body: `{"jsonrpc":"2.0","id":7,"result":{}}`, status: 404, code: -32600},
		{name: "broken JSON has no id", slug: "azure-devops?ttl=soon", body: `{"id":1`, status: 400,
			code: -32600},
		{name: "a long body has no id", slug: "azure-devops?ttl=soon", status: 400, code: -32600,
			body: `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 600<<10) + `"}`},
	})
}

// Other HTTP methods carry no message, so they get words.
func TestBalancer_OtherMethodsGetText(t *testing.T) {
	p := newPeer(t)
	res, body := sendSentence(t, p, sentence{verb: http.MethodGet, slug: "confirm?instances=a:dead"})
	if res.StatusCode != 503 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") ||
		!strings.Contains(string(body), "no instance is live") {
		t.Errorf("GET: %d %v %s", res.StatusCode, res.Header, body)
	}
}

// TestSpec_Token holds "Invalid or expired tokens MUST receive a HTTP 401
// response" (basic/authorization, "Token Handling").
func TestSpec_Token(t *testing.T) {
	p := newPeer(t)
	old := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	var rows []sentence
	for _, header := range []string{"Bearer demo-carol", "Bearer demo-alice-2", "Bearer", "Basic ZGVtbw==",
		"demo-alice", "Bearer Demo-Alice"} {
		rows = append(rows, sentence{name: header, header: "Authorization: " + header, body: listTools,
			status: 401, code: -32600, id: "1", want: "unknown access token"})
	}
	for _, slug := range []string{"azure-devops", "tasks", "conformance", "before-mrtr", "confirm"} {
		rows = append(rows, sentence{name: slug + ": a legacy client", slug: slug, body: old, status: 401,
			header: "Mcp-Protocol-Version:\nAuthorization: Bearer demo-carol", code: -32600, id: "1"})
	}
	for i := range rows {
		t.Run(rows[i].name, func(t *testing.T) {
			res, body := sendSentence(t, p, rows[i])
			rows[i].check(t, res, body)
			if challenge := res.Header.Get("WWW-Authenticate"); !strings.HasPrefix(challenge,
				`Bearer error="invalid_token"`) {
				t.Errorf("WWW-Authenticate: %q", challenge)
			}
		})
	}
	checkSentences(t, p, []sentence{
		{name: "Alice", header: "Authorization: Bearer demo-alice", body: listTools, status: 200, id: "1"},
		{name: "the scheme has no case", header: "Authorization: bearer demo-bob", body: listTools,
			status: 200, id: "1"},
		{name: "a guest", body: listTools, status: 200, id: "1"},
		{name: "naughty has no users", slug: "naughty", header: "Authorization: Bearer demo-carol",
			body: listTools, status: 200, id: "1"},
	})
}
