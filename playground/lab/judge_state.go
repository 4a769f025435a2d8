package lab

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// evidence is what the other exchanges of the check tell about the call.
type evidence struct {
	withoutState bool // it was made without its requestState
	unneeded     bool // and came to the same point all the same
	varies       bool // the right retry, made twice, gave two different results
}

// gatherEvidence reads what was made without a state, and what was made twice.
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

// addDropped learns from an exchange whose state was left out.
func (k *evidence) addDropped(x playground.Exchange, base playground.Transcript) {
	if round, ok := changed(x); ok {
		right := base.Round(round.N)
		k.withoutState, k.unneeded = true, right != nil && sameOutcome(round, *right)
	}
}

// addRepeated learns from an exchange that made the right retry once more.
func (k *evidence) addRepeated(x playground.Exchange, base playground.Transcript) {
	for _, r := range playground.Fold(x.Log).Rounds {
		right := base.Round(r.N)
		k.varies = k.varies || !r.Decision.Changed && right != nil && !sameResult(r, *right)
	}
}

// sameResult reports whether two Rounds led to the sameResult point, with the sameResult words.
func sameResult(a, b playground.Round) bool {
	return sameOutcome(a, b) && jsontree.Equal(a.Result.Get("content"), b.Result.Get("content")) &&
		jsontree.Equal(a.Result.Get("inputRequests"), b.Result.Get("inputRequests"))
}

// sameOutcome reports whether two Rounds ended alike: both done, or both asking
// for the same keys.
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

// tampered judges a state that no result ever gave. The duty to reject it holds
// where anything depends on the state (basic/patterns/mrtr, server requirement
// 4), which a client sees only by its effect.
func tampered(s trial) judgement {
	switch {
	case s.reaction() == Rejected:
		return pass("%s", s.description())
	case s.reaction() == AskedAgain && !sameOutcome(s.round, s.right):
		return pass("The server did not go on with it: it asked again.")
	case s.right.N == 0:
		return hint("The call went on with a changed requestState. What the right one leads to was not recorded, so the two cannot be compared.")
	case !s.evidence.varies && !sameResult(s.round, s.right):
		return fail("The changed requestState was believed: the call went on, and what came back differs from what the right state gives.")
	case s.evidence.withoutState && !s.evidence.unneeded:
		return fail("The call went on with a requestState that no result ever gave; without any state it does not.")
	case s.evidence.unneeded:
		return hint("The call went on with a changed requestState, and also without any. Whether anything depends on it cannot be known from outside.")
	}
	return fail("The call went on with a requestState that no result ever gave.")
}

// dropped: the client's duty is broken here, the server has none. The answer
// tells whether the state matters.
func dropped(s trial) judgement {
	switch {
	case s.reaction() == Rejected:
		return pass("%s", s.description())
	case s.right.N == 0 && s.reaction() == Accepted:
		return unknown("The call went on without its requestState. What it leads to otherwise was not recorded.")
	case sameOutcome(s.round, s.right) && (s.evidence.varies || sameResult(s.round, s.right)):
		return unknown("The call goes on in the same way without its requestState, so nothing seems to depend on it.")
	case s.reaction() == AskedAgain:
		return pass("The server asked again for what the requestState had kept.")
	}
	return hint("The call went on without its requestState, but with another result.")
}

// misplacedState returns what judges a genuine state in the wrong place or at the wrong
// time. accepted is the advice if the server goes on with it.
func misplacedState(accepted string) func(trial) judgement {
	return func(s trial) judgement {
		switch reaction := s.reaction(); {
		case reaction == Rejected:
			return pass("%s", s.description())
		case reaction == AskedAgain && !sameOutcome(s.round, s.right):
			return pass("The server did not go on with it: it asked again.")
		}
		return hint("%s", accepted)
	}
}

// replayed: both answers can be right.
func replayed(s trial) judgement {
	if s.reaction() == Rejected {
		return pass("The second time was turned away. %s", s.description())
	}
	return unknown("The same retry worked twice. That is right unless it must happen at most once, which only the server's author knows.")
}
