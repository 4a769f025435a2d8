package rules

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// ruling is the verdict of a rule on one Round. If text is empty, the Finding
// has the rule's requirement.
type ruling struct {
	verdict verdict.Outcome
	text    string
	link    string // clause, if it is another than that of the rule
	spot    *spot  // of a row with a scenario; nil for none
}

// spot is the request that shows a ruling, and the place in it.
type spot struct {
	at     *Contact
	path   []string // in its JSON; nil for none
	header string   // name of a header; "" for none
}

// A rule's function returns one of the five rulings below. Foreign text in a
// sentence goes through quoted or raw.

func fail(format string, args ...any) ruling {
	return ruling{verdict: verdict.Failed, text: fmt.Sprintf(format, args...)}
}

func hint(format string, args ...any) ruling {
	return ruling{verdict: verdict.Advisory, text: fmt.Sprintf(format, args...)}
}

func pass() ruling { return ruling{verdict: verdict.Passed} }

// unjudged says why what the rule is about is there, and yet cannot be judged.
func unjudged(format string, args ...any) ruling {
	return ruling{verdict: verdict.NotJudged, text: fmt.Sprintf(format, args...)}
}

func na() ruling { return ruling{verdict: verdict.NotApplicable} }

// because is an outcome that shows nothing, with the reason.
func because(o verdict.Outcome, reason string) ruling { return ruling{verdict: o, text: reason} }

// maxQuoted is the longest foreign text inside a sentence, in characters.
const maxQuoted = 60

// quoted returns foreign text in quotes.
func quoted(s string) string { return fmt.Sprintf("%q", text.Visible(s, maxQuoted)) }

// raw returns the JSON text of a node, which has its own quotes.
func raw(n *jsontree.Node) string {
	if n == nil {
		return "(none)"
	}
	return text.Visible(string(n.Raw()), maxQuoted)
}

// lower returns a sentence to be used after a colon: it starts in lower case
// unless its first word has capitals inside.
func lower(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		return s
	}
	return strings.ToLower(string(r)) + s[size:]
}
