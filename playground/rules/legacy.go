package rules

import (
	"bytes"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// The rules of this file judge calls to servers of revisions before 2026-07-28,
// in which the server asks by requests of its own while the call is open.

// initialized returns the capabilities that the client declared in initialize,
// or nil if that is not in the record.
func (s *subject) initialized() *jsontree.Node {
	for t := range s.trips() {
		if t.Method == playground.Initialize {
			return t.Sent.At("params", "capabilities")
		}
	}
	return nil
}

// trips returns the requests of the Rounds so far, in order.
func (s *subject) trips() iter.Seq[*playground.Trip] {
	return func(yield func(*playground.Trip) bool) {
		for i := range len(s.earlier) + 1 {
			r := &s.Round
			if i < len(s.earlier) {
				r = &s.earlier[i]
			}
			for k := range r.Others {
				if !yield(&r.Others[k]) {
					return
				}
			}
			if !yield(&r.Trip) {
				return
			}
		}
	}
}

// legacyDeclared is legacy-declared: the server asks only for features that the
// client declared in initialize.
func legacyDeclared(s *subject) ruling {
	declared := s.initialized()
	if declared == nil {
		return na()
	}
	found := na()
	for _, m := range s.AllMessages() {
		if !m.Node.Has("id") || !slices.Contains(embeddable, m.Method()) {
			continue
		}
		if capability := undeclared(m.Node, declared); capability != "" {
			return fail("The server asks for %s, which the client did not declare.", capability)
		}
		found = pass()
	}
	return found
}

// hadToken reports whether a request so far had a progress token.
func (s *subject) hadToken(token *jsontree.Node) bool {
	for t := range s.trips() {
		if own := t.Sent.At("params", "_meta", "progressToken"); own != nil && jsontree.Equal(own, token) {
			return true
		}
	}
	return false
}

// legacyProgress is legacy-progress.
func legacyProgress(s *subject) ruling {
	var last *jsontree.Node
	own := s.meta().Get("progressToken")
	for _, m := range s.AllMessages() {
		if m.Method() != playground.ProgressNotified {
			continue
		}
		token := m.Node.At("params", "progressToken")
		if own == nil || !jsontree.Equal(own, token) {
			if !s.hadToken(token) {
				return fail("A progress notification has the token %s, which no request had.", raw(token))
			}
			continue
		}
		current := m.Node.At("params", "progress")
		value, ok := current.Decimal()
		if !ok {
			return fail("A progress notification has no number in progress.")
		}
		if before, ok := last.Decimal(); ok && value.Cmp(before) <= 0 {
			return fail("Progress went from %s to %s; it must increase with each notification.",
				raw(last), raw(current))
		}
		last = current
	}
	if last == nil {
		return na()
	}
	return pass()
}

// endsSession reports whether a message is the response to a DELETE.
func (s *subject) endsSession(m playground.RPC) bool {
	return slices.ContainsFunc(append(slices.Clone(s.Others), s.Trip), func(t playground.Trip) bool {
		return bytes.HasPrefix(t.Request.Head, []byte(http.MethodDelete+" ")) &&
			slices.ContainsFunc(t.Messages, func(other playground.RPC) bool {
				return other.Node == m.Node && bytes.Equal(other.Raw, m.Raw)
			})
	})
}

// legacyEnvelope is legacy-envelope. No page says what the response to the DELETE that ends a
// session contains.
func legacyEnvelope(s *subject) ruling {
	found := na()
	for _, m := range s.AllMessages() {
		switch {
		case s.endsSession(m):
			continue
		case len(m.Raw) == 0, m.Err != nil && m.Raw[0] != '{' && m.Raw[0] != '[':
			continue // a notification that was accepted, or the text of a gateway
		case s.OnLine() && lineFault(m.Raw) != "":
			continue // line-server reports it
		case s.isCut(m):
			continue
		case m.Err != nil:
			return fail("A message is not JSON.")
		case m.Node.Kind != jsontree.Object:
			return fail("The body %s is no JSON-RPC message.", raw(m.Node))
		case m.Node.Get("jsonrpc").Str() != "2.0":
			return fail(`A message does not have "jsonrpc":"2.0".`)
		case m.Node.Has("result") && m.Node.Has("error"):
			return fail("A response has both a result and an error.")
		case !m.IsResponse() && m.Method() == "":
			return fail("A message has no method, result or error.")
		case m.Node.Has("result") && !isID(m.Node.Get("id")):
			return fail("A result has no id that is a string or an integer.")
		case m.Node.Has("error") && m.Node.Get("error").Kind == jsontree.Object &&
			!isLegacyError(m.Node.Get("error")):
			return fail("An error has no integer as code or no message.")
		}
		found = pass()
	}
	return found
}

// isLegacyError reports whether an error has an integer as code and a message.
func isLegacyError(e *jsontree.Node) bool {
	code, isNumber := e.Get("code").Decimal()
	_, hasMessage := e.Get("message").Text()
	return isNumber && code.IsInt() && hasMessage
}

// legacySession is legacy-session: a session id has visible ASCII characters only,
// and a server gives one id.
func legacySession(s *subject) ruling {
	found, first := na(), ""
	for _, t := range append(slices.Clone(s.Others), s.Trip) {
		id := t.Head.Get("Mcp-Session-Id")
		switch {
		case id == "":
			continue
		case strings.ContainsFunc(id, func(r rune) bool { return r < '!' || r > '~' }):
			return fail("The session id %s has characters other than visible ASCII.", quoted(id))
		case first != "" && id != first:
			return hint("The server gave the session id %s after %s.", quoted(id), quoted(first))
		}
		found, first = pass(), id
	}
	return found
}

// legacyResult is legacy-result.
func legacyResult(s *subject) ruling {
	for _, t := range append(slices.Clone(s.Others), s.Trip) {
		version := resultOf(t).Get("protocolVersion").Str()
		if t.Method == playground.Initialize && version >= wire.ProtocolVersion {
			return fail("The result of initialize has the version %s, which has no initialize.",
				quoted(version))
		}
	}
	if s.Kind != playground.OutcomeComplete || s.Result == nil || s.inputRequired() != nil {
		return na() // legacy-input reports the last
	}
	if s.Result.Get("task") != nil {
		return na()
	}
	for _, m := range requiredMembers[s.callMethod()] {
		if n := s.Result.Get(m.name); n == nil || n.Kind != m.kind {
			return fail("The result of %s has no %s %s.", s.callMethod(), m.kind, quoted(m.name))
		}
	}
	return pass()
}

// callMethod returns the method of the call that is open: that of the Round's own
// request, or of an earlier one if it is an answer.
func (s *subject) callMethod() string {
	if s.Method != "" {
		return s.Method
	}
	for i := range s.earlier {
		if playground.IsCall(s.earlier[i].Method) {
			return s.earlier[i].Method
		}
	}
	return ""
}

// legacyNoRounds is legacy-input: earlier revisions have no input_required.
func legacyNoRounds(s *subject) ruling {
	switch {
	case s.Result == nil:
		return na()
	case s.Result.Get("resultType").Str() == "input_required":
		return fail("The result is input_required, which revisions before 2026-07-28 do not have.")
	}
	return pass()
}

// cancelsOpenRequests is client-legacy-cancel: notifications/cancelled is only
// for a request in progress.
func cancelsOpenRequests(s *subject) ruling {
	found := na()
	for _, t := range append(slices.Clone(s.Others), s.Trip) {
		if t.Method != playground.CancelledNotified {
			continue
		}
		id := t.Sent.At("params", "requestId")
		for _, m := range s.AllMessages() {
			if m.IsResponse() && jsontree.Equal(m.Node.Get("id"), id) && m.At.Before(t.Started) {
				return fail("The client cancelled the request %s, which was answered already.", raw(id))
			}
		}
		found = pass()
	}
	return found
}

// answersByID is client-legacy-answers: a response of the client has the id of
// a request of the server, which may stand in a message that is not known.
func answersByID(s *subject) ruling {
	found := na()
	for _, t := range append(slices.Clone(s.Others), s.Trip) {
		if response := (playground.RPC{Node: t.Sent}); !response.IsResponse() || t.Method != "" {
			continue
		}
		asked := func(m playground.RPC) bool {
			return m.Method() != "" && jsontree.Equal(m.Node.Get("id"), t.Sent.Get("id"))
		}
		switch messages := s.messagesSoFar(); {
		case slices.ContainsFunc(messages, asked):
			found = pass()
		case !slices.ContainsFunc(messages, isUnread):
			return fail("The client answered the request %s, which the server did not send.",
				raw(t.Sent.Get("id")))
		}
	}
	return found
}

// isUnread reports whether a message is a batch, or one that exceeds our limits or was
// cut.
func isUnread(m playground.RPC) bool {
	isBatch := m.Node != nil && m.Node.Kind == jsontree.Array
	return isBatch || jsontree.IsLimit(m.Err) || m.Err != nil && bytes.HasPrefix(m.Raw, []byte("{"))
}

// messagesSoFar returns the messages of this Round and those before.
func (s *subject) messagesSoFar() []playground.RPC {
	var list []playground.RPC
	for _, r := range s.earlier {
		list = append(list, r.AllMessages()...)
	}
	return append(list, s.AllMessages()...)
}
