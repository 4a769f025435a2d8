package server

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// expander is an operator of URI templates (RFC 6570, appendix A). The library that parses
// templates writes code points in place of UTF-8, and cuts prefixes within a character, so
// it only says whether a template is valid and which variables it has.
type expander struct {
	first    string // before the first defined variable
	between  string
	named    bool   // the name precedes the value
	empty    string // between a name and an empty value
	reserved bool   // reserved characters and encoded ones stay as they are
}

// expanders has the operators by their characters; 0 stands for none.
var expanders = map[byte]expander{
	0:   {between: ","},
	'+': {between: ",", reserved: true},
	'#': {first: "#", between: ",", reserved: true},
	'.': {first: ".", between: "."},
	'/': {first: "/", between: "/"},
	';': {first: ";", between: ";", named: true},
	'?': {first: "?", between: "&", named: true, empty: "="},
	'&': {first: "&", between: "&", named: true, empty: "="},
}

// expandTemplate returns the URI of a valid template. A variable without a value is left
// out.
func expandTemplate(template string, values map[string]string) string {
	var uri strings.Builder
	for template != "" {
		literal, rest, found := strings.Cut(template, "{")
		uri.WriteString(encodeURI(literal, true))
		if !found {
			break
		}
		var expression string
		expression, template, _ = strings.Cut(rest, "}")
		uri.WriteString(expandExpression(expression, values))
	}
	return uri.String()
}

// expandExpression returns the text for {expression}.
func expandExpression(expression string, values map[string]string) string {
	op, found := expanders[expression[0]]
	if found {
		expression = expression[1:]
	} else {
		op = expanders[0]
	}
	var parts []string
	for variable := range strings.SplitSeq(expression, ",") {
		name, length, cut := strings.Cut(strings.TrimSuffix(variable, "*"), ":")
		value, defined := values[name]
		if !defined {
			continue
		}
		if most, err := strconv.Atoi(length); cut && err == nil {
			value = prefixOf(value, most, op.reserved)
		}
		part := encodeURI(value, op.reserved)
		switch {
		case op.named && part == "":
			part = name + op.empty
		case op.named:
			part = name + "=" + part
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return op.first + strings.Join(parts, op.between)
}

// prefixOf returns the first n characters of s. If encoded characters stay as they are,
// none is cut.
func prefixOf(s string, n int, encoded bool) string {
	end := 0
	for ; n > 0 && end < len(s); n-- {
		if encoded && isTriplet(s[end:]) {
			end += len("%00")
			continue
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
}

// encodeURI encodes every byte of s that is not unreserved (RFC 3986, section 2). With
// reserved, reserved characters and encoded ones stay as they are.
func encodeURI(s string, reserved bool) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case isUnreserved(c), reserved && (strings.IndexByte(reservedInURI, c) >= 0 || isTriplet(s[i:])):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

const reservedInURI = ":/?#[]@!$&'()*+,;="

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("-._~", c) >= 0
}

// isTriplet reports whether s begins with an encoded character, such as %2F.
func isTriplet(s string) bool { return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2]) }

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
