package sampletools_test

import (
	"strings"
	"testing"
)

const (
	callBug = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_work_item",` +
		`"arguments":{"workItemId":4522,"fields":{"System.State":"Active"}},` + meta + `}}`
	region = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_x_mcp_header",` +
		`"arguments":ARGS,` + meta + `}}`
)

// TestSpec_Transport holds the sentences of basic/transports/streamable-http
// that a server can show.
func TestSpec_Transport(t *testing.T) {
	checkSentences(t, newPeer(t), []sentence{
		{name: "GET is not allowed", verb: "GET", status: 405, code: -32600, reply: "Allow: POST"},
		{name: "DELETE is not allowed", verb: "DELETE", status: 405, code: -32600, reply: "Allow: POST"},
		{name: "PUT is not allowed", verb: "PUT", body: listTools, status: 405, code: -32600,
			reply: "Allow: POST"},
		{name: "naughty: GET is not allowed", slug: "naughty", verb: "GET", status: 405, code: -32600,
			reply: "Allow: POST"},
		{name: "Last-Event-ID is ignored", header: "Last-Event-ID: a_1", body: listTools, status: 200,
			id: "1"},
		{name: "Mcp-Session-Id is ignored", header: "Mcp-Session-Id: a.x", body: listTools, status: 200,
			id: "1", reply: "Mcp-Session-Id: "},
		{name: "Mcp-Session-Id of no instance is ignored", header: "Mcp-Session-Id: zzz.x", body: listTools,
			status: 200, id: "1"},
		{name: "Content-Type is JSON", header: "Content-Type: text/plain", body: listTools, status: 415,
			code: -32600, id: "1"},
		{name: "Content-Type is there", header: "Content-Type:", body: listTools, status: 415, code: -32600,
			id: "1"},
		{name: "Content-Type may have a charset", header: "Content-Type: application/json; charset=utf-8",
			body: listTools, status: 200, id: "1"},
		{name: "Accept lists both types, not JSON alone", header: "Accept: application/json", body: listTools,
			status: 406, code: -32600, id: "1"},
		{name: "Accept lists both types, not streams alone", header: "Accept: text/event-stream",
			body: listTools, status: 406, code: -32600, id: "1"},
		{name: "Accept is there", header: "Accept:", body: listTools, status: 406, code: -32600, id: "1"},
		{name: "Accept may be a wildcard", header: "Accept: */*", body: listTools, status: 200, id: "1"},
		{name: "a stream asks proxies not to buffer", slug: "azure-devops?stream=1", body: listTools,
			status: 200, id: "1", reply: "X-Accel-Buffering: no"},
		{name: "an unknown method is 404 with -32601", status: 404, code: -32601, id: "1",
			body: strings.Replace(listTools, "tools/list", "tools/dance", 1)},
		{name: "an unknown method is 404 on a stream too", slug: "azure-devops?stream=1", status: 404,
			code: -32601, id: "1", body: strings.Replace(listTools, "tools/list", "tools/dance", 1)},
		{name: "ping is no method of this revision", status: 404, code: -32601, id: "1",
			body: strings.Replace(listTools, "tools/list", "ping", 1)},
		{name: "initialize names the supported versions", status: 404, code: -32601, id: "1",
			body: strings.Replace(listTools, "tools/list", "initialize", 1), want: "2026-07-28, 2025-11-25"},
	})
}

// TestSpec_Version holds the sentences about the version header
// (basic/transports/streamable-http and basic/versioning).
func TestSpec_Version(t *testing.T) {
	old := strings.Replace(listTools, `"2026-07-28"`, `"1999-01-01"`, 1)
	all := `"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`
	checkSentences(t, newPeer(t), []sentence{
		{name: "an unsupported version lists those supported", header: "Mcp-Protocol-Version: 1999-01-01",
			body: old, status: 400, code: -32022, id: "1", want: all},
		{name: "an unsupported version is named", header: "Mcp-Protocol-Version: 1999-01-01",
			body: old, status: 400, code: -32022, id: "1", want: `"requested":"1999-01-01"`},
		{name: "discover lists the same versions", status: 200, id: "1",
			body: strings.Replace(listTools, "tools/list", "server/discover", 1),
			want: strings.Replace(all, "supported", "supportedVersions", 1)},
		{name: "the header is the version of _meta", header: "Mcp-Protocol-Version: 1999-01-01",
			body: listTools, status: 400, code: -32020, id: "1"},
		{name: "a legacy header does not hide a modern request", header: "Mcp-Protocol-Version: 2025-11-25",
			body: listTools, status: 400, code: -32020, id: "1"},
		{name: "a modern request has the header", header: "Mcp-Protocol-Version:", body: listTools,
			status: 400, code: -32020, id: "1"},
		{name: "discover has the header", header: "Mcp-Protocol-Version:", status: 400, code: -32020, id: "1",
			body: `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`},
		{name: "naughty: a modern request has the header", slug: "naughty", header: "Mcp-Protocol-Version:",
			body: listTools, status: 400, code: -32020, id: "1"},
		{name: "naughty: an unsupported version lists those supported", slug: "naughty",
			header: "Mcp-Protocol-Version: 2025-11-25", status: 400, code: -32022, id: "1",
			body: strings.Replace(listTools, `"2026-07-28"`, `"2025-11-25"`, 1),
			want: `"supported":["2026-07-28"]`},
		{name: "a modern server names its versions to a legacy client", slug: "naughty",
			header: "Mcp-Protocol-Version:", status: 400, code: -32020, id: "1",
			want: `"supported":["2026-07-28"]`,
			body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`},
		{name: "a modern server names its versions to a client with a legacy header", slug: "naughty",
			header: "Mcp-Protocol-Version: 2025-11-25", status: 400, code: -32022, id: "1",
			want: `"supported":["2026-07-28"]`,
			body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`},
		{name: "a request without header and session is not answered with a version that is refused",
			header: "Mcp-Protocol-Version:", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			status: 400, code: -32600, id: "1", lacks: "supported"},
		{name: "a legacy server refuses a modern version and does not list it", slug: "before-mrtr",
			body: listTools, status: 400, code: -32022, id: "1",
			want: `"supported":["2025-11-25","2025-06-18","2025-03-26"]`},
	})
}

// TestSpec_Meta holds the sentences about the fields of _meta (basic/index and
// server/utilities/logging).
func TestSpec_Meta(t *testing.T) {
	change := func(from, to string) string { return strings.Replace(listTools, from, to, 1) }
	const level = `"_meta":{"io.modelcontextprotocol/logLevel":`
	rows := []sentence{
		{name: "params are required, because _meta is", status: 400, code: -32602, id: "1",
			body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		{name: "_meta is required", status: 400, code: -32602, id: "1", body: change(meta, ``)},
		{name: "_meta is an object", status: 400, code: -32602, id: "1", body: change(meta, `"_meta":[]`)},
		{name: "protocolVersion is required", status: 400, code: -32602, id: "1",
			body: change(`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`, ``)},
		{name: "protocolVersion is a string", status: 400, code: -32602, id: "1",
			body: change(`"2026-07-28"`, `20260728`)},
		{name: "clientCapabilities is required", status: 400, code: -32602, id: "1",
			body: change(`,"io.modelcontextprotocol/clientCapabilities":{}`, ``)},
		{name: "clientCapabilities is an object", status: 400, code: -32602, id: "1",
			body: change(`Capabilities":{}`, `Capabilities":[]`)},
		{name: "clientCapabilities is not null", status: 400, code: -32602, id: "1",
			body: change(`Capabilities":{}`, `Capabilities":null`)},
		{name: "clientInfo is not required", status: 200, id: "1", body: listTools},
		{name: "a log level is one of eight", status: 400, code: -32602, id: "1",
			body: change(`"_meta":{`, level+`"loud",`)},
		{name: "a log level is a string", status: 400, code: -32602, id: "1",
			body: change(`"_meta":{`, level+`7,`)},
		{name: "a log level is spelled in small letters", status: 400, code: -32602, id: "1",
			body: change(`"_meta":{`, level+`"Info",`)},
		{name: "emergency is a log level", status: 200, id: "1", body: change(`"_meta":{`,
			level+`"emergency",`)},
		{name: "every result names the server", status: 200, id: "1", body: listTools,
			want: `"io.modelcontextprotocol/serverInfo":{"name":"azure-devops"`},
		{name: "unknown keys of _meta are ignored", status: 200, id: "1",
			body: change(`"_meta":{`, `"_meta":{"com.example/x":[1],"traceparent":7,`)},
	}
	for _, s := range rows[:11] {
		s.name, s.slug = "naughty: "+s.name, "naughty"
		rows = append(rows, s)
	}
	checkSentences(t, newPeer(t), rows)
}

// TestSpec_Headers holds "Servers that process the request body MUST reject
// requests where the values specified in the headers do not match".
func TestSpec_Headers(t *testing.T) {
	args := func(s string) string { return strings.Replace(region, "ARGS", s, 1) }
	types := func(s string) string {
		return strings.Replace(args(s), "test_x_mcp_header", "mirrored_types", 1)
	}
	checkSentences(t, newPeer(t), []sentence{
		{name: "Mcp-Method is there", header: "Mcp-Method:", body: listTools, status: 400, code: -32020,
			id: "1"},
		{name: "Mcp-Method is the method", header: "Mcp-Method: tools/call", body: listTools, status: 400,
			code: -32020, id: "1"},
		{name: "header values are case-sensitive", header: "Mcp-Method: TOOLS/LIST", body: listTools,
			status: 400, code: -32020, id: "1"},
		{name: "header names are not case-sensitive", header: "mCP-mETHOD: tools/list", body: listTools,
			status: 200, id: "1"},
		{name: "Mcp-Name is there", header: "Mcp-Name:", body: callBug, status: 400, code: -32020, id: "1"},
		{name: "Mcp-Name is the name", header: "Mcp-Name: other", body: callBug, status: 400, code: -32020,
			id: "1"},
		{name: "Mcp-Name is decoded", header: "Mcp-Name: =?base64?dXBkYXRlX3dvcmtfaXRlbQ==?=", body: callBug,
			status: 200, id: "1"},
		{name: "the Base64 markers are small letters",
			header: "Mcp-Name: =?BASE64?dXBkYXRlX3dvcmtfaXRlbQ==?=",
			body:   callBug, status: 400, code: -32020, id: "1"},
		{name: "Base64 is valid", header: "Mcp-Name: =?base64?!!?=", body: callBug, status: 400, code: -32020,
			id: "1"},
		{name: "Mcp-Name has no invalid characters", header: "Mcp-Name: update_work_item\u00e9",
			body:   callBug,
			status: 400, code: -32020, id: "1"},
		{name: "Mcp-Name of a task is its id", slug: "tasks", header: "Mcp-Name: other", status: 400,
			code: -32020, id: "1",
			body: `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t",` + meta + `}}`},
		{name: "Mcp-Name of a resource is its URI", slug: "prompt-resource", header: "Mcp-Name: other",
			status: 400, code: -32020, id: "1",
			body: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x:y",` + meta + `}}`},
		{name: "Mcp-Param is the argument", slug: "conformance", header: "Mcp-Param-Region: us-west1",
			body: args(`{"region":"us-west1"}`), status: 200, id: "1"},
		{name: "Mcp-Param is compared", slug: "conformance", header: "Mcp-Param-Region: us-east1",
			body: args(`{"region":"us-west1"}`), status: 400, code: -32020, id: "1"},
		{name: "Mcp-Param is there", slug: "conformance", body: args(`{"region":"us-west1"}`), status: 400,
			code: -32020, id: "1"},
		{name: "Mcp-Param is decoded", slug: "conformance", header: "Mcp-Param-Region: =?base64?w6k=?=",
			body: args(`{"region":"é"}`), status: 200, id: "1"},
		{name: "Mcp-Param is valid Base64", slug: "conformance", header: "Mcp-Param-Region: =?base64?w6k?=",
			body: args(`{"region":"é"}`), status: 400, code: -32020, id: "1"},
		{name: "Mcp-Param has no invalid characters", slug: "conformance", header: "Mcp-Param-Region: é",
			body: args(`{"region":"é"}`), status: 400, code: -32020, id: "1"},
		{name: "Mcp-Param of null is not expected", slug: "conformance", body: args(`{"region":null}`),
			status: 200, id: "1"},
		{name: "Mcp-Param of an absent argument is not expected", slug: "conformance", body: args(`{}`),
			status: 200, id: "1"},
		{name: "integers are compared as numbers", slug: "conformance", header: "Mcp-Param-Level: 42.0",
			body: types(`{"level":42}`), status: 200, id: "1"},
		{name: "integers are compared", slug: "conformance", header: "Mcp-Param-Level: 43",
			body: types(`{"level":42}`), status: 400, code: -32020, id: "1"},
		{name: "a header of a number is a number", slug: "conformance", header: "Mcp-Param-Level: many",
			body: types(`{"level":42}`), status: 400, code: -32020, id: "1"},
		{name: "integers beyond 2^53 are refused", slug: "conformance",
			header: "Mcp-Param-Level: 9007199254740993", body: types(`{"level":9007199254740993}`),
			status: 400, code: -32020, id: "1"},
		{name: "booleans are small letters", slug: "conformance", header: "Mcp-Param-Dry-Run: True",
			body: types(`{"dry":true}`), status: 400, code: -32020, id: "1"},
		{name: "booleans are compared", slug: "conformance", header: "mcp-param-DRY-run: true",
			body: types(`{"dry":true}`), status: 200, id: "1"},
		{name: "a nested argument is mirrored", slug: "conformance", header: "Mcp-Param-City: Bonn",
			body: types(`{"place":{"city":"Bonn"}}`), status: 200, id: "1"},
		{name: "a nested argument is compared", slug: "conformance", header: "Mcp-Param-City: Rome",
			body: types(`{"place":{"city":"Bonn"}}`), status: 400, code: -32020, id: "1"},
		{name: "an empty string is a value", slug: "conformance", header: "Mcp-Param-City: =?base64??=",
			body: types(`{"place":{"city":""}}`), status: 200, id: "1"},
		{name: "a value like the Base64 form is encoded", slug: "conformance",
			header: "Mcp-Param-City: =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
			body:   types(`{"place":{"city":"=?base64?literal?="}}`), status: 200, id: "1"},
		{name: "an unknown Mcp-Param is ignored", slug: "conformance",
			header: "Mcp-Param-Region: a\nMcp-Param-Other: b", body: args(`{"region":"a"}`),
			status: 200, id: "1"},
	})
}
