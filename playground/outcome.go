package playground

import (
	"errors"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// message adds one JSON-RPC message. The first response decides the outcome.
func (p *part) message(e Event, data []byte) {
	node, err := jsontree.Parse(data, jsontree.Limits{})
	m := RPC{At: e.At, Raw: data, Node: node, Err: err}
	decided := p.Kind != OutcomePending
	p.Messages = append(p.Messages, m)
	if decided || p.streams() && err == nil && !m.IsResponse() && node.Kind == jsontree.Object {
		return
	}
	p.Ended = e.At
	if err != nil || node.Kind != jsontree.Object || !m.IsResponse() {
		p.noResponse(m)
		return
	}
	p.answer(m)
}

// noResponse sets the outcome of an HTTP response without a JSON-RPC response.
func (p *part) noResponse(m RPC) {
	status := p.Head.Status
	switch {
	case status == 202 && p.Sent != nil && !p.Sent.Has("id"):
		p.Kind = OutcomeAck // of a notification
	case status/100 != 2:
		p.fail(OutcomeHTTPError, statusClass(status), p.statusDetail())
		if p.isJSON() && p.readable() && len(m.Raw) > 0 && m.Err != nil {
			p.Detail += " " + syntaxDetail(m.Err)
		}
	case len(m.Raw) == 0:
		p.fail(OutcomeHTTPError, HTTPStatus,
			fmt.Sprintf("The server returned HTTP status %d without a body. A request needs a response.",
				status))
	case !p.readable():
		p.fail(OutcomeHTTPError, ContentType, p.codingDetail())
	case !p.isJSON() && !p.streams():
		p.fail(OutcomeHTTPError, ContentType,
			fmt.Sprintf("The response has %s, not application/json or text/event-stream.",
				quoteType(p.Head.MediaType())))
	case errors.Is(m.Err, jsontree.ErrTooMany):
		p.fail(OutcomeHTTPError, wire.TooLarge,
			"The response contains more JSON values than this client reads.")
	case errors.Is(m.Err, jsontree.ErrTooDeep):
		p.fail(OutcomeHTTPError, TooDeep, "The response nests arrays and objects more than 64 levels deep.")
	case m.Err != nil:
		p.fail(OutcomeHTTPError, NotJSON, syntaxDetail(m.Err))
	case m.Node.Kind == jsontree.Array:
		p.violate(CauseBatch, "The response is a batch. A single request gets a single response.")
	default:
		p.violate(CauseNoResponse,
			"The body is not a JSON-RPC response: it has neither result nor error.")
	}
}

// codingDetail returns sentences about a body with a content coding.
func (p *part) codingDetail() string {
	coding, although := p.Head.Coding(), ""
	request, err := wire.ParseHead(p.Request.Head)
	if err == nil && !request.AcceptsCoding(coding) {
		although = ", although the request did not accept that"
	}
	return fmt.Sprintf("The response is compressed (%q)%s, in a way that this client cannot decompress.",
		coding, although)
}

// readable reports whether the body is not compressed any more.
func (p *part) readable() bool { return p.Decoded || p.Head.Coding() == "" }

// syntaxDetail returns a sentence with the place and the cause of the error of a
// body that is not JSON.
func syntaxDetail(err error) string {
	var syntax *jsontree.SyntaxError
	if !errors.As(err, &syntax) {
		return "The response is not valid JSON."
	}
	return fmt.Sprintf("The response is not valid JSON (byte %d: %s).", syntax.Offset, syntax.Text)
}

func (p *part) isJSON() bool { return p.Head.MediaType() == "application/json" }

func quoteType(mediaType string) string {
	if mediaType == "" {
		return "no Content-Type"
	}
	return fmt.Sprintf("Content-Type %q", mediaType)
}

// answer sets the outcome from a JSON-RPC response.
func (p *part) answer(m RPC) {
	p.answerTo(p.Sent.Get("id"), m)
}

// answerTo sets the outcome from a response to the request with the id want.
// With an HTTP status that says the request failed, only a JSON-RPC error says
// more; other JSON, such as that of OAuth, does not.
func (p *part) answerTo(want *jsontree.Node, m RPC) {
	id, e := m.Node.Get("id"), m.Node.Get("error")
	failed := p.Head.Status/100 != 2 && !p.Request.IsLine()
	switch {
	case failed && (e == nil || m.Node.Get("jsonrpc").Str() != "2.0" || !isError(e)):
		p.fail(OutcomeHTTPError, statusClass(p.Head.Status), p.statusDetail())
	case m.Node.Has("result") && e != nil:
		p.violate(CauseBoth, "The response has both a result and an error.")
	case e != nil && !isError(e):
		p.violate(CauseErrorShape, "The error response is malformed: "+errorFault(e)+".")
	case e != nil:
		p.rpcError(e, id, want)
	case !jsontree.Equal(id, want):
		p.violate(CauseResponseID,
			fmt.Sprintf("The response has the id %s, the request has %s.", short(id), short(want)))
	default:
		p.result(m.Node.Get("result"))
	}
}

// isError reports whether e is the error object of a JSON-RPC response.
func isError(e *jsontree.Node) bool { return errorFault(e) == "" }

// errorFault returns the fault of an error object, or "".
func errorFault(e *jsontree.Node) string {
	if e.Kind != jsontree.Object {
		return "its error is " + kindOf(e) + ", not an object"
	}
	if _, isInt := e.Get("code").Int(); !isInt {
		return "its code is " + kindOf(e.Get("code")) + ", not an integer"
	}
	if _, isText := e.Get("message").Text(); !isText {
		return "its message is " + kindOf(e.Get("message")) + ", not a string"
	}
	return ""
}

// rpcError sets the outcome from an error response. Errors about the request
// itself may have no id. Some HTTP statuses say more than the error with them:
// that a token is needed, or that the request may be sent again later.
func (p *part) rpcError(e, id, want *jsontree.Node) {
	code, _ := e.Get("code").Int()
	foreign := id != nil && id.Kind != jsontree.Null && !jsontree.Equal(id, want)
	if foreign && (p.Head.Status/100 == 2 || p.Request.IsLine()) {
		p.violate(CauseErrorID, fmt.Sprintf("The error response has the id %s, the request has %s.",
			short(id), short(want)))
		return
	}
	p.Error = &RPCError{Code: code, Message: e.Get("message").Str(), Data: e.Get("data")}
	detail := fmt.Sprintf("The server returned error %d: %s", code, p.Error.Message)
	if code == codeNotFound && p.Method == ResourcesRead {
		detail += " (in earlier revisions, the code of a resource that does not exist)"
	}
	if class := codeClass(code); class != RPCFailed || !foreign && !saysMore(p.Head.Status) {
		p.fail(OutcomeRPCError, class, detail+p.Error.linkDetail())
		return
	}
	p.fail(OutcomeHTTPError, statusClass(p.Head.Status), p.statusDetail()+" "+detail)
}

// saysMore reports whether a status says more than a JSON-RPC error with it.
func saysMore(status int) bool {
	switch status {
	case 401, 403, 429, 502, 503, 504:
		return true
	}
	return false
}

func (p *part) fail(o OutcomeKind, c Class, detail string) { p.Kind, p.Class, p.Detail = o, c, detail }

func (p *part) violate(c Cause, detail string) {
	p.fail(OutcomeViolation, Violation, detail)
	p.Cause = c
}

// short returns the first characters of a node's text, for use in a sentence.
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
