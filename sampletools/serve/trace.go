package serve

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// traceparent is the form of a position in a trace (W3C Trace Context, section
// 3.2): version, trace id, span id and flags.
var traceparent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$`)

// loggable is the form of a method or name that may stand in the log. It is
// narrower than the form that a client may send, so that a client cannot write
// other text into the log.
var loggable = regexp.MustCompile(`^[A-Za-z0-9_./-]{1,128}$`)

// traced returns the trace id and the span id that a request was sent with. It
// returns false if there are none, or if traceparent is not valid.
func (m *Envelope) traced() (trace, span string, ok bool) {
	var s string
	if json.Unmarshal(m.Meta["traceparent"], &s) != nil {
		return "", "", false
	}
	found := traceparent.FindStringSubmatch(s)
	if found == nil || found[1] == "ff" || strings.Trim(found[2], "0") == "" ||
		strings.Trim(found[3], "0") == "" {
		return "", "", false
	}
	return found[2], found[3], true
}

// name returns the name in a call: a tool or a prompt. It returns "" for other
// requests, because the id of a task is a secret and a URI may contain one.
func (m *Envelope) name() string {
	var name string
	if m.Method != "tools/call" && m.Method != "prompts/get" ||
		json.Unmarshal(m.Params["name"], &name) != nil {
		return ""
	}
	return name
}

// trace returns a writer for the response to a message, and a function that logs
// the request once it was served. If the message is no request with a valid
// traceparent, the writer is w and nothing is logged.
func (h *Host) trace(c cluster.Instance, m *Envelope, w http.ResponseWriter) (http.ResponseWriter, func()) {
	trace, span, ok := m.traced()
	if !ok || !m.IsRequest() {
		return w, func() {}
	}
	attributes := []any{"instance", c.Label(), "trace", trace, "span", span}
	if loggable.MatchString(m.Method) {
		attributes = append(attributes, "method", m.Method)
	}
	if name := m.name(); loggable.MatchString(name) {
		attributes = append(attributes, "name", name)
	}
	status := &statusWriter{ResponseWriter: w}
	return status, func() {
		if status.status != 0 { // the connection may have been cut before
			attributes = append(attributes, slog.Int("status", status.status))
		}
		h.config.Log.Info("traced request served", attributes...)
	}
}

// statusWriter notes the HTTP status of a response.
type statusWriter struct {
	http.ResponseWriter
	status int // 0 before the response has begun
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader notes the status and sends it.
func (w *statusWriter) WriteHeader(status int) {
	if w.status < http.StatusOK { // of several, the last is final: the others inform
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the body. The status is 200 if none was sent.
func (w *statusWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}
