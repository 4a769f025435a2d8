package question

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Read fills in the form with the values of a page. It returns the form, its
// two views in step, and the answer: with Problems it may still be sent on
// purpose, with NoAnswer there is none.
func (f Form) Read(in form.Input) (Form, playground.Answer) {
	f.Problems, f.NoAnswer, f.Refused = nil, false, false
	f.Raw = f.Raw || in.Raw
	var value json.RawMessage
	if f.Raw {
		f.JSON = in.JSON
		value = f.readJSON()
	} else {
		value = f.readFields(in)
		f.JSON = string(value)
	}
	return f, playground.Answer{Key: f.Key, Value: value}
}

// Answered reports whether there is an answer, and nothing is wrong with it.
func (f Form) Answered() bool { return !f.NoAnswer && !f.Refused && len(f.Problems) == 0 }

// edited returns the form with other fields, and its JSON in step with them.
func (f Form) edited(made form.Form) (Form, playground.Answer) {
	f.Fields = made
	f.Raw = false
	in := f.input()
	in.JSON = f.JSON
	f, answer := f.Read(in)
	f.Fields.Focus = made.Focus
	return f, answer
}

func (f *Form) readFields(in form.Input) json.RawMessage {
	switch f.Kind {
	case KindSampling:
		return f.samplingResult(in)
	case KindRoots:
		return f.rootsResult(in)
	}
	return f.elicitationResult(in)
}

// elicitationResult returns an ElicitResult (client/elicitation). It has
// content only for accept in form mode.
func (f *Form) elicitationResult(in form.Input) json.RawMessage {
	f.Action = in.Action
	f.Fields = f.Fields.With(in.Fields)
	switch f.Action {
	case "decline", "cancel":
		return json.RawMessage(`{"action":"` + f.Action + `"}`)
	case "accept":
	default:
		f.NoAnswer = true
		f.problem("Choose accept, decline or cancel.")
		return json.RawMessage("{}")
	}
	if f.Kind == KindURL {
		return json.RawMessage(`{"action":"accept"}`)
	}
	content, problems := f.Fields.Read(in.Fields)
	f.Problems = problems
	if kept := f.Fields.Keep(content, contentOf(in.JSON)); len(kept) > len(content) {
		if len(problems) == 0 {
			f.Problems = f.Fields.Validate(kept)
		}
		content = kept
	}
	return accepted(content)
}

// contentOf returns the content of an answer as JSON, or nil.
func contentOf(answer string) json.RawMessage {
	node, err := jsontree.Parse([]byte(answer), jsontree.Limits{})
	if err != nil {
		return nil
	}
	return node.Get("content").Raw()
}

func accepted(content json.RawMessage) json.RawMessage {
	return jsontree.ObjectOf(
		jsontree.Pair{Key: "action", Value: json.RawMessage(`"accept"`)},
		jsontree.Pair{Key: "content", Value: content},
	)
}

// ReadRoots returns the roots of rows of a form without those that have no URI, and why
// they cannot be sent, or "".
func ReadRoots(uris, names []string) (roots []Root, problem string) {
	f := Form{Kind: KindRoots}
	f.rootsResult(form.Input{URIs: uris, Names: names})
	if len(f.Problems) > 0 {
		problem = f.Problems[0].Text
	}
	return f.Roots, problem
}

// rootsResult returns a ListRootsResult without the rows that have no URI.
func (f *Form) rootsResult(in form.Input) json.RawMessage {
	f.Roots = []Root{}
	for i, uri := range in.URIs {
		uri = strings.TrimSpace(uri)
		if uri == "" {
			continue
		}
		root := Root{URI: uri}
		if i < len(in.Names) {
			root.Name = in.Names[i]
		}
		f.Roots = append(f.Roots, root)
		if problem := rootProblem(uri); problem != "" {
			f.problem(problem)
		}
	}
	return jsontree.ObjectOf(jsontree.Pair{Key: "roots", Value: rootList(f.Roots)})
}

// rootProblem returns why a URI is not sent as a root without a question
// (client/roots, "Root" and "Security Considerations"), or "".
func rootProblem(uri string) string {
	if !strings.HasPrefix(uri, "file://") {
		return "A root is a file:// URI; " + uri + " is not."
	}
	path, err := url.PathUnescape(strings.TrimPrefix(uri, "file://"))
	if err != nil {
		return uri + " is not a valid URI: a percent sign needs two hexadecimal digits after it."
	}
	if slices.Contains(strings.FieldsFunc(path, isSlash), "..") {
		return uri + " has a step to the folder above (..), which can lead a server out of the root."
	}
	return ""
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

func rootList(roots []Root) json.RawMessage {
	list, err := json.Marshal(roots)
	if err != nil { // a Root is two strings
		panic("encode roots: " + err.Error())
	}
	return list
}

// readJSON returns the answer that was entered as JSON. The fields follow it as
// far as they can show it.
func (f *Form) readJSON() json.RawMessage {
	node, err := jsontree.Parse([]byte(f.JSON), jsontree.Limits{})
	if err != nil {
		f.NoAnswer = true
		f.problem(form.NotJSON(f.JSON, err))
		return nil
	}
	switch f.Kind {
	case KindForm, KindURL:
		f.followElicitation(node)
	case KindSampling:
		if !node.Has("role") || !node.Has("content") {
			f.problem("The answer of a model has role and content.")
		}
		f.Text = node.At("content", "text").Str()
		f.Tool, f.Arguments = node.At("content", "name").Str(), string(node.At("content", "input").Raw())
	case KindRoots:
		f.Roots = nil
		if err := json.Unmarshal(node.Get("roots").Raw(), &f.Roots); err != nil {
			f.problem(`The answer has "roots", a list of {"uri":"file:///…"}.`)
		}
	}
	return json.RawMessage(f.JSON)
}

// followElicitation sets the fields to the content of an ElicitResult.
func (f *Form) followElicitation(node *jsontree.Node) {
	f.Action = node.Get("action").Str()
	content := node.Get("content").Raw()
	switch {
	case f.Action != "accept" && f.Action != "decline" && f.Action != "cancel":
		f.problem(`"action" must be accept, decline or cancel.`)
	case f.Action == "accept" && f.Kind == KindForm && content == nil:
		f.problem("An accepted form has content.")
	case f.Action == "accept" && f.Kind == KindForm && f.FormErr == nil:
		f.Fields = f.Fields.Fill(content)
		f.Problems = f.Fields.Validate(content)
	}
}

func (f *Form) problem(text string) {
	f.Problems = append(f.Problems, form.Problem{Index: -1, Text: text})
}
