package form

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// hint returns the constraints of the field in words.
func (f Field) hint(s *jsontree.Node) string {
	switch f.Control {
	case Text:
		return join(f.formatHint(s.Get("format").Str()), span(f.MinLength, f.MaxLength, "character"))
	case Number:
		return join(f.kindHint(), f.bounds())
	case Choices:
		if items := span(f.MinItems, f.MaxItems, ""); items != "" {
			return "choose " + items
		}
	case List:
		return span(f.MinItems, f.MaxItems, "item")
	}
	return ""
}

func (f Field) formatHint(format string) string {
	switch f.Input {
	case "email":
		return "email address"
	case "url":
		return "full URL, like https://example.org/"
	case "date":
		return "date"
	case "datetime-local":
		return "date and time in UTC"
	}
	return text.Visible(format, 40)
}

func (f Field) kindHint() string {
	if f.Step == "1" {
		return "whole number"
	}
	return "number"
}

// span returns "3 to 10 characters", or "3 to 10" without a unit.
func span(low, high int, unit string) string {
	switch {
	case low > 0 && low == high:
		return amount(low, unit)
	case low > 0 && high > 0:
		return fmt.Sprintf("%d to %s", low, amount(high, unit))
	case low > 0:
		return "at least " + amount(low, unit)
	case high > 0:
		return "at most " + amount(high, unit)
	}
	return ""
}

func amount(n int, unit string) string {
	if unit == "" {
		return strconv.Itoa(n)
	}
	return text.Plural(n, unit)
}

// largest is the largest integer that JavaScript keeps exact. Schema libraries
// add it, with either sign, as a bound that no author chose.
const largest = "9007199254740991"

// bounds returns the range of a number: "1 to 10", "more than 0".
func (f Field) bounds() string {
	low, high := text.Visible(f.Min, 40), text.Visible(f.Max, 40)
	if low == "-"+largest {
		low = ""
	}
	if high == largest {
		high = ""
	}
	above, below := text.Visible(f.Above, 40), text.Visible(f.Below, 40)
	if low != "" && high != "" && above == "" && below == "" {
		return low + " to " + high
	}
	var parts []string
	for _, p := range []struct{ value, before, after string }{
		{above, "more than ", ""}, {low, "", " or more"}, {below, "less than ", ""}, {high, "", " or less"},
	} {
		if p.value != "" {
			parts = append(parts, p.before+p.value+p.after)
		}
	}
	return strings.Join(parts, " and ")
}

func join(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, ", ")
}
