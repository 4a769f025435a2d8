// Package lab holds the experiments: deliberate changes of one request that
// show how a server handles what a client must not send. An experiment has the
// change, the expectation of the specification, and the judgement of the
// result. The Report of a Session lists all of them. The package sends nothing;
// package drive does.
//
// An Experiment is a complete value in the table. Code elsewhere reads its
// fields and never compares its id, so a new experiment is one row. It changes
// one thing only: a server that refuses a request with two faults does not show
// which one it has seen. A verdict is a function of recorded Exchanges, so a
// report can be made again. A result that shows nothing is not judged, and
// never passed. The package is pure.
package lab

import (
	"encoding/json"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Experiment is one deliberate change of a request. playground.Next builds the
// right request; the experiment changes it.
type Experiment struct {
	ID      string
	Title   string // in the imperative: "Flip one byte of the state"
	Sends   string // one sentence: the request
	Expects string // one sentence: what the specification expects of the server
	Brief   string // the same in a few words, for a row: "rejects it"
	Level   Level  // keyword of the expectation
	Clause  string // link to it in the specification
	Rule    string // id of the rule about the same requirement; empty if there is none
	Page    string // path of the page about it, if no rule leads to a lesson
	Group   Group
	Needs   Need
	Wants   Supply
	When    Timing
	First   bool // it changes only the first request of a call
	Every   bool // it is made on every Round that it fits, not only on the first
	Follow  bool // the call goes on, since the server may find the change in a later Round

	settles []string // ids of rules about the state's format, which its result outranks
	codes   []int64  // JSON-RPC error codes that can be about the change; nil for any
	gates   bool     // a missing capability (-32021) is about the change
	noPlace string   // why a request has nothing to change; empty for the default sentence
	notRun  string   // why it was not run although the call has a place for it
	judges  []string // ids of further rules that are not applied to the changed Round
	tampers bool     // it changes the state, which shows whether the server verifies it
	drops   bool     // it leaves out the state, which shows whether anything depends on it
	cuts    bool     // it cuts the state, which shows whether anything reads it
	token   bool     // it changes the access token, so a refusal of the token is about it
	noLine  string   // why it cannot be made on a line of standard input; empty if it can

	lineClause string // in place of Clause on a line, where HTTP has a clause of its own

	byHand   bool // a person edited the request, so nothing is expected of the server
	expected map[Protection]Reaction
	// states to send instead of the right one; nil if change makes the request
	variants func(playground.Round) []string
	change   func(wire.Request, Material) (wire.Request, error)
	ways     func(playground.Round) int // in how many ways change changes a request; nil for one
	judge    func(trial) judgement      // nil to use the verdict of Rule
}

// Level is the keyword of a clause (RFC 2119).
type Level string

// Levels of expectations. With May, both reactions are right.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
	May    Level = "MAY"
)

// Group is the part of a request that an experiment changes.
type Group string

// Groups, as pages name them.
const (
	GroupAnswers Group = "The answers"
	GroupState   Group = "The state"
	GroupRequest Group = "The request"
	GroupToken   Group = "The token"
	GroupTask    Group = "The task"
)

// Need is a part that a result must contain so that its retry can be changed.
type Need string

// Needs of experiments.
const (
	NeedsNothing  Need = "request"   // nothing: the first request can be changed
	NeedsQuestion Need = "question"  // a retry with answers
	NeedsSeveral  Need = "questions" // a retry with several answers
	NeedsBox      Need = "box"       // a retry with a form whose only field is a required boolean
	NeedsState    Need = "state"     // a retry that echoes a requestState
	NeedsTaskCall Need = "task call" // the request of a call that became a task
	NeedsTask     Need = "task"      // a call that became a task
	NeedsUpdate   Need = "update"    // a task that asks a question
	NeedsUpdates  Need = "updates"   // a task that asks several questions at once
)

// Supply is a thing that an experiment needs besides the call.
type Supply string

// Supplies that an experiment can need.
const (
	WantsNothing        Supply = ""
	WantsOtherArguments Supply = "arguments" // the call with one argument changed
	WantsOtherTool      Supply = "tool"      // a call of another tool
	WantsOtherPerson    Supply = "person"    // the credentials of a second person
	WantsNarrowToken    Supply = "token"     // a token with fewer scopes
)

// Timing is when a changed request is sent.
type Timing string

// Timings of changed requests.
const (
	Once        Timing = ""
	Twice       Timing = "twice"        // the right request is sent first, then the same again
	AfterGap    Timing = "after gap"    // once the server has asked again for an answer that was left out
	AfterExpiry Timing = "after expiry" // once the requestState has expired
	AfterWait   Timing = "after wait"   // after a time that the user chose
)

// Fits reports whether the experiment can change the request that follows r.
// The first request of a call follows the zero Round.
func (e Experiment) Fits(r playground.Round) bool {
	switch e.Needs {
	case NeedsQuestion:
		return len(r.Questions) > 0 && r.Task == nil
	case NeedsSeveral:
		return len(r.Questions) > 1 && r.Task == nil
	case NeedsBox:
		return len(boxesIn(r)) > 0 && r.Task == nil
	case NeedsState:
		return r.State != nil
	case NeedsTaskCall: // Places has the outcome of the call
		return r.N == 0 || r.Branchable()
	case NeedsTask:
		return r.Task != nil
	case NeedsUpdate:
		return len(r.Questions) > 0 && r.Task != nil
	case NeedsUpdates:
		return len(r.Questions) > 1 && r.Task != nil
	}
	return true
}

// OfTask reports whether the experiment sends a request of the tasks extension.
func (e Experiment) OfTask() bool { return e.Needs == NeedsTask || e.AnswersTask() }

// AnswersTask reports whether the experiment changes an answer to a task.
func (e Experiment) AnswersTask() bool { return e.Needs == NeedsUpdate || e.Needs == NeedsUpdates }

// FromStart reports whether the experiment needs a call of its own: it changes
// the first request of a call, or a request about the task that the call becomes.
func (e Experiment) FromStart() bool { return e.First || e.OfTask() }

// Material has the parts that a changed request is built from, besides the
// right one.
type Material struct {
	Round   playground.Round // that the request follows; zero for a first request
	Variant int              // which of the experiment's variants to send
	State   json.RawMessage  // a requestState that was issued for another call or principal, as JSON text
	// answers to questions that the server asks after the next Round, see Later
	Later  []playground.Answer
	Call   *playground.Call // another call, for which the echoed requestState was not issued
	Header []wire.Field     // credentials of another principal, or with fewer rights
}

// Supplies are the things that a tester has besides the call itself.
type Supplies struct {
	Tool   *playground.Call  // a call of another tool of the same server; nil for none
	Calls  []playground.Call // of the same tool, with other arguments; nil to change one argument
	Person []wire.Field      // credentials of a second person; empty for none
	Narrow []wire.Field      // a token of the same person with fewer scopes; empty for none
}

// Variation is another right call of the same tool.
type Variation struct {
	Arguments json.RawMessage            // nil for those of the call
	Answers   map[string]json.RawMessage // by key
}

// Of returns the call with the arguments of the variation.
func (v Variation) Of(c playground.Call) (playground.Call, error) {
	if v.Arguments == nil {
		return c, nil
	}
	var err error
	c.Params, err = jsontree.Set(c.Params, jsontree.Pair{Key: "arguments", Value: v.Arguments})
	return c, err
}

// Material returns the needs of the experiment on a call, the first of
// Materials, and false if the supplies do not contain it.
func (e Experiment) Material(c playground.Call, s Supplies) (Material, bool) {
	list := e.Materials(c, s)
	if len(list) == 0 {
		return Material{}, false
	}
	return list[0], true
}

// Materials returns everything that the experiment on a call can be made with.
func (e Experiment) Materials(c playground.Call, s Supplies) []Material {
	switch e.Wants {
	case WantsOtherArguments:
		if len(s.Calls) == 0 {
			if other, ok := OtherArguments(c); ok {
				s.Calls = []playground.Call{other}
			}
		}
		var list []Material
		for _, other := range s.Calls {
			list = append(list, Material{Call: &other})
		}
		return list
	case WantsOtherTool:
		if s.Tool == nil {
			return nil
		}
		return []Material{{Call: s.Tool}}
	case WantsOtherPerson:
		return withHeader(s.Person)
	case WantsNarrowToken:
		return withHeader(s.Narrow)
	}
	return []Material{{}}
}

// withHeader returns the material with credentials, or none without them.
func withHeader(credentials []wire.Field) []Material {
	if len(credentials) == 0 {
		return nil
	}
	return []Material{{Header: credentials}}
}

// Later returns the answers of a call to questions that its server asked only
// after Round n+1, so that the request after Round n has no place for them. Those to
// a task are not among them: its questions are not those of the call.
func Later(f playground.Transcript, n int) []playground.Answer {
	asked := map[string]bool{}
	var list []playground.Answer
	for _, r := range f.Rounds {
		if r.Task != nil && r.Kind != playground.OutcomeTask {
			break
		}
		for _, a := range r.Decision.Answers {
			if r.N > n+1 && !asked[a.Key] {
				list, asked[a.Key] = append(list, a), true
			}
		}
		for _, q := range r.Questions {
			asked[q.Key] = asked[q.Key] || r.N <= n
		}
	}
	return list
}

// ErrNothingToChange is returned for a request without the part that the
// experiment changes, such as a form without limits for "out of range".
var ErrNothingToChange = errors.New("the request contains nothing that the experiment changes")

// Variants returns the number of ways to change the request that follows r.
func (e Experiment) Variants(r playground.Round) int {
	switch {
	case e.variants != nil:
		return len(e.variants(r))
	case e.ways != nil:
		return e.ways(r)
	}
	return 1
}

// Change returns the changed form of the right request req. It returns
// ErrNothingToChange if req does not contain what the experiment changes.
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
	if e.change == nil { // the request is right; when or how often it is sent is not
		return req, nil
	}
	return e.change(req, m)
}

// Experiments returns all experiments in the order of pages: answers, state,
// request.
func Experiments() []Experiment { return table }

// ExperimentByID returns the experiment of that id, and whether there is one.
// EditedID is one too, although no table lists it.
func ExperimentByID(id string) (Experiment, bool) {
	if id == EditedID {
		return edited, true
	}
	i, ok := byID[id]
	if !ok {
		return Experiment{}, false
	}
	return table[i], true
}

// byID maps the id of an experiment to its index in the table.
var byID = func() map[string]int {
	index := make(map[string]int, len(table))
	for i, e := range table {
		index[e.ID] = i
	}
	return index
}()
