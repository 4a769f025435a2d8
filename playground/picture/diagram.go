package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// SVG returns the Picture for inlining in a page. It has classes only: colours
// and fonts come from the page's style sheet. Each Round is one link, and thus
// one stop of the Tab key, named by its drawn texts; or, with Messages, each
// message is.
func (p Picture) SVG() []byte { return p.svg(false) }

// Split returns the Picture as two SVG images that belong one above the other: the
// names of the lanes, which can stay in view, and the rest. Together they show
// what SVG returns. Only the rest has a title and can be followed by links.
func (p Picture) Split() []byte {
	l := layout(p)
	s := newSVG(frame{class: "pic pic-heads", width: l.width, height: l.top})
	l.drawHeads(s)
	s.bytes()
	s.open(p.frame(l, false))
	l.drawRows(s)
	return s.bytes()
}

// Standalone returns the Picture as a file: it carries its style, light and
// dark, and no links, because a file has no pages to link to.
func (p Picture) Standalone() []byte {
	p.Link, p.Messages = nil, nil
	return p.svg(true)
}

func (p Picture) svg(file bool) []byte {
	l := layout(p)
	f := p.frame(l, file)
	f.top = 0
	s := newSVG(f)
	l.draw(s)
	return s.bytes()
}

// frame describes the image below the names of the lanes.
func (p Picture) frame(l plan, file bool) frame {
	return frame{
		class: "pic", id: cmp.Or(p.ID, "pic"), title: p.Title, desc: p.summary(), top: l.top,
		width: l.width, height: l.height, linked: p.Link != nil || p.Messages != nil,
		left: p.Dense, file: file,
	}
}

// summary is the description of the image: the last sentence of Text. The whole
// Text stands beside the picture.
func (p Picture) summary() string {
	if len(p.Steps) == 0 {
		return "Nothing has happened yet."
	}
	return fmt.Sprintf("%s. %s", text.Plural(len(p.Steps), "step"), p.Steps[len(p.Steps)-1].Sentence)
}

// draw draws a laid-out Picture.
func (l plan) draw(c canvas) {
	l.drawHeads(c)
	l.drawRows(c)
}

func (l plan) drawHeads(c canvas) {
	for _, h := range l.heads {
		h.draw(c)
	}
	c.path("pic-lane", l.bracket)
}

func (l plan) drawRows(c canvas) {
	groups := byRound(l.rows)
	for _, rows := range groups {
		if g := l.group(rows); g.current {
			c.rect("pic-band", box{0, rows[0].top, l.width, rows[len(rows)-1].bottom - rows[0].top}, 4)
		}
	}
	l.drawLanes(c)
	for _, rows := range groups {
		c.begin(l.group(rows))
		if round := rows[0].Round; round != 0 && !l.dense {
			c.text("pic-number", 6, rows[0].top+l.label, strconv.Itoa(round))
		}
		for _, same := range l.byLink(rows) {
			switch {
			case l.linked(same[0]):
				c.begin(l.messageGroup(same))
			case l.dense:
				c.begin(group{row: same[0].name()})
			default:
				l.drawRow(c, same[0])
				continue
			}
			for _, r := range same {
				l.drawRow(c, r)
			}
			c.end()
		}
		c.end()
	}
}

// linked reports whether a row leads to a message.
func (l plan) linked(r row) bool { return l.messages != nil && r.Message.Round != 0 }

// byLink splits rows into those that lead to the same message, such as a response
// and the question in it, and single ones that lead to none.
func (l plan) byLink(rows []row) [][]row {
	return runs(rows, func(a, b row) bool { return l.linked(a) && a.Message == b.Message })
}

// byRound splits rows into those of one Round after the other.
func byRound(rows []row) [][]row {
	return runs(rows, func(a, b row) bool { return a.Round == b.Round })
}

// runs splits rows between those that do not belong together.
func runs(rows []row, together func(a, b row) bool) [][]row {
	var list [][]row
	for first := 0; first < len(rows); {
		end := first + 1
		for end < len(rows) && together(rows[first], rows[end]) {
			end++
		}
		list = append(list, rows[first:end])
		first = end
	}
	return list
}

func (l plan) group(rows []row) group {
	round, top, bottom := rows[0].Round, rows[0].top, rows[len(rows)-1].bottom
	g := group{
		round:   round,
		current: round != 0 && round == l.current,
		area:    box{1, top + 1, l.width - 2, bottom - top - 2},
	}
	if l.link != nil && l.messages == nil && round != 0 {
		g.href = l.link(round)
	}
	return g
}

// messageGroup is the link of Steps to their message.
func (l plan) messageGroup(rows []row) group {
	first, last := rows[0], rows[len(rows)-1]
	left, right := l.width, 0.0
	for _, r := range rows {
		left, right = min(left, r.x1, r.x2), max(right, r.x1, r.x2)
		for _, t := range r.texts {
			left, right = min(left, t.box.x), max(right, t.box.right())
		}
	}
	left, right = max(left-clearance, 1), min(right+clearance, l.width-1)
	return group{
		round: first.Round, message: first.Message.String(), current: first.Message == l.selected,
		href: l.messages(first.Message),
		area: box{left, first.top + 4, right - left, last.bottom - first.top - 2},
	}
}

func (t label) draw(c canvas) { c.text(t.class, t.x, t.y, t.text) }

// drawLanes draws the lanes with gaps where words stand, so that no line runs
// through a word. Lanes are dotted where you thought, because time is
// compressed there.
func (l plan) drawLanes(c canvas) {
	var solid, dotted path
	for i, x := range l.lanes {
		for _, s := range segments(l.top, l.end(i), l.gaps(x, true)) {
			solid.line(x, s.from, x, s.to)
		}
		for _, p := range l.pauses() {
			for _, s := range segments(p.from, p.to, l.gaps(x, false)) {
				dotted.line(x, s.from, x, s.to)
			}
		}
	}
	c.path("pic-lane", solid)
	c.path("pic-lane pic-lane-pause", dotted)
}

// interval is a stretch of a lane.
type interval struct {
	from, to float64
}

// end is where a lane ends: at the bottom, or where its instance went down for
// good.
func (l plan) end(lane int) float64 {
	end := l.height - 4
	for _, s := range l.leftOut {
		if s.Kind == Change && s.To == lane {
			end = l.height - 4
			if s.Mark == Broken {
				end = l.top + 4
			}
		}
	}
	for _, r := range l.rows {
		if r.Kind == Change && r.To == lane {
			end = l.height - 4
			if r.Mark == Broken {
				end = r.top + 10
			}
		}
	}
	return end
}

// gaps are the intervals that the lane at x leaves out: those of words, and of
// pauses if asked for.
func (l plan) gaps(x float64, pauses bool) []interval {
	var list []interval
	for _, r := range l.rows {
		for _, t := range r.texts {
			if x > t.box.x-4 && x < t.box.right()+4 {
				list = append(list, interval{t.box.y - 1, t.box.bottom() + 1})
			}
		}
		if b := r.bubble.box; b.w > 0 && x > b.x-bubbleTail && x < b.right()+bubbleTail-1 {
			list = append(list, interval{b.y, b.bottom()})
		}
		if r.mark.w > 0 && x > r.mark.x-4 && x < r.mark.right()+4 {
			list = append(list, interval{r.mark.y - 1, r.mark.bottom() + 1})
		}
	}
	if pauses {
		list = append(list, l.pauses()...)
	}
	return list
}

func (l plan) pauses() []interval {
	var list []interval
	for _, r := range l.rows {
		if r.Kind == Pause {
			list = append(list, interval{r.top + 4, r.bottom})
		}
	}
	return list
}

// segments returns the parts of a line without its gaps.
func segments(from, to float64, gaps []interval) []interval {
	slices.SortFunc(gaps, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	var list []interval
	for _, g := range gaps {
		if g.to <= from || g.from >= to {
			continue
		}
		if g.from > from {
			list = append(list, interval{from, g.from})
		}
		from = max(from, g.to)
	}
	if from < to {
		list = append(list, interval{from, to})
	}
	return list
}

// drawRow draws one Step.
func (l plan) drawRow(c canvas, r row) {
	switch r.Kind {
	case Now, Pause, Change:
	default:
		l.drawArrow(c, r)
	}
	for _, t := range r.texts {
		t.draw(c)
	}
	r.bubble.draw(c)
}

// drawArrow draws the line, its head, and the marks on it.
func (l plan) drawArrow(c canvas, r row) {
	class := r.class()
	c.path(class, horizontal(r.x1, r.x2-r.tip(), r.y))
	switch r.Mark {
	case Broken:
		c.path("pic-fail", cross(r.x2, r.y, 5))
	case Cut:
		c.path("pic-cut", path{{points: []point{{r.x2, r.y - 6}, {r.x2, r.y + 6}}}})
	default:
		c.path(class+"-head", arrowhead(r.x2, r.y, r.side()))
	}
	if r.Via != 0 {
		c.circle(class+"-head", l.lanes[r.Via], r.y, 3.5)
	}
	if r.State != "" {
		c.path("pic-diamond", diamond(r.diamond, r.y))
	}
	switch r.Mark {
	case Done:
		c.path("pic-pass", tick(r.mark.x, r.mark.y+6))
	case Wrong:
		c.path("pic-fail", cross(r.mark.x+5, r.mark.y+5.5, 4))
	case Neutral:
		c.circle("pic-neutral", r.mark.x+5, r.mark.y+5.5, 5)
		c.path("pic-neutral", path{{points: []point{
			{r.mark.x + 1.5, r.mark.y + 9}, {r.mark.x + 8.5, r.mark.y + 2},
		}}})
	}
}

// name names a row of a slide, the same on every slide that shows it.
func (r row) name() string {
	name := fmt.Sprintf("%d.%s", r.Round, r.Kind)
	if r.Kind == Change {
		name = fmt.Sprintf("%s.%d.%s", name, r.To, r.Label)
	}
	return name
}

// side is 1 for an arrow to the right and -1 for one to the left.
func (r row) side() float64 {
	if r.x2 < r.x1 {
		return -1
	}
	return 1
}

// tip is how far before its end the line stops, under the arrow's head.
func (r row) tip() float64 {
	if r.Mark.onArrow() {
		return 0
	}
	return 4 * r.side()
}

// class is the style of an arrow's line; its head has a class of its own, so
// that it is not dashed.
func (r row) class() string {
	switch r.Kind {
	case Call:
		return "pic-req"
	case Notice:
		return "pic-notice"
	}
	return "pic-res"
}
