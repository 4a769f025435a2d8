// Package judged shows what came of everything that is judged: a check, a client, the client test,
// an exercise, a flow, a connection. They all begin with the same card: the verdict in its color,
// the sentences of what failed, the counts of what was asked, and one button. Rows that follow are
// sorted by Compare, the worst first; what passed and what does not apply is folded.
package judged

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// mostFailures is how many failures a card has the sentences of.
const mostFailures = 3

// Card is the beginning of a page of something judged.
type Card struct {
	Verdict  verdict.Outcome
	Words    string    // the verdict in one sentence, without counts
	Failures []Failure // the first ones
	More     int       // further failures
	Counts   []Count   // of what was asked: what does not apply is left out
	After    []string  // sentences on what was not judged
	Running  *Running  // nil once the judging has ended
}

// Failure is one thing that failed.
type Failure struct {
	Words  string
	Path   string // of its row; empty for none
	Clause string // link; empty for none
}

// Count is how often there was an outcome.
type Count struct {
	Kind  string // id of the outcome
	N     int
	Words string
}

// Running is what is being judged now.
type Running struct {
	Done, Of int       // 0, 0 of what is one step
	Now      string    // what is running; may be empty
	Since    time.Time // when that began; zero if unknown
}

// New returns the card of a report. path returns the address of the row of a failed line; it may be
// nil.
func New(r verdict.Report, path func(verdict.Line) string) Card {
	h := r.Headline()
	c := Card{Verdict: h.Outcome, Words: h.Lead, After: h.After, Counts: Counts(r.Counts())}
	said := map[string]bool{}
	for _, l := range r.Failures() {
		words := text.Visible(l.Told(), 400)
		if said[words] || len(c.Failures) == mostFailures {
			c.More++
			continue
		}
		said[words] = true
		f := Failure{Words: words, Clause: l.Clause}
		if path != nil {
			f.Path = path(l)
		}
		c.Failures = append(c.Failures, f)
	}
	return c
}

// Above returns the card of rows that follow at once, the worst first: they have the links, and what
// a failure says after its first sentence.
func (c Card) Above() Card {
	for i, f := range c.Failures {
		words, _, more := strings.Cut(f.Words, ". ")
		if more {
			words += "."
		}
		c.Failures[i] = Failure{Words: words}
	}
	return c
}

// While returns the card while the judging runs: what was not judged yet says nothing.
func (c Card) While(r Running) Card {
	c.Running, c.After = &r, nil
	c.Counts = slices.DeleteFunc(c.Counts, func(n Count) bool { return !verdict.Outcome(n.Kind).Judged() })
	return c
}

// Counts returns the counts of what was asked: passed first, then from the worst on.
func Counts(c verdict.Counts) []Count {
	list := []Count{}
	for _, o := range append([]verdict.Outcome{verdict.Passed}, verdict.Outcomes()...) {
		if n := c.Of(o); n > 0 && o != verdict.NotApplicable && (o != verdict.Passed || len(list) == 0) {
			list = append(list, Count{string(o), n, o.Count(n)})
		}
	}
	return list
}

// Standing returns the verdict with its glyph and color.
func (c Card) Standing() standing.Standing {
	s := standing.OfVerdict(c.Verdict)
	s.Word = c.Words
	return s
}

// Said returns the words for a screen reader when the card changes. How much is done is only on the
// page.
func (c Card) Said() string {
	if c.Running != nil {
		return "Running."
	}
	return c.Words
}

// words returns how far the judging has come, and what runs: "5 of 22 · Flip one byte".
func (r Running) words() string {
	switch {
	case r.Of == 0:
		return r.Now
	case r.Now == "":
		return fmt.Sprintf("%d of %d", r.Done, r.Of)
	}
	return fmt.Sprintf("%d of %d · %s", r.Done, r.Of, r.Now)
}
