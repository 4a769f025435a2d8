package lab

import (
	"errors"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// trial is one changed request and its response, with the right call that it is
// compared to.
type trial struct {
	e        Experiment
	x        playground.Exchange
	earlier  []playground.Round // before round
	round    playground.Round   // the changed one
	right    playground.Round   // the same Round of the right call; zero if unknown
	evidence evidence
}

// judgement is a verdict with one sentence that explains it.
type judgement struct {
	verdict verdict.Outcome
	text    string
	// the response says nothing about the change, so no other variant of it can
	// show that the server handles the change
	blocked bool
}

func fail(format string, args ...any) judgement {
	return judgement{verdict: verdict.Failed, text: fmt.Sprintf(format, args...)}
}

func hint(format string, args ...any) judgement {
	return judgement{verdict: verdict.Advisory, text: fmt.Sprintf(format, args...)}
}

func pass(format string, args ...any) judgement {
	return judgement{verdict: verdict.Passed, text: fmt.Sprintf(format, args...)}
}

func unknown(format string, args ...any) judgement {
	return judgement{verdict: verdict.NotJudged, text: fmt.Sprintf(format, args...)}
}

// judge returns the judgement on the response.
func (s trial) judge() judgement {
	if s.e.byHand {
		return s.described()
	}
	if cause := s.otherCause(); cause != "" {
		o := unknown("Not judged, because %s.", cause)
		o.blocked = true
		return o
	}
	switch {
	case s.reaction() == NoAnswer && !s.returnsTask():
		return s.noAnswer()
	case s.e.judge != nil:
		return s.e.judge(s)
	}
	return s.byRule()
}

// reaction returns how the server responded. If the tool reports the same error
// after the right request, the change was accepted.
func (s trial) reaction() Reaction {
	if s.round.IsError && s.right.IsError && s.evidence.same(s.round, s.right) {
		return Accepted
	}
	return React(s.round, s.earlier)
}

// byRule returns the verdict of the rule about the same requirement. If the
// rule does not apply, the experiment counts as not passed.
func (s trial) byRule() judgement {
	if o, ok := s.ruleVerdict(); ok {
		return o
	}
	switch {
	case s.e.Level != Must:
		return hint("%s", s.description())
	case s.reaction() == Rejected:
		return fail("The response must be another error (%s). %s", s.e.Brief, s.description())
	}
	return fail("The server did not reject the request. %s", s.description())
}

// ruleVerdict returns the verdict of the experiment's rule on the changed
// Round, and false if the rule does not apply.
func (s trial) ruleVerdict() (judgement, bool) {
	for _, f := range rules.JudgeFolded(s.x, s.x.Fold()) {
		if f.Rule != s.e.Rule || f.Round != s.round.N {
			continue
		}
		if f.Verdict == verdict.Passed {
			return pass("%s", s.description()), true
		}
		return judgement{verdict: f.Verdict, text: f.Text}, true
	}
	return judgement{}, false
}

// missing judges a retry without one of the requested answers.
func missing(s trial) judgement {
	o, ruled := s.ruleVerdict()
	switch {
	case ruled:
		return o
	case s.round.Kind == playground.OutcomeInputRequired:
		return unknown("The server asked a different question. " +
			"Whether it needs the missing answer is not visible.")
	case s.round.IsError && s.reaction() == Rejected:
		return hint("The tool reported an error instead of asking again.")
	case s.reaction() == Accepted:
		return unknown("The server continued without the answer, so it did not need it.")
	}
	return unknown("Not judged, because the error may have another cause. %s", s.description())
}

// noAnswer returns the judgement if there is no usable response.
func (s trial) noAnswer() judgement {
	switch {
	case s.e.Level == Must && s.e.Needs != NeedsState:
		return fail("The server sent no usable response. %s", s.round.Detail)
	case s.e.Needs == NeedsState:
		return pass("The request failed. %s", s.round.Detail)
	}
	return hint("The server sent no usable response. %s", s.round.Detail)
}

// description returns one sentence about the response.
func (s trial) description() string {
	switch s.reaction() {
	case AskedAgain:
		return "The server asked again."
	case Accepted:
		return "The server continued the call."
	}
	switch {
	case s.round.Error != nil && s.round.OnLine():
		return fmt.Sprintf("The server answered with error %d.", s.round.Error.Code)
	case s.round.Error != nil:
		return fmt.Sprintf("The server answered with HTTP status %d and error %d.", s.round.Head.Status,
			s.round.Error.Code)
	case s.round.IsError:
		return "The tool reported an error."
	case s.round.OnLine():
		return "The server answered with no JSON-RPC error." + rules.OfLibrary(s.round)
	}
	return fmt.Sprintf("The server answered with HTTP status %d and %s.%s", s.round.Head.Status,
		bodyWords(s.round), rules.OfLibrary(s.round))
}

// hasStatus reports whether the response has an HTTP status. A line has none, so that it
// cannot have the wrong one.
func (s trial) hasStatus(status int) bool { return s.round.Head.Status == status || s.round.OnLine() }

// bodyWords describes the body of a response without a JSON-RPC error.
func bodyWords(r playground.Round) string {
	var syntax *jsontree.SyntaxError
	_, err := jsontree.Parse(r.Response.Body, jsontree.Limits{})
	switch {
	case len(r.Response.Body) == 0:
		return "no body"
	case r.Head.MediaType() == "application/json" && (r.Head.Coding() == "" || r.Decoded) &&
		errors.As(err, &syntax):
		return "a body that is not valid JSON"
	}
	return "no JSON-RPC error"
}
