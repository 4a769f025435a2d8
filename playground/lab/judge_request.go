package lab

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// unagreed returns a judge of an answer that does not agree to the question, such
// as a declined elicitation, where the right answer agrees. right and user are
// the source of the right call's result, and the action of the user, as ends of
// a clause. Only the structure of the results is compared: sentences are for
// people.
func unagreed(right, user string) func(trial) judgement {
	return func(s trial) judgement {
		switch reaction := s.reaction(); {
		case reaction == Rejected:
			return pass("The server ended the call. %s", s.description())
		case reaction == AskedAgain && !sameOutcome(s.round, s.right):
			return pass("The server asked again.")
		case declines(s.right.Decision):
			return unknown("A check opens no page, so the right call ended with a declined question, too.")
		case s.right.N == 0:
			return unknown("The result %s was not recorded, so the two cannot be compared.", right)
		case s.round.Kind == playground.OutcomeInputRequired:
			return unknown("The server asked the next question. " +
				"Whether it treats the first one as optional is not visible.")
		case s.round.Kind == s.right.Kind && s.evidence.same(s.round, s.right) &&
			!identical(s.round, s.right):
			return unknown("The result differs from that %s only where two right calls differ too.", right)
		case identical(s.round, s.right) && s.askedAtTimes():
			return unknown("The result is the same as %s. "+
				"The server does not always ask this question, so it may not need the answer.", right)
		case identical(s.round, s.right):
			return hint("The result is the same as %s. "+
				"The server may have done the work although the user %s.", right, user)
		}
		return pass("The result differs from that %s.", right)
	}
}

// declines reports whether a decision declines a question.
func declines(d playground.Decision) bool {
	return slices.ContainsFunc(d.Answers, func(a playground.Answer) bool { return a.Action() == "decline" })
}

// earlyAnswered judges answers to questions that the server had not asked. Both
// reactions can be right.
func earlyAnswered(s trial) judgement {
	switch {
	case s.round.Kind == playground.OutcomeInputRequired:
		return pass("The server asked all the same.")
	case s.reaction() == Rejected:
		return pass("%s", s.description())
	}
	return unknown("The server went on without asking. " +
		"That is correct unless the user must see the question before an answer counts. " +
		"Only the server's author knows.")
}

// undeclared judges the response to a client that declares no capability
// (basic/index, "Per-request protocol fields"). The questions of the right call
// show whether the server needs one.
func undeclared(s trial) judgement {
	e := s.round.Error
	switch {
	case len(s.round.Questions) > 0 && s.declares():
		if o, ruled := s.ruleVerdict(); ruled && o.verdict != verdict.Passed {
			return o
		}
		return pass("The server asked only for what was declared.")
	case len(s.round.Questions) > 0:
		return fail("The server asked for %q, although the client declared no capability.",
			s.round.Questions[0].Key)
	case s.returnsTask() && s.right.Kind == playground.OutcomeTask:
		return unknown("The server returned a task. The experiment without the tasks extension judges that.")
	case s.returnsTask():
		return fail("The server returned a task, although the client declared no capability.")
	case e == nil && s.reaction() != Rejected:
		return pass("The server asked no question.")
	case e == nil:
		return unknown("The tool reported an error. Whether a missing capability caused it is unknown.")
	case len(s.right.Questions) == 0 && s.right.Kind != playground.OutcomeTask:
		return unknown("The call asks no question with capabilities either. %s", s.description())
	case e.Code != -32021:
		return fail(
			"The server needs a capability that was not declared, and returned error %d instead of -32021.",
			e.Code)
	case !s.hasStatus(400):
		return fail("Error -32021 came with HTTP status %d; it must come with 400.", s.round.Head.Status)
	}
	return pass("%s", s.description())
}

// declares reports whether the request declares any capability.
func (s trial) declares() bool {
	return s.round.Sent.At("params", "_meta", metaCapabilities).Len() > 0
}

// versionMissing judges a request without the version header. A server that
// also serves the oldest clients may treat it as one of theirs
// (streamable-http, "Protocol Version Header").
func versionMissing(s trial) judgement {
	switch {
	case s.round.Error != nil && s.round.Error.Code == -32020 && s.round.Head.Status == 400:
		return pass("%s", s.description())
	case s.reaction() == Rejected:
		return unknown("%s A server may treat the request as one of a client from before 2025-06-18.",
			s.description())
	case s.round.Result.Has("resultType"):
		return fail("The server answered a request without the header with a result of 2026-07-28. " +
			"It may only treat it as one of revision 2025-03-26.")
	}
	return hint("The server accepted a request without the header. " +
		"Only a server that also serves clients from before 2025-06-18 may do so.")
}

// methodUnknown judges a request with an unknown method.
func methodUnknown(s trial) judgement {
	e := s.round.Error
	switch {
	case e == nil:
		return fail("The server did not return error -32601. %s", s.description())
	case e.Code != -32601:
		return fail("The server returned error %d instead of -32601.", e.Code)
	case !s.hasStatus(404):
		return fail("Error -32601 came with HTTP status %d; it must come with 404.", s.round.Head.Status)
	}
	return pass("%s", s.description())
}

// unasked judges the response to a request without a progress token, which is right.
func unasked(s trial) judgement {
	sent := func(m playground.RPC) bool { return m.Method() == playground.ProgressNotified }
	switch {
	case slices.ContainsFunc(s.round.Messages, sent):
		return fail("The server sent progress for a request that has no progressToken.")
	case s.round.Error != nil:
		return hint("The server rejected the request, although a progressToken is optional. %s",
			s.description())
	}
	return pass("The server sent no progress.")
}

// reusedID judges a request with the id of the request before it. If the server
// accepts it, the response must have that id.
func reusedID(s trial) judgement {
	switch {
	case s.round.Error != nil:
		return hint("The server rejected the id. " +
			"It can notice the reuse only if it keeps state between requests, and the protocol is stateless.")
	case !jsontree.Equal(s.round.Sent.Get("id"), answerID(s.round)):
		return fail("The response does not have the id of its request.")
	}
	return pass("%s", s.description())
}

// answerID returns the id of the response, or nil if there is none.
func answerID(r playground.Round) *jsontree.Node {
	for _, m := range r.Messages {
		if m.IsResponse() {
			return m.Node.Get("id")
		}
	}
	return nil
}
