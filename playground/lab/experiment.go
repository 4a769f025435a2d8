package lab

import (
	"encoding/json"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Experiment is something wrong that is sent on purpose, to see what a server
// makes of it. Next builds the right request; the experiment changes it. It
// says what the specification expects, never what a server did: that is for
// whoever judges the record.
type Experiment struct {
	ID      string
	Title   string // what is done: "Flip one byte of the state"
	Sends   string // one sentence: what is sent
	Expects string // one sentence: what the specification says a server does with it
	Level   Level  // how strongly it says so
	Clause  string // link to where it says so
	Rule    string // id of the rule that judges the same duty on any record; empty when none does
	Needs   Need

	outcome map[Protection]Reaction
	change  func(wire.Request, Material) (wire.Request, error)
}

// Level is the word of a clause.
type Level string

// Duties. A May is something both of whose outcomes are right.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
	May    Level = "MAY"
)

// Need is what an experiment needs to find in the result that its request
// answers.
type Need string

// Needs.
const (
	NeedsNothing  Need = "request"  // the first request will do
	NeedsQuestion Need = "question" // a retry with answers
	NeedsState    Need = "state"    // a retry that echoes a requestState
)

// Fits reports whether the experiment can be made with the request that
// answers r. A first request answers the zero Round.
func (e Experiment) Fits(r playground.Round) bool {
	switch e.Needs {
	case NeedsQuestion:
		return len(r.Questions) > 0
	case NeedsState:
		return r.State != nil
	}
	return true
}

// Material is what a changed request is made of besides the right one.
type Material struct {
	Round  playground.Round // whose result the request answers; zero for a first request
	State  json.RawMessage  // a requestState that was given to somebody or something else, as JSON text
	Call   *playground.Call // another call, for which the echoed requestState was not given
	Header []wire.Field     // credentials of somebody else
}

// ErrNothingToChange is for a request that has no place for the experiment, as
// a form without a limit has for "out of range".
var ErrNothingToChange = errors.New("this request has nothing that the experiment could change")

// Change makes the wrong request of the right one.
func (e Experiment) Change(req wire.Request, m Material) (wire.Request, error) {
	if !e.Fits(m.Round) {
		return wire.Request{}, ErrNothingToChange
	}
	if e.change == nil { // what is wrong is when, or how often, it is sent
		return req, nil
	}
	return e.change(req, m)
}

// Experiments are all of them, in the order in which a reader meets them:
// answers, state, capabilities, transport.
func Experiments() []Experiment {
	var list []Experiment
	for _, part := range [][]Experiment{answerExperiments(), stateExperiments(), capabilityExperiments(), headerExperiments(), messageExperiments()} {
		list = append(list, part...)
	}
	return list
}

// ExperimentByID finds an experiment.
func ExperimentByID(id string) (Experiment, bool) {
	for _, e := range Experiments() {
		if e.ID == id {
			return e, true
		}
	}
	return Experiment{}, false
}
