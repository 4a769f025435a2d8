package edit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// SameControls reports whether two texts have the same controls in their forms.
func SameControls(before, after string) bool {
	return slices.Equal(controlNames(before), controlNames(after))
}

// NewControl returns the path of the field that has choices in the form of a text
// and had none before, with /values, or "".
func NewControl(before, after string) string {
	old := controlNames(before)
	root, _ := document.Parse([]byte(after))
	if root.KindOf() != document.Map {
		return ""
	}
	o := NewOutline(root)
	all := slices.Clone(o.Arguments)
	for _, s := range o.Steps {
		all = append(all, s.Fields...)
	}
	for _, f := range all {
		if f.Values.Name != "" && !slices.Contains(old, f.Values.Name) {
			return f.Path + "/values"
		}
	}
	return ""
}

func controlNames(source string) []string {
	root, _ := document.Parse([]byte(source))
	if root.KindOf() != document.Map {
		return nil
	}
	var names []string
	for _, c := range NewOutline(root).controls() {
		names = append(names, c.Name)
	}
	return names
}

// Change returns the text of a flow with the values of the form. A control that
// the form does not have stays as it is; a checkbox that is not ticked has the
// value "".
func Change(source string, get func(name string) (value string, ok bool)) (string, error) {
	root, problems := document.Parse([]byte(source))
	if len(problems) > 0 {
		return "", fmt.Errorf("change flow: %s", problems[0])
	}
	var edits []document.Edit
	for _, c := range NewOutline(root).controls() {
		value, ok := get(c.Name)
		value = strings.ReplaceAll(value, "\r\n", "\n")
		if ok && value != c.Value {
			edits = append(edits, c.edits(root, value)...)
		}
	}
	if len(edits) == 0 {
		return source, nil
	}
	out, err := document.Apply([]byte(source), edits...)
	return string(out), err
}

// edits returns the edits that give a control another value.
func (c Control) edits(root *document.Node, value string) []document.Edit {
	set := func(path []string, v any) document.Edit {
		b, _ := json.Marshal(v) // texts, numbers and lists of texts always encode
		return document.Edit{Op: document.Set, Path: path, Value: b}
	}
	without := document.Edit{Op: document.Remove, Path: c.path}
	switch c.kind {
	case asFlag:
		return c.flagEdits(root, value)
	case asName:
		if value == "" {
			return nil
		}
		return []document.Edit{{Op: document.Rename, Path: c.path, Name: value}}
	case asKind:
		return kindEdits(root, c.path, value)
	case asList:
		return []document.Edit{set(c.path, splitList(value))}
	case asExample:
		if value == "" {
			return []document.Edit{without}
		}
		return []document.Edit{set(c.path, exampleValue(root.At(c.path[:len(c.path)-1]...), value))}
	case asNumber:
		if value != "" && jsonNumber.MatchString(value) {
			return []document.Edit{{Op: document.Set, Path: c.path, Value: json.RawMessage(value)}}
		}
	case asKeptText:
		return []document.Edit{set(c.path, value)}
	case asState:
		if state := root.Get("state"); value == "" && len(state.Members) == 1 && state.Has(c.path[1]) {
			without.Path = c.path[:1]
		}
	}
	if value == "" {
		return []document.Edit{without}
	}
	return []document.Edit{set(c.path, value)}
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// flagEdits sets or removes a flag; that of an ending turns a text into an error.
func (c Control) flagEdits(root *document.Node, value string) []document.Edit {
	if c.path[len(c.path)-1] == "together" || c.path[len(c.path)-1] == "required" {
		if value == "" {
			return []document.Edit{{Op: document.Remove, Path: c.path}}
		}
		return []document.Edit{{Op: document.Set, Path: c.path, Value: json.RawMessage("true")}}
	}
	at := root.At(c.path...)
	if at.KindOf() == document.Map {
		from, to := "text", "error"
		if value == "" {
			from, to = to, from
		}
		return []document.Edit{{Op: document.Rename, Path: append(slices.Clone(c.path), from), Name: to}}
	}
	b, _ := json.Marshal(map[string]string{"error": at.Str()})
	return []document.Edit{{Op: document.Set, Path: c.path, Value: b}}
}

func splitList(s string) []string {
	list := []string{}
	for word := range strings.SplitSeq(s, ",") {
		if word = strings.TrimSpace(word); word != "" {
			list = append(list, word)
		}
	}
	return list
}

// exampleValue reads an example as a value of the field.
func exampleValue(field *document.Node, s string) any {
	kind, fixed := fieldKind(field)
	switch {
	case kind == "number" || kind == "whole number":
		if jsonNumber.MatchString(s) {
			return json.RawMessage(s)
		}
	case kind == "yes or no":
		if s == "true" || s == "false" {
			return json.RawMessage(s)
		}
	case kind == "several choices":
		return splitList(s)
	case fixed == "an object" || fixed == "a list" || fixed == "choices with titles":
		if json.Valid([]byte(s)) {
			return json.RawMessage(s)
		}
	}
	return s
}

// ofKind has the members of a field of each kind.
var ofKind = map[string]string{
	"text": `{"type":"string"}`, "long text": `{"type":"string","maxLength":2000}`,
	"e-mail": `{"type":"string","format":"email"}`, "web address": `{"type":"string","format":"uri"}`,
	"date": `{"type":"string","format":"date"}`, "number": `{"type":"number"}`,
	"whole number": `{"type":"integer"}`, "yes or no": `{"type":"boolean"}`,
	"choice":          `{"enum":["one","two"]}`,
	"several choices": `{"type":"array","items":{"enum":["one","two"]}}`,
}

// kindEdits gives a field another kind. Its title, description and required stay.
func kindEdits(root *document.Node, path []string, kind string) []document.Edit {
	fresh, problems := document.Parse([]byte(ofKind[kind]))
	if len(problems) > 0 {
		return nil // no such kind
	}
	at := root.At(path...)
	if at.KindOf() != document.Map {
		return []document.Edit{{Op: document.Set, Path: path, Value: fresh.JSON()}}
	}
	var edits []document.Edit
	for _, m := range at.Members {
		if !slices.Contains([]string{"title", "description", "required"}, m.Name) && !fresh.Has(m.Name) {
			edits = append(
				edits,
				document.Edit{Op: document.Remove, Path: append(slices.Clone(path), m.Name)},
			)
		}
	}
	for _, m := range fresh.Members {
		edits = append(edits, document.Edit{Op: document.Set, Path: append(slices.Clone(path), m.Name),
			Value: m.Value.JSON()})
	}
	return edits
}
