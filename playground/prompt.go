package playground

import (
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Kind is how a question is put to the user.
type Kind string

// Kinds of prompts. Raw is for methods that this program does not know: the
// answer is written as JSON.
const (
	FormPrompt     Kind = "form"
	LinkPrompt     Kind = "url"
	SamplingPrompt Kind = "sampling"
	RootsPrompt    Kind = "roots"
	RawPrompt      Kind = "raw"
)

// Prompt is a Question ready to be shown: what to fill in, and how what was
// filled in becomes a Response.
type Prompt struct {
	Question
	Kind     Kind
	Form     form.Form
	FormErr  error          // why the schema gives no form; content is written as JSON then
	Action   string         // accept, decline or cancel; of elicitation only
	Text     string         // of sampling: the completion; of roots and raw: JSON; of FormErr: the content
	Problems []form.Problem // of the last Read
}

// Prompts are the questions of a Round, with their defaults filled in.
func Prompts(r Round) []Prompt {
	list := make([]Prompt, len(r.Questions))
	for i, q := range r.Questions {
		list[i] = newPrompt(q)
	}
	return list
}

func newPrompt(q Question) Prompt {
	p := Prompt{Question: q, Kind: RawPrompt, Text: "{}"}
	switch {
	case q.Mode() == "form":
		p.Kind, p.Action, p.Text = FormPrompt, "accept", ""
		p.Form, p.FormErr = form.Question(q.Params.Get("requestedSchema").Raw())
	case q.Mode() == "url":
		p.Kind, p.Action = LinkPrompt, "accept"
	case q.Method == "sampling/createMessage":
		p.Kind, p.Text = SamplingPrompt, ""
	case q.Method == "roots/list":
		p.Kind, p.Text = RootsPrompt, `[{"uri":"file:///workspace","name":"workspace"}]`
	}
	return p
}

// Message is what the server says with the question, in its words.
func (p Prompt) Message() string { return p.Params.Get("message").Str() }

// Prefix is the prefix of the control names of question i.
func Prefix(i int) string { return "a" + strconv.Itoa(i) }

// Read takes what was sent by the page's form for question i and returns the
// prompt as it now stands, with Problems if it cannot be sent.
func (p Prompt) Read(i int, values url.Values) (Prompt, Response) {
	prefix := Prefix(i)
	if p.Action != "" {
		p.Action = values.Get(prefix + ".action")
	}
	p.Form = p.Form.With(values, prefix)
	if values.Has(prefix + ".text") {
		p.Text = values.Get(prefix + ".text")
	}
	r := Response{Key: p.Key}
	switch p.Kind {
	case FormPrompt, LinkPrompt:
		r.Value = p.elicited(prefix, values)
	case SamplingPrompt:
		r.Value = p.sampled()
	case RootsPrompt:
		r.Value = p.roots()
	default:
		r.Value = p.json()
	}
	return p, r
}

// elicited is an ElicitResult (client/elicitation): content goes with accept
// in form mode only.
func (p *Prompt) elicited(prefix string, values url.Values) json.RawMessage {
	switch p.Action {
	case "decline", "cancel":
		return json.RawMessage(`{"action":"` + p.Action + `"}`)
	case "accept":
	default:
		p.problem("Choose accept, decline or cancel.")
		return nil
	}
	if p.Kind == LinkPrompt {
		return json.RawMessage(`{"action":"accept"}`)
	}
	var content json.RawMessage
	if p.FormErr != nil {
		content = p.json()
	} else {
		content, p.Problems = p.Form.Read(prefix, values)
	}
	if len(p.Problems) > 0 {
		return nil
	}
	return object(jsontree.Pair{Key: "action", Value: json.RawMessage(`"accept"`)}, jsontree.Pair{Key: "content", Value: content})
}

// sampled is a CreateMessageResult written by a person.
func (p *Prompt) sampled() json.RawMessage {
	if p.Text == "" {
		p.problem("Write what the model should have said.")
		return nil
	}
	content := object(jsontree.Pair{Key: "type", Value: json.RawMessage(`"text"`)}, jsontree.Pair{Key: "text", Value: jsontree.Quote(p.Text)})
	return object(
		jsontree.Pair{Key: "role", Value: json.RawMessage(`"assistant"`)},
		jsontree.Pair{Key: "content", Value: content},
		jsontree.Pair{Key: "model", Value: json.RawMessage(`"a-person"`)},
		jsontree.Pair{Key: "stopReason", Value: json.RawMessage(`"endTurn"`)},
	)
}

func (p *Prompt) roots() json.RawMessage {
	list := p.json()
	if node, err := jsontree.Parse(list, jsontree.Limits{}); len(p.Problems) == 0 && (err != nil || node.Kind != jsontree.Array) {
		p.problem(`Write a JSON array of roots: [{"uri":"file:///...","name":"..."}].`)
	}
	if len(p.Problems) > 0 {
		return nil
	}
	return object(jsontree.Pair{Key: "roots", Value: list})
}

// json is the answer written as JSON text.
func (p *Prompt) json() json.RawMessage {
	if _, err := jsontree.Parse([]byte(p.Text), jsontree.Limits{}); err != nil {
		p.problem("This is not JSON: " + err.Error() + ".")
		return nil
	}
	return json.RawMessage(p.Text)
}

func (p *Prompt) problem(text string) {
	p.Problems = append(p.Problems, form.Problem{Index: -1, Text: text})
}

func object(pairs ...jsontree.Pair) json.RawMessage {
	out, err := jsontree.Set(nil, pairs...)
	if err != nil { // an empty object takes any member
		panic("build object: " + err.Error())
	}
	return out
}
