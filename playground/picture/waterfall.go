package picture

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Timing is the waterfall of an Exchange as data: how long each Round took,
// what the time was spent on, and how long the pauses in between were.
type Timing struct {
	Bars    []Bar
	Current int
	Link    func(round int) string
	Width   int // in user units; 0 means WideTiming
	ID      string
}

// Widths of a waterfall in user units. A page shows the widest that has room.
const (
	WideTiming   = 900
	MediumTiming = 600
	NarrowTiming = 320
)

// Bar is one interval of time.
type Bar struct {
	Round   int
	Label   string
	Short   string // label where there is no room for Label; empty for none
	Break   Break  // between two Rounds; drawn as a break, not to scale
	Took    time.Duration
	Spans   []Span // what Took was spent on: they add up to it; none for a pause
	Polls   int    // requests of the Round, if it is several polls; else 0
	Running bool   // no end was recorded
	Failed  bool
}

// Break is the kind of a pause between two Rounds; empty for the Bar of a Round.
type Break string

// Breaks.
const (
	UserBreak   Break = "user"   // the user thought
	ClientBreak Break = "client" // the client went on by itself, perhaps after an interval
)

// Phase is a step of a Round.
type Phase string

// Phases, in the order in which a Round goes through them. A Round with Unsplit
// or Polling has no other.
const (
	Connecting Phase = "connecting" // DNS, TCP and TLS
	Waiting    Phase = "waiting"    // from the request to the first byte of the response
	Receiving  Phase = "receiving"  // from there to the end of the response
	Streaming  Phase = "streaming"  // the same for an event stream, in which the server works on
	Unsplit    Phase = "unsplit"    // the recording does not split the time
	Polling    Phase = "polling"    // several polls of a task with the intervals between them
)

// Phases returns all phases in order.
func Phases() []Phase { return []Phase{Connecting, Waiting, Receiving, Streaming, Unsplit, Polling} }

// Span is the time that a Round spent in one Phase.
type Span struct {
	Phase Phase
	Took  time.Duration
}

// shortPause is the longest pause that a user cannot have caused: an experiment
// or a rerun answers by itself.
const shortPause = time.Second

// Waterfall returns the timing of the Rounds of f.
func Waterfall(f playground.Transcript, o Options) Timing {
	t := Timing{Current: o.Current, Link: o.Link, Width: o.Width, ID: o.ID}
	for i, r := range f.Rounds {
		if i > 0 {
			t.pause(f.Rounds[i-1], r)
		}
		t.Bars = append(t.Bars, bar(r))
	}
	return t
}

// pause adds the time between two Rounds: to the decision that opens the
// second, or to its request if no decision was needed.
func (t *Timing) pause(before, r playground.Round) {
	kind, until := UserBreak, r.Decided
	if r.Decided.IsZero() || r.Decision.Experiment != "" {
		kind, until = ClientBreak, r.Began
	}
	d := until.Sub(before.Ended)
	if before.Ended.IsZero() || until.IsZero() || d <= 0 {
		return
	}
	if d < shortPause {
		kind = ClientBreak
	}
	words, short := "next request after ", "after "
	if kind == UserBreak {
		words, short = "you thought ", "you: "
	}
	t.Bars = append(t.Bars, Bar{
		Round: before.N, Break: kind, Label: words + lasted(d), Short: short + lasted(d), Took: d,
	})
}

func bar(r playground.Round) Bar {
	b := Bar{Round: r.N, Took: r.Took()}
	var mark Mark
	if r.Kind == playground.OutcomePending {
		b.Label = "waiting"
	} else {
		b.Label, mark = barLabel(r)
		b.Short = narrate.Keys(r.Questions)
	}
	b.Failed = mark == Wrong || mark == Broken
	b.Running = r.Ended.IsZero() || r.Began.IsZero()
	if b.Running {
		b.Took = 0
		return b
	}
	if r.Polls > 1 {
		b.Polls = r.Polls
		b.Label += ", " + text.Plural(r.Polls, "poll")
	}
	b.Spans = spans(r, b.Took)
	return b
}

// barLabel is shorter than the label of an arrow: bars have less room.
func barLabel(r playground.Round) (string, Mark) {
	switch r.Kind {
	case playground.OutcomeInputRequired:
		return "asks for " + narrate.Keys(r.Questions), NoMark
	case playground.OutcomeRetry:
		return "no question", NoMark
	}
	return narrate.Response(r), responseMark(r)
}

// spans returns the parts of the time of a Round. It returns one Span if the
// recording does not say: the steps are recorded for one request, not for
// several or for the requests that a legacy session sends in one Round.
func spans(r playground.Round, took time.Duration) []Span {
	switch {
	case r.Polls > 1 || r.Copy:
		return []Span{{Polling, took}}
	case r.Timing.Total == 0 || len(r.Others) > 0 || r.Started.After(r.Began):
		return []Span{{Unsplit, took}}
	case r.Timing.FirstByte > 0:
		return answeredSpans(r, took)
	case r.Head.Status != 0: // a first byte, but not when it came
		return []Span{{Unsplit, took}}
	case r.Class.Unsent():
		return []Span{{Connecting, took}}
	}
	connect := min(connecting(r.Timing), took)
	return positive(Span{Connecting, connect}, Span{Waiting, took - connect})
}

func answeredSpans(r playground.Round, took time.Duration) []Span {
	connect := min(connecting(r.Timing), took)
	wait := min(r.Timing.FirstByte, took-connect)
	rest := Span{Receiving, took - connect - wait}
	if r.Head.MediaType() == "text/event-stream" {
		rest.Phase = Streaming
	}
	return positive(Span{Connecting, connect}, Span{Waiting, wait}, rest)
}

// positive returns the spans that took time.
func positive(list ...Span) []Span {
	return slices.DeleteFunc(list, func(s Span) bool { return s.Took <= 0 })
}

func connecting(t wire.Timing) time.Duration { return t.DNS + t.Connect + t.TLS }

// At returns the waterfall for another width. Its ids differ, so that several
// can be on one page.
func (t Timing) At(width int) Timing {
	if t.ID == "" {
		t.ID = "timing"
	}
	t.Width, t.ID = width, fmt.Sprintf("%s-%d", t.ID, width)
	return t
}

// Text returns the waterfall in words: one sentence per bar, and the sum.
func (t Timing) Text() []string {
	var lines []string
	for _, b := range t.Bars {
		lines = append(lines, b.sentence())
	}
	if len(lines) > 1 {
		lines = append(lines, t.Sum()+".")
	}
	return lines
}

func (b Bar) sentence() string {
	switch {
	case b.Break == UserBreak:
		return fmt.Sprintf("You thought for %s.", lasted(b.Took))
	case b.Break == ClientBreak:
		return fmt.Sprintf("The next request followed after %s.", lasted(b.Took))
	case b.Running:
		return fmt.Sprintf("Round %d has not ended: %s.", b.Round, b.Label)
	}
	return fmt.Sprintf("Round %d took %s%s: %s.", b.Round, lasted(b.Took), b.split(), b.Label)
}

// split returns the parts of the time, in parentheses.
func (b Bar) split() string {
	var parts []string
	for _, s := range b.Spans {
		switch s.Phase {
		case Unsplit:
			parts = append(parts, "not split by the recording")
		case Polling:
			parts = append(parts, "polling, with the intervals")
		default:
			parts = append(parts, string(s.Phase)+" "+lasted(s.Took))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Spent returns the time of all Rounds in each Phase.
func (t Timing) Spent() map[Phase]time.Duration {
	sum := map[Phase]time.Duration{}
	for _, b := range t.Bars {
		for _, s := range b.Spans {
			sum[s.Phase] += s.Took
		}
	}
	return sum
}

// Paused returns the time of all pauses of each kind.
func (t Timing) Paused() map[Break]time.Duration {
	sum := map[Break]time.Duration{}
	for _, b := range t.Bars {
		if b.Break != "" {
			sum[b.Break] += b.Took
		}
	}
	return sum
}

// Sum returns the times of all Rounds in one line: "3 rounds: 4.1 ms server,
// 12 s you, 0.9 ms network". The way to the server and back is in the server's
// part, because nothing that a client records can tell them apart.
func (t Timing) Sum() string {
	rounds, running := 0, false
	for _, b := range t.Bars {
		if b.Break == "" {
			rounds++
			running = running || b.Running
		}
	}
	if rounds == 0 {
		return "Nothing was sent yet"
	}
	spent, paused := t.Spent(), t.Paused()
	var parts []string
	for _, p := range []struct {
		took  time.Duration
		words string
	}{
		{spent[Waiting] + spent[Streaming], "server"},
		{paused[UserBreak], "you"},
		{spent[Connecting] + spent[Receiving], "network"},
		{spent[Unsplit], "not split"},
		{spent[Polling], "polling"},
		{paused[ClientBreak], "between requests"},
	} {
		if p.took > 0 {
			parts = append(parts, lasted(p.took)+" "+p.words)
		}
	}
	if running {
		parts = append(parts, "one request still running")
	}
	if len(parts) == 0 {
		parts = []string{"no time was recorded"}
	}
	return text.Plural(rounds, "round") + ": " + strings.Join(parts, ", ")
}

// lasted is span, more exact where it says little: below a tenth of a
// millisecond and between one and ten seconds.
func lasted(d time.Duration) string {
	switch {
	case 0 < d && d < 100*time.Microsecond:
		return fmt.Sprintf("%d\u00a0µs", max(d.Microseconds(), 1))
	case time.Second <= d && d < 10*time.Second:
		return fmt.Sprintf("%.2g\u00a0s", d.Truncate(100*time.Millisecond).Seconds())
	}
	return span(d)
}
