package form

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// problems turns the validator's tree of errors into problems of fields.
func (f Form) problems(err *jsonschema.ValidationError) []Problem {
	var list []Problem
	seen := map[int]bool{}
	for _, leaf := range leaves(err, nil) {
		for _, p := range f.problem(leaf) {
			if p.Text != "" && !seen[p.Index] {
				list, seen[p.Index] = append(list, p), true
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
func (f Form) problem(err *jsonschema.ValidationError) []Problem {
	if len(err.InstanceLocation) > 0 {
		index := f.index(err.InstanceLocation[0])
		return []Problem{{index, f.sentence(index, err)}}
	}
	missing, ok := err.ErrorKind.(*kind.Required)
	if !ok {
		return []Problem{{-1, sentence(err.ErrorKind)}}
	}
	var list []Problem
	for _, name := range missing.Missing {
		index := f.index(name)
		if index < 0 {
			list = append(list, Problem{-1, "The property " + quoted(name) + " is missing."})
			continue
		}
		list = append(list, Problem{index, f.Fields[index].missing()})
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

// sentence returns the sentence for an error, with its location inside the
// value of the field.
func (f Form) sentence(index int, err *jsonschema.ValidationError) string {
	path := err.InstanceLocation
	if index >= 0 {
		path = path[1:]
	}
	return located(path, sentence(err.ErrorKind))
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
