package form

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// hint says the constraints in our words, so that nobody has to find them out
// by being refused.
func (f Field) hint(s *jsontree.Node) string {
	switch f.Control {
	case Text:
		return join(f.formatHint(s.Get("format").Str()), span(f.MinLength, f.MaxLength, "character"))
	case Number:
		return join(f.kindHint(), bounds(f.Min, f.Max))
	case Choices:
		return prefixed("choose ", span(f.MinItems, f.MaxItems, ""))
	}
	return ""
}

func (f Field) formatHint(format string) string {
	switch f.Input {
	case "email":
		return "email address"
	case "url":
		return "full address, like https://example.org/"
	case "date":
		return "date"
	case "datetime-local":
		return "date and time in UTC"
	}
	return clip(format, 40)
}

func (f Field) kindHint() string {
	if f.Step == "1" {
		return "whole number"
	}
	return "number"
}

// span reads "3 to 10 characters"; without a unit "3 to 10".
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

// amount is a number with its unit: "1 character", "3 characters".
func amount(n int, unit string) string {
	switch {
	case unit == "":
		return fmt.Sprint(n)
	case n == 1:
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func bounds(low, high string) string {
	low, high = clip(low, 40), clip(high, 40)
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
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, ", ")
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
