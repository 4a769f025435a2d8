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
		return join(f.kindHint(), bounds(f.Min, f.Max))
	case Choices:
		if items := span(f.MinItems, f.MaxItems, ""); items != "" {
			return "choose " + items
		}
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

func bounds(low, high string) string {
	low, high = text.Visible(low, 40), text.Visible(high, 40)
	switch {
	case low != "" && high != "":
		return low + " to " + high
	case low != "":
		return low + " or more"
	case high != "":
		return high + " or less"
	}
	return ""
}

func join(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, ", ")
}
