package picture

import (
	"cmp"
	"fmt"
	"strconv"
)

// Measures of a waterfall, in user units.
const (
	axisHeight  = 26.0 // of the axis with its labels
	barRow      = 24.0
	barHeight   = 12.0
	barIndent   = 28.0 // of the labels; the Round numbers stand before it
	barLeast    = 3.0  // so that no bar is invisible, however short
	spanLeast   = 1.5
	breakWidth  = 22.0 // of a pause, however long it was
	durationGap = 66.0 // room for the duration after the last bar
	textGap     = 8.0  // between a bar and its text
	crossHalf   = 5.0  // of the mark of a failure
)

// placedBar is a Bar with its place.
type placedBar struct {
	Bar
	y      float64 // of its middle
	x1, x2 float64
	spans  []placedSpan
	texts  []label
}

// placedSpan is a Span with its place.
type placedSpan struct {
	Phase
	box
}

// placedTiming is a waterfall with everything placed.
type placedTiming struct {
	axis
	bars          []placedBar
	width, height float64
}

// place puts the bars one below the other, each where the last one ended.
func (t Timing) place() placedTiming {
	p := placedTiming{width: float64(cmp.Or(t.Width, WideTiming))}
	left := min(p.width*0.42, 210)
	p.axis = newAxis(t.Bars, left, p.width-left-durationGap)
	x := left
	for i, b := range t.Bars {
		at := placedBar{Bar: b, y: axisHeight + barRow*(float64(i)+0.5), x1: x}
		at.x2 = x + b.Took.Seconds()*p.second
		if b.Break != "" || b.Running {
			at.x2 = x + p.gap
		}
		at.placeSpans(p.second)
		at.placeTexts(left, p.width)
		x = at.x2
		p.bars = append(p.bars, at)
	}
	p.height = axisHeight + barRow*float64(len(p.bars)) + 2
	return p
}

// placeSpans puts the spans side by side, to scale. What is too short to be
// seen is drawn wider, which moves nothing else.
func (b *placedBar) placeSpans(second float64) {
	x, longest := b.x1, 0
	for i, s := range b.Spans {
		w := s.Took.Seconds() * second
		b.spans = append(b.spans,
			placedSpan{s.Phase, box{x, b.y - barHeight/2, max(w, spanLeast), barHeight}})
		x += w
		if s.Took > b.Spans[longest].Took {
			longest = i
		}
	}
	if len(b.spans) > 0 && b.x2-b.x1 < barLeast {
		b.spans = []placedSpan{{b.Spans[longest].Phase,
			box{b.x1, b.y - barHeight/2, barLeast, barHeight}}}
	}
}

// placeTexts puts the label before all bars and the duration after this one.
// The length of a pause stands beside its break, where there is more room.
func (b *placedBar) placeTexts(left, width float64) {
	if b.Break != "" {
		b.texts = []label{pauseText(b.Bar, b.x1, b.x2, b.y+4, width)}
		return
	}
	took := lasted(b.Took)
	if b.Running {
		took = "…"
	}
	at := max(b.x2, b.x1+barLeast) + textGap
	if b.Failed {
		at += crossHalf
	}
	text, room := b.Label, left-barIndent-textGap
	if b.Short != "" && textWidth(text, labelSize) > room {
		text = b.Short
	}
	b.texts = []label{
		startingAt("pic-label", barIndent, b.y+4.5, clip(text, labelSize, room), labelSize),
		startingAt("pic-note", at, b.y+4, took, smallSize),
	}
}

// pauseText places the words of a pause right of its break, or left of it if
// only there is room.
func pauseText(b Bar, x1, x2, y, width float64) label {
	before, after := x1-textGap-barIndent, width-x2-textGap
	words := b.Label
	if textWidth(words, smallSize) > max(before, after) {
		words = b.Short
	}
	if w := textWidth(words, smallSize); after >= w || after >= before {
		return startingAt("pic-note", x2+textGap, y, clip(words, smallSize, after), smallSize)
	}
	words = clip(words, smallSize, before)
	return startingAt("pic-note", x1-textGap-textWidth(words, smallSize), y, words, smallSize)
}

// SVG returns the waterfall for inlining in a page, in the same manner as that
// of a Picture.
func (t Timing) SVG() []byte {
	p := t.place()
	s := newSVG(frame{
		class: "pic pic-timing", id: cmp.Or(t.ID, "timing"), title: "Time of each round", desc: t.Sum() + ".",
		width: p.width, height: p.height, linked: t.Link != nil, left: true,
	})
	p.drawAxis(s)
	for _, b := range p.bars {
		t.drawBar(s, b, p.width)
	}
	return s.bytes()
}

// drawAxis draws the axis with its ticks and breaks.
func (p placedTiming) drawAxis(c canvas) {
	var grid path
	y := axisHeight - 6
	for _, tick := range p.ticks() {
		grid.line(tick.x, y-4, tick.x, p.height)
		c.text("pic-note", tick.x, y-8, tick.label)
	}
	c.path("pic-grid", grid)
	x := p.left
	for _, b := range p.bars {
		if b.Break == "" {
			continue
		}
		if b.x1 > x {
			c.path("pic-axis", horizontal(x, b.x1, y))
		}
		c.path("pic-axis", zigzag(b.x1, b.x2, y))
		x = b.x2
	}
	if end := p.end(); end > x {
		c.path("pic-axis", horizontal(x, end, y))
	}
}

func (t Timing) drawBar(c canvas, b placedBar, width float64) {
	g := group{
		round:   b.Round,
		current: b.Round == t.Current && b.Break == "",
		area:    box{1, b.y - barRow/2 + 1, width - 2, barRow - 2},
	}
	if t.Link != nil && b.Break == "" {
		g.href, g.title = t.Link(b.Round), fmt.Sprintf("Round %d%s", b.Round, b.split())
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

// draw draws the bar itself: the steps of a Round, dots for one without an end,
// a break for a pause.
func (b placedBar) draw(c canvas) {
	if b.Break != "" {
		c.path("pic-break", zigzag(b.x1, b.x2, b.y))
		return
	}
	if b.Running {
		c.path("pic-think", horizontal(b.x1, b.x2, b.y))
	}
	for _, s := range b.spans {
		s.draw(c)
	}
	c.text("pic-number", 6, b.y+4, strconv.Itoa(b.Round))
	if b.Failed {
		c.path("pic-fail", cross(max(b.x2, b.x1+barLeast), b.y, crossHalf))
	}
}

// draw draws a step in the colour of the side that it waits for, with a fill of
// its own, so that the steps differ without colours too.
func (s placedSpan) draw(c canvas) {
	inside := box{s.x + 0.6, s.y + 0.6, max(s.w-1.2, 0.3), s.h - 1.2} // the line is half outside of it
	switch s.Phase {
	case Connecting:
		c.rect("pic-connect", inside, 1)
		c.path("pic-connect", hatch(inside, 5))
	case Waiting:
		c.rect("pic-bar", s.box, 1)
	case Receiving:
		c.rect("pic-receive", inside, 1)
	case Streaming:
		c.rect("pic-receive", inside, 1)
		c.path("pic-receive", hatch(inside, 5))
	case Polling:
		c.rect("pic-poll", inside, 1)
	default:
		c.rect("pic-unsplit", s.box, 1)
	}
}
