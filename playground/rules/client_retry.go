package rules

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// absentTypeIsComplete is C1: a result without resultType ends the call, so no
// retry may follow.
func absentTypeIsComplete(s *subject) ruling {
	switch {
	case s.Result == nil || s.Result.Kind != jsontree.Object || s.Result.Has("resultType"):
		return na()
	case s.next != nil && s.next.Sent.Get("params").Has("inputResponses"):
		return fail("The result had no resultType, which means complete, but the client sent a retry.")
	}
	return pass()
}

// exactEcho is C2. It compares the values, not how the strings are escaped. Two
// masked states that look the same prove nothing.
func exactEcho(s *subject) ruling {
	if s.source == nil || s.source.State == nil {
		return na()
	}
	sent := s.params().Get("requestState")
	switch {
	case sent == nil:
		return fail("The retry leaves out the requestState of round %d%s.", s.source.N,
			inItsPlace(s.params(), playground.RequestState))
	case !sameState(s.source, sent):
		return fail("The requestState of the retry differs from that of round %d.", s.source.N)
	case text.HasMask(sent.Raw()):
		return na()
	}
	return pass()
}

// sameState reports whether sent echoes the state of from. It compares the raw
// texts first, because a broken string can be echoed too.
func sameState(from *playground.Round, sent *jsontree.Node) bool {
	if string(from.State) == string(sent.Raw()) {
		return true
	}
	given, err := jsontree.Parse(from.State, jsontree.Limits{})
	return err == nil && jsontree.Equal(given, sent)
}

// noUnrequestedState is C3.
func noUnrequestedState(s *subject) ruling {
	if s.isTaskRequest() || s.isUnjoined() || s.source != nil && resultOf(s.source.Trip).Has("requestState") {
		return na()
	}
	if s.params().Has("requestState") {
		return fail("The request has a requestState, but the result before it had none.")
	}
	if s.source == nil {
		return na()
	}
	return pass()
}

// newID is C4.
func newID(s *subject) ruling {
	if s.Sent == nil || len(s.earlier) == 0 {
		return na()
	}
	for _, r := range s.earlier {
		if s.repeats(r) {
			continue
		}
		if r.Sent != nil && jsontree.Equal(r.Sent.Get("id"), s.Sent.Get("id")) {
			return fail("The JSON-RPC id %s was already used in round %d.", raw(s.Sent.Get("id")), r.N)
		}
	}
	return pass()
}

// repeats reports whether a foreign client sends the request of an earlier Round once more,
// which got no JSON-RPC response: below JSON-RPC it is one request.
func (s *subject) repeats(r playground.Round) bool {
	return s.Decision.By == playground.ByClient && s.Decision.Action == playground.ActionResend &&
		r.N > s.source.N && r.Result == nil && r.Error == nil
}

// sameRequest is C5: answers and state are sent only with a retry of the
// request that the server answered with input_required, with the same params.
func sameRequest(s *subject) ruling {
	if a := stateStaysWithCall(s); a.verdict == verdict.Failed {
		return a
	}
	switch {
	case s.Decision.Join == playground.JoinMixed:
		return fail("The retry has the answers of one call and the requestState of another.")
	case !s.isRetry(), s.isUnjoined():
		return na()
	case s.source == nil:
		return fail("The first request of a call has inputResponses or requestState.")
	case s.source.Method != s.Method:
		return fail("The answers to questions of %s are sent with %s.",
			quoted(s.source.Method), quoted(s.Method))
	case !sameParams(s.source.Sent.Get("params"), s.params()):
		if name := s.misplaced(); name != "" {
			return fail("The retry has the member %s in the arguments of the tool; it belongs beside them.",
				name)
		}
		return fail("The retry changes the params of the original request.")
	}
	return pass()
}

// stateStaysWithCall judges the requests about tasks.
func stateStaysWithCall(s *subject) ruling {
	switch {
	case !s.isTaskRequest():
		return na()
	case s.params().Has("requestState"):
		return fail("A requestState is sent with %s; it belongs to the retry of its own request only.",
			s.Method)
	}
	return pass()
}

// sameParams reports whether two params are equal, apart from the members that
// a retry may change.
func sameParams(a, b *jsontree.Node) bool {
	for _, m := range a.Entries() {
		if !playground.ChangesByRound(m.Key) && !jsontree.Equal(a.Get(m.Key), b.Get(m.Key)) {
			return false
		}
	}
	for _, m := range b.Entries() {
		if !playground.ChangesByRound(m.Key) && !a.Has(m.Key) {
			return false
		}
	}
	return true
}

// onlyAsked is client-keys: the keys of inputResponses are those of inputRequests.
func onlyAsked(s *subject) ruling {
	if s.source == nil || len(s.inputResponses()) == 0 || s.isTaskRequest() {
		return na()
	}
	if key, extra := s.extraAnswer(); extra {
		return fail("The retry answers %s, which round %d did not ask.%s", quoted(key), s.source.N,
			s.meant(key))
	}
	return pass()
}

// meant returns the question that an answer with a wrong key is meant for, as a sentence, or
// "".
func (s *subject) meant(key string) string {
	for _, q := range s.source.Questions {
		if q.Key != key && playground.PlainName(q.Key) == playground.PlainName(key) &&
			!s.params().Get(playground.InputResponses).Has(q.Key) {
			return " The question is spelled " + quoted(q.Key) + "."
		}
	}
	return ""
}

// everyAnswer is C6: a retry has all requested inputs. An update of a task may
// have some of them.
func everyAnswer(s *subject) ruling {
	if s.source == nil || len(s.source.Questions) == 0 || s.isTaskRequest() {
		return na()
	}
	if key, open := s.missingAnswer(); open {
		wrong := misspelled(s.params().Get(playground.InputResponses), key)
		if wrong != "" && !s.requested(wrong) || s.misplaced() != "" {
			return na() // client-keys or C5 reports it
		}
		return fail("The retry has no answer to the question %s%s.", quoted(key),
			inItsPlace(s.params(), playground.InputResponses))
	}
	return pass()
}
