package picture

import (
	"fmt"
	"html"
	"time"
)

// Measures of a waterfall, in user units.
const (
	barRow   = 26.0
	barTop   = 8.0
	thinkGap = 26.0 // think time is at most this wide, however long it was
	barLeast = 3.0
	barSum   = 62.0 // room for the duration behind a bar
)

// barAt is a Bar with its place.
type barAt struct {
	Bar
	y      float64 // of its middle
	x1, x2 float64
	texts  []writing
}

// place puts the bars one under the other, each where the last one ended.
func (t Timing) place() ([]barAt, float64, float64) {
	width := Picture{Width: t.Width}.width()
	left := min(width*0.42, 220)
	gap, scale := t.scale(width - left - barSum)
	x := left
	var list []barAt
	for i, b := range t.Bars {
		at := barAt{Bar: b, y: barTop + barRow*(float64(i)+0.5), x1: x, x2: x + b.length(gap, scale)}
		at.write(left)
		x = at.x2
		list = append(list, at)
	}
	return list, width, barTop*2 + barRow*float64(len(list))
}

// scale is how wide a gap is and how many units a second is long. Gaps take at
// most half of the room.
func (t Timing) scale(room float64) (gap, second float64) {
	var sum time.Duration
	gaps := 0.0
	for _, b := range t.Bars {
		if b.Think || b.Running {
			gaps++
			continue
		}
		room -= barLeast
		sum += b.Took
	}
	room = max(room, 0)
	gap = min(thinkGap, room/2/max(gaps, 1))
	if sum > 0 {
		second = (room - gap*gaps) / sum.Seconds()
	}
	return gap, second
}

func (b Bar) length(gap, second float64) float64 {
	if b.Think || b.Running {
		return gap
	}
	return barLeast + b.Took.Seconds()*second
}

// write puts the label before the bars and the duration behind this one.
func (a *barAt) write(left float64) {
	const indent = 30.0
	took, class := span(a.Took), "pic-label"
	if a.Running {
		took = "…"
	}
	if a.Think {
		class = "pic-note"
	}
	label := clip(a.Label, labelSize, left-indent-8)
	a.texts = []writing{
		started(class, indent, a.y+4.5, label, labelSize),
		started("pic-note", a.x2+9, a.y+4, took, smallSize),
	}
}

// started is a text that begins at x.
func started(class string, x, y float64, text string, size float64) writing {
	return writing{class + " pic-start", x, y, text, box{x, y - size*0.8, textWidth(text, size), size * 1.05}}
}

// SVG is the waterfall for inlining in a page, under the same promises as that
// of a Picture.
func (t Timing) SVG() []byte {
	var d drawing
	bars, width, height := t.place()
	id, role := t.ID, "img"
	if id == "" {
		id = "timing"
	}
	if t.Link != nil {
		role = "group"
	}
	d.f(`<svg xmlns="http://www.w3.org/2000/svg" class="pic pic-timing" viewBox="0 0 %s %s" width="%[1]s" height="%[2]s"`, n(width), n(height))
	d.f(` role="%s" aria-labelledby="%s-title" aria-describedby="%[2]s-desc">`, role, html.EscapeString(id))
	d.f(`<title id="%s-title">Time on the wire, round by round</title><desc id="%[1]s-desc">%s</desc>`, html.EscapeString(id), escape(t.summary()))
	d.WriteByte('\n')
	for _, b := range bars {
		d.bar(t, b, width)
	}
	return d.close()
}

func (t Timing) summary() string {
	lines := t.Text()
	if len(lines) == 0 {
		return "Nothing was sent yet."
	}
	return lines[len(lines)-1]
}

func (d *drawing) bar(t Timing, b barAt, width float64) {
	linked := t.Link != nil && !b.Think
	class := "pic-round"
	if b.Round == t.Current && !b.Think {
		class += " pic-current"
		d.f(`<rect class="pic-band" x="0" y="%s" width="%s" height="%s" rx="4"/>`, n(b.y-barRow/2), n(width), n(barRow))
	}
	if linked {
		d.f(`<a class="%s" href="%s" data-pic-round="%d"><title>Round %[3]d</title>`, class, escape(t.Link(b.Round)), b.Round)
		d.f(`<rect class="pic-hit" x="1" y="%s" width="%s" height="%s" rx="4"/>`, n(b.y-barRow/2+1), n(width-2), n(barRow-2))
	} else {
		d.f(`<g class="%s">`, class)
	}
	d.stretch(b)
	for _, w := range b.texts {
		d.text(w)
	}
	if linked {
		d.WriteString("</a>\n")
		return
	}
	d.WriteString("</g>\n")
}

// stretch is the bar itself: full for a Round, dotted and thin for think time
// and for what has no end.
func (d *drawing) stretch(b barAt) {
	switch {
	case b.Think:
		d.f(`<path class="pic-think" d="M%s %sH%s"/>`, n(b.x1), n(b.y), n(b.x2))
		return
	case b.Running:
		d.f(`<path class="pic-res" d="M%s %sH%s"/>`, n(b.x1), n(b.y), n(b.x2))
	default:
		d.f(`<rect class="pic-bar" x="%s" y="%s" width="%s" height="10" rx="1.5"/>`, n(b.x1), n(b.y-5), n(b.x2-b.x1))
	}
	d.WriteString(fmt.Sprintf(`<text class="pic-number" x="6" y="%s">%d</text>`, n(b.y+4), b.Round))
	if b.Failed {
		d.cross(b.x2, b.y, 5)
	}
}
