package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// responseWriter mends what the SDK writes: it puts back the ids that a cloak
// replaced, asks proxies not to buffer streams, turns errors in plain text
// into JSON-RPC errors, and sends an error that comes after the beginning of a stream as
// one of its events.
type responseWriter struct {
	http.ResponseWriter
	cloak        cloak
	id           json.RawMessage // of the request; nil if there is none
	started      bool
	stream       bool                 // it has begun as a stream
	late         bool                 // a status comes too late for a stream: its body is an event
	refused      int                  // the status, while the body of a plain text error is expected
	subscription *subscription        // of a request of subscriptions/listen; nil for others
	began        func(session string) // called before a client hears of its session; may be nil
}

// Unwrap is for http.ResponseController.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader completes the headers.
func (w *responseWriter) WriteHeader(status int) {
	if w.started {
		w.late = w.stream && status >= http.StatusBadRequest
		return
	}
	w.started = true
	if id := w.Header().Get("Mcp-Session-Id"); id != "" && w.began != nil {
		w.began(id)
	}
	media := w.Header().Get("Content-Type")
	switch {
	case strings.HasPrefix(media, "text/event-stream"):
		w.Header().Set("X-Accel-Buffering", "no")
		w.stream = true
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
		f := Refusal{Status: w.refused, ID: w.id, Code: errorCode(w.refused),
			Message: string(bytes.TrimSpace(p))}
		w.refused = 0
		w.Header().Del("X-Content-Type-Options")
		f.Write(w.ResponseWriter)
		return len(p), nil
	}
	revealed := w.cloak.reveal(p)
	if w.late {
		revealed = []byte(Event(string(bytes.TrimSpace(revealed))))
	}
	write := w.ResponseWriter.Write
	if w.subscription != nil {
		write = w.subscription.Write
	}
	if _, err := write(revealed); err != nil {
		return 0, err
	}
	return len(p), nil
}

// FlushError sends the written bytes, headers included.
func (w *responseWriter) FlushError() error {
	if !w.started {
		w.WriteHeader(http.StatusOK)
	}
	if w.subscription != nil {
		return w.subscription.FlushError()
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

// Event returns a message as one event of an SSE stream.
func Event(message string) string { return "event: message\ndata: " + message + "\n\n" }
