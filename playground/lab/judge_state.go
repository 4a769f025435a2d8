package lab

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// evidence is what other exchanges of the check show about the call.
type evidence struct {
	withoutState bool // the call was sent without its requestState
	unneeded     bool // and had the same outcome
	varies       bool // the right retry, sent twice, had two different results
}

// gatherEvidence returns what the exchanges show that were made without a state
// or sent twice.
func gatherEvidence(base playground.Transcript, made map[string][]playground.Exchange) evidence {
	var k evidence
	for id, list := range made {
		e, _ := ExperimentByID(id)
		for _, x := range list {
			if e.drops {
				k.addDropped(x, base)
			}
			if e.When == Twice {
				k.addRepeated(x, base)
			}
		}
	}
	return k
}

// addDropped adds the evidence of an exchange without the state.
func (k *evidence) addDropped(x playground.Exchange, base playground.Transcript) {
	if round, ok := changed(x); ok {
		right := base.Round(round.N)
		k.withoutState, k.unneeded = true, right != nil && sameOutcome(round, *right)
	}
}

// addRepeated adds the evidence of an exchange that sent the right retry again.
func (k *evidence) addRepeated(x playground.Exchange, base playground.Transcript) {
	for _, r := range playground.Fold(x.Log).Rounds {
		right := base.Round(r.N)
		k.varies = k.varies || !r.Decision.Changed && right != nil && !sameResult(r, *right)
	}
}

// sameResult reports whether two Rounds have the same outcome, content and
// questions.
func sameResult(a, b playground.Round) bool {
	return sameOutcome(a, b) && jsontree.Equal(a.Result.Get("content"), b.Result.Get("content")) &&
		jsontree.Equal(a.Result.Get("inputRequests"), b.Result.Get("inputRequests"))
}

// sameOutcome reports whether two Rounds ended in the same way: with a result,
// or with questions for the same keys.
func sameOutcome(a, b playground.Round) bool {
	if a.Kind != b.Kind || a.IsError != b.IsError || len(a.Questions) != len(b.Questions) {
		return false
	}
	for i, q := range a.Questions {
		if q.Key != b.Questions[i].Key {
			return false
		}
	}
	return true
}

// tampered judges a state that no result contained. The server must reject it
// if anything depends on the state (basic/patterns/mrtr, server requirement 4),
// which a client can only infer from the result.
func tampered(s trial) judgement {
	switch {
	case s.reaction() == Rejected:
		return pass("%s", s.description())
	case s.reaction() == AskedAgain && !sameOutcome(s.round, s.right):
		return pass("The server did not use the changed requestState: it asked again.")
	case s.right.N == 0:
		return hint("The call continued with a changed requestState. The result of the right one was " +
			"not recorded, so the two cannot be compared.")
	case !s.evidence.varies && !sameResult(s.round, s.right):
		return fail("The server used the changed requestState: the call continued, and the result " +
			"differs from that of the right state.")
	case s.evidence.withoutState && !s.evidence.unneeded:
		return fail("The call continued with a requestState that the server did not issue. Without a " +
			"state it does not continue.")
	case s.evidence.unneeded:
		return hint("The call continued with a changed requestState, and also without one. Whether " +
			"anything depends on it cannot be seen from outside.")
	}
	return fail("The call continued with a requestState that the server did not issue.")
}

// dropped judges a retry without the state. The request breaks a requirement of
// the client; the server has none here. The response shows whether it uses the
// state.
func dropped(s trial) judgement {
	switch {
	case s.reaction() == Rejected:
		return pass("%s", s.description())
	case s.right.N == 0 && s.reaction() == Accepted:
		return unknown("The call continued without its requestState. The result with it was not recorded.")
	case sameOutcome(s.round, s.right) && (s.evidence.varies || sameResult(s.round, s.right)):
		return unknown("The call continued in the same way without its requestState, so nothing seems " +
			"to depend on it.")
	case s.reaction() == AskedAgain:
		return pass("The server asked again for what was in the requestState.")
	}
	return hint("The call continued without its requestState, but with a different result.")
}

// misplacedState returns a judge of a genuine state that is sent with the wrong
// request or too late. accepted is the sentence if the server accepts it.
func misplacedState(accepted string) func(trial) judgement {
	return func(s trial) judgement {
		switch reaction := s.reaction(); {
		case reaction == Rejected:
			return pass("%s", s.description())
		case reaction == AskedAgain && !sameOutcome(s.round, s.right):
			return pass("The server did not use the requestState: it asked again.")
		}
		return hint("%s", accepted)
	}
}

// replayed judges a retry that is sent twice. Both reactions can be right.
func replayed(s trial) judgement {
	if s.reaction() == Rejected {
		return pass("The server rejected the second retry. %s", s.description())
	}
	return unknown("The same retry succeeded twice. That is correct unless the operation must happen at " +
		"most once, which only the server's author knows.")
}
