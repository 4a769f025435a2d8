package lab

import (
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
)

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
		return hint("The call continued with a changed requestState. " +
			"The result of the right one was not recorded, so the two cannot be compared.")
	case s.issuedBefore():
		return hint(
			"The call continued with a changed requestState, which the server had issued to another call. " +
				"Its states can be guessed, and nothing binds them to their call.")
	case !s.evidence.same(s.round, s.right):
		return fail("The server used the changed requestState. " +
			"The call continued, and the result differs from that of the right state.")
	case s.issued():
		return fail("The call continued with a changed requestState. " +
			"The server issued the same one to another call only later, so it does not verify what it gets.")
	case s.needsState() && s.evidence.cut[s.round.N] && !s.evidence.noticed[s.round.N]:
		return hint("The call continued with a changed requestState and with half of it, " +
			"with the same result. The server seems to check only that there is one, " +
			"so that nothing is gained by changing it.")
	case s.needsState():
		return fail("The call continued with a requestState that the server did not issue. " +
			"Without a state it does not continue.")
	case s.unneeded():
		return hint("The call continued with a changed requestState, and also without one. " +
			"Whether anything depends on it cannot be seen from outside.")
	}
	return fail("The call continued with a requestState that the server did not issue.")
}

// flippedAfterGap judges a changed state that keeps the answers of an earlier round, which
// the retry does not have. The call of the right state was not made.
func flippedAfterGap(s trial) judgement {
	switch {
	case !s.round.Sent.At("params").Has("requestState"):
		return unknown("The result after the gap had no requestState.")
	case s.reaction() == Rejected:
		return pass("%s", s.description())
	case s.reaction() == AskedAgain:
		return pass("The server did not use the changed requestState: it asked again.")
	case s.repeatsAnswers():
		return unknown("The server asked again for all answers, so its requestState keeps none.")
	}
	return hint("The call went on with a changed requestState, although only the state keeps the answers " +
		"of the round before. A client could make up answers.")
}

// repeatsAnswers reports whether the changed request has an answer under each key that an
// earlier request answered.
func (s trial) repeatsAnswers() bool {
	again := s.round.Sent.At("params", "inputResponses")
	return !slices.ContainsFunc(s.earlier, func(r playground.Round) bool {
		answers := r.Sent.At("params", "inputResponses")
		return answers != nil && slices.ContainsFunc(answers.Members, func(m jsontree.Member) bool {
			return !again.Has(m.Key)
		})
	})
}

// issued reports whether the server issued the changed state to another call.
func (s trial) issued() bool {
	sent := s.round.Sent.At("params", "requestState")
	own := slices.ContainsFunc(s.earlier, func(r playground.Round) bool {
		return r.State != nil && r.StateText() == sent.Str()
	})
	_, known := s.evidence.issued[sent.Str()]
	return sent != nil && known && !own
}

// issuedBefore reports whether it did before the changed request was sent.
func (s trial) issuedBefore() bool {
	return s.issued() && !s.evidence.issued[s.round.Sent.At("params",
		"requestState").Str()].After(s.round.Began)
}

// needsState reports whether the retry without its state had another result.
func (s trial) needsState() bool {
	same, dropped := s.evidence.dropped[s.round.N]
	return dropped && !same
}

// unneeded reports whether the retry without its state had the same result.
func (s trial) unneeded() bool { return s.evidence.dropped[s.round.N] }

// spared judges a state of which only bits were changed that Base64 does not
// use. Its content is the same, so accepting it forges nothing.
func spared(s trial) judgement {
	switch {
	case s.reaction() == Accepted && s.evidence.unsafe:
		return unknown("The server also accepts a requestState with other contents.")
	case s.reaction() == Accepted:
		return hint("The server accepted a requestState whose Base64 has other unused bits. "+
			"The content is the same, so nothing is forged. "+
			"A strict decoder would accept only one text for it.%s",
			codecOf(s))
	}
	return pass("%s", s.description())
}

// codecOf returns a sentence about the codec of the TypeScript SDK if the state is
// in its format. It returns "" for any other state.
func codecOf(s trial) string {
	if len(s.earlier) == 0 {
		return ""
	}
	asked := s.earlier[len(s.earlier)-1]
	if state.Recognise(asked.StateText()).ID != state.TypeScript {
		return ""
	}
	return " createRequestStateCodec of @modelcontextprotocol/server (2.4.0) decodes so."
}

// late judges a state that is sent after a time that the user chose.
func late(s trial) judgement {
	waited := fmt.Sprintf("%d s", int(s.waited().Seconds()))
	if s.reaction() == Rejected {
		return pass("The state expires within %s. %s", waited, s.description())
	}
	return unknown("The state did not expire within %s.", waited)
}

// waited returns the time between the request that got the state and the changed
// one, in seconds.
func (s trial) waited() time.Duration {
	if len(s.earlier) == 0 {
		return 0
	}
	return s.round.Began.Sub(s.earlier[len(s.earlier)-1].Began).Truncate(time.Second)
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
	case s.evidence.same(s.round, s.right):
		return unknown(
			"The call continued in the same way without its requestState, so nothing seems to depend on it.")
	case s.reaction() == AskedAgain:
		return pass("The server asked again for what was in the requestState.")
	case len(s.earlier) > 0 && sameOutcome(s.round, s.earlier[0]):
		return pass("The server started the call over, as for a request without a requestState.")
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
		case s.unneeded():
			return unknown("The call also continues in the same way without its requestState. " +
				"Nothing seems to depend on it.")
		}
		return hint("%s", accepted)
	}
}

// replayed judges a retry that is sent twice. Both reactions can be right.
func replayed(s trial) judgement {
	if s.reaction() == Rejected {
		return pass("The server rejected the second retry. %s", s.description())
	}
	return unknown("The same retry succeeded twice. " +
		"That is correct unless the operation must happen at most once. " +
		"Only the server's author knows.")
}
