package rules

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// The functions below end a rule's function. Words of a server go through
// quoted, so that no sentence is longer or stranger than ours.

func fail(format string, args ...any) answer { return answer{Fail, fmt.Sprintf(format, args...)} }

func hint(format string, args ...any) answer { return answer{Hint, fmt.Sprintf(format, args...)} }

func pass() answer { return answer{verdict: Pass} }

func na() answer { return answer{verdict: NA} }

// most is how many characters of a stranger's text a sentence bears.
const most = 60

// quoted is a stranger's text in quotes, cut and without control characters.
func quoted(s string) string { return fmt.Sprintf("%q", cut(s)) }

// raw is a node's JSON text, which has its own quotes.
func raw(n *jsontree.Node) string {
	if n == nil {
		return "(none)"
	}
	escaped := fmt.Sprintf("%+q", cut(string(n.Raw())))
	return strings.ReplaceAll(escaped[1:len(escaped)-1], `\"`, `"`)
}

func cut(s string) string {
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return s
}

// lower starts a sentence in small letters, to go on after a colon.
func lower(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		return s
	}
	return strings.ToLower(string(r)) + s[size:]
}
