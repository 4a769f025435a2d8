package rules

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// absentIsComplete is C1: a result without resultType ends the call, so no
// retry may follow it.
func absentIsComplete(s scene) answer {
	switch {
	case s.Result == nil || s.Result.Kind != jsontree.Object || s.Result.Has("resultType"):
		return na()
	case s.next != nil && s.next.Sent.Get("params").Has("inputResponses"):
		return fail("The result had no resultType, which means complete, and yet the client answered it.")
	}
	return pass()
}

// exactEcho is C2. The value counts, not how the string is escaped.
func exactEcho(s scene) answer {
	if s.source == nil || s.source.State == nil {
		return na()
	}
	sent := s.params().Get("requestState")
	switch {
	case sent == nil:
		return fail("Round %d gave a requestState and the retry leaves it out.", s.source.N)
	case !sameState(s.source, sent):
		return fail("The requestState of the retry is not the one that round %d gave.", s.source.N)
	}
	return pass()
}

// sameState compares the raw texts first: a broken string can be echoed too.
func sameState(from *playground.Round, sent *jsontree.Node) bool {
	if string(from.State) == string(sent.Raw()) {
		return true
	}
	given, err := jsontree.Parse(from.State, jsontree.Limits{})
	return err == nil && jsontree.Equal(given, sent)
}

// noInventedState is C3.
func noInventedState(s scene) answer {
	if s.ofTask() || s.source != nil && s.source.State != nil {
		return na()
	}
	if s.params().Has("requestState") {
		return fail("The request carries a requestState, but the result it answers gave none.")
	}
	if s.source == nil {
		return na()
	}
	return pass()
}

// newID is C4.
func newID(s scene) answer {
	if s.Sent == nil || len(s.earlier) == 0 {
		return na()
	}
	for _, r := range s.earlier {
		if r.Sent != nil && jsontree.Equal(r.Sent.Get("id"), s.Sent.Get("id")) {
			return fail("The JSON-RPC id %s was already used in round %d.", raw(s.Sent.Get("id")), r.N)
		}
	}
	return pass()
}

// onlyThatRetry is C5: answers and state belong to the request that was asked
// back, with the same params.
func onlyThatRetry(s scene) answer {
	switch {
	case !s.retries():
		return na()
	case s.source == nil:
		return fail("A first request carries inputResponses or requestState, though no result asked for them.")
	case s.source.Method != s.Method:
		return fail("The answers to %s are used for %s.", quoted(s.source.Method), quoted(s.Method))
	case !sameParams(s.source.Sent.Get("params"), s.params()):
		return fail("The retry changes the params of the request that was asked back.")
	}
	return pass()
}

// sameParams compares two params but for what a retry may differ in.
func sameParams(a, b *jsontree.Node) bool {
	for _, name := range append(ownParams(a), ownParams(b)...) {
		if !jsontree.Equal(a.Get(name), b.Get(name)) {
			return false
		}
	}
	return true
}

// ownParams names the members of params that belong to the call itself.
func ownParams(params *jsontree.Node) []string {
	var own []string
	if params == nil {
		return nil
	}
	for _, m := range params.Members {
		switch m.Key {
		case "_meta", "inputResponses", "requestState":
		default:
			own = append(own, m.Key)
		}
	}
	return own
}

// everyAnswer is C6: all requested inputs are constructed before the retry.
func everyAnswer(s scene) answer {
	if s.source == nil || len(s.source.Questions) == 0 {
		return na()
	}
	if key, open := s.missing(); open {
		return fail("The retry has no answer to %s.", quoted(key))
	}
	return pass()
}
