package playground

import (
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// OnLine reports whether the Trip is about lines of standard input and output,
// which have no headers, status or session.
func (t Trip) OnLine() bool { return t.Request.IsLine() || t.RequestSeq == 0 && t.Response.IsLine() }

// idInName is how much of the id of an Exchange is part of the names on a channel, in
// bytes.
const idInName = 8

// OnChannel returns the id or progress token name as the Exchange uses it. All Exchanges
// with a command share the channel of its process, and some are of one client, whose ids in use
// and progress tokens must differ (basic/index, "Requests"); there it has the id of the Exchange,
// too.
func (x Exchange) OnChannel(name string) string {
	if !x.Target.IsCommand() && !x.Target.OneClient || x.ID == "" {
		return name
	}
	return name + "-" + x.ID[:min(len(x.ID), idInName)]
}

// IsRequest reports whether a message is a JSON-RPC request: it has an id and is no
// response. Even if its method is wrong or missing, an error with its id comes back.
func IsRequest(message *jsontree.Node) bool {
	return message.Has("id") && !RPC{Node: message}.IsResponse()
}

// IsOneWay reports whether nothing comes back for a line: it is a notification, or a
// response to a legacy server. What is in a batch, or in a line that was not parsed, is
// not known.
func IsOneWay(message *jsontree.Node) bool {
	return message != nil && message.Kind == jsontree.Object && !IsRequest(message)
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
