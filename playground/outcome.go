package playground

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// message takes one JSON-RPC message of the answer; the first response decides.
func (r *Round) message(e Event, data []byte) {
	node, err := jsontree.Parse(data, jsontree.Limits{})
	m := RPC{At: e.At, Raw: data, Node: node, Err: err}
	decided := r.Outcome != OutcomePending
	r.Messages = append(r.Messages, m)
	if decided || r.streams() && err == nil && !m.IsResponse() && node.Kind == jsontree.Object {
		return
	}
	r.Ended = e.At
	if err != nil || node.Kind != jsontree.Object || !m.IsResponse() {
		r.noAnswer(m)
		return
	}
	r.answer(m)
}

// noAnswer judges an HTTP answer that carries no JSON-RPC response.
func (r *Round) noAnswer(m RPC) {
	status := r.Head.Status
	switch {
	case status == 202 && r.Sent != nil && !r.Sent.Has("id"):
		r.Outcome = OutcomeAck // of a notification
	case status/100 != 2:
		r.fail(OutcomeHTTPError, statusClass(status), r.statusDetail())
	case len(m.Raw) == 0:
		r.fail(OutcomeHTTPError, HTTPStatus, fmt.Sprintf("The server answered %d with no body; a request needs a response.", status))
	case r.Head.Get("Content-Encoding") != "" && !strings.EqualFold(r.Head.Get("Content-Encoding"), "identity"):
		r.fail(OutcomeHTTPError, ContentType, fmt.Sprintf("The answer is compressed (%q) although nobody asked for that, so it is kept as it came and not unpacked.", r.Head.Get("Content-Encoding")))
	case !r.isJSON() && !r.streams():
		r.fail(OutcomeHTTPError, ContentType, fmt.Sprintf("The answer is %s, not application/json or text/event-stream.", quoteType(r.Head.MediaType())))
	case errors.Is(m.Err, jsontree.ErrTooMany):
		r.fail(OutcomeHTTPError, wire.TooLarge, "The answer holds more values than this page reads.")
	case errors.Is(m.Err, jsontree.ErrTooDeep):
		r.fail(OutcomeHTTPError, TooDeep, "The answer nests arrays and objects deeper than 64 levels.")
	case m.Err != nil:
		r.fail(OutcomeHTTPError, NotJSON, "The answer is not JSON: "+m.Err.Error()+".")
	case m.Node.Kind == jsontree.Array:
		r.violate("The answer is a batch; one request gets one response.")
	default:
		r.violate("The answer is not a JSON-RPC response: it has neither result nor error.")
	}
}

func (r *Round) isJSON() bool { return r.Head.MediaType() == "application/json" }

func quoteType(mediaType string) string {
	if mediaType == "" {
		return "of no declared type"
	}
	return fmt.Sprintf("%q", mediaType)
}

func (r *Round) statusDetail() string {
	detail := fmt.Sprintf("HTTP status %d.", r.Head.Status)
	if to := r.Head.Get("Location"); r.Head.Status/100 == 3 && to != "" {
		detail = fmt.Sprintf("HTTP status %d to %q. Redirects are shown, not followed.", r.Head.Status, to)
	}
	return detail
}

// answer judges a JSON-RPC response.
func (r *Round) answer(m RPC) {
	r.answerTo(r.Sent.Get("id"), m)
}

// answerTo judges a response to the request with the id want.
func (r *Round) answerTo(want *jsontree.Node, m RPC) {
	id := m.Node.Get("id")
	switch {
	case m.Node.Has("result") && m.Node.Has("error"):
		r.violate("The response has both a result and an error.")
	case m.Node.Has("error"):
		r.rpcError(m.Node.Get("error"), id, want)
	case !jsontree.Equal(id, want):
		r.violate(fmt.Sprintf("The response has the id %s; the request had %s.", short(id), short(want)))
	case r.Head.Status/100 != 2:
		r.fail(OutcomeHTTPError, statusClass(r.Head.Status), r.statusDetail())
	default:
		r.result(m.Node.Get("result"))
	}
}

// rpcError takes an error response. Errors about the request itself may come
// without an id.
func (r *Round) rpcError(e, id, want *jsontree.Node) {
	foreign := id != nil && id.Kind != jsontree.Null && !jsontree.Equal(id, want)
	if foreign || e.Kind != jsontree.Object {
		r.violate("The error response is not for this request: its id or shape is wrong.")
		return
	}
	code, _ := e.Get("code").Int()
	r.Error = &RPCError{Code: code, Message: e.Get("message").Str(), Data: e.Get("data")}
	r.fail(OutcomeRPCError, codeClass(code), fmt.Sprintf("The server answered with error %d: %s", code, r.Error.Message))
}

func (r *Round) fail(o Outcome, c Class, detail string) { r.Outcome, r.Class, r.Detail = o, c, detail }

func (r *Round) violate(detail string) { r.fail(OutcomeViolation, Violation, detail) }

// short is a node's text, cut for a sentence.
func short(n *jsontree.Node) string {
	if n == nil {
		return "(none)"
	}
	const most = 40
	text := []rune(string(n.Raw()))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
