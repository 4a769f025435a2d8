// Package flow is the language of flows: a tool that asks, described as data by its
// user.
//
// A Flow has arguments, Steps and a result. A Step asks a question (form, url,
// sampling, roots), gives the work back to the client (shed), reports progress,
// or ends the call. Steps and results have conditions, and texts have values
// filled in; both are expressions on the arguments and the answers so far.
//
// Parse makes a Flow of a text, with the types of all expressions, or returns
// the problems with their lines. A Run goes through the steps of one version
// and asks, sheds and reports through a Turn: that of a server (package
// sampletools/flow), or a prediction, which has all answers (Predict).
//
// The package is pure and knows nothing of MCP. Both sides of a call import it: the
// editor and the server that runs flows. So it must import nothing that a server and
// its client may not share, above all the client's validator of JSON Schema. Checks of
// the editor beyond the language come through a Reviewer.
//
// Expressions have the syntax of Starlark, and its parser, but not its evaluator:
// Parse also computes conditions of which some names are unknown, to find steps that
// no call reaches. Then "x or true" is true though x is unknown, and Starlark's
// operators have two truth values only. One evaluator serves both.
//
// Every flow counts as hostile, also one that was checked when it was saved. Steps
// run once and in order, and an expression has no loop, call or variable, so a Run
// ends. Its texts, its work and its pauses have limits (see [Refusal]). Nothing of a
// flow is markup, a pattern, a path or an address.
package flow

import (
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// Limits of a flow, as it is written.
const (
	maxSteps      = 64
	maxVersions   = 20
	maxFields     = 40   // of a form, or arguments
	maxText       = 4000 // characters of one text
	maxName       = 64
	maxExpression = 500 // characters
	maxSeconds    = 60  // of all progress in a call
)

// Limits of one turn of a call.
const (
	maxFilled    = 16 << 10 // bytes of one text with its values
	maxFilledAll = 64 << 10 // bytes of all texts
	maxCost      = 4 << 20  // bytes that expressions read and copy
)

// Flow is a tool that asks.
type Flow struct {
	Name, Title, Description string
	Arguments                []Field
	Versions                 []Version // what runs; the first is v1
	State                    State
	Instances                string             // topology if the URL has none; may be empty
	Warnings                 []document.Problem // what works and is not advisable
	source                   string
	document                 *document.Node
}

// Version has the steps and results of one version of the flow.
type Version struct {
	Name   string
	Steps  []Step
	Task   *Task
	Result []Ending // the first whose condition holds
	Again  []string // keys that it asks again, though an earlier version has the answer
	On     []string // the instances that run it and take new work, never empty: a and b if none is written
}

// Task is work that goes on after the call was answered.
type Task struct {
	Required bool // clients without the extension are refused
	Steps    []Step
}

// State says how the requestState is protected. Zero means the default of the
// samples: sealed, for an hour.
type State struct {
	Protection string // sealed, signed or plain
	Life       string // such as 10m
}

// StepKind is the word that a step begins with.
type StepKind string

// The kinds of steps. Form, URL, Sampling and Roots ask.
const (
	Form     StepKind = "form"
	URL      StepKind = "url"
	Sampling StepKind = "sampling"
	Roots    StepKind = "roots"
	Shed     StepKind = "shed"
	Progress StepKind = "progress"
	End      StepKind = "end"
)

// Kinds returns all kinds of steps.
func Kinds() []StepKind { return []StepKind{Form, URL, Sampling, Roots, Shed, Progress, End} }

// Asks reports whether steps of this kind put a question.
func (k StepKind) Asks() bool { return k == Form || k == URL || k == Sampling || k == Roots }

// Step is one step of a flow.
type Step struct {
	Kind     StepKind
	Key      string // of a question; the name of a Shed
	When     *Expr  // nil if always
	Together bool   // asked in the round of the question before it

	Message         Text // of a Form, URL and Progress; the prompt of a Sampling
	System          Text // of a Sampling
	MaxTokens       int  // of a Sampling
	Fields          []Field
	Schema          json.RawMessage // requestedSchema of a Form
	Page            Page            // of a URL
	Decline, Cancel Reaction        // of a Form and URL
	Done, Of        float64         // of a Progress
	Seconds         float64         // of a Progress
	End             Ending          // of an End

	Path string // its place in the document, such as steps[2]
	Line int
}

// Page is the page that a URL question leads to.
type Page struct {
	Title  string
	Text   Text
	Button string
}

// Reaction is the reaction of a flow when a question is declined or cancelled.
// The zero Reaction ends the call with a text of the server.
type Reaction struct {
	Continue bool    // the call goes on, without the answer
	Again    bool    // the question is asked again
	End      *Ending // how the call ends
}

// Ending is how a call ends.
type Ending struct {
	When  *Expr // nil if always
	Text  Text
	Error bool // isError
	Line  int
}

// Field is an argument, or a field of a form.
type Field struct {
	Name     string
	Title    string
	Kind     FieldKind
	Required bool
	Values   []string        // of a Choice and Choices
	Fields   []Field         // of an Object
	Item     *Field          // of a List and a Table
	Schema   json.RawMessage // as it is on the wire
	Default  json.RawMessage // nil if none
	Example  json.RawMessage // nil if none
}

// FieldKind is the kind of a field.
type FieldKind string

// The kinds of fields.
const (
	TextField    FieldKind = "text"
	NumberField  FieldKind = "number"
	IntegerField FieldKind = "integer"
	YesNo        FieldKind = "yes or no"
	Choice       FieldKind = "choice"  // one of Values
	Choices      FieldKind = "choices" // some of Values
	Object       FieldKind = "object"
	List         FieldKind = "list"
	Table        FieldKind = "table" // names that the flow does not know, with values of one kind
)

// Source returns the text that the flow was read from.
func (f *Flow) Source() string { return f.source }

// JSON returns the flow as it was written, as JSON.
func (f *Flow) JSON() json.RawMessage { return f.document.JSON() }

// Indented is JSON with lines and indents.
func (f *Flow) Indented() json.RawMessage { return f.document.Indented() }

// Version returns the version with that name, or nil if there is none.
func (f *Flow) Version(name string) *Version {
	for i := range f.Versions {
		if f.Versions[i].Name == name {
			return &f.Versions[i]
		}
	}
	return nil
}

// Question returns the question of a version with that key, and false if there is
// none.
func (v *Version) Question(key string) (Step, bool) {
	for _, s := range v.all() {
		if s.Kind.Asks() && s.Key == key {
			return s, true
		}
	}
	return Step{}, false
}

// all returns the steps of the call and those of its task.
func (v *Version) all() []Step {
	if v.Task == nil {
		return v.Steps
	}
	return slices.Concat(v.Steps, v.Task.Steps)
}
