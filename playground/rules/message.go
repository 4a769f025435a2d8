package rules

import (
	"errors"
	"math/big"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// response is the first message with a result or an error object; nil when
// none came. A gateway's {"error":"..."} is no JSON-RPC.
func (s scene) response() *playground.RPC {
	for i, m := range s.Messages {
		e := m.Node.Get("error")
		if m.Node.Has("result") || e != nil && e.Kind == jsontree.Object {
			return &s.Messages[i]
		}
	}
	return nil
}

// notifications are the messages of that method, each with whether it came
// after the response.
func (s scene) notifications(method string) (list []*jsontree.Node, late int) {
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

// isJSONRPC holds every message to the shape of JSON-RPC 2.0.
func isJSONRPC(s scene) answer {
	if len(s.Messages) == 0 || s.Head.Status/100 != 2 {
		return na()
	}
	for _, m := range s.Messages {
		switch {
		case s.Head.MediaType() != "application/json" && !s.Head.IsStream():
			return na() // a login page is no message to judge
		case errors.Is(m.Err, jsontree.ErrTooDeep), errors.Is(m.Err, jsontree.ErrTooMany):
			return na() // our limits, not the server's fault
		case m.Err != nil:
			return fail("A message is not JSON.")
		case m.Node.Kind == jsontree.Array:
			return fail("The answer is a batch; one request gets one response.")
		case m.Node.Kind != jsontree.Object:
			return fail("The answer is %s, not a JSON-RPC message.", article(m.Node))
		case m.Node.Get("jsonrpc").Str() != "2.0":
			return fail(`A message lacks "jsonrpc":"2.0".`)
		case m.Node.Has("result") && m.Node.Has("error"):
			return fail("The response has both a result and an error.")
		case !m.IsResponse() && m.Method() == "":
			return fail("A message has neither a method nor a result nor an error.")
		}
	}
	return pass()
}

// sameID: an error may do without the id when it could not be read. Whether it
// could is not to be seen from outside, so that is a hint.
func sameID(s scene) answer {
	r := s.response()
	if r == nil || s.Sent.Get("id") == nil {
		return na()
	}
	id := r.Node.Get("id")
	absent := id == nil || id.Kind == jsontree.Null
	switch {
	case absent && r.Node.Has("error"):
		return hint("The error has no id, though the request had one.")
	case !jsontree.Equal(id, s.Sent.Get("id")):
		return fail("The response has the id %s, the request had %s.", raw(id), raw(s.Sent.Get("id")))
	}
	return pass()
}

func noRequestsOnStream(s scene) answer {
	if s.Head.MediaType() != "text/event-stream" || len(s.Messages) == 0 {
		return na()
	}
	for _, m := range s.Messages {
		if m.Method() != "" && m.Node.Has("id") {
			return fail("The server sent the request %s on the stream; questions go into an input_required result.", quoted(m.Method()))
		}
	}
	return pass()
}

// nothingAfter: progress MUST stop, the rest of the stream SHOULD end.
func nothingAfter(s scene) answer {
	if s.Head.MediaType() != "text/event-stream" || s.response() == nil {
		return na()
	}
	if _, late := s.notifications("notifications/progress"); late > 0 {
		return fail("Progress came after the response.")
	}
	if last := s.Messages[len(s.Messages)-1]; string(last.Raw) != string(s.response().Raw) {
		return hint("The stream went on after the response, which should end it.")
	}
	return pass()
}

// progressRises compares exactly, as far as a number is of sane length.
func progressRises(s scene) answer {
	list, _ := s.notifications("notifications/progress")
	var last *big.Rat
	for _, n := range list {
		value, ok := rational(n.At("params", "progress"))
		if !ok {
			return fail("A progress notification has no number in progress.")
		}
		if last != nil && value.Cmp(last) <= 0 {
			return fail("Progress went from %s to %s; it must increase with each notification.", last.RatString(), value.RatString())
		}
		last = value
	}
	if len(list) == 0 {
		return na()
	}
	return pass()
}

func rational(n *jsontree.Node) (*big.Rat, bool) {
	const sane = 60
	if n == nil || n.Kind != jsontree.Number || len(n.Raw()) > sane {
		return nil, false
	}
	return new(big.Rat).SetString(string(n.Raw()))
}

func progressHasToken(s scene) answer {
	list, _ := s.notifications("notifications/progress")
	for _, n := range list {
		if !jsontree.Equal(n.At("params", "progressToken"), s.meta().Get("progressToken")) {
			return fail("A progress notification has a token that this request did not give.")
		}
	}
	if len(list) == 0 {
		return na()
	}
	return pass()
}
