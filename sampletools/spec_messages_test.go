package sampletools_test

import (
	"strings"
	"testing"
)

// TestSpec_Messages holds the sentences of basic/index about the envelope of a
// message.
func TestSpec_Messages(t *testing.T) {
	checkSentences(t, newPeer(t), []sentence{
		{name: "a request is answered", body: listTools, status: 200, id: "1",
			want: `"resultType":"complete"`},
		{name: "the body is one message, not a batch", body: "[" + listTools + "]", status: 400,
			code: -32600},
		{name: "the body is one message, not an empty batch", body: "[]", status: 400, code: -32600},
		{name: "broken JSON is a parse error", body: `{"jsonrpc":"2.0","id":1,`, status: 400, code: -32700},
		{name: "an empty body is a parse error", body: ``, status: 400, code: -32700},
		{name: "bytes that are no UTF-8 are a parse error",
			body: "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"tools/list\"}", status: 400,
			code: -32700},
		{name: "a byte order mark is a parse error", body: "\ufeff" + listTools, status: 400, code: -32700},
		{name: "a number is no message", body: `7`, status: 400, code: -32600},
		{name: "null is no message", body: `null`, status: 400, code: -32600},
		{name: "an empty object is no message", body: `{}`, status: 400, code: -32600},
		{name: "jsonrpc is 2.0, not 1.0", status: 400, code: -32600, id: "1",
			body: strings.Replace(listTools, `"2.0"`, `"1.0"`, 1)},
		{name: "jsonrpc is a string", status: 400, code: -32600, id: "1",
			body: strings.Replace(listTools, `"2.0"`, `2.0`, 1)},
		{name: "jsonrpc is there", status: 400, code: -32600, id: "1",
			body: strings.Replace(listTools, `"jsonrpc":"2.0",`, ``, 1)},
		{name: "id is not null", body: withID(`null`), status: 400, code: -32600},
		{name: "id has no fraction", body: withID(`1.5`), status: 400, code: -32600},
		{name: "id has no fraction behind an exponent", body: withID(`15e-1`), status: 400, code: -32600},
		{name: "id is no boolean", body: withID(`true`), status: 400, code: -32600},
		{name: "id is no object", body: withID(`{}`), status: 400, code: -32600},
		{name: "id is no array", body: withID(`[1]`), status: 400, code: -32600},
		{name: "method is there", body: `{"jsonrpc":"2.0","id":"a"}`, status: 400, code: -32600, id: `"a"`},
		{name: "method is a string", body: `{"jsonrpc":"2.0","id":2,"method":7}`, status: 400, code: -32600,
			id: "2"},
		{name: "params are no array", body: `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[]}`,
			status: 400, code: -32602, id: "3"},
		{name: "params are not null", body: `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":null}`,
			status: 400, code: -32602, id: "3"},
		{name: "params are no string", body: `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":"x"}`,
			status: 400, code: -32602, id: "3"},
		{name: "a message is not request and response at once", status: 400, code: -32600, id: "4",
			body: `{"jsonrpc":"2.0","id":4,"method":"tools/list","result":{}}`},
		{name: "clients send no responses", body: `{"jsonrpc":"2.0","id":5,"result":{"action":"accept"}}`,
			status: 400, code: -32600},
		{name: "clients send no error responses", status: 400, code: -32600,
			body: `{"jsonrpc":"2.0","id":5,"error":{"code":-1,"message":"no"}}`},
		{name: "a notification is accepted without a body", status: 202,
			body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`},
		{name: "a notification without params is accepted", status: 202,
			body: `{"jsonrpc":"2.0","method":"notifications/anything"}`},
		{name: "a notification with bad params is an HTTP error without id", status: 400, code: -32602,
			body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}`},
		{name: "a notification of an unknown version is an HTTP error", status: 400, code: -32022,
			header: "Mcp-Protocol-Version: 1999-01-01",
			body:   `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`},
		{name: "a body that is too large is an HTTP error", body: strings.Repeat(" ", 600<<10), status: 413,
			code: -32600},
	})
}

func withID(id string) string { return strings.Replace(listTools, `"id":1`, `"id":`+id, 1) }

// TestSpec_IDsComeBackExactly holds "Result responses MUST include the same ID
// as the request" for ids of every legal form, in results and errors, with and
// without a stream.
func TestSpec_IDsComeBackExactly(t *testing.T) {
	p := newPeer(t)
	for _, id := range []string{
		`0`, `-1`, `-0`, `1.0`, `1e3`, `10E+2`, `9007199254740993`, `-9223372036854775809`,
		`123456789012345678901234567890`, `""`, `"1"`, `" "`, `"a/b"`, `"\u0041\/"`, `"<&>"`, `"\u003c"`,
		`"é"`, `"\u00e9"`, `"\ud83d\ude00"`, `"😀"`, `"\ud800"`, `"\""`, `"\\"`, `"\n"`, "\"\u2028\"",
		`"null"`,
	} {
		for _, slug := range []string{"azure-devops", "azure-devops?stream=1", "naughty"} {
			for _, method := range []string{"tools/list", "no/such/method"} {
				t.Run(slug+" "+method+" "+id, func(t *testing.T) {
					s := sentence{slug: slug, status: 200, id: id,
						body: strings.Replace(withID(id), "tools/list", method, 1)}
					if method != "tools/list" {
						s.status, s.code = 404, -32601
					}
					res, body := sendSentence(t, p, s)
					s.check(t, res, body)
				})
			}
		}
	}
}

// TestSpec_TokensComeBackExactly holds "The original progress token" for tokens
// of every legal form.
func TestSpec_TokensComeBackExactly(t *testing.T) {
	p := newPeer(t)
	call := func(token string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_tool_with_progress",` +
			`"arguments":{},` + strings.Replace(meta, `{`, `{"progressToken":`+token+`,`, 1) + `}}`
	}
	for _, token := range []string{`1`, `"t"`, `9007199254740993`, `"\u0041"`, `"<>"`, `1.0`} {
		s := sentence{slug: "conformance", body: call(token), status: 200, id: "1",
			want: `"progressToken":` + token}
		res, body := sendSentence(t, p, s)
		s.check(t, res, body)
	}
	for _, token := range []string{`null`, `1.5`, `{}`, `[]`, `true`} {
		s := sentence{slug: "conformance", body: call(token), status: 400, id: "1", code: -32602}
		res, body := sendSentence(t, p, s)
		s.check(t, res, body)
	}
}
