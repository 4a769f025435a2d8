// Package control shows the fields of a form as HTML controls. The name of a
// control comes from its index in the form, never from its name at the server,
// so that form.Read finds its value. A control has one id, one label, and its
// help and its problem as its description.
package control

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Suggests reports whether a field suggests another value than it has.
func Suggests(f form.Field) bool { return f.Suggested != "" && f.Suggested != FirstValue(f.Value) }

// ID returns the id of a control: its name without the dot.
func ID(name string) string { return strings.ReplaceAll(name, ".", "-") }

// FirstValue returns the first value of a field, or "".
func FirstValue(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// ProblemOf returns the problem of a field, or "".
func ProblemOf(problems []form.Problem, index int) string {
	for _, p := range problems {
		if p.Index == index && p.Part == "" {
			return p.Text
		}
	}
	return ""
}

func chosen(values []string, value string) bool { return slices.Contains(values, value) }

// describedBy returns the aria-describedby value of a field's control.
func describedBy(id string, f form.Field, problem string) string {
	var ids []string
	if f.Help != "" || f.Hint != "" {
		ids = append(ids, id+"-help")
	}
	if problem != "" {
		ids = append(ids, id+"-problem")
	}
	return strings.Join(ids, " ")
}

// blankWords returns the label of the checkbox that sends the empty value.
func blankWords(f form.Field) string {
	switch f.Control {
	case form.Choices:
		return "If none is chosen, send an empty list"
	case form.List:
		return "If there are no rows, send an empty list"
	case form.Group, form.Map:
		return "If blank, send an empty object"
	}
	return "If blank, send an empty string"
}

// helpWords joins the description of a field and its constraints.
func helpWords(f form.Field) string {
	parts := make([]string, 0, 3)
	for _, s := range []string{text.Visible(f.Help, 400), f.Hint} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " · ")
}

// offersEmpty reports whether the form has a checkbox for the empty value. An
// empty URL or date would not be valid.
func offersEmpty(f form.Field) bool {
	return f.CanBeEmpty() && !f.Required && (f.Input == "" || f.Input == "text")
}
