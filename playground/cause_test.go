package playground

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestFold_Causes has a response for every cause of a violation.
func TestFold_Causes(t *testing.T) {
	const id = `"jsonrpc":"2.0","id":1`
	result := func(text string) string { return `{` + id + `,"result":` + text + `}` }
	task := func(members string) string {
		return `{"resultType":"complete","taskId":"T",` + members + `}`
	}
	tests := []struct {
		cause        Cause
		method, body string
	}{
		{CauseBatch, ToolsCall, `[` + result(`{}`) + `]`},
		{CauseNoResponse, ToolsCall, `{"jsonrpc":"2.0","method":"notifications/progress"}`},
		{CauseBoth, ToolsCall, `{` + id + `,"result":{},"error":{"code":1,"message":""}}`},
		{CauseResponseID, ToolsCall, `{"jsonrpc":"2.0","id":2,"result":{}}`},
		{CauseErrorID, ToolsCall, `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":""}}`},
		{CauseErrorShape, ToolsCall, `{` + id + `,"error":{"code":"E1","message":""}}`},
		{CauseErrorShape, ToolsCall, `{` + id + `,"error":{"code":1}}`},
		{CauseErrorShape, ToolsCall, `{` + id + `,"error":[]}`},
		{CauseResultObject, ToolsCall, result(`[]`)},
		{CauseResultObject, PromptsGet, result(`"done"`)},
		{CauseResultType, ToolsCall, result(`{"resultType":1}`)},
		{CauseResultTypeUnknown, ToolsCall, result(`{"resultType":"later"}`)},
		{CauseAskedWhere, "tools/list", result(asks)},
		{CauseStateString, ToolsCall, result(`{"resultType":"input_required","requestState":42}`)},
		{CauseRequestsObject, ToolsCall, result(`{"resultType":"input_required","inputRequests":[]}`)},
		{CauseNothingAsked, ToolsCall, result(`{"resultType":"input_required","inputRequests":{}}`)},
		{CauseTaskWhere, PromptsGet, result(`{"resultType":"task","taskId":"T","status":"working"}`)},
		{CauseTaskWhere, ResourcesRead, result(`{"resultType":"task","taskId":"T","status":"working"}`)},
		{CauseTaskUndeclared, ToolsCall, result(`{"resultType":"task","taskId":"T","status":"working"}`)},
		{CauseTaskID, ToolsCall, result(`{"resultType":"task","status":"working"}`)},
		{CauseTaskOther, TasksGet, result(`{"resultType":"complete","taskId":"U","status":"working"}`)},
		{CauseTaskStatus, TasksGet, result(task(`"status":"asleep"`))},
		{CauseTaskRequests, TasksGet, result(task(`"status":"input_required"`))},
		{CauseTaskResult, TasksGet, result(task(`"status":"completed","result":[]`))},
	}
	seen := map[Cause]bool{}
	for _, test := range tests {
		seen[test.cause] = true
		capabilities := Declare([]string{"elicitation.form", "tasks"})
		if test.cause == CauseTaskUndeclared {
			capabilities = json.RawMessage(`{"elicitation":{}}`)
		}
		r := foldRound(Decision{Round: 1}, []Event{
			{Conn: 1, Kind: Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n{" + id + `,"method":"` + test.method +
				`","params":{"taskId":"T","_meta":{"io.modelcontextprotocol/clientCapabilities":` +
				string(capabilities) + `}}}`)},
			{Conn: 1, Kind: Received, Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: " +
				"application/json\r\n\r\n" +
				test.body)},
		})
		if r.Kind != OutcomeViolation || r.Class != Violation || r.Cause != test.cause {
			t.Errorf("%s of %s: got %s %s (%s)", test.cause, test.body, r.Kind, r.Cause, r.Detail)
		}
	}
	for _, cause := range Causes() {
		if !seen[cause] {
			t.Errorf("no response is the cause %q", cause)
		}
	}
}

func TestFold_HTTPDetail(t *testing.T) {
	tests := []struct {
		name, head, body string
		want             []string
	}{
		{"OAuth", "401 Unauthorized\r\nWWW-Authenticate: Bearer error=\"invalid_token\"",
			`{"error":"invalid_token","error_description":"The token expired."}`,
			[]string{"HTTP status 401", "token", `WWW-Authenticate: Bearer error="invalid_token"`,
				"invalid_token: The token expired."}},
		{"rate limit", "429 Too Many Requests\r\nRetry-After: 30", `{"error":"slow down"}`,
			[]string{"HTTP status 429", "Retry-After: 30 seconds.", "slow down"}},
		{"maintenance", "503 X\r\nRetry-After: Wed, 25 Nov 2026 07:28:00 GMT", ``,
			[]string{"HTTP status 503", "not available", "Retry-After: Wed, 25 Nov 2026"}},
		{"JSON-RPC with 401", "401 X\r\nWWW-Authenticate: Bearer",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no token"}}`,
			[]string{"HTTP status 401", "WWW-Authenticate: Bearer", "error -32001: no token"}},
		{"redirect", "308 X\r\nLocation: https://h.example/mcp/", `Moved`,
			[]string{`HTTP status 308 to "https://h.example/mcp/", not followed.`, "Moved"}},
		{"redirect to nowhere", "302 X", ``, []string{"HTTP status 302", "does not say where"}},
		{"another host", "421 X", "Invalid Host header: h.example\n",
			[]string{"HTTP status 421", "host name", "The body says: Invalid Host header: h.example."}},
		{"other members", "422 X", `{"detail":[{"loc":["body"],"msg":"field required"}]}`,
			[]string{"HTTP status 422", "does not accept", `"msg":"field required"`}},
		{"a page", "403 X", "<!doctype html>\n<title>Access &amp;\n denied</title><p>x",
			[]string{"HTTP status 403", "The body says: Access & denied."}},
		{"bytes", "421 X", "\xff\xfe", []string{"HTTP status 421 (Misdirected Request)"}},
	}
	for _, test := range tests {
		s := newStory(t)
		s.start()
		s.add(Event{At: s.tick(), Conn: 1, Kind: Received,
			Data: []byte("HTTP/1.1 " + test.head + "\r\nContent-Type: application/json\r\n\r\n" + test.body)})
		f := Fold(s.x.Log)
		for _, want := range test.want {
			if !strings.Contains(f.Last().Detail, want) {
				t.Errorf("%s: %q lacks %q", test.name, f.Last().Detail, want)
			}
		}
		resend := Decision{Action: ActionResend, Round: 2}
		if err := f.Allows(resend); err != nil {
			t.Errorf("%s cannot be sent again: %v", test.name, err)
		}
	}
}

func TestRPCError_Links(t *testing.T) {
	s := newStory(t)
	s.start()
	r := s.receive(`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"More is needed.","data":` +
		`{"elicitations":[{"mode":"url","url":"https://h.example/a?b"},{"mode":"url"},` +
		`{"mode":"url","url":"https://i.example/"}]}}}`).Last()
	links := r.Error.Links()
	if len(links) != 2 || links[0] != "https://h.example/a?b" || !strings.Contains(r.Detail, links[1]) {
		t.Errorf("links %q, detail %q", links, r.Detail)
	}
	if links := (&RPCError{Code: -32602, Data: r.Error.Data}).Links(); links != nil {
		t.Errorf("another error has the links %q", links)
	}
}

func TestRPCError_NotFoundOfEarlierRevisions(t *testing.T) {
	s := newStory(t)
	s.x.Call = Call{Method: ResourcesRead, Params: []byte(`{"uri":"file:///none"}`)}
	s.start()
	r := s.receive(`{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Resource not found"}}`).Last()
	if !strings.Contains(r.Detail, "-32002: Resource not found (in earlier revisions,") {
		t.Errorf("detail %q", r.Detail)
	}
}
