// Package recorded makes a flow of recorded calls of one tool: what was asked, with which
// fields, in which order, and on which values that seems to depend.
//
// A recording shows what a server did, and not why. So everything that is a conclusion
// stands beside its place as a comment in the text of the flow, and the head of the text
// lists what the recording does not show and what a flow cannot say: see Notes. The author
// of the flow decides on each. A masked value is never a value of the flow.
//
// # Contract
//
// Make returns a text that review.Parse accepts, whatever was recorded: a part that the
// language refuses is left out, and named. It reads the exchanges and changes nothing. Its
// work is bounded by the limits of a flow: calls beyond MaxCalls are not read. The package
// is pure.
package recorded

import (
	"errors"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// MaxCalls is how many calls are read for a flow.
const MaxCalls = 64

// Limits of what is read of a call. The language of flows has the same.
const (
	maxSteps  = 64
	maxFields = 40
	maxText   = 4000
	maxTitle  = 200
	maxValues = 100
)

// ErrNothing says that no call was recorded that a flow could be made of.
var ErrNothing = errors.New("no call with a response was recorded")

// OfTool returns the exchanges that a flow can be made of, those with the method and the
// name of one of them. Experiments are left out: they show how a server treats a wrong
// request.
func OfTool(list []playground.Exchange, of playground.Exchange) []playground.Exchange {
	name := of.Call.Name()
	var calls []playground.Exchange
	for _, x := range list {
		same := x.Call.Method == of.Call.Method && x.Call.Name() == name
		if same && (x.ID == of.ID || !isExperiment(x)) {
			calls = append(calls, x)
		}
	}
	return calls
}

// isExperiment reports whether a request of the exchange was changed on purpose.
func isExperiment(x playground.Exchange) bool {
	return slices.ContainsFunc(x.Log, func(e playground.Event) bool {
		return e.Kind == playground.Decided && e.Decision().Experiment != ""
	})
}

// Make returns the text of a flow that asks as the server did in these calls of one tool,
// prompt or resource.
func Make(calls []playground.Exchange) (string, error) {
	d := draft{}
	if len(calls) > MaxCalls {
		d.note(-1, "%d more calls of the session, which were not read.", len(calls)-MaxCalls)
		calls = calls[:MaxCalls]
	}
	if err := d.make(calls); err != nil {
		return "", err
	}
	source, whole := d.valid()
	if whole || len(d.paths) == 1 {
		return source, nil
	}
	one := draft{} // what is too much in all calls may fit in the first
	one.note(-1, "%d more calls: together they ask more than a flow can.", len(d.paths)-1)
	if err := one.make(calls[:1]); err != nil {
		return source, nil
	}
	if first, whole := one.valid(); whole {
		return first, nil
	}
	return source, nil
}

// make reads calls and drafts a flow of them.
func (d *draft) make(calls []playground.Exchange) error {
	for _, x := range calls {
		if p, ok := d.read(x); ok {
			d.paths = append(d.paths, p)
		}
	}
	if len(d.paths) == 0 {
		return ErrNothing
	}
	d.head(calls)
	d.arguments()
	d.merge()
	d.conditions()
	d.words()
	d.reactions()
	d.results()
	d.unseen()
	return nil
}

// The lines of the head between which the notes are.
const (
	notesBegin = "# What the recording does not show, or a flow cannot say:"
	notesEach  = "# - "
)

// Notes returns what the text of a flow names as not shown by the recording that it was
// made of. It is empty for every other flow, and once its author has removed the lines.
func Notes(source string) []string {
	_, rest, found := strings.Cut(source, notesBegin+"\n")
	if !found || !strings.HasPrefix(source, "# Made from ") {
		return nil
	}
	var list []string
	for line := range strings.Lines(rest) {
		words, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), notesEach)
		if !ok {
			break
		}
		list = append(list, words)
	}
	return list
}

// comment returns words in one line of a comment.
func comment(words string) string {
	return text.Visible(strings.Join(strings.Fields(words), " "), 300)
}
