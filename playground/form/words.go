package form

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// problems turns the validator's tree of causes into sentences at fields.
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

// leaves lists the errors that say something. Below a failed anyOf or oneOf
// every branch complains, which helps nobody.
func leaves(err *jsonschema.ValidationError, list []*jsonschema.ValidationError) []*jsonschema.ValidationError {
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

// problem finds the field of an error; a missing or surplus member is reported
// one level above itself.
func (f Form) problem(err *jsonschema.ValidationError) []Problem {
	if len(err.InstanceLocation) > 0 {
		index := f.index(err.InstanceLocation[0])
		return []Problem{{index, f.words(index, err)}}
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

// words is the sentence of an error, with the place inside the field's value
// when it is deeper.
func (f Form) words(index int, err *jsonschema.ValidationError) string {
	path := err.InstanceLocation[1:]
	if index < 0 {
		path = err.InstanceLocation
	}
	text := sentence(err.ErrorKind)
	if len(path) == 0 || text == "" {
		return text
	}
	return "At " + clip(strings.Join(path, "/"), 80) + ": " + strings.ToLower(text[:1]) + text[1:]
}

// sentence says an error of the validator in our words; empty for one that is
// about the schema and not the value.
func sentence(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Format:
		return wantsFormat(k.Want)
	case *kind.Pattern:
		return "Does not match the pattern " + clip(k.Want, 80) + "."
	case *kind.Type:
		return "Needs " + strings.Join(articles(k.Want), " or ") + ", not " + articles([]string{k.Got})[0] + "."
	case *kind.Enum, *kind.Const:
		return "This is not one of the values that the schema lists."
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		return "This is none of the shapes that the schema allows."
	case *kind.Required:
		return "Lacks " + list(k.Missing) + "."
	case *kind.AdditionalProperties:
		return "Has " + list(k.Properties) + ", which the schema does not allow."
	case *kind.PropertyNames:
		return "The name " + quoted(k.Property) + " is not allowed."
	case *kind.FalseSchema:
		return "The schema allows no value here."
	case *kind.UniqueItems:
		return "The same value stands here twice."
	case *kind.RefCycle, *kind.InvalidJsonValue:
		return ""
	}
	return sizes(k)
}

// sizes says the errors that compare with a number.
func sizes(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return "Needs at least " + amount(k.Want, "character") + "."
	case *kind.MaxLength:
		return fmt.Sprintf("Can have at most %s; this has %d.", amount(k.Want, "character"), k.Got)
	case *kind.MinItems:
		return "Needs at least " + amount(k.Want, "item") + "."
	case *kind.MaxItems:
		return "Can have at most " + amount(k.Want, "item") + "."
	case *kind.MinProperties:
		return "Needs at least " + amount(k.Want, "member") + "."
	case *kind.MaxProperties:
		return "Can have at most " + amount(k.Want, "member") + "."
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

func wantsFormat(format string) string {
	switch format {
	case "email":
		return "Enter an email address, like name@example.org."
	case "uri":
		return "Enter a full address, like https://example.org/."
	case "date":
		return "Enter a date, like 2026-11-20."
	case "date-time":
		return "Enter a date and time, like 2026-11-20T10:30:00Z."
	}
	return "This does not have the format " + clip(format, 40) + "."
}

func articles(types []string) []string {
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
	var said []string
	for _, name := range names[:min(len(names), 5)] {
		said = append(said, quoted(name))
	}
	return strings.Join(said, ", ")
}

func quoted(name string) string { return fmt.Sprintf("%q", clip(name, 40)) }

// decimal writes a bound as people do; at most as long as a sentence bears.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return clip(r.Num().String(), 40)
	}
	text := strings.TrimRight(r.FloatString(12), "0")
	return clip(strings.TrimSuffix(text, "."), 40)
}
