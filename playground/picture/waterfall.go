package picture

import (
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Timing is the waterfall of an Exchange as data: how long each Round took, and
// apart from that how long you thought.
type Timing struct {
	Bars    []Bar
	Current int
	Link    func(round int) string
	Width   int
	ID      string
}

// Bar is one stretch of time.
type Bar struct {
	Round   int
	Label   string
	Think   bool // yours; drawn thin and not to scale
	Took    time.Duration
	Running bool // not over yet, or nobody saw it end
	Failed  bool
}

// Waterfall is the timing of the Rounds of f.
func Waterfall(f playground.Transcript, o Options) Timing {
	t := Timing{Current: o.Current, Link: o.Link, Width: o.Width, ID: o.ID}
	for i, r := range f.Rounds {
		if i > 0 {
			t.think(f.Rounds[i-1], r)
		}
		t.Bars = append(t.Bars, bar(r))
	}
	return t
}

func (t *Timing) think(before, r playground.Round) {
	if d := r.Decided.Sub(before.Ended); !before.Ended.IsZero() && !r.Decided.IsZero() && d > 0 {
		t.Bars = append(t.Bars, Bar{Round: before.N, Label: "you", Think: true, Took: d})
	}
}

func bar(r playground.Round) Bar {
	b := Bar{Round: r.N, Took: r.Took()}
	var mark Mark
	if r.Outcome == playground.OutcomePending {
		b.Label = "waiting"
	} else {
		b.Label, mark = barLabel(r)
	}
	b.Failed = mark == Wrong || mark == Broken
	b.Running = r.Ended.IsZero() || r.Started.IsZero()
	if b.Running {
		b.Took = 0
	}
	return b
}

// barLabel is shorter than the label of an arrow: bars have less room.
func barLabel(r playground.Round) (string, Mark) {
	switch r.Outcome {
	case playground.OutcomeInputRequired:
		return "asks " + list(questionKeys(r)), NoMark
	case playground.OutcomeRetry:
		return "nothing asked", NoMark
	}
	return responseLabel(r)
}

// Text is the waterfall in words: one sentence per bar, and the sum.
func (t Timing) Text() []string {
	var lines []string
	var server, you time.Duration
	for _, b := range t.Bars {
		switch {
		case b.Think:
			you += b.Took
			lines = append(lines, fmt.Sprintf("You thought for %s.", span(b.Took)))
		case b.Running:
			lines = append(lines, fmt.Sprintf("Round %d has no end yet: %s.", b.Round, b.Label))
		default:
			server += b.Took
			lines = append(lines, fmt.Sprintf("Round %d took %s: %s.", b.Round, span(b.Took), b.Label))
		}
	}
	if len(lines) > 1 {
		lines = append(lines, fmt.Sprintf("Together: %s on the wire, %s of thinking.", span(server), span(you)))
	}
	return lines
}
