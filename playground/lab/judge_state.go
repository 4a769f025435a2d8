package lab

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// evidence is what the other exchanges of the check tell about the call.
type evidence struct {
	tried    bool // it was made without its requestState
	needless bool // and came to the same point all the same
	volatile bool // the right retry, made twice, gave two different results
}

// learn reads what was made without a state, and what was made twice.
func learn(base playground.Transcript, made map[string][]playground.Exchange) evidence {
	var k evidence
	for id, list := range made {
		e, _ := ExperimentByID(id)
		for _, x := range list {
			if e.drops {
				k.dropped(x, base)
			}
			if e.When == Twice {
				k.repeated(x, base)
			}
		}
	}
	return k
}

// dropped learns from an exchange whose state was left out.
func (k *evidence) dropped(x playground.Exchange, base playground.Transcript) {
	if round, ok := changed(x); ok {
		right := base.Round(round.N)
		k.tried, k.needless = true, right != nil && sameKind(round, *right)
	}
}

// repeated learns from an exchange that made the right retry once more.
func (k *evidence) repeated(x playground.Exchange, base playground.Transcript) {
	for _, r := range playground.Fold(x.Log).Rounds {
		right := base.Round(r.N)
		k.volatile = k.volatile || !r.Decision.Changed && right != nil && !same(r, *right)
	}
}

// same reports whether two Rounds led to the same point, with the same words.
func same(a, b playground.Round) bool {
	return sameKind(a, b) && jsontree.Equal(a.Result.Get("content"), b.Result.Get("content")) &&
		jsontree.Equal(a.Result.Get("inputRequests"), b.Result.Get("inputRequests"))
}

// sameKind reports whether two Rounds ended alike: both done, or both asking
// for the same keys.
func sameKind(a, b playground.Round) bool {
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
func tampered(s trial) opinion {
	switch {
	case s.reaction() == Rejected:
		return pass("%s", s.came())
	case s.reaction() == AskedAgain && !sameKind(s.round, s.right):
		return pass("The server did not go on with it: it asked again.")
	case s.right.N == 0:
		return hint("The call went on with a changed requestState. What the right one leads to was not recorded, so the two cannot be compared.")
	case !s.evidence.volatile && !same(s.round, s.right):
		return fail("The changed requestState was believed: the call went on, and what came back differs from what the right state gives.")
	case s.evidence.tried && !s.evidence.needless:
		return fail("The call went on with a requestState that no result ever gave; without any state it does not.")
	case s.evidence.needless:
		return hint("The call went on with a changed requestState, and also without any. Whether anything depends on it cannot be known from outside.")
	}
	return fail("The call went on with a requestState that no result ever gave.")
}

// dropped: the client's duty is broken here, the server has none. The answer
// tells whether the state matters.
func dropped(s trial) opinion {
	switch {
	case s.reaction() == Rejected:
		return pass("%s", s.came())
	case s.right.N == 0 && s.reaction() == Accepted:
		return unknown("The call went on without its requestState. What it leads to otherwise was not recorded.")
	case sameKind(s.round, s.right) && (s.evidence.volatile || same(s.round, s.right)):
		return unknown("The call goes on in the same way without its requestState, so nothing seems to depend on it.")
	case s.reaction() == AskedAgain:
		return pass("The server asked again for what the requestState had kept.")
	}
	return hint("The call went on without its requestState, but with another result.")
}

// foreign returns what judges a genuine state in the wrong place or at the wrong
// time. accepted is the advice if the server goes on with it.
func foreign(accepted string) func(trial) opinion {
	return func(s trial) opinion {
		switch reaction := s.reaction(); {
		case reaction == Rejected:
			return pass("%s", s.came())
		case reaction == AskedAgain && !sameKind(s.round, s.right):
			return pass("The server did not go on with it: it asked again.")
		}
		return hint("%s", accepted)
	}
}

// replayed: both answers can be right.
func replayed(s trial) opinion {
	if s.reaction() == Rejected {
		return pass("The second time was turned away. %s", s.came())
	}
	return unknown("The same retry worked twice. That is right unless it must happen at most once, which only the server's author knows.")
}
