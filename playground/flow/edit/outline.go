// Package edit changes the text of a flow as the editor does: by the controls of a form
// and by buttons. A change touches its place only, so that comments, order and spelling
// stay as the user wrote them.
//
// A text that is no document is not changed, and the functions return an error.
// They do not check the changed text; package review does. The package is pure.
package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// Outline is a flow as a form shows it: what most flows have. The rest is edited
// in the text. It is made from any document, whether it is a valid flow or not.
type Outline struct {
	Name, Title, Description Control
	Arguments                []Field
	Steps                    []Step
	Results                  []Ending
	Protection, Life         Control  // of the requestState; without a name if only the text can edit it
	Rest                     []string // fields that only the text shows, such as versions
}

// Control is one value of the form.
type Control struct {
	Name  string // of the control
	Value string
	path  []string
	kind  controlKind
}

// Place returns where the control's value is in the document, as problems name it.
func (c Control) Place() string {
	place := ""
	for _, name := range c.path {
		if i, err := strconv.Atoi(name); err == nil {
			place = document.Index(place, i)
		} else {
			place = document.Join(place, name)
		}
	}
	return place
}

// controlKind says how a value is written into the document.
type controlKind int

const (
	asText     controlKind = iota // an empty one is removed
	asFlag                        // true, or removed
	asName                        // the name of a field
	asList                        // texts with commas
	asExample                     // a value of the field's kind
	asKind                        // the kind of a field
	asNumber                      // an empty one is removed
	asKeptText                    // an empty one stays
	asState                       // an empty one is removed, and the state with its last
)

// Field is an argument, or a field of a form.
type Field struct {
	Name, Title, Kind, Required, Values, Example Control
	Fixed                                        string // what the form cannot edit of it; "" if it can
	Path                                         string // for buttons
}

// Step is one step.
type Step struct {
	Kind       flow.StepKind // "" if it is none
	N          int           // from 1
	Key        Control       // of a question or Shed; the text of a Progress and End
	When       Control
	Together   Control
	Message    Control // the prompt of a Sampling
	Decline    Control // of a question that can be declined, unless only the text can edit it
	Cancel     Control
	Fields     []Field
	Error      Control // of an End: whether it is an error
	Numbers    []Control
	Path       string // for buttons
	FieldsPath string
}

// Ending is one result.
type Ending struct {
	When, Text, Error Control
	Path              string
}

// FieldKinds are the kinds of fields that the form offers, in order.
var FieldKinds = []string{
	"text", "long text", "e-mail", "web address", "date", "number", "whole number", "yes or no", "choice",
	"several choices",
}

// outlined are the fields of a flow that the form shows.
var outlined = []string{"flow", "name", "title", "description", "arguments", "steps", "result", "state"}

// NewOutline returns the outline of a document.
func NewOutline(root *document.Node) Outline {
	o := Outline{
		Name:        text("name", root, "name"),
		Title:       text("title", root, "title"),
		Description: text("description", root, "description"),
	}
	o.Arguments = outlineFields("a", root.Get("arguments"), "arguments")
	if steps := root.Get("steps"); steps.KindOf() == document.List {
		for i, n := range steps.Items {
			o.Steps = append(o.Steps, outlineStep(i, n))
		}
	}
	o.Results = outlineResults(root.Get("result"))
	if state := root.Get("state"); state.KindOf() == document.Map || !root.Gives("state") {
		control := func(name string) Control {
			return Control{"state." + name, state.Get(name).Written(), []string{"state", name}, asState}
		}
		o.Protection, o.Life = control("protection"), control("life")
	} else {
		o.Rest = append(o.Rest, "state")
	}
	for _, m := range root.Members {
		if !slices.Contains(outlined, m.Name) {
			o.Rest = append(o.Rest, m.Name)
		}
	}
	return o
}

// text returns the control of a text at a path below n, whose own path is the
// rest but the last.
func text(name string, n *document.Node, path ...string) Control {
	return Control{name, n.Get(path[len(path)-1]).Str(), path, asText}
}

func outlineFields(prefix string, n *document.Node, path ...string) []Field {
	var list []Field
	if n.KindOf() != document.Map {
		return nil
	}
	for i, m := range n.Members {
		at, name := append(slices.Clone(path), m.Name), fmt.Sprintf("%s%d.", prefix, i)
		kind, fixed := fieldKind(m.Value)
		f := Field{
			Name:  Control{name + "name", m.Name, at, asName},
			Title: text(name+"title", m.Value, append(slices.Clone(at), "title")...),
			Kind:  Control{name + "kind", kind, at, asKind},
			Required: Control{
				name + "required",
				flag(m.Value.Get("required")),
				append(slices.Clone(at), "required"),
				asFlag,
			},
			Example: Control{
				name + "example",
				exampleText(m.Value.Get("example")),
				append(slices.Clone(at), "example"),
				asExample,
			},
			Fixed: fixed, Path: strings.Join(at, "/"),
		}
		switch kind {
		case "choice":
			f.Values = Control{
				name + "values",
				listText(m.Value.Get("enum")),
				append(slices.Clone(at), "enum"),
				asList,
			}
		case "several choices":
			f.Values = Control{name + "values", listText(m.Value.Get("items").Get("enum")),
				append(slices.Clone(at), "items", "enum"), asList}
		}
		list = append(list, f)
	}
	return list
}

func flag(n *document.Node) string {
	if n.True() {
		return "true"
	}
	return ""
}

func listText(n *document.Node) string {
	var words []string
	if n.KindOf() == document.List {
		for _, item := range n.Items {
			words = append(words, item.Text)
		}
	}
	return strings.Join(words, ", ")
}

func exampleText(n *document.Node) string {
	if n.KindOf() == document.List {
		return listText(n)
	}
	if n.KindOf() == document.Map {
		return string(n.JSON())
	}
	if n == nil {
		return ""
	}
	return n.Text
}

// fieldKind returns the kind of a field, and the part that the form cannot
// edit.
func fieldKind(n *document.Node) (kind, fixed string) {
	typ, format := n.Get("type").Str(), n.Get("format").Str()
	switch {
	case n.Has("oneOf"):
		return "", "a choice with titles"
	case n.Has("enum"):
		return "choice", ""
	case n.Get("items").Has("enum"):
		return "several choices", ""
	case n.Get("items").Has("anyOf"):
		return "", "choices with titles"
	case typ == "object" || n.Has("properties") || n.Has("additionalProperties"):
		return "", "an object"
	case typ == "array" || n.Has("items"):
		return "", "a list"
	case typ == "boolean":
		return "yes or no", ""
	case typ == "number":
		return "number", ""
	case typ == "integer":
		return "whole number", ""
	}
	switch format {
	case "email":
		return "e-mail", ""
	case "uri":
		return "web address", ""
	case "date":
		return "date", ""
	case "date-time":
		return "", "a date with a time"
	}
	if limit, err := strconv.Atoi(n.Get("maxLength").Written()); err == nil && limit > longText {
		return "long text", ""
	}
	return "text", ""
}

// longText is the length from which a text is a long one.
const longText = 300

func outlineStep(i int, n *document.Node) Step {
	at := []string{"steps", strconv.Itoa(i)}
	place := func(names ...string) []string { return append(slices.Clone(at), names...) }
	name := fmt.Sprintf("s%d.", i)
	s := Step{N: i + 1, Path: strings.Join(at, "/"), FieldsPath: strings.Join(place("fields"), "/")}
	for _, k := range flow.Kinds() {
		if n.Has(string(k)) {
			s.Kind = k
			break
		}
	}
	s.When = Control{name + "when", n.Get("when").Written(), place("when"), asText}
	switch s.Kind {
	case "":
		return s
	case flow.End:
		s.Key, s.Error = endingControls(name, n.Get("end"), place("end"))
		return s
	}
	s.Key = Control{name + "key", n.Get(string(s.Kind)).Str(), place(string(s.Kind)), asKeptText}
	if s.Kind == flow.Progress {
		for _, number := range []string{"done", "of", "seconds"} {
			s.Numbers = append(
				s.Numbers,
				Control{name + number, n.Get(number).Written(), place(number), asNumber},
			)
		}
	}
	if !s.Kind.Asks() {
		return s
	}
	s.Together = Control{name + "together", flag(n.Get("together")), place("together"), asFlag}
	switch s.Kind {
	case flow.Sampling:
		s.Message = Control{name + "message", n.Get("prompt").Str(), place("prompt"), asText}
	case flow.Form, flow.URL:
		s.Message = Control{name + "message", n.Get("message").Str(), place("message"), asText}
		if n.Get("decline").KindOf() != document.Map {
			s.Decline = Control{name + "decline", n.Get("decline").Str(), place("decline"), asText}
		}
		if n.Get("cancel").KindOf() != document.Map {
			s.Cancel = Control{name + "cancel", n.Get("cancel").Str(), place("cancel"), asText}
		}
	}
	if s.Kind == flow.Form {
		s.Fields = outlineFields(name+"f", n.Get("fields"), place("fields")...)
	}
	return s
}

// endingControls returns the controls of a text or an error.
func endingControls(name string, n *document.Node, path []string) (words, isError Control) {
	at, value := path, n.Str()
	if n.KindOf() == document.Map {
		key := "text"
		if n.Has("error") {
			key = "error"
		}
		at, value = append(slices.Clone(path), key), n.Get(key).Str()
	}
	isErr := ""
	if n.Has("error") {
		isErr = "true"
	}
	return Control{name + "text", value, at, asKeptText}, Control{name + "error", isErr, path, asFlag}
}

func outlineResults(n *document.Node) []Ending {
	if n.KindOf() != document.List {
		words, isErr := endingControls("r0.", n, []string{"result"})
		return []Ending{{Text: words, Error: isErr, Path: "result"}}
	}
	var list []Ending
	for i, item := range n.Items {
		path := []string{"result", strconv.Itoa(i)}
		name := fmt.Sprintf("r%d.", i)
		e := Ending{Path: strings.Join(path, "/")}
		e.Text, e.Error = endingControls(name, item, path)
		if item.KindOf() == document.Map {
			e.When = Control{
				name + "when",
				item.Get("when").Written(),
				append(slices.Clone(path), "when"),
				asText,
			}
		}
		list = append(list, e)
	}
	return list
}

// Texts returns the controls with a text of one line or several.
func (o Outline) Texts() []Control {
	return slices.DeleteFunc(o.controls(), func(c Control) bool {
		return c.kind == asFlag || c.kind == asKind
	})
}

// Controls returns how many controls the form has.
func (o Outline) Controls() int { return len(o.controls()) }

// controls returns all controls.
func (o Outline) controls() []Control {
	list := []Control{o.Name, o.Title, o.Description}
	fields := func(all []Field) {
		for _, f := range all {
			// the name last: it changes the path of the others
			list = append(list, f.Title, f.Required, f.Example, f.Values, f.Kind, f.Name)
		}
	}
	fields(o.Arguments)
	for _, s := range o.Steps {
		list = append(list, s.When, s.Together, s.Message, s.Decline, s.Cancel, s.Key, s.Error)
		list = append(list, s.Numbers...)
		fields(s.Fields)
	}
	for _, r := range o.Results {
		list = append(list, r.When, r.Text, r.Error)
	}
	list = append(list, o.Protection, o.Life)
	return slices.DeleteFunc(list, func(c Control) bool { return c.Name == "" })
}
