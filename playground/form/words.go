package form

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// problems turns the validator's tree of errors into problems of fields.
func (f Form) problems(err *jsonschema.ValidationError, known []Problem) []Problem {
	var list []Problem
	seen := map[Problem]bool{}
	for _, leaf := range leaves(err, nil) {
		for _, p := range f.problem(leaf, known) {
			control := Problem{Index: p.Index, Part: p.Part}
			if p.Text != "" && !seen[control] {
				list, seen[control] = append(list, p), true
			}
		}
	}
	return list
}

type validationError = jsonschema.ValidationError

// leaves appends the leaves of the tree of errors to list. A failed anyOf or
// oneOf counts as a leaf, because each of its branches has an error.
func leaves(err *validationError, list []*validationError) []*validationError {
	switch err.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return append(list, err)
	}
	if len(err.Causes) == 0 {
		return append(list, err)
	}
	for _, cause := range err.Causes {
		list = leaves(cause, list)
	}
	return list
}

// problem returns the problems of an error at their fields. A missing or
// surplus member is reported one level above itself.
func (f Form) problem(err *jsonschema.ValidationError, known []Problem) []Problem {
	if len(err.InstanceLocation) > 0 {
		return f.inside(err, known)
	}
	missing, ok := err.ErrorKind.(*kind.Required)
	if !ok {
		return []Problem{{Index: -1, Text: sentence(err.ErrorKind)}}
	}
	var list []Problem
	for _, name := range missing.Missing {
		index := f.index(name)
		if index < 0 {
			list = append(list, Problem{Index: -1, Text: "The property " + quoted(name) + " is missing."})
			continue
		}
		list = append(list, Problem{Index: index, Text: f.Fields[index].missing()})
	}
	return list
}

// inside returns the problems of an error inside a property. Of alternatives
// that all fail, only the chosen one is of interest.
func (f Form) inside(err *jsonschema.ValidationError, known []Problem) []Problem {
	index := f.index(err.InstanceLocation[0])
	if index < 0 {
		return []Problem{{Index: -1, Text: located(err.InstanceLocation, sentence(err.ErrorKind))}}
	}
	spot := find(&f.Fields[index], err.InstanceLocation[1:], isAlternatives(err))
	if isAlternatives(err) && spot.field.nestedOrOne() {
		if chosen := spot.field.failed(err); chosen != nil {
			var list []Problem
			for _, leaf := range leaves(chosen, nil) {
				list = append(list, f.problem(leaf, known)...)
			}
			return list
		}
		within := func(p Problem) bool { return p.Index == index && strings.HasPrefix(p.Part, spot.part) }
		if slices.ContainsFunc(known, within) {
			return nil
		}
	}
	whole := spot.field.Control == Group && len(spot.rest) == 0
	if missing, ok := err.ErrorKind.(*kind.Required); ok && whole {
		return spot.missing(index, missing.Missing)
	}
	return []Problem{{Index: index, Text: located(spot.rest, sentence(err.ErrorKind)), Part: spot.part}}
}

func isAlternatives(err *jsonschema.ValidationError) bool {
	switch err.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return true
	}
	return false
}

// nestedOrOne reports whether the field is for alternatives, of which it shows
// one.
func (f *Field) nestedOrOne() bool { return len(f.origin) > 0 }

// failed returns the errors of the alternative that the field shows, or nil.
func (f *Field) failed(err *jsonschema.ValidationError) *jsonschema.ValidationError {
	i := f.Chosen()
	if f.Control != OneOf && len(f.origin) == 1 {
		i = 0
	}
	if f.AsText || i < 0 || i >= len(f.origin) || f.origin[i] >= len(err.Causes) {
		return nil
	}
	return err.Causes[f.origin[i]]
}

// spot is the part of a field that a path in the content leads to; rest is what
// of the path has no control.
type spot struct {
	field *Field
	part  string
	rest  []string
}

// find follows a path. At its end it stays at the select of alternatives if
// whole is true, else it goes to the chosen one.
func find(f *Field, path []string, whole bool) spot {
	s := spot{field: f, rest: path}
	for {
		if s.field.Control == OneOf && s.field.Chosen() >= 0 && (len(s.rest) > 0 || !whole) {
			i := s.field.Chosen()
			s.field, s.part = &s.field.Fields[i], place(s.part, i)
			continue
		}
		if len(s.rest) == 0 {
			return s
		}
		next, i := s.field.part(s.rest[0])
		if next == nil {
			return s
		}
		s = spot{next, place(s.part, i), s.rest[1:]}
	}
}

// part returns the part for a member or an item of the content, and its place.
func (f *Field) part(name string) (*Field, int) {
	switch f.Control {
	case Group:
		for i := range f.Fields {
			if f.Fields[i].Property == name {
				return &f.Fields[i], i
			}
		}
	case Tuple:
		if i, ok := index(name, ""); ok && i < len(f.Fields) {
			return &f.Fields[i], i
		}
	case List, Map:
		for i := range f.Rows {
			row := &f.Rows[i]
			at := row.Key
			if f.Control == List {
				at = strconv.Itoa(row.at)
			}
			if row.at >= 0 && at == name {
				return &row.Field, i
			}
		}
	}
	return nil, 0
}

// missing returns the problems of members that a Group lacks.
func (s spot) missing(index int, names []string) []Problem {
	var list []Problem
	for _, name := range names {
		field, i := s.field.part(name)
		if field == nil {
			list = append(list, Problem{
				Index: index, Text: "Missing property " + quoted(name) + ".", Part: s.part,
			})
			continue
		}
		list = append(list, Problem{Index: index, Text: field.missing(), Part: place(s.part, i)})
	}
	return list
}

func (f Form) index(property string) int {
	for i, field := range f.Fields {
		if field.Property == property {
			return i
		}
	}
	return -1
}

// located puts a location before a sentence.
func located(path []string, s string) string {
	if len(path) == 0 || s == "" {
		return s
	}
	return "At " + text.Visible(strings.Join(path, "/"), 80) + ": " + strings.ToLower(s[:1]) + s[1:]
}

// sentence returns the sentence for an error of the validator, or "" if the
// error is about the schema and not the value.
func sentence(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Format:
		return formatExpected(k.Want)
	case *kind.Pattern:
		return "Does not match the pattern " + text.Visible(k.Want, 80) + "."
	case *kind.Type:
		want, got := withArticles(k.Want), withArticles([]string{k.Got})
		return "Must be " + strings.Join(want, " or ") + ", not " + got[0] + "."
	case *kind.Enum, *kind.Const:
		return "This is not one of the values in the schema."
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		return "This does not match any schema that is allowed here."
	case *kind.Required:
		return "Missing property " + list(k.Missing) + "."
	case *kind.AdditionalProperties:
		return "The schema does not allow the property " + list(k.Properties) + "."
	case *kind.PropertyNames:
		return "The name " + quoted(k.Property) + " is not allowed."
	case *kind.FalseSchema:
		return "The schema does not allow any value here."
	case *kind.UniqueItems:
		return "The same value occurs twice."
	case *kind.RefCycle, *kind.InvalidJsonValue:
		return ""
	}
	return sizes(k)
}

// sizes returns the sentence for an error that compares with a number.
func sizes(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return "Enter at least " + text.Plural(k.Want, "character") + "."
	case *kind.MaxLength:
		return fmt.Sprintf("Enter at most %s; this has %d.", text.Plural(k.Want, "character"), k.Got)
	case *kind.MinItems:
		return "Must have at least " + text.Plural(k.Want, "item") + "."
	case *kind.MaxItems:
		return "Must have at most " + text.Plural(k.Want, "item") + "."
	case *kind.MinProperties:
		return "Must have at least " + text.Plural(k.Want, "member") + "."
	case *kind.MaxProperties:
		return "Must have at most " + text.Plural(k.Want, "member") + "."
	case *kind.Minimum:
		return "Enter " + decimal(k.Want) + " or more."
	case *kind.Maximum:
		return "Enter " + decimal(k.Want) + " or less."
	case *kind.ExclusiveMinimum:
		return "Enter more than " + decimal(k.Want) + "."
	case *kind.ExclusiveMaximum:
		return "Enter less than " + decimal(k.Want) + "."
	case *kind.MultipleOf:
		return "Enter a multiple of " + decimal(k.Want) + "."
	}
	return "The schema does not allow this value."
}

func formatExpected(format string) string {
	switch format {
	case "email":
		return "Enter an email address, like name@example.org."
	case "uri":
		return "Enter a full URL, like https://example.org/."
	case "date":
		return "Enter a date, like 2026-11-20."
	case "date-time":
		return "Enter a date and time, like 2026-11-20T10:30:00Z."
	}
	return "This does not have the format " + text.Visible(format, 40) + "."
}

func withArticles(types []string) []string {
	var list []string
	for _, t := range types {
		switch t {
		case "array", "object":
			t = "an " + t
		case "integer":
			t = "a whole number"
		case "string":
			t = "text"
		case "boolean":
			t = "true or false"
		case "number":
			t = "a number"
		}
		list = append(list, t)
	}
	return list
}

func list(names []string) string {
	var quotes []string
	for _, name := range names[:min(len(names), 5)] {
		quotes = append(quotes, quoted(name))
	}
	return strings.Join(quotes, ", ")
}

func quoted(name string) string { return fmt.Sprintf("%q", text.Visible(name, 40)) }

// decimal returns a bound in decimal notation, truncated to 40 characters.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return text.Visible(r.Num().String(), 40)
	}
	digits := strings.TrimRight(r.FloatString(12), "0")
	return text.Visible(strings.TrimSuffix(digits, "."), 40)
}
