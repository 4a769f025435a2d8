package search

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A whole word comes before a beginning of one, wherever it is, and this before
// the middle of one. A synonym comes after the word.
func TestFind_WholeWordsFirst(t *testing.T) {
	page := func(title, text string) Entry {
		return Entry{Kind: "Page", Title: title, Path: "/" + title, Text: text}
	}
	entries := []Entry{
		page("inside", "an aboriginal text"),
		page("start", "the original bug"),
		page("original", "a title that begins so"),
		page("synonym", "about DNS rebinding"),
		page("whole", "the header Origin names a website"),
		page("Origins", "the plural in a title"),
		page("origin", "the title itself"),
	}
	var got []string
	for _, h := range Find(entries, "Origin") {
		got = append(got, h.Title)
	}
	if want := "origin Origins whole original start synonym inside"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A word of many letters without a space, and words of any alphabet, do not break
// an excerpt.
func TestFind_ExcerptsAreWhole(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("x", 500) + "state" + strings.Repeat("y", 500),
		strings.Repeat("状态", 200) + " state " + strings.Repeat("状态", 200),
		"state", "", strings.Repeat("ü", 100) + "state" + strings.Repeat("é", 100),
		"\xff\xfe state \xff", strings.Repeat("İ", 60) + " STATE",
	} {
		for _, query := range []string{"state", "title", "STATE x"} {
			for _, h := range Find([]Entry{{Title: "title", Path: "/", Text: text}}, query) {
				excerpt := h.Before + h.Match + h.After
				if utf8.ValidString(text) && !utf8.ValidString(excerpt) {
					t.Errorf("%.20q, %q: %q is not UTF-8", text, query, excerpt)
				}
				if h.Match != "" && h.Match != "x" && !strings.EqualFold(h.Match, "state") {
					t.Errorf("%.20q, %q: match %q", text, query, h.Match)
				}
			}
		}
	}
}
