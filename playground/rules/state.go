package rules

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// given is the requestState of the response; false when there is none that is
// a string.
func (s scene) given() (string, bool) { return s.asks().Get("requestState").Text() }

// rejectsChanged is S4. Only a state that no Round ever gave is a changed one;
// and only a call that then completes did any harm with it.
func rejectsChanged(s scene) answer {
	sent := s.params().Get("requestState")
	if sent == nil || s.source == nil || s.source.State == nil || issued(s.earlier, sent) || !s.responded() {
		return na()
	}
	if s.completes() != nil && !s.IsError {
		return fail("The call completed with a requestState that no result ever gave: a change to it goes unnoticed.")
	}
	return pass()
}

// issued tells whether an earlier result gave this very state.
func issued(earlier []playground.Round, sent *jsontree.Node) bool {
	for i := range earlier {
		if earlier[i].State != nil && sameState(&earlier[i], sent) {
			return true
		}
	}
	return false
}

func stateHasContent(s scene) answer {
	text, ok := s.given()
	switch {
	case !ok:
		return na()
	case text == "":
		return hint("requestState is an empty string: it must be echoed, and says nothing.")
	}
	return pass()
}

// stateMovesOn: the next retry carries only the newest answers, so a state
// that stays the same has forgotten the ones before.
func stateMovesOn(s scene) answer {
	text, ok := s.given()
	sent := s.params().Get("requestState")
	if !ok || sent == nil || len(s.answered()) == 0 || s.asks().Get("inputRequests").Len() == 0 {
		return na()
	}
	if sent.Str() == text {
		return hint("The server took answers and asks again, but its requestState is the same as before: the next retry will not carry those answers.")
	}
	return pass()
}

func stateIsProtected(s scene) answer {
	text, ok := s.given()
	if !ok || text == "" {
		return na()
	}
	f := state.Recognise(text)
	switch {
	case f.Readable && !f.Protected:
		return hint("Anybody can read and change this requestState (%s); if anything depends on it, its integrity must be protected.", f.Name)
	case f.Protected:
		return pass()
	}
	return na()
}

// stateExpires can be judged only where the payload can be read. A state that
// was sent after its time says more than one that was given.
func stateExpires(s scene) answer {
	if a := s.expired(); a.verdict != NA {
		return a
	}
	text, _ := s.given()
	f := state.Recognise(text)
	switch {
	case !f.Readable || !f.Protected:
		return na()
	case f.Expires.IsZero():
		return hint("No expiry can be seen in this signed requestState; it should lapse soon, so that it cannot be replayed.")
	}
	return pass()
}

func (s scene) expired() answer {
	f := state.Recognise(s.params().Get("requestState").Str())
	if f.Expires.IsZero() || !s.Started.After(f.Expires) || !s.responded() {
		return na()
	}
	if s.Error == nil && !s.IsError {
		return hint("The server took a requestState that had lapsed at %s.", f.Expires.Format(time.RFC3339))
	}
	return pass()
}

// stateIsBound sees a genuine state on a request that is not the one it was
// given for.
func stateIsBound(s scene) answer {
	sent := s.params().Get("requestState")
	if sent == nil || s.source == nil || s.source.State == nil || !sameState(s.source, sent) || !s.responded() ||
		sameParams(s.source.Sent.Get("params"), s.params()) {
		return na()
	}
	if s.Error == nil && !s.IsError {
		return hint("The server took the requestState of one request on another one; it should hold a digest of the request it was given for.")
	}
	return pass()
}

// stateIsPersonal sees a genuine state under other credentials.
func stateIsPersonal(s scene) answer {
	sent := s.params().Get("requestState")
	if sent == nil || s.source == nil || s.source.State == nil || !sameState(s.source, sent) || !s.responded() {
		return na()
	}
	head, _ := wire.ParseHead(s.source.Request.Head)
	if head.Get("Authorization") == s.head.Get("Authorization") {
		return na()
	}
	if s.Error == nil && !s.IsError {
		return hint("The server took the requestState of one principal from another one; it should be bound to whom it was given.")
	}
	return pass()
}
