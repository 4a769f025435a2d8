package question

import (
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Kind is how a question is put to the user.
type Kind string

// Kinds of prompts. Raw is for methods that this program does not know: the
// answer is written as JSON.
const (
	KindForm     Kind = "form"
	KindURL      Kind = "url"
	KindSampling Kind = "sampling"
	KindRoots    Kind = "roots"
	KindRaw      Kind = "raw"
)

// Form is a Question ready to be shown: what to fill in, and how what was
// filled in becomes a Response. The fields and the whole answer as JSON are
// two views of one answer; Raw says which of them counts.
type Form struct {
	playground.Question
	Kind     Kind
	Fields   form.Form
	FormErr  error          // why the schema gives no form; the answer is written as JSON then
	Action   string         // of elicitation: accept, decline or cancel
	Text     string         // of sampling: what the model says
	Tool     string         // of sampling: the tool the model uses instead; Input is its arguments
	Input    string         // JSON
	Roots    []Root         // of roots
	Raw      bool           // JSON counts, not the fields
	JSON     string         // the whole answer
	Problems []form.Problem // of the last Read: why the schema or the protocol refuses the answer
	NoAnswer bool           // of the last Read: there is nothing that could be sent
}

// Root is one of the user's roots (client/roots).
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Forms are the questions of a Round, with their defaults filled in. roots
// are the user's own.
func Forms(r playground.Round, roots ...Root) []Form {
	list := make([]Form, len(r.Questions))
	for i, q := range r.Questions {
		list[i] = newForm(q, roots)
	}
	return list
}

func newForm(q playground.Question, roots []Root) Form {
	p := Form{Question: q, Kind: KindRaw, JSON: "{}"}
	switch {
	case q.Mode() == "form":
		p.Kind, p.Action = KindForm, "accept"
		p.Fields, p.FormErr = form.Question(q.Params.Get("requestedSchema").Raw())
	case q.Mode() == "url":
		p.Kind, p.Action = KindURL, "accept"
	case q.Method == "sampling/createMessage":
		p.Kind, p.Input = KindSampling, "{}"
	case q.Method == "roots/list":
		p.Kind, p.Roots = KindRoots, roots
	}
	p.Raw = p.Kind == KindRaw || p.FormErr != nil
	if p.FormErr != nil {
		p.JSON = `{"action":"accept","content":{}}`
	} else if p.Kind == KindForm {
		content, _ := p.Fields.Content("", p.typed())
		p.JSON = string(accepted(content))
	} else if p.Kind != KindRaw {
		p.JSON = string(p.readFields("", p.typed()))
	}
	p.Problems = nil // nobody has typed anything yet
	return p
}

// typed is the form as a page would send it back untouched.
func (p Form) typed() url.Values {
	values := url.Values{".action": {p.Action}, ".text": {p.Text}, ".tool": {p.Tool}, ".input": {p.Input}}
	for i, f := range p.Fields.Fields {
		values[form.Name("", i)] = f.Value
		if f.Empty {
			values.Set(form.EmptyName("", i), "true")
		}
	}
	for _, r := range p.Roots {
		values.Add(".uri", r.URI)
		values.Add(".name", r.Name)
	}
	return values
}

// Message is what the server says with the question, in its words.
func (p Form) Message() string { return p.Params.Get("message").Str() }

// Tools are the names of the tools that a sampling request lets the model use.
func (p Form) Tools() []string {
	var names []string
	for _, t := range p.Params.Get("tools").Elements() {
		names = append(names, t.Get("name").Str())
	}
	return names
}

// Prefix is the prefix of the control names of question i.
func Prefix(i int) string { return "a" + strconv.Itoa(i) }

// KeyName is the name of the control that says which question the i-th is.
func KeyName(i int) string { return Prefix(i) + ".key" }

// Place is where the page's form had question p, now the i-th: an older server
// may have asked more since, or taken one back. It is -1 for a question that
// the page did not have.
func (p Form) Place(i int, values url.Values) int {
	if !values.Has(KeyName(0)) {
		return i
	}
	for j := 0; values.Has(KeyName(j)); j++ {
		if values.Get(KeyName(j)) == p.Key {
			return j
		}
	}
	return -1
}

// Read takes what the page's form sent for question i. It returns the prompt
// as it now stands, both views in step, and the answer: with Problems it may
// still be sent on purpose, with NoAnswer there is none.
func (p Form) Read(i int, values url.Values) (Form, playground.Answer) {
	prefix := Prefix(i)
	p.Problems, p.NoAnswer = nil, false
	p.Raw = p.Raw || values.Get(prefix+".raw") == "true"
	var value json.RawMessage
	if p.Raw {
		p.JSON = values.Get(prefix + ".json")
		value = p.written()
	} else {
		value = p.readFields(prefix, values)
		p.JSON = string(value)
	}
	return p, playground.Answer{Key: p.Key, Value: value}
}

// readFields reads the readFields into the answer.
func (p *Form) readFields(prefix string, values url.Values) json.RawMessage {
	switch p.Kind {
	case KindSampling:
		return p.sampled(prefix, values)
	case KindRoots:
		return p.rooted(prefix, values)
	}
	return p.elicited(prefix, values)
}

// elicited is an ElicitResult (client/elicitation): content goes with accept
// in form mode only.
func (p *Form) elicited(prefix string, values url.Values) json.RawMessage {
	p.Action = values.Get(prefix + ".action")
	p.Fields = p.Fields.With(values, prefix)
	switch p.Action {
	case "decline", "cancel":
		return json.RawMessage(`{"action":"` + p.Action + `"}`)
	case "accept":
	default:
		p.NoAnswer = true
		p.problem("Choose accept, decline or cancel.")
		return json.RawMessage("{}")
	}
	if p.Kind == KindURL {
		return json.RawMessage(`{"action":"accept"}`)
	}
	content, problems := p.Fields.Read(prefix, values)
	p.Problems = problems
	return accepted(content)
}

func accepted(content json.RawMessage) json.RawMessage {
	return jsontree.ObjectOf(jsontree.Pair{Key: "action", Value: json.RawMessage(`"accept"`)}, jsontree.Pair{Key: "content", Value: content})
}

func (p *Form) problem(text string) {
	p.Problems = append(p.Problems, form.Problem{Index: -1, Text: text})
}
