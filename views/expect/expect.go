// Package expect shows what a recorded call can be expected to come to again, to choose from,
// and how the file is used.
package expect

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/expect"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Expectation is the page on which an expectation is made from a call.
type Expectation struct {
	ID, Heading  string // of the exchange
	Why          string // why none can be made; empty if one can
	Parts        []Part
	Values       []Row // of the structured content, each by itself
	Milliseconds int64 // suggested longest time
	Took         string
	Variables    []string // that stand for masked values
	URL          bool     // the file has the URL of the server
	Links        bool     // a question asks to open a link, which only a person can
	CI           string   // the commands of a CI job
	Try          string   // the command that runs the file now
}

// Part is a round, or the end of the call.
type Part struct {
	Title string
	Fixed string // what is always expected
	Rows  []Row
}

// Row is one choice.
type Row struct {
	ID, Words, Value string
	Note             string
	Usual, Refused   bool
	Time             bool // it has a number field
}

// Folder is where the page puts expectations.
const Folder = "expectations"

// New returns the page for a call as others may see it. p is the program of the user.
func New(id string, x playground.Exchange, p launch.Program) Expectation {
	out := Expectation{ID: id, Heading: text.Visible(prose.Heading(x.Call), 120), Why: expect.Possible(x)}
	if out.Why != "" {
		return out
	}
	for _, c := range expect.Choices(x) {
		out.add(c)
	}
	e, variables := expect.Of(x, nil, 0)
	out.Variables, out.URL = variables, e.URL != ""
	took := expect.Took(x.Fold())
	out.Took, out.Milliseconds = text.Duration(took), usualTime(took).Milliseconds()
	out.Links = slices.ContainsFunc(x.Fold().Rounds, func(r playground.Round) bool {
		return slices.ContainsFunc(r.Questions, func(q playground.Question) bool { return q.Mode() == "url" })
	})
	words := "test " + Folder
	if x.Target.IsCommand() {
		words += " -stdio 'COMMAND'"
	}
	out.CI = "go install github.com/mrtr-playground/mrtr-playground/cmd/mrtr-playground@latest\n" +
		"mrtr-playground " + words + " -report " + Folder + ".xml"
	out.Try = p.Command(words)
	return out
}

// usualTime returns a time that a call which took so long rarely exceeds: ten times as long,
// in whole seconds.
func usualTime(took time.Duration) time.Duration {
	return (10 * took).Truncate(time.Second) + time.Second
}

// add adds a choice to its part.
func (e *Expectation) add(c expect.Choice) {
	title := "The end of the call"
	if c.Round > 0 {
		title = fmt.Sprintf("Round %d", c.Round)
	}
	if n := len(e.Parts); n == 0 || e.Parts[n-1].Title != title {
		e.Parts = append(e.Parts, Part{Title: title})
	}
	part := &e.Parts[len(e.Parts)-1]
	r := Row{
		ID: c.ID, Words: text.Visible(c.Words, 200), Value: text.Visible(c.Value, 300), Note: c.Note,
		Usual: c.Usual, Time: c.ID == "time",
	}
	if c.Refused != "" {
		r.Note, r.Refused = c.Refused, true
	}
	switch {
	case c.Fixed:
		part.Fixed = text.Visible(c.Words, 300)
	case c.OfValue():
		e.Values = append(e.Values, r)
	default:
		part.Rows = append(part.Rows, r)
	}
}

// File returns the address of the file, without the choices.
func (e Expectation) File() string { return "/x/" + url.PathEscape(e.ID) + "/expectation.json" }

// back returns the address of the exchange.
func (e Expectation) back() string { return "/x/" + url.PathEscape(e.ID) }
