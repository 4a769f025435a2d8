package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// response returns the first message with a result or a JSON-RPC error, or nil.
// Gateways send errors that are not JSON-RPC: a string, or an object in a message
// without "jsonrpc".
func (s *subject) response() *playground.RPC {
	for i, m := range s.Messages {
		e := m.Node.Get("error")
		isError := e != nil && e.Kind == jsontree.Object && m.Node.Get("jsonrpc").Str() == "2.0"
		if m.Node.Has("result") || isError {
			return &s.Messages[i]
		}
	}
	return nil
}

// notifications returns the messages with that method, and how many of them
// follow the response.
func (s *subject) notifications(method string) (list []*jsontree.Node, late int) {
	seen := false
	for _, m := range s.Messages {
		seen = seen || m.IsResponse()
		if m.Method() != method {
			continue
		}
		list = append(list, m.Node)
		if seen {
			late++
		}
	}
	return list, late
}

// isMCP reports whether the response has a media type that messages have, and is not
// compressed in an unknown way.
func (s *subject) isMCP() bool {
	mediaType := s.Head.MediaType()
	return (mediaType == "application/json" || mediaType == "text/event-stream") &&
		(s.Head.Coding() == "" || s.Decoded)
}

// isCut reports whether a message is beyond a limit of this client, which is no fault of
// the server: only its begin was read.
func (s *subject) isCut(m playground.RPC) bool {
	return jsontree.IsLimit(m.Err) || m.Err != nil && s.Class == wire.TooLarge
}

// isJSONRPC judges the structure of every message (JSON-RPC 2.0).
func isJSONRPC(s *subject) ruling {
	if len(s.Messages) == 0 || s.Head.Status/100 != 2 && !s.OnLine() {
		return na()
	}
	for _, m := range s.Messages {
		switch {
		case s.OnLine() && lineFault(m.Raw) != "":
			continue // line-server reports it
		case !s.OnLine() && !s.isMCP():
			return na() // such as a login page, or a compressed body
		case s.isCut(m):
			return na()
		case len(m.Raw) == 0, m.Err != nil && !utf8.Valid(m.Raw):
			return na() // media-type or utf-8 reports it
		case m.Err != nil:
			return fail("A message is not JSON.")
		case m.Node.Kind == jsontree.Array:
			return fail("The response is a batch; a request must have one response.")
		case m.Node.Kind != jsontree.Object:
			return fail("The response is %s, not a JSON-RPC message.", article(m.Node))
		case m.Node.Get("jsonrpc").Str() != "2.0":
			return fail(`A message does not have "jsonrpc":"2.0".`)
		case m.Node.Has("result") && m.Node.Has("error"):
			return fail("The response has both a result and an error.")
		case !m.IsResponse() && m.Method() == "":
			return fail("A message has no method, result or error.")
		}
	}
	return pass()
}

// sameID compares the ids. An error may have no id if the server could not read
// the request, as it says with the codes -32700 and -32600.
func sameID(s *subject) ruling {
	r := s.response()
	if r == nil || !isID(s.Sent.Get("id")) {
		return na()
	}
	id := r.Node.Get("id")
	absent := id == nil || id.Kind == jsontree.Null
	switch {
	case absent && s.Head.Status == 403 && r.Node.Has("error"):
		return na() // the response to a forbidden Origin may have no id
	case absent && s.Error != nil && (s.Error.Code == -32700 || s.Error.Code == -32600):
		return hint("The error has no id, but the request had one.")
	case absent && r.Node.Has("error"):
		return fail("The error has no id, but the request had one.")
	case !jsontree.Equal(id, s.Sent.Get("id")):
		return fail("The response has the id %s, but the request had %s.", raw(id), raw(s.Sent.Get("id")))
	}
	return pass()
}

// insteadOf returns what a server of this revision does in place of sending a request, in a
// clause.
func insteadOf(method string) string {
	if slices.Contains(embeddable, method) {
		return "questions belong in a result"
	}
	return "servers send no requests"
}

func noRequestsOnStream(s *subject) ruling {
	if s.Head.MediaType() != "text/event-stream" || len(s.Messages) == 0 {
		return na()
	}
	for _, m := range s.Messages {
		switch {
		case m.Method() == "" || !m.Node.Has("id"):
		case strings.HasPrefix(m.Method(), "notifications/"):
			return fail("The notification %s has an id, which only requests have.", quoted(m.Method()))
		default:
			return fail("The server sent the request %s on the stream; %s.",
				quoted(m.Method()), insteadOf(m.Method()))
		}
	}
	return pass()
}

// nothingAfterResponse judges the stream after the response: progress MUST
// stop, and the stream SHOULD end.
func nothingAfterResponse(s *subject) ruling {
	if s.Head.MediaType() != "text/event-stream" || s.response() == nil {
		return na()
	}
	if _, late := s.notifications(playground.ProgressNotified); late > 0 {
		return fail("Progress was sent after the response.")
	}
	switch last := &s.Messages[len(s.Messages)-1]; {
	case last == s.response():
		return pass()
	case last.IsResponse():
		return hint("The server sent a second response on the stream; the first should end it.")
	}
	return hint("The stream continued after the response, which should end it.")
}

// progressRises compares the exact values of progress notifications.
func progressRises(s *subject) ruling {
	list, _ := s.notifications(playground.ProgressNotified)
	var last *jsontree.Node
	for _, n := range list {
		current := n.At("params", "progress")
		value, ok := current.Decimal()
		if !ok {
			return na() // notification-params reports it
		}
		if before, ok := last.Decimal(); ok && value.Cmp(before) <= 0 {
			return fail("Progress went from %s to %s; it must increase with each notification.",
				raw(last), raw(current))
		}
		last = current
	}
	if len(list) == 0 {
		return na()
	}
	return pass()
}

func progressHasToken(s *subject) ruling {
	list, _ := s.notifications(playground.ProgressNotified)
	if s.isTaskRequest() {
		return na() // listen-tasks judges those
	}
	for _, n := range list {
		if !jsontree.Equal(n.At("params", "progressToken"), s.meta().Get("progressToken")) {
			return fail("A progress notification has a progressToken that is not that of the request.")
		}
	}
	if len(list) == 0 {
		return na()
	}
	return pass()
}
