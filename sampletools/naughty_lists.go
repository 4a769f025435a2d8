package sampletools

import "net/http"

// faultsOfLists break what a server says about itself. They are behind the
// parameter fault of the URL, because a client would not see the other faults.
func faultsOfLists() []fault {
	list := func(name, title, rule, description, method, result string) fault {
		return fault{method: method, tool: name, query: name, title: title, rule: rule,
			description: description, answer: fixed(result)}
	}
	const hints = `"resultType":"complete","ttlMs":0,"cacheScope":"private"`
	tool := func(members string) string {
		return `{` + hints + `,"tools":[{"name":"good","inputSchema":{"type":"object"}},{` + members + `}]}`
	}
	discover := func(rest string) string {
		return `{` + hints + `,"supportedVersions":["2026-07-28"],` + rest + `}`
	}
	return naughtyList(
		list("tool_schema_null", "Schema that is null", "tool-schema", "inputSchema is null.",
			"tools/list", tool(`"name":"bad","inputSchema":null`)),
		list("tool_schema_array", "Schema of an array", "tool-schema", "inputSchema describes an array.",
			"tools/list", tool(`"name":"bad","inputSchema":{"type":"array"}`)),
		list("tool_schema_invalid", "Invalid schema", "tool-schema",
			"inputSchema is no valid JSON Schema: a type does not exist.",
			"tools/list",
			tool(`"name":"bad","inputSchema":{"type":"object","properties":{"n":{"type":"int"}}}`)),
		list("tool_schema_remote", "Schema on the network", "",
			"inputSchema refers to a schema on the network, which clients must not fetch.",
			"tools/list", tool(`"name":"bad","inputSchema":{"type":"object","properties":{"a":{`+
				`"$ref":"https://example.com/schema.json"}}}`)),
		list("tool_name_spaces", "Tool name with spaces", "tool-name", "The name of a tool has spaces.",
			"tools/list", tool(`"name":"two words!","inputSchema":{"type":"object"}`)),
		list("tool_name_twice", "Tool name twice", "tool-name", "Two tools have the same name.",
			"tools/list", tool(`"name":"good","inputSchema":{"type":"object"}`)),
		list("tool_name_missing", "Tool without a name", "tool-name", "A tool has no name.",
			"tools/list", tool(`"title":"Nameless","inputSchema":{"type":"object"}`)),
		list("header_on_number", "Header on a number", "x-mcp-header",
			"A number is mirrored into a header. Clients must exclude the tool.",
			"tools/list", tool(`"name":"bad","inputSchema":{"type":"object","properties":{"ratio":{`+
				`"type":"number","x-mcp-header":"Ratio"}}}`)),
		list("header_twice", "Header twice", "x-mcp-header",
			"Two arguments are mirrored into headers that differ only in case.",
			"tools/list", tool(`"name":"bad","inputSchema":{"type":"object","properties":{"a":{`+
				`"type":"string","x-mcp-header":"Region"},"b":{"type":"string","x-mcp-header":"REGION"}}}`)),
		list("header_in_items", "Header in a list", "x-mcp-header",
			"An entry of an array is mirrored into a header.",
			"tools/list", tool(`"name":"bad","inputSchema":{"type":"object","properties":{"a":{`+
				`"type":"array","items":{"type":"string","x-mcp-header":"Region"}}}}`)),
		list("list_asks", "List that asks", "S1", "tools/list answers input_required.", "tools/list",
			asksColor),
		list("list_no_hints", "List without cache hints", "cache-hints",
			"tools/list has neither ttlMs nor cacheScope.", "tools/list",
			`{"resultType":"complete","tools":[{"name":"good","inputSchema":{"type":"object"}}]}`),
		list("list_no_tools", "List without tools", "result-members", "The list has no member tools.",
			"tools/list", `{`+hints+`}`),
		list("discover_no_versions", "No versions", "result-members",
			"server/discover does not list the supported versions.", "server/discover",
			`{`+hints+`,"capabilities":{"tools":{}}}`),
		list("discover_anonymous", "No server name", "server-info",
			"server/discover does not name the server.", "server/discover",
			discover(`"capabilities":{"tools":{}},"_meta":{}`)),
		list("discover_extension", "Extension without a prefix", "extension-names",
			"server/discover declares an extension whose name has no prefix.", "server/discover",
			discover(`"capabilities":{"tools":{},"extensions":{"tasks":{}}}`)),
		list("list_undeclared", "Undeclared list", "",
			"server/discover declares no tools, but tools/list has some. A client does not ask.",
			"server/discover",
			discover(`"capabilities":{}`)),
		fault{
			method: "tools/list", tool: "list_missing", query: "list_missing", title: "Declared list missing",
			rule: "declared-lists", description: "server/discover declares tools, but tools/list fails.",
			answer: errorReply(http.StatusNotFound, `{"code":-32601,"message":"method not found"}`),
		},
	)
}
