package control

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// EditLink says how the buttons inside a form, which change it and send
// nothing, reach the server. The zero value is a form without them.
type EditLink struct {
	URL    string // of a POST with the input
	Target string // selector of the element that a fragment of the answer replaces
	Swap   string // how, in htmx's words
	Own    bool   // the form itself posts elsewhere: the buttons need a formaction
}

// part is a field of a form, or a part of one, with the data that its controls
// need.
type part struct {
	Name  string // of the control
	Place string // as form.Problem.Part
	Field form.Field
	Row   bool // a row of a list, or a chosen alternative: its label is for assistive technology only
	Quiet bool // of Row: also the legend
	in    *partsIn
}

// partsIn has the data that the parts of one field share.
type partsIn struct {
	index    int
	problems []form.Problem
	focus    string // name of the control that gets the focus
	link     EditLink
}

// fieldParts returns the fields of a form.
func fieldParts(prefix string, f form.Form, problems []form.Problem, link EditLink) []part {
	list := make([]part, len(f.Fields))
	focus := ""
	if f.Focus != "" {
		focus = prefix + "." + f.Focus
	}
	for i, field := range f.Fields {
		list[i] = part{
			Name: form.Name(prefix, i), Field: field,
			in: &partsIn{index: i, problems: problems, focus: focus, link: link},
		}
	}
	return list
}

// child returns part i of a part.
func (p part) child(i int, f form.Field) part {
	return part{
		Name: form.Part(p.Name, i), Place: strings.TrimPrefix(fmt.Sprintf("%s.%d", p.Place, i), "."),
		Field: f, in: p.in,
	}
}

// row returns row i of a list.
func (p part) row(i int) part {
	c := p.child(i, p.Field.Rows[i].Field)
	c.Row = true
	c.Field.Label = fmt.Sprintf("%s %d", p.Field.Label, i+1)
	return c
}

// alternative returns the alternative that is chosen.
func (p part) alternative(i int) part {
	c := p.child(i, p.Field.Fields[i])
	c.Row, c.Quiet = true, true
	c.Field.Label = p.Field.Label + ": " + c.Field.Label
	return c
}

func (p part) problem() string { return p.problemAt(p.Place) }

// keyProblem returns the problem of a row's name.
func (p part) keyProblem() string { return p.problemAt(form.KeyPart(p.Place)) }

func (p part) problemAt(place string) string {
	for _, problem := range p.in.problems {
		if problem.Index == p.in.index && problem.Part == place {
			return problem.Text
		}
	}
	return ""
}

func (p part) hasParts() bool {
	return slices.Contains([]form.Control{form.Group, form.Tuple, form.List, form.Map, form.OneOf},
		p.Field.Control)
}

// constant reports whether a part has one value, which it has already.
func constant(f form.Field) bool {
	return f.Control == form.Choice && f.Required && len(f.Options) == 1 &&
		chosen(f.Value, f.Options[0].Value)
}

func (p part) offersNull() bool { return p.Field.Nullable }

// offersEmpty reports whether the part has a checkbox for the empty value. Below
// the fields of the form texts have one, and others only if it is ticked: no row
// says the same as an empty list.
func (p part) offersEmpty() bool {
	return offersEmpty(p.Field) && (p.Place == "" || p.Field.Empty || p.Field.Control == form.Text)
}

// controlName returns the name of the control itself.
func (p part) controlName() string {
	if p.Field.AsText {
		return form.JSONPart(p.Name)
	}
	return p.Name
}

func (p part) attributes() templ.OrderedAttributes {
	return p.focused(p.controlName(), Attributes(p.controlName(), p.Field, p.problem()))
}

// focused adds the focus if the control of this name gets it.
func (p part) focused(name string, list templ.OrderedAttributes) templ.OrderedAttributes {
	if name != "" && p.in.focus == name {
		list = append(list, templ.KV[string, any]("autofocus", true))
	}
	return list
}

func (p part) choiceAttributes(option int) templ.OrderedAttributes {
	list := Attributes(p.Name, p.Field, p.problem())
	list[0].Value = fmt.Sprintf("%s-%d", ID(p.Name), option)
	if option == 0 {
		list = p.focused(p.Name, list)
	}
	return list
}

// keyAttributes returns the attributes of the name of a row of a Map.
func (p part) keyAttributes(key string) templ.OrderedAttributes {
	name := form.KeyPart(p.Name)
	list := templ.OrderedAttributes{
		templ.KV[string, any]("id", ID(name)), templ.KV[string, any]("name", name),
		templ.KV[string, any]("value", key),
	}
	if p.keyProblem() != "" {
		list = append(list, templ.KV[string, any]("aria-invalid", "true"),
			templ.KV[string, any]("aria-describedby", ID(name)+"-problem"))
	}
	return p.focused(name, list)
}

// editAttributes returns the attributes of a button that changes the form.
// Without script it submits the form; with it, only the fields are replaced.
func (p part) editAttributes(edit, name string) templ.OrderedAttributes {
	link := p.in.link
	list := templ.OrderedAttributes{
		templ.KV[string, any]("name", form.EditName), templ.KV[string, any]("value", edit),
	}
	if link.Own {
		list = append(list, templ.KV[string, any]("formaction", link.URL))
	}
	return p.focused(name, append(list, p.editRequest(edit)...))
}

// editRequest returns the attributes of the request that an edit makes.
func (p part) editRequest(edit string) templ.OrderedAttributes {
	link := p.in.link
	return templ.OrderedAttributes{
		templ.KV[string, any]("hx-post", link.URL), templ.KV[string, any]("hx-target", link.Target),
		templ.KV[string, any]("hx-swap", link.Swap), templ.KV[string, any]("hx-include", "closest form"),
		templ.KV[string, any]("hx-vals", fmt.Sprintf(`{%q:%q}`, form.EditName, edit)),
		templ.KV[string, any]("hx-status:4xx", "swap:none"),
	}
}

// enter returns the edit of the button that enters the suggested value.
func (p part) enter() string { return form.Enter(p.Name, p.Field.Suggested) }

// chooseAttributes returns the attributes of the select of alternatives.
func (p part) chooseAttributes() templ.OrderedAttributes {
	list := append(p.attributes(), p.editRequest(form.Choose(p.Name))...)
	return append(list, templ.KV[string, any]("hx-trigger", "change"))
}

// addWords returns the label of the button that adds a row.
func (p part) addWords() string {
	if p.Field.Control == form.Map {
		return "Add a member"
	}
	return "Add a row"
}
