package lab

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// badContent judges an answer with a value that the question's schema does not
// allow. A server may look at it in the Round of the answer or later: a result
// without the question shows no more than that the call goes on.
func badContent(s trial) judgement {
	if s.reaction() != Accepted {
		return pass("%s", s.description())
	}
	end := s.end()
	switch {
	case end.round.N > s.round.N && Asks(end.round, ChangedAnswers(s.round)):
		return pass("The server continued the call, and asked the question again in round %d.", end.round.N)
	case end.round.Kind == playground.OutcomeInputRequired, end.round.Kind == playground.OutcomeRetry:
		return unknown("The server continued the call. Whether it validates the value later was not seen.")
	case end.round.N > s.round.N && end.otherCause() != "":
		return unknown("The server continued the call. How it ends shows nothing, because %s.",
			end.otherCause())
	case end.reaction() == Rejected:
		return pass("The server continued the call, and ended it in round %d.", end.round.N)
	case end.reaction() == NoAnswer:
		return unknown("The server continued the call, whose end was not seen.")
	case s.askedAtTimes():
		return unknown("The call continued with a value that its own schema does not allow. " +
			"The server does not always ask this question, so it may not need the answer.")
	case end.right.N > 0 && !end.evidence.same(end.round, end.right):
		return hint("The call continued with a value that its own schema does not allow. " +
			"Its result differs from that of the right answer. " +
			"The server may have refused the value in words.")
	}
	return hint("The server continued the call with a value that its own schema does not allow.")
}

// end returns the trial of the last Round of the call with the changed request,
// which may be that of the request itself.
func (s trial) end() trial {
	last := s.x.Fold().Last()
	if last.N <= s.round.N || last.Kind == playground.OutcomePending {
		return s
	}
	s.earlier, s.round, s.right = roundsBefore(s.x, last.N), *last, playground.Round{}
	if rights := s.evidence.rights[last.N]; len(rights) > 0 {
		s.right = rights[0]
	}
	return s
}

// askedAtTimes reports whether the server did not ask the questions whose answers were
// changed after another right request like the one before, as versions that take turns
// do. What a server does not need it ignores (basic/patterns/mrtr, error handling).
func (s trial) askedAtTimes() bool {
	if len(s.earlier) == 0 {
		return false
	}
	keys, asked := ChangedAnswers(s.round), s.earlier[len(s.earlier)-1]
	return Asks(asked, keys) && slices.ContainsFunc(s.evidence.rights[asked.N],
		func(r playground.Round) bool {
			return r.Kind == asked.Kind && !Asks(r, keys)
		})
}

// malformed judges an answer that is none. An object of another kind may count as missing.
func malformed(s trial) judgement {
	sent := answersIn(s.round)
	if sent == nil || len(sent.Members) == 0 || sent.Members[0].Value.Kind != jsontree.Object {
		return s.byRule()
	}
	elicited := sent.Members[0].Value.Has("roots") // see ofOtherKind
	switch {
	case s.reaction() == Rejected, s.reaction() == AskedAgain:
		return pass("%s", s.description())
	case elicited && !identical(s.round, s.right):
		return unknown("The server went on. It may have taken the answer for a refusal.")
	}
	return hint("The server went on with an object that answers another kind of question.")
}

// Asks reports whether a Round asks a question with one of the keys.
func Asks(r playground.Round, keys []string) bool {
	return slices.ContainsFunc(r.Questions, func(q playground.Question) bool {
		return slices.Contains(keys, q.Key)
	})
}

// ChangedAnswers returns the keys of the answers that a changed request has in
// another form than the decision that the right request was made from.
func ChangedAnswers(r playground.Round) []string {
	var keys []string
	for _, a := range r.Decision.Answers {
		right, err := jsontree.Parse(a.Value, jsontree.Limits{})
		if err != nil || !jsontree.Equal(answersIn(r).Get(a.Key), right) {
			keys = append(keys, a.Key)
		}
	}
	return keys
}
