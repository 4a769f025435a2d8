package picture

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

// Timing is the waterfall of an Exchange as data: how long each Round took, and
// how long you thought in between.
type Timing struct {
	Bars    []Bar
	Current int
	Link    func(round int) string
	Width   int
	ID      string
}

// Bar is one interval of time.
type Bar struct {
	Round   int
	Label   string
	Short   string // label where there is no room for Label; empty for none
	Think   bool   // time in which you thought; drawn thin and not to scale
	Took    time.Duration
	Running bool // no end was recorded
	Failed  bool
}

// Waterfall returns the timing of the Rounds of f.
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
	}
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

// Narrow returns the waterfall for a phone. Its ids differ, so that both can be
// on one page.
func (t Timing) Narrow() Timing {
	t.Width, t.ID = NarrowWidth, cmp.Or(t.ID, "timing")+"-narrow"
	return t
}

// Text returns the waterfall in words: one sentence per bar, and the sum.
func (t Timing) Text() []string {
	var lines []string
	var server, you time.Duration
	for _, b := range t.Bars {
		switch {
		case b.Think:
			you += b.Took
			if b.Took < time.Second { // an experiment or a rerun answers by itself
				lines = append(lines, fmt.Sprintf("The next request followed after %s.", span(b.Took)))
				continue
			}
			lines = append(lines, fmt.Sprintf("You thought for %s.", span(b.Took)))
		case b.Running:
			lines = append(lines, fmt.Sprintf("Round %d has not ended: %s.", b.Round, b.Label))
		default:
			server += b.Took
			lines = append(lines, fmt.Sprintf("Round %d took %s: %s.", b.Round, span(b.Took), b.Label))
		}
	}
	if len(lines) > 1 && you < time.Second {
		lines = append(lines, fmt.Sprintf("Total: %s for the server, %s between the rounds.", span(server),
			span(you)))
	} else if len(lines) > 1 {
		lines = append(lines, fmt.Sprintf("Total: %s for the server, %s for you.", span(server), span(you)))
	}
	return lines
}

// Measures of a waterfall, in user units.
const (
	barRow      = 26.0
	barTop      = 8.0
	barIndent   = 30.0 // of the labels; the Round numbers stand before it
	barLeast    = 3.0
	thinkWidth  = 26.0 // think time is at most this wide, however long it was
	durationGap = 62.0 // room for the duration after the last bar
)

// placedBar is a Bar with its place.
type placedBar struct {
	Bar
	y      float64 // of its middle
	x1, x2 float64
	texts  []label
}

// place puts the bars one below the other, each where the last one ended.
func (t Timing) place() (bars []placedBar, width, height float64) {
	width = Picture{Width: t.Width}.width()
	left := min(width*0.42, 220)
	think, second := t.scale(width - left - durationGap)
	x := left
	for i, b := range t.Bars {
		at := placedBar{Bar: b, y: barTop + barRow*(float64(i)+0.5), x1: x, x2: x + b.length(think, second)}
		at.placeTexts(left)
		x = at.x2
		bars = append(bars, at)
	}
	return bars, width, barTop*2 + barRow*float64(len(bars))
}

// scale returns the widths of think time and of a second. Think time takes at
// most half of the room.
func (t Timing) scale(room float64) (think, second float64) {
	var sum time.Duration
	thinks := 0.0
	for _, b := range t.Bars {
		if b.Think || b.Running {
			thinks++
			continue
		}
		room -= barLeast
		sum += b.Took
	}
	room = max(room, 0)
	think = min(thinkWidth, room/2/max(thinks, 1))
	if sum > 0 {
		second = (room - think*thinks) / sum.Seconds()
	}
	return think, second
}

func (b Bar) length(think, second float64) float64 {
	if b.Think || b.Running {
		return think
	}
	return barLeast + b.Took.Seconds()*second
}

// placeTexts puts the label before all bars and the duration after this one.
func (b *placedBar) placeTexts(left float64) {
	took, class := span(b.Took), "pic-label"
	if b.Running {
		took = "…"
	}
	if b.Think {
		class = "pic-note"
	}
	text := b.Label
	if b.Short != "" && textWidth(text, labelSize) > left-barIndent-8 {
		text = b.Short
	}
	text = clip(text, labelSize, left-barIndent-8)
	b.texts = []label{
		startingAt(class, barIndent, b.y+4.5, text, labelSize),
		startingAt("pic-note", b.x2+9, b.y+4, took, smallSize),
	}
}

// SVG returns the waterfall for inlining in a page, in the same manner as that
// of a Picture.
func (t Timing) SVG() []byte {
	bars, width, height := t.place()
	s := newSVG(frame{
		class: "pic pic-timing", id: cmp.Or(t.ID, "timing"), title: "Time of each round", desc: t.summary(),
		width: width, height: height, linked: t.Link != nil,
	})
	for _, b := range bars {
		t.drawBar(s, b, width)
	}
	return s.bytes()
}

// summary is the description of the image: the last sentence of Text.
func (t Timing) summary() string {
	lines := t.Text()
	if len(lines) == 0 {
		return "Nothing was sent yet."
	}
	return lines[len(lines)-1]
}

func (t Timing) drawBar(c canvas, b placedBar, width float64) {
	g := group{
		round:   b.Round,
		current: b.Round == t.Current && !b.Think,
		area:    box{1, b.y - barRow/2 + 1, width - 2, barRow - 2},
	}
	if t.Link != nil && !b.Think {
		g.href, g.title = t.Link(b.Round), fmt.Sprintf("Round %d", b.Round)
	}
	if g.current {
		c.rect("pic-band", box{0, b.y - barRow/2, width, barRow}, 4)
	}
	c.begin(g)
	b.draw(c)
	for _, w := range b.texts {
		w.draw(c)
	}
	c.end()
}

// draw draws the bar itself: full for a Round, dotted and thin for think time
// and for a Round without an end.
func (b placedBar) draw(c canvas) {
	switch {
	case b.Think:
		c.path("pic-think", horizontal(b.x1, b.x2, b.y))
		return
	case b.Running:
		c.path("pic-res", horizontal(b.x1, b.x2, b.y))
	default:
		c.rect("pic-bar", box{b.x1, b.y - 5, b.x2 - b.x1, 10}, 1.5)
	}
	c.text("pic-number", 6, b.y+4, strconv.Itoa(b.Round))
	if b.Failed {
		c.path("pic-fail", cross(b.x2, b.y, 5))
	}
}
