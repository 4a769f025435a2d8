package sampletools

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// faultsOfWire break JSON-RPC or HTTP (basic/index,
// basic/transports/streamable-http).
func faultsOfWire() []fault {
	raw := func(contentType, body string) func(naughtyCall, http.ResponseWriter, *http.Request) {
		return func(c naughtyCall, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			// Write errors are ignored: the client is gone.
			_, _ = io.WriteString(w, strings.ReplaceAll(body, "$ID", string(c.ID)))
		}
	}
	const fine = `{"resultType":"complete","content":[{"type":"text","text":"ok"}]}`
	return []fault{
		{
			name: "wrong_id", description: "The response has the wrong id.",
			reply: raw("application/json", `{"jsonrpc":"2.0","id":"somebody-else","result":`+fine+`}`),
		},
		{
			name: "batch", description: "The response is a batch.",
			reply: raw("application/json", `[{"jsonrpc":"2.0","id":$ID,"result":`+fine+`}]`),
		},
		{
			name: "not_json", description: "An HTML login page.",
			reply: raw("text/html", `<!doctype html><title>Log in</title>`),
		},
		{
			name: "cut_short", description: "The JSON ends in the middle.",
			reply: raw("application/json", `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_`),
		},
		{
			name: "duplicate_keys", description: "resultType occurs twice.",
			reply: raw("application/json", `{"jsonrpc":"2.0","id":$ID,`+
				`"result":{"resultType":"complete","resultType":"input_required","content":[]}}`),
		},
		{
			name: "odd_numbers", description: "Numbers that a double cannot represent.",
			reply: raw("application/json", `{"jsonrpc":"2.0","id":$ID,`+
				`"result":{"resultType":"complete","content":[],`+
				`"structuredContent":{"big":9223372036854775808,"huge":1e400,`+
				`"long":1234567890123456789012345678901234567890}}}`),
		},
		{
			name: "deep", description: "JSON nested a thousand levels deep.",
			reply: raw("application/json", `{"jsonrpc":"2.0","id":$ID,`+
				`"result":{"resultType":"complete","content":[],`+
				`"structuredContent":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+`}}`),
		},
		{
			name: "request_on_stream", description: "The stream carries a server-initiated request, " +
				"as in legacy revisions.",
			reply: raw("text/event-stream",
				event(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create",`+
					`"params":{"message":"Psst","requestedSchema":{"type":"object","properties":{}}}}`)+
					event(`{"jsonrpc":"2.0","id":$ID,"result":`+fine+`}`)),
		},
		{
			name: "after_response", description: "The stream continues after the response.",
			reply: raw("text/event-stream",
				event(`{"jsonrpc":"2.0","id":$ID,"result":`+fine+`}`)+
					event(`{"jsonrpc":"2.0","method":"notifications/message",`+
						`"params":{"level":"info","data":"one more thing"}}`)),
		},
		{
			name: "no_response", description: "The stream ends without a response.",
			reply: raw("text/event-stream",
				event(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",`+
					`"data":"bye"}}`)),
		},
		{
			name: "progress_falls", description: "Progress goes backwards.",
			reply: (naughtyCall).reportFallingProgress,
		},
		{
			name: "mints_session", description: "Sends a session id, which this revision does not have.",
			reply: func(c naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Mcp-Session-Id", "sticky-1")
				c.result(w, fine)
			},
		},
		{
			name: "wrong_status", description: "A valid result with status 500.",
			reply: func(c naughtyCall, w http.ResponseWriter, _ *http.Request) {
				writeNaughty(w, http.StatusInternalServerError, c.message(fine))
			},
		},
		{
			name: "busy", description: "Status 429 with Retry-After.",
			reply: func(_ naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "3")
				http.Error(w, "too many requests", http.StatusTooManyRequests)
			},
		},
		{
			name: "redirects", description: "Redirects to another host.",
			reply: func(_ naughtyCall, w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://example.com/mcp", http.StatusTemporaryRedirect)
			},
		},
		{
			name: "hangs_up", description: "Closes the connection without a response.",
			reply: func(naughtyCall, http.ResponseWriter, *http.Request) {
				panic(http.ErrAbortHandler) // makes net/http close the connection
			},
		},
		{
			name: "never_answers", description: "Does not respond until the client gives up.",
			reply: func(_ naughtyCall, _ http.ResponseWriter, r *http.Request) {
				select {
				case <-r.Context().Done():
				case <-time.After(time.Minute): // ends the handler if the client never does
				}
			},
		},
	}
}

// event returns a message as one event of an SSE stream.
func event(message string) string { return "event: message\ndata: " + message + "\n\n" }

func (c naughtyCall) writeBothShapes(w http.ResponseWriter, _ *http.Request) {
	writeNaughty(w, http.StatusOK, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s,`+
		`"error":{"code":-32603,"message":"also failed"}}`, c.ID, asksColor))
}

// reportFallingProgress sends decreasing progress, with the request's progress
// token if it has one.
func (c naughtyCall) reportFallingProgress(w http.ResponseWriter, _ *http.Request) {
	token := c.Params.Meta["progressToken"]
	if token == nil {
		token = json.RawMessage(`"none"`)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, p := range []int{50, 30, 90} {
		fmt.Fprint(w, event(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress",`+
			`"params":{"progressToken":%s,"progress":%d,"total":100}}`, token, p)))
	}
	fmt.Fprint(w, event(c.message(`{"resultType":"complete","content":[{"type":"text","text":"ok"}]}`)))
}
