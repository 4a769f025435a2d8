package serve

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestResponseWriter_LateError: the SDK writes a protocol error as a response of its own,
// although a notification has begun a stream.
func TestResponseWriter_LateError(t *testing.T) {
	const notification, failure = `{"jsonrpc":"2.0","method":"notifications/progress"}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`
	out := httptest.NewRecorder()
	w := &responseWriter{ResponseWriter: out, cloak: newCloak()}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write([]byte(Event(notification)))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write([]byte(failure + "\n"))
	if want := Event(notification) + Event(failure); out.Code != http.StatusOK || out.Body.String() != want {
		t.Errorf("status %d: %q", out.Code, out.Body)
	}
}
