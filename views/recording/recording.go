// Package recording shows a recording that is served again as a server.
package recording

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/jsonview"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
)

// Recording is the page of a recording that is served.
type Recording struct {
	Saved   mock.Saved
	Rows    []mock.Row
	Made    []string // methods whose answers are made of the calls
	Address string
	From    string       // page of the recorded call; empty if it is gone
	Played  *mock.Played // the first call; nil if it cannot be made
	Open    bool         // the address answers
	Expires bool         // it ends when it is not used for long
}

func (r Recording) path() string { return paths.Recording(r.Saved.ID) }

func (r Recording) title() string { return text.Visible(r.Saved.Title, 120) }

// snippets returns how a client is pointed at the address; first, what makes the recorded call.
func (r Recording) snippets() []capture.Snippet {
	list := capture.Snippets("recorded", r.Address)
	if r.Played != nil {
		call := capture.Snippet{
			ID: "call", Title: "TypeScript, to the recorded end", Language: "typescript",
			Text: r.Played.Snippet(r.Address),
		}
		list = append([]capture.Snippet{call}, list...)
	}
	return list
}

// params returns what counts of the params of a request, as lines.
func params(row mock.Row) []jsonview.Line { return jsonview.Layout{}.LayOut(nil, row.Params) }

// made says in a sentence what was not recorded.
func (r Recording) made() string { return strings.Join(r.Made, ", ") }

// masked reports whether an answer has masked values.
func (r Recording) masked() bool {
	for _, row := range r.Rows {
		if row.Masked {
			return true
		}
	}
	return false
}

// note is what there is to know of the answer to a request.
func note(r mock.Row) string {
	var parts []string
	if r.Retry {
		parts = append(parts, "retry")
	}
	if r.Status > 0 {
		parts = append(parts, fmt.Sprint("status ", r.Status))
	}
	if r.Messages > 1 {
		parts = append(parts, text.Plural(r.Messages, "message"))
	}
	if r.Answers > 1 {
		parts = append(parts, text.Plural(r.Answers, "answer")+" in turn")
	}
	if r.Masked {
		parts = append(parts, "masked values")
	}
	if r.Withheld != "" {
		parts = append(parts, "body not served: "+text.Visible(r.Withheld, 60))
	}
	switch {
	case r.End == mock.Cut:
		parts = append(parts, "breaks off, as recorded")
	case r.End == mock.Open:
		parts = append(parts, "does not end, as recorded")
	}
	return strings.Join(parts, " · ")
}
