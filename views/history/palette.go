package history

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// PaletteEntry is one entry of the command palette, with short names because
// there are many.
type PaletteEntry struct {
	Kind  string `json:"k"`
	Title string `json:"t"`
	Path  string `json:"p"`
	About string `json:"a,omitempty"`
	// Words are the other words of a long text, which are found but not shown.
	Words string `json:"w,omitempty"`
}

// NewPaletteEntry returns the entry for something that the search finds. It shows at
// most so many bytes of its text.
func NewPaletteEntry(e search.Entry, most int) PaletteEntry {
	about := strings.Join(strings.Fields(e.Text), " ")
	if e.IsSection() {
		about = strings.TrimSpace(e.Page + ": " + about)
	}
	rest := ""
	if len(about) > most {
		for most > 0 && !utf8.RuneStart(about[most]) {
			most--
		}
		cut := strings.LastIndexByte(about[:most], ' ') + 1 // no word is lost where the text is cut
		about, rest = strings.TrimSpace(about[:most])+"…", about[cut:]
	}
	return PaletteEntry{Kind: e.Kind, Title: e.Title, Path: e.Path, About: about,
		Words: search.DistinctWords(rest)}
}

// Entry returns the entry of a session in the search and the palette. Its title
// and the beginning of its text tell it from other calls of the same tool; when
// says when it changed.
func (r SessionRow) Entry(when string) search.Entry {
	e := search.Entry{Kind: cmp.Or(r.What, "Call"), Title: r.Title, Path: r.Path, Text: r.Note}
	x := r.First
	if x == nil {
		return e
	}
	joined := func(sep string, words ...string) string {
		words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
		return strings.Join(strings.Fields(strings.Join(words, sep)), " ")
	}
	standing, result := standing.OfRow(*x).Word, x.Result
	tells := joined(", ", text.Visible(r.Differs, 60), text.Visible(x.Answers, 60))
	if r.What != "" { // how its first call ended is not how the check or the client did
		standing, result = "", ""
	}
	if words := cmp.Or(tells, standing); words != "" {
		e.Title += " · " + words
	}
	e.Text = joined(" · ", when, standing, text.Visible(result, 200), text.Visible(x.Target, 80),
		text.Visible(x.Summary, 200), r.Note)
	return e
}
