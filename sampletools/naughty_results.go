package sampletools

import "net/http"

// asksColor is a valid result that several faults reuse.
const asksColor = `{"resultType":"input_required","inputRequests":{"color":` + colorQuestion + `}}`

const colorQuestion = `{"method":"elicitation/create","params":{"message":"Which color?",` +
	`"requestedSchema":{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}}}`

const besideColor = `,"inputRequests":{"color":` + colorQuestion + `}}`

// faultsOfResult break the envelope of a result (basic/index, "ResultType";
// basic/patterns/mrtr, "InputRequiredResult").
func faultsOfResult() []fault {
	return naughtyList(
		fault{
			tool: "neither_field", title: "Nothing to answer", rule: "S2",
			description: "input_required with neither inputRequests nor requestState.",
			answer:      fixed(`{"resultType":"input_required"}`),
		},
		fault{
			tool: "empty_requests", title: "Empty inputRequests", rule: "S2",
			description: "inputRequests is empty, and there is no requestState.",
			answer:      fixed(`{"resultType":"input_required","inputRequests":{}}`),
		},
		fault{
			tool: "no_result_type", title: "No resultType", rule: "S0",
			description: "resultType is missing, so the result counts as complete.",
			answer:      fixed(`{"content":[{"type":"text","text":"ok"}]}`),
		},
		fault{
			tool: "unknown_result_type", title: "Unknown resultType", rule: "result-type",
			description: "resultType is not a defined value.",
			answer:      fixed(`{"resultType":"perhaps","content":[]}`),
		},
		fault{
			tool: "requests_array", title: "inputRequests is an array", rule: "requests-object",
			description: "inputRequests is an array.",
			answer:      fixed(`{"resultType":"input_required","inputRequests":[` + colorQuestion + `]}`),
		},
		fault{
			tool: "content_beside", title: "Content beside a question", rule: "result-beside",
			description: "content stands beside input_required.",
			answer: once(`{"resultType":"input_required","content":[{"type":"text","text":"half done"}]` +
				besideColor),
		},
		fault{
			tool: "content_null_beside", title: "Content null beside a question", rule: "result-beside",
			description: "content is null beside input_required.",
			answer:      once(`{"resultType":"input_required","content":null` + besideColor),
		},
		fault{
			tool: "ttl_beside", title: "Cache hints beside a question", rule: "cache-beside",
			description: "ttlMs and cacheScope stand beside input_required.",
			answer: once(`{"resultType":"input_required","ttlMs":60000,"cacheScope":"public"` +
				besideColor),
		},
		fault{
			tool: "questions_beside", title: "Questions beside complete", rule: "questions-beside",
			description: "inputRequests stands beside complete.",
			answer: fixed(`{"resultType":"complete","content":[{"type":"text","text":"ok"}]` +
				besideColor),
		},
		fault{
			tool: "state_beside", title: "State beside complete", rule: "questions-beside",
			description: "requestState stands beside complete.",
			answer: fixed(`{"resultType":"complete","content":[{"type":"text","text":"ok"}],` +
				`"requestState":"left over"}`),
		},
		fault{
			tool: "snake_case", title: "Members in snake_case", rule: "look-alike",
			description: "The members are called input_requests and request_state.",
			answer: fixed(`{"resultType":"complete","content":[{"type":"text","text":"ok"}],` +
				`"input_requests":{"color":` + colorQuestion + `},"request_state":"s"}`),
		},
		fault{
			tool: "duplicate_keys", title: "A key twice", rule: "unique-keys",
			description: "resultType occurs twice.",
			answer: raw("application/json", `{"jsonrpc":"2.0","id":$ID,"result":{`+naughtyInfo+
				`,"resultType":"complete","resultType":"complete","content":[]}}`),
		},
		fault{
			tool: "bad_meta_key", title: "Invalid _meta keys", rule: "meta-keys",
			description: "Keys of _meta have invalid names, and one uses a reserved prefix.",
			answer: fixed(`{"resultType":"complete","content":[],"_meta":{"-bad-/name":1,"two words":2,` +
				`"com.mcp.tools/made-up":3,"io.modelcontextprotocol/serverInfo":{"name":"naughty",` +
				`"version":"v1"}}}`),
		},
	)
}

// faultsOfShape break the members of a final result (server/tools, "Tool
// Result"; server/resources).
func faultsOfShape() []fault {
	content := func(block string) reply {
		return fixed(`{"resultType":"complete","content":[` + block + `]}`)
	}
	output := `{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}`
	return naughtyList(
		fault{
			tool: "result_array", title: "The result is an array", rule: "result-object",
			description: "The result is an array.", answer: fixed(`[1,2]`),
		},
		fault{
			tool: "result_text", title: "The result is a string", rule: "result-object",
			description: "The result is a string.", answer: fixed(`"done"`),
		},
		fault{
			tool: "no_content", title: "No content", rule: "result-members",
			description: "The final result has no content.", answer: fixed(`{"resultType":"complete"}`),
		},
		fault{
			tool: "content_text", title: "Content is a string", rule: "result-members",
			description: "content is a string, not an array.",
			answer:      fixed(`{"resultType":"complete","content":"done"}`),
		},
		fault{
			tool: "block_without_type", title: "Content without a type", rule: "content-shape",
			description: "A block of content has no type.", answer: content(`{"text":"ok"}`),
		},
		fault{
			tool: "image_without_data", title: "Image without data", rule: "content-shape",
			description: "An image has neither data nor mimeType.", answer: content(`{"type":"image"}`),
		},
		fault{
			tool: "bad_annotations", title: "Invalid annotations", rule: "annotations",
			description: "The annotations have an unknown audience and a priority above 1.",
			answer: content(`{"type":"text","text":"ok","annotations":{"audience":["everyone"],` +
				`"priority":7}}`),
		},
		fault{
			tool: "bad_resource_uri", title: "Invalid URI", rule: "resource-uri",
			description: "A link to a resource has no valid URI.",
			answer:      content(`{"type":"resource_link","uri":"two words","name":"note"}`),
		},
		fault{
			tool: "structured_missing", title: "No structured content", rule: "structured-content",
			description: "The tool has an output schema, but the result has no structuredContent.",
			output:      output, answer: fixed(fine),
		},
		fault{
			tool: "structured_invalid", title: "Structured content that breaks its schema",
			rule: "structured-content", description: "structuredContent does not match the output schema.",
			output: output,
			answer: fixed(`{"resultType":"complete","content":[{"type":"text",` +
				`"text":"{\"count\":\"two\"}"}],` +
				`"structuredContent":{"count":"two"}}`),
		},
		fault{
			method: "resources/read", tool: "naughty://note", title: "Resource without cache hints",
			rule: "cache-hints", description: "The result has neither ttlMs nor cacheScope.",
			answer: fixed(`{"resultType":"complete","contents":[{"uri":"naughty://note","text":"x"}]}`),
		},
		fault{
			method: "resources/read", tool: "naughty://empty", title: "Resource without contents",
			rule: "result-members", description: "The result has no contents.",
			answer: fixed(`{"resultType":"complete","ttlMs":0,"cacheScope":"private"}`),
		},
		fault{
			method: "resources/read", tool: "naughty://task", title: "Task for a resource",
			rule: "task-where", description: "Answers resources/read with a task.",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.result(w, newTask("naughty://task", ""))
			},
			poll: polled(`"status":"completed","result":{"resultType":"complete","ttlMs":0,` +
				`"cacheScope":"private","contents":[{"uri":"naughty://task","text":"done"}]}`),
		},
	)
}
