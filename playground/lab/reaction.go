package lab

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Reaction is how a server responded to a changed request, as far as a client
// can see.
type Reaction string

// Reactions.
const (
	Rejected   Reaction = "rejected"    // an error: of HTTP, of JSON-RPC or of the tool
	AskedAgain Reaction = "asked_again" // a question whose key was asked before
	Accepted   Reaction = "accepted"    // the call continued: a result, or a new question
	NoAnswer   Reaction = "no_answer"   // no usable response
)

// React returns the reaction of the server in Round r. earlier holds the Rounds
// before it.
func React(r playground.Round, earlier []playground.Round) Reaction {
	switch r.Kind {
	case playground.OutcomeInputRequired:
		for _, q := range r.Questions {
			if askedBefore(q.Key, earlier) {
				return AskedAgain
			}
		}
		return Accepted
	case playground.OutcomeComplete:
		if r.IsError {
			return Rejected
		}
		return Accepted
	case playground.OutcomeRetry, playground.OutcomeTask, playground.OutcomeTaskStatus, playground.OutcomeAck:
		return Accepted
	case playground.OutcomeRPCError:
		return Rejected
	case playground.OutcomeHTTPError:
		if r.Head.Status/100 == 4 {
			return Rejected
		}
	}
	return NoAnswer
}

// askedBefore reports whether one of the earlier Rounds has a question with
// this key.
func askedBefore(key string, earlier []playground.Round) bool {
	return slices.ContainsFunc(earlier, func(r playground.Round) bool {
		return slices.ContainsFunc(r.Questions, func(q playground.Question) bool { return q.Key == key })
	})
}

// Protection is how a sample protects its requestState.
type Protection string

// Protections, weakest first. The values are those of the samples' ?state=
// parameter.
const (
	Plain  Protection = "plain"
	Signed Protection = "signed"
	Sealed Protection = "sealed"
)

// Expected returns how a sample reacts to the experiment that protects its
// state in this way. onceOnly is true of a sample that remembers which retries
// were used.
func (e Experiment) Expected(p Protection, onceOnly bool) Reaction {
	if e.When == Twice && onceOnly {
		return Rejected
	}
	return e.expected[p]
}

func anyProtection(r Reaction) map[Protection]Reaction {
	return map[Protection]Reaction{Plain: r, Signed: r, Sealed: r}
}

// unlessPlain is for changes that only a key can notice.
func unlessPlain(r Reaction) map[Protection]Reaction {
	return map[Protection]Reaction{Plain: Accepted, Signed: r, Sealed: r}
}
