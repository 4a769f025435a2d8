// Package lab holds the experiments: deliberate changes of one request, made to
// see how a server treats what a client must not send. It says what is changed,
// what the specification expects of the server, and how the result is judged;
// the Report of a Session lists all of it. The package sends nothing: package
// drive does.
//
// An Experiment is a complete value in the table. Code elsewhere reads its
// fields and never compares its id.
package lab

import (
	"encoding/json"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Experiment is one deliberate change of a request. playground.Next builds the
// right request; the experiment changes it.
type Experiment struct {
	ID      string
	Title   string // what is done: "Flip one byte of the state"
	Sends   string // one sentence: what is sent
	Expects string // one sentence: what the specification says a server does with it
	Level   Level  // how strongly it says so
	Clause  string // link to where it says so
	Rule    string // id of the rule that judges the same requirement on any record; empty when none does
	Group   Group
	Needs   Need
	Wants   Supply
	When    Timing
	First   bool // only the first request of a call can be changed

	noPlace  string   // why a request has nothing to change, where that is not obvious
	notRun   string   // why it was not made although it has a place
	judges   []string // ids of rules that judge the changed Round here and nowhere else, beside Rule
	drops    bool     // the state is left out, which shows whether anything depends on it
	expected map[Protection]Reaction
	variants func(playground.Round) []string // states to send in place of the right one; nil means one change
	change   func(wire.Request, Material) (wire.Request, error)
	judge    func(trial) judgement // nil leaves it to Rule
}

// Level is the keyword of a clause (RFC 2119).
type Level string

// Levels. After a May both reactions are right.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
	May    Level = "MAY"
)

// Group is the part of a request that an experiment changes.
type Group string

// Groups, as pages call them.
const (
	GroupAnswers Group = "The answers"
	GroupState   Group = "The state"
	GroupRequest Group = "The request"
)

// Need is what the result must contain that the changed request answers.
type Need string

// Needs.
const (
	NeedsNothing  Need = "request"  // the first request will do
	NeedsQuestion Need = "question" // a retry with answers
	NeedsState    Need = "state"    // a retry that echoes a requestState
)

// Supply is what an experiment is made of that a call does not contain.
type Supply string

// Supplies.
const (
	WantsNothing        Supply = ""
	WantsOtherArguments Supply = "arguments" // the call with one argument changed
	WantsOtherTool      Supply = "tool"      // a call of another tool
	WantsOtherPerson    Supply = "person"    // the credentials of a second person
)

// Timing is when a changed request is sent.
type Timing string

// Timings.
const (
	Once        Timing = ""
	Twice       Timing = "twice"        // the right request is sent first, then the same again
	AfterExpiry Timing = "after expiry" // once the requestState has expired
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
	Round   playground.Round // whose result the request answers; zero for a first request
	Variant int              // which of the experiment's variants to send
	State   json.RawMessage  // a requestState that was given for another call or principal, as JSON text
	Call    *playground.Call // another call, for which the echoed requestState was not given
	Header  []wire.Field     // credentials of another principal
}

// Supplies is what a tester has besides the call itself.
type Supplies struct {
	Tool   *playground.Call // a call of another tool of the same server; nil for none
	Person []wire.Field     // credentials of a second person; empty for none
}

// Material returns what the experiment on a call is made of, and false if the
// supplies do not have it.
func (e Experiment) Material(c playground.Call, s Supplies) (Material, bool) {
	var m Material
	switch e.Wants {
	case WantsOtherArguments:
		other, ok := OtherArguments(c)
		m.Call = &other
		return m, ok
	case WantsOtherTool:
		m.Call = s.Tool
		return m, s.Tool != nil
	case WantsOtherPerson:
		m.Header = s.Person
		return m, len(s.Person) > 0
	}
	return m, true
}

// ErrNothingToChange is for a request that has no place for the experiment, as
// a form without a limit has for "out of range".
var ErrNothingToChange = errors.New("this request has nothing that the experiment could change")

// Variants returns in how many ways the request that answers r can be changed.
func (e Experiment) Variants(r playground.Round) int {
	if e.variants == nil {
		return 1
	}
	return len(e.variants(r))
}

// Change returns the changed request in place of the right one.
func (e Experiment) Change(req wire.Request, m Material) (wire.Request, error) {
	if !e.Fits(m.Round) {
		return wire.Request{}, ErrNothingToChange
	}
	if e.variants != nil {
		list := e.variants(m.Round)
		if m.Variant >= len(list) {
			return wire.Request{}, ErrNothingToChange
		}
		return WithState(req, list[m.Variant])
	}
	if e.change == nil { // only the time, or the number of times, is wrong
		return req, nil
	}
	return e.change(req, m)
}

// Experiments returns all experiments in the order in which pages list them:
// answers, state, request.
func Experiments() []Experiment { return table }

// ExperimentByID returns the experiment of that id, and whether there is one.
func ExperimentByID(id string) (Experiment, bool) {
	i, ok := byID[id]
	if !ok {
		return Experiment{}, false
	}
	return table[i], true
}

// byID is where an experiment stands in the table.
var byID = func() map[string]int {
	index := make(map[string]int, len(table))
	for i, e := range table {
		index[e.ID] = i
	}
	return index
}()
