// Package expect says what a call must come to: what the server must ask in which round, and
// what the result must have. An Expectation is made from a recorded call (Of, Whole), written
// to a small file (File) and read again (Read). Its call is made again with its answers
// (Decider), and the new recording is judged (Judge).
//
// # Contract
//
// An Expectation has conditions, and each is judged as one Line: passed, failed, or not
// reached with the reason. A condition that was not reached is never a pass. If the server
// sent nothing at all, nothing is judged, and the Judgement has a gap.
//
// Whole expects everything as it was recorded, except for values that differ in every
// response without meaning. It is what `call -replay` compares.
//
// Rounds are compared by their questions: round 1 of an Expectation is the first one in which
// the server asks or wants the call repeated. Polls of a task and requests that were sent
// again do not count, because their number says nothing.
//
// The package is pure. It refuses nothing that a server does: what differs is a Line.
package expect

import (
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Expectation is what a call must come to.
type Expectation struct {
	Name         string
	URL          string // of the server; empty if it has to be given
	Era          playground.Era
	Capabilities json.RawMessage // of the client; a JSON object
	Call         playground.Call
	Rounds       []Round
	Result       *Result // nil if the end is not judged

	whole []playground.Round // recorded ones that are compared as they are; nil for none
}

// Round is a round in which the server must ask.
type Round struct {
	Asks     []Ask  // none if the server only wants the call repeated
	Stops    bool   // nothing is sent after it
	Instance string // of a sample, that the user chose for the next request
}

// Ask is a question that the server must ask, and its answer.
type Ask struct {
	Key     string // empty for a server that gives no keys: then the order counts
	Method  string
	Message *string         // nil if any is right
	Schema  json.RawMessage // requested schema; nil if any is right
	Answer  json.RawMessage // nil for a placeholder answer
	Error   json.RawMessage // refuses the question of a legacy server, in place of Answer
}

// Result is how the call must end.
type Result struct {
	Outcome playground.OutcomeKind
	IsError *bool         // of a tool; nil if either is right
	Code    *int64        // of a JSON-RPC error; nil if any is right
	Must    []Condition   // on the result
	Most    time.Duration // that the rounds may take together; 0 for any time
}

// Condition is one condition on the result. It has one of Equals, Contains and Schema.
type Condition struct {
	Path     *string         // JSON Pointer into the result; nil for the texts of the result
	Equals   json.RawMessage // the value
	Contains string          // a part of the text
	Schema   json.RawMessage // a JSON Schema that the value conforms to
}

// Whole expects everything that x recorded, but values that are new in every response.
func Whole(x playground.Exchange) Expectation {
	e := Expectation{
		URL: x.Target.URL, Capabilities: x.Target.Capabilities, Call: x.Call, Era: eraOf(x.Fold()),
	}
	f := x.Fold()
	e.whole, e.Rounds = f.Rounds, rounds(f)
	return e
}

// eraOf returns Legacy for a call of a legacy server, else "".
func eraOf(f playground.Transcript) playground.Era {
	if last := f.Last(); last != nil && last.Legacy {
		return playground.Legacy
	}
	return ""
}

// asking returns the rounds in which the server asks or wants the call repeated.
func asking(f playground.Transcript) []playground.Round {
	var list []playground.Round
	for _, r := range f.Rounds {
		if r.Open() {
			list = append(list, r)
		}
	}
	return list
}

// rounds returns the rounds of a transcript in which the server asks, with the recorded
// answers.
func rounds(f playground.Transcript) []Round {
	var list []Round
	for i, r := range f.Rounds {
		if !r.Open() {
			continue
		}
		made := Round{Stops: true}
		var answers []playground.Answer
		for _, next := range f.Rounds[i+1:] {
			if made.Stops = false; !isSentAgain(next) {
				answers, made.Instance = next.Decision.Answers, next.Decision.Instance
				break
			}
		}
		for _, q := range r.Questions {
			a := Ask{Key: q.Key, Method: q.Method}
			if r.Legacy {
				a.Key = ""
			}
			for _, given := range answers {
				if given.Key == q.Key {
					a.Answer, a.Error = given.Value, given.Error
				}
			}
			made.Asks = append(made.Asks, a)
		}
		list = append(list, made)
	}
	return list
}

// isSentAgain reports whether a round repeats the request of the one before it.
func isSentAgain(r playground.Round) bool { return r.Decision.Action == playground.ActionResend }

// schemaOf returns the schema that a question requests, or nil.
func schemaOf(q playground.Question) *jsontree.Node { return q.Params.Get("requestedSchema") }
