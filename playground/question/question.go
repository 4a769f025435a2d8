// Package question puts a server's questions to the user: a Question becomes a
// Form to fill in, the filled form becomes an Answer, and the user's choice
// becomes the Decision that opens the next Round. It is pure and knows no HTML:
// the names of controls are form's.
//
// An Answer that the schema or the protocol refuses has Problems and is not
// sent unless the user asks for that. A Decision has an answer for every key of
// the Round, because a retry without one is a violation; only several questions
// of a task may be answered one by one. A question of an unknown method is
// answered as JSON, and never skipped.
package question

import (
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Kind is how a question is put to the user.
type Kind string

// The kinds of questions. KindRaw is for methods that this program does not
// know: the answer is entered as JSON.
const (
	KindForm     Kind = "form"
	KindURL      Kind = "url"
	KindSampling Kind = "sampling"
	KindRoots    Kind = "roots"
	KindRaw      Kind = "raw"
)

// Form is a Question with the input. The fields and the whole answer as JSON
// are two views of one answer; Raw says which of them counts.
type Form struct {
	playground.Question
	Kind      Kind
	Fields    form.Form
	FormErr   error          // why the schema gives no form; the answer is entered as JSON then
	Action    string         // of elicitation: accept, decline or cancel; of any that CanWait: Later
	CanWait   bool           // its answer may be sent after those of others: one of several of a task
	Text      string         // of sampling: what the model returns
	Tool      string         // of sampling: the tool that the model uses instead
	Arguments string         // of Tool, as JSON
	Roots     []Root         // of roots
	Raw       bool           // JSON counts, not the fields
	JSON      string         // the whole answer
	Problems  []form.Problem // of the last Read: why the schema or the protocol refuses the answer
	NoAnswer  bool           // of the last Read: there is nothing that could be sent
	Refused   bool           // the answer had Problems, which a preview does not name
}

// Root is one of the user's roots (client/roots).
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Forms returns the questions of a Round with their defaults filled in. roots
// are the user's own.
func Forms(r playground.Round, roots ...Root) []Form {
	list := make([]Form, len(r.Questions))
	for i, q := range r.Questions {
		list[i] = newForm(q, roots)
	}
	return list
}

// fieldsOf returns the fields of a form mode elicitation. The error names the member that
// is missing, and one that was perhaps meant.
func fieldsOf(params *jsontree.Node) (form.Form, error) {
	schema := params.Get("requestedSchema")
	if schema != nil {
		return form.Question(schema.Raw())
	}
	if params.Has("schema") {
		return form.Form{}, errors.New(
			"requestedSchema is missing; the question has schema, which is not its name")
	}
	return form.Form{}, errors.New("requestedSchema is missing")
}

func newForm(q playground.Question, roots []Root) Form {
	f := Form{Question: q, Kind: KindRaw, JSON: "{}"}
	switch {
	case q.Mode() == "form":
		f.Kind, f.Action = KindForm, "accept"
		f.Fields, f.FormErr = fieldsOf(q.Params)
	case q.Mode() == "url":
		f.Kind, f.Action = KindURL, "accept"
	case q.Method == playground.CreateMessage:
		f.Kind, f.Arguments = KindSampling, "{}"
	case q.Method == playground.RootsList:
		f.Kind, f.Roots = KindRoots, roots
	}
	f.Raw = f.Kind == KindRaw || f.FormErr != nil
	if f.FormErr != nil {
		f.JSON = `{"action":"accept","content":{}}`
	} else if f.Kind == KindForm {
		content, _ := f.Fields.Content(f.input().Fields)
		f.JSON = string(accepted(content))
	} else if f.Kind != KindRaw {
		f.JSON = string(f.readFields(f.input()))
	}
	f.Problems = nil // nothing is filled in yet
	return f
}

// input returns the form as a page would send it back unchanged.
func (f Form) input() form.Input {
	in := form.Input{Action: f.Action, Text: f.Text, Tool: f.Tool, Arguments: f.Arguments,
		Fields: f.Fields.Entries()}
	for _, r := range f.Roots {
		in.URIs, in.Names = append(in.URIs, r.URI), append(in.Names, r.Name)
	}
	return in
}

// Message returns the server's text of the question.
func (f Form) Message() string { return f.Params.Get("message").Str() }
