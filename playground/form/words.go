package form

import (
	"cmp"
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

// leaves appends the leaves of the tree of errors to list. A keyword that is about other
// values, such as anyOf, counts as a leaf, although its alternatives have
// errors.
func leaves(err *validationError, list []*validationError) []*validationError {
	switch err.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Contains, *kind.MinContains, *kind.PropertyNames:
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

// spot is the part of a field that a path in the content leads to; rest is the
// part of the path without a control.
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
	return "At " + pathText(path) + ": " + strings.ToLower(s[:1]) + s[1:]
}

func pathText(path []string) string { return text.Visible(strings.Join(path, "/"), 80) }

// sentence returns the sentence for an error of the validator in a form, or "" if
// the error is about the schema and not the value.
func sentence(k jsonschema.ErrorKind) string { return messageOf(k).form }

// message has the meaning of an error of the validator. Both texts are empty if
// the error is about the schema and not the value.
type message struct {
	form    string // a sentence for the person who can change the value
	verdict string // in a judgement on a value of other software, after its place: "is …"
}

// messageOf is the table of messages. What it has no row for gets the last one.
func messageOf(k jsonschema.ErrorKind) message {
	switch k := k.(type) {
	case *kind.Format:
		return formatMessage(k.Want)
	case *kind.Pattern:
		pattern := text.Visible(k.Want, 80)
		return message{"Does not match the pattern " + pattern + ".", "does not match the pattern " + pattern}
	case *kind.Type:
		want, got := names(k.Want, typeWords), names([]string{k.Got}, typeWords)
		must, is := names(k.Want, typeNames), names([]string{k.Got}, typeNames)
		return message{"Must be " + want + ", not " + got + ".", "must be " + must + ", not " + is}
	case *kind.Enum, *kind.Const:
		return message{"This is not one of the values in the schema.", "is not one of the allowed values"}
	case *kind.AnyOf:
		return message{"This does not match any schema that is allowed here.",
			"matches none of the schemas that are allowed there"}
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return message{"This does not match any schema that is allowed here.",
				"matches several schemas, of which it must match exactly one"}
		}
		return messageOf(&kind.AnyOf{})
	case *kind.Not:
		return message{"This does not match any schema that is allowed here.",
			"matches a schema that it must not match"}
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		return message{"The schema does not allow this value.",
			"does not have the items that it must contain"}
	case *kind.Required:
		return message{"Missing property " + list(k.Missing) + ".", "has no " + list(k.Missing)}
	case *kind.DependentRequired:
		return message{"Missing property " + list(k.Missing) + ".",
			"has " + quoted(k.Prop) + ", but no " + list(k.Missing)}
	case *kind.Dependency:
		return messageOf(&kind.DependentRequired{Prop: k.Prop, Missing: k.Missing})
	case *kind.AdditionalProperties:
		return message{"The schema does not allow the property " + list(k.Properties) + ".",
			"has " + list(k.Properties) + ", which the schema does not allow"}
	case *kind.AdditionalItems:
		return message{"The schema does not allow this value.", "has more items than the schema allows"}
	case *kind.PropertyNames:
		return message{"The name " + quoted(k.Property) + " is not allowed.",
			"has the member " + quoted(k.Property) + ", whose name the schema does not allow"}
	case *kind.FalseSchema:
		return message{"The schema does not allow any value here.", "must be absent"}
	case *kind.UniqueItems:
		return message{"The same value occurs twice.", "has the same item twice"}
	case *kind.RefCycle, *kind.InvalidJsonValue:
		return message{}
	}
	return sizeMessage(k)
}

// sizeMessage returns the message for an error that compares with a number.
func sizeMessage(k jsonschema.ErrorKind) message {
	least := func(n int, unit string) message {
		return message{"Must have at least " + text.Plural(n, unit) + ".",
			"must have at least " + text.Plural(n, unit)}
	}
	most := func(n int, unit string) message {
		return message{"Must have at most " + text.Plural(n, unit) + ".",
			"must have at most " + text.Plural(n, unit)}
	}
	switch k := k.(type) {
	case *kind.MinLength:
		return message{"Enter at least " + text.Plural(k.Want, "character") + ".",
			fmt.Sprintf("must have at least %s; it has %d", text.Plural(k.Want, "character"), k.Got)}
	case *kind.MaxLength:
		return message{fmt.Sprintf("Enter at most %s; this has %d.", text.Plural(k.Want, "character"), k.Got),
			fmt.Sprintf("must have at most %s; it has %d", text.Plural(k.Want, "character"), k.Got)}
	case *kind.MinItems:
		return least(k.Want, "item")
	case *kind.MaxItems:
		return most(k.Want, "item")
	case *kind.MinProperties:
		return least(k.Want, "member")
	case *kind.MaxProperties:
		return most(k.Want, "member")
	case *kind.Minimum:
		return message{"Enter " + decimal(k.Want) + " or more.", "must be " + decimal(k.Want) + " or more"}
	case *kind.Maximum:
		return message{"Enter " + decimal(k.Want) + " or less.", "must be " + decimal(k.Want) + " or less"}
	case *kind.ExclusiveMinimum:
		return message{"Enter more than " + decimal(k.Want) + ".", "must be more than " + decimal(k.Want)}
	case *kind.ExclusiveMaximum:
		return message{"Enter less than " + decimal(k.Want) + ".", "must be less than " + decimal(k.Want)}
	case *kind.MultipleOf:
		return message{"Enter a multiple of " + decimal(k.Want) + ".",
			"must be a multiple of " + decimal(k.Want)}
	}
	return message{"The schema does not allow this value.", "does not fit the schema"}
}

// formatNouns are names for values of a format.
var formatNouns = map[string]string{
	"email":     "an email address, like name@example.org",
	"uri":       "a full URL, like https://example.org/",
	"date":      "a date, like 2026-11-20",
	"date-time": "a date and time, like 2026-11-20T10:30:00Z",
}

func formatMessage(format string) message {
	if noun, ok := formatNouns[format]; ok {
		return message{"Enter " + noun + ".", "is not " + noun}
	}
	name := text.Visible(format, 40)
	return message{"This does not have the format " + name + ".", "does not have the format " + name}
}

// typeWords and typeNames are the types of JSON Schema as people and as the
// specification call them.
var (
	typeWords = map[string]string{
		"array": "an array", "object": "an object", "integer": "a whole number", "string": "text",
		"boolean": "true or false", "number": "a number",
	}
	typeNames = map[string]string{
		"array": "an array", "object": "an object", "integer": "an integer", "string": "a string",
		"boolean": "a boolean", "number": "a number",
	}
)

func names(types []string, words map[string]string) string {
	var list []string
	for _, t := range types {
		list = append(list, cmp.Or(words[t], t))
	}
	return strings.Join(list, " or ")
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
