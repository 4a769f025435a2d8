package lesson

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// language is what has to be known of a programming language to colour it.
type language struct {
	name     string
	comment  string   // begins one that ends with its line
	quotes   []string // around strings, those that begin like another one before it
	keywords string
}

// constants are words that are values, in whatever language.
const constants = "true false null nil None True False undefined iota"

// languageOf knows the languages of lessons and listings by their file endings.
func languageOf(ending string) (language, bool) {
	l, known := map[string]language{
		"json": {name: "JSON", quotes: []string{`"`}},
		"sh":   {"Bash", "#", []string{`"`, `'`}, "if then else elif fi for in do done while case esac function export"},
		"go": {"Go", "//", []string{`"`, "`", `'`}, "break case chan const continue default defer else fallthrough for func go goto if import interface map " +
			"package range return select struct switch type var any bool byte error float64 int int64 rune string"},
		"ts": {"TypeScript", "//", []string{`"`, `'`, "`"}, "as async await boolean break case catch class const continue default do else export extends finally for from " +
			"function if implements import in instanceof interface let new number of private public readonly return static string switch this throw try type typeof void while"},
		"py": {"Python", "#", []string{`"""`, `"`, `'`}, "and as assert async await break class continue def del elif else except finally for from global if import in is " +
			"lambda not or pass raise return try while with yield"},
		"cs": {"C#", "//", []string{`"`, `'`}, "and async await base bool break case catch class const continue default do else finally for foreach if in int internal is " +
			"namespace new not object or out override private protected public readonly record ref return sealed static string switch this throw try typeof using var void while"},
	}[ending]
	return l, known
}

// Classes of a piece of code.
const (
	plainCode   = ""
	nameCode    = "name" // of a member
	stringCode  = "string"
	numberCode  = "number"
	constCode   = "constant"
	keywordCode = "keyword"
	commentCode = "comment"
	punctCode   = "punct"
)

// next is the length of the piece that code begins with, and its class.
func (l language) next(code string) (int, string) {
	r, size := utf8.DecodeRuneInString(code)
	if l.comment != "" && strings.HasPrefix(code, l.comment) {
		return upTo(code, "\n"), commentCode
	}
	for _, quote := range l.quotes {
		if strings.HasPrefix(code, quote) {
			n := quoted(code, quote)
			if l.name == "JSON" && strings.HasPrefix(code[n:], ":") {
				return n, nameCode
			}
			return n, stringCode
		}
	}
	switch {
	case unicode.IsDigit(r):
		return while(code, func(r rune) bool { return r == '.' || isWord(r) }), numberCode
	case isWord(r):
		n := while(code, isWord)
		return n, l.word(code[:n])
	case unicode.IsSpace(r):
		return size, plainCode
	}
	return size, punctCode
}

func (l language) word(word string) string {
	switch {
	case lists(constants, word):
		return constCode
	case lists(l.keywords, word):
		return keywordCode
	}
	return plainCode
}

func lists(words, word string) bool {
	for w := range strings.FieldsSeq(words) {
		if w == word {
			return true
		}
	}
	return false
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// while is the length of the beginning that consists of such runes.
func while(s string, is func(rune) bool) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !is(r) })
	if n < 0 {
		return len(s)
	}
	return n
}

// upTo is the length of what stands before end.
func upTo(s, end string) int {
	before, _, _ := strings.Cut(s, end)
	return len(before)
}

// quoted is the length of the string at the beginning. A backslash takes the
// next character with it.
func quoted(s, quote string) int {
	for i := len(quote); i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote)
		}
	}
	return len(s)
}
