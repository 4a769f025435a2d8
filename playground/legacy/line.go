package legacy

import (
	"net/http"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// onLines reports whether the server is on standard input.
func (t *tap) onLines() bool { return t.Target.IsCommand() }

// encode returns the exact bytes of a message: a line, or a POST with header fields.
func (t *tap) encode(method, url string, fields []wire.Field, body []byte) (wire.Frame, error) {
	if t.onLines() {
		return wire.Encode(wire.Request{URL: t.Target.URL, Body: body})
	}
	return wire.EncodePlain(method, url, t.withUserFields(fields), body)
}

// withoutLine returns the response to a request of the SDK that has no meaning on lines,
// or nil: the standalone stream, and the end of the session.
func (t *tap) withoutLine(r *http.Request) *http.Response {
	switch {
	case !t.onLines() || r.Method == http.MethodPost:
		return nil
	case r.Method == http.MethodGet:
		refused := accepted(r)
		refused.StatusCode = http.StatusMethodNotAllowed // a server need not offer the stream
		return refused
	}
	return accepted(r)
}

// line passes a line on to the SDK as an event of a stream, unless it is a question or no
// message.
func (x *response) line(line []byte) {
	if x.stream == nil {
		x.open(http.StatusOK, http.Header{"Content-Type": {"text/event-stream"}})
	}
	n, err := jsontree.Parse(line, jsontree.Limits{})
	if err != nil || n.Kind != jsontree.Object {
		return
	}
	_, _ = x.stream.Write(withoutQuestion(slices.Concat([]byte("data: "), n.Raw(), []byte("\n\n"))))
}

// acknowledge responds to a message that nothing comes back for.
func (x *response) acknowledge() { x.respond(http.StatusAccepted, http.Header{}, http.NoBody) }

// isRequest reports whether a response comes back for a message.
func isRequest(body []byte) bool {
	n, err := jsontree.Parse(body, jsontree.Limits{})
	return err == nil && playground.IsRequest(n)
}
