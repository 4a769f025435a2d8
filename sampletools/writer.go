package sampletools

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// responseWriter mends what the SDK writes: it puts back the ids that a cloak
// replaced, asks proxies not to buffer streams, and turns errors in plain text
// into JSON-RPC errors.
type responseWriter struct {
	http.ResponseWriter
	cloak   cloak
	id      json.RawMessage // of the request; nil if there is none
	started bool
	refused int // the status, while the body of a plain text error is expected
	// listens is set for subscriptions/listen; answered reports that its response
	// was written.
	listens, answered bool
}

// Unwrap is for http.ResponseController.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader completes the headers.
func (w *responseWriter) WriteHeader(status int) {
	if w.started {
		return
	}
	w.started = true
	media := w.Header().Get("Content-Type")
	switch {
	case strings.HasPrefix(media, "text/event-stream"):
		w.Header().Set("X-Accel-Buffering", "no")
	case status >= http.StatusBadRequest && strings.HasPrefix(media, "text/plain"):
		w.refused = status // the body follows
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write writes one message or event.
func (w *responseWriter) Write(p []byte) (int, error) {
	if !w.started {
		w.WriteHeader(http.StatusOK)
	}
	if w.refused != 0 {
		f := refusal{status: w.refused, id: w.id, code: errorCode(w.refused),
			message: string(bytes.TrimSpace(p))}
		w.refused = 0
		w.Header().Del("X-Content-Type-Options")
		f.write(w.ResponseWriter)
		return len(p), nil
	}
	w.answered = w.answered || w.listens && isResponseEvent(p)
	if _, err := w.ResponseWriter.Write(w.cloak.reveal(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// FlushError sends what was written, headers included.
func (w *responseWriter) FlushError() error {
	if !w.started {
		w.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// errorCode returns the JSON-RPC code for an error that the SDK gives only a
// status.
func errorCode(status int) int {
	if status >= http.StatusInternalServerError {
		return jsonrpc.CodeInternalError
	}
	return jsonrpc.CodeInvalidRequest
}

// isResponseEvent reports whether an SSE event or a body is a JSON-RPC response.
func isResponseEvent(p []byte) bool {
	if _, data, ok := bytes.Cut(p, []byte("data: ")); ok {
		p = data
	}
	var m struct {
		Method string          `json:"method"`
		ID     json.RawMessage `json:"id"`
	}
	return json.Unmarshal(p, &m) == nil && m.Method == "" && m.ID != nil
}

// endSubscription ends the stream of a subscription that the server closes: it
// names the request that ends, and completes it (basic/patterns/subscriptions,
// "Graceful Closure"; basic/patterns/cancellation). The SDK just closes the
// stream.
func (w *responseWriter) endSubscription(server mcp.Implementation) {
	if w.answered || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		return
	}
	info, err := json.Marshal(server)
	if err != nil { // strings always marshal
		return
	}
	id := string(w.id)
	for _, message := range []string{
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"_meta":{` +
			`"io.modelcontextprotocol/subscriptionId":` + id + `},"requestId":` + id +
			`,"reason":"the server shuts down"}}`,
		`{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","_meta":{` +
			`"io.modelcontextprotocol/subscriptionId":` + id +
			`,"io.modelcontextprotocol/serverInfo":` + string(info) + `}}}`,
	} {
		// Write errors are ignored: the client is gone.
		_, _ = w.Write([]byte(event(message)))
	}
	_ = w.FlushError()
}
