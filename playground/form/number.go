package form

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// numberText returns an entered number as JSON. It keeps the notation and
// changes only what JSON does not allow: a plus sign, leading zeros, and a
// decimal point without digits on one side (".5", "5.").
func numberText(entered string) (string, bool) {
	number := strings.TrimSpace(entered)
	if isNumber(number) {
		return number, true
	}
	sign := ""
	switch {
	case strings.HasPrefix(number, "-"):
		sign, number = "-", number[1:]
	case strings.HasPrefix(number, "+"):
		number = number[1:]
	}
	whole, rest := number, ""
	if i := strings.IndexAny(number, ".eE"); i >= 0 {
		whole, rest = number[:i], number[i:]
	}
	if whole == "" && (len(rest) < 2 || rest[0] != '.') {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if rest == "." {
		rest = ""
	}
	number = sign + whole + rest
	return number, isNumber(number)
}

func isNumber(s string) bool {
	_, ok := jsontree.ParseDecimal(s)
	return ok
}
