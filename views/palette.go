package views

import (
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// PaletteEntry is one entry of the command palette, with short names because
// there are many.
type PaletteEntry struct {
	Kind  string `json:"k"`
	Title string `json:"t"`
	Path  string `json:"p"`
	About string `json:"a,omitempty"`
}

// NewPaletteEntry returns the entry for something that the search finds, with
// at most so many bytes of its text.
func NewPaletteEntry(e lesson.Entry, most int) PaletteEntry {
	about := strings.Join(strings.Fields(e.Text), " ")
	if len(about) > most {
		for most > 0 && !utf8.RuneStart(about[most]) {
			most--
		}
		about = strings.TrimSpace(about[:most]) + "…"
	}
	return PaletteEntry{Kind: e.Kind, Title: e.Title, Path: e.Path, About: about}
}

// Entry returns what the search and the palette find of a session.
func (r SessionRow) Entry() lesson.Entry {
	e := lesson.Entry{Kind: "Call", Title: r.Title, Path: r.Path, Text: r.Note}
	if x := r.First; x != nil {
		words := []string{text.Visible(x.Target, 80), text.Visible(x.Summary, 200), string(x.Status),
			text.Visible(x.Result, 200), r.Note}
		e.Text = strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	}
	return e
}

// Entry returns what the search and the palette find of a saved call: its form.
func (l SavedLine) Entry() lesson.Entry {
	words := []string{l.Server, l.Name, l.Summary}
	return lesson.Entry{
		Kind: "Saved call", Title: l.Title, Path: l.Path,
		Text: strings.Join(strings.Fields(strings.Join(words, " ")), " "),
	}
}
