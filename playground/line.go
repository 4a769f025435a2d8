package playground

import (
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// OnLine reports whether the Trip is about lines of standard input and output,
// which have no headers, status or session.
func (t Trip) OnLine() bool { return t.Request.IsLine() || t.Response.IsLine() }

// IsRequest reports whether a message is a JSON-RPC request: it has a method and
// an id.
func IsRequest(message *jsontree.Node) bool {
	_, named := message.Get("method").Text()
	return named && message.Has("id")
}

// isAcknowledged reports whether the event sent a line to which nothing comes
// back: a notification, or a response to a legacy server.
func isAcknowledged(e Event) bool {
	frame := wire.Split(e.Data)
	if !frame.IsLine() {
		return false
	}
	message, err := jsontree.Parse(frame.Body, jsontree.Limits{})
	return err == nil && !IsRequest(message)
}

// line adds one line of a server. The first response decides the outcome, if the
// part has a request.
func (p *part) line(e Event, f wire.Frame) {
	p.Response.Head = f.Head
	p.Response.Body = append(p.Response.Body, f.Body...)
	node, err := jsontree.Parse(f.Body, jsontree.Limits{})
	m := RPC{At: e.At, Raw: f.Body, Node: node, Err: err}
	p.Messages = append(p.Messages, m)
	if p.Kind == OutcomePending && p.Sent != nil && m.IsResponse() {
		p.Ended = e.At
		p.answer(m)
	}
}
