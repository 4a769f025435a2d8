package form

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// maxExponent bounds the numbers that are calculated with: 1e400 is a fair
// question, 1e999999999 would fill the memory.
const maxExponent = 1000

// rational is the exact value of a JSON number; false when text is none, or
// one too large to calculate with.
func rational(text string) (*big.Rat, bool) {
	if !isNumber(text) || len(text) > maxExponent {
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(text[i+1:])
		if err != nil || e > maxExponent || e < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// isNumber tells whether text is a number by the grammar of RFC 8259.
func isNumber(text string) bool {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	last := text[len(text)-1]
	return last >= '0' && last <= '9' && json.Valid([]byte(text))
}

// numberText keeps a number as typed and changes only what people write and
// JSON cannot say: a plus sign, leading zeros, a bare point (".5", "5.").
func numberText(typed string) (string, bool) {
	text := strings.TrimSpace(typed)
	if isNumber(text) {
		return text, true
	}
	sign := ""
	switch {
	case strings.HasPrefix(text, "-"):
		sign, text = "-", text[1:]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	whole, rest := text, ""
	if i := strings.IndexAny(text, ".eE"); i >= 0 {
		whole, rest = text[:i], text[i:]
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
	text = sign + whole + rest
	return text, isNumber(text)
}
