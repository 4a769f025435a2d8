package picture

import (
	"math"
	"slices"
)

// place puts a Step into the row that begins at top.
func (l plan) place(s Step, top float64) row {
	r := row{Step: s, top: top, x1: l.lanes[s.From], x2: l.lanes[s.To]}
	switch s.Kind {
	case Pause, Now:
		l.placeNote(&r)
		return r
	case Change:
		l.placeChange(&r)
		return r
	}
	y := l.placeLabel(&r)
	r.y = y + l.arrow
	if s.State != "" || s.Mark.onArrow() {
		r.y += 4 // the diamond and the cross rise above the arrow
	}
	r.bottom = r.y + l.after
	if s.Mark.onArrow() {
		r.x2 = r.x1 + (r.x2-r.x1)*0.55
	}
	if s.State != "" {
		l.placeState(&r)
	}
	l.placeSpeech(&r)
	return r
}

// into moves a row into a slot, with its arrow where the slot has it.
func (r *row) into(s slot) {
	dy := s.top - r.top
	if s.arrow > 0 {
		dy = s.arrow - r.y
	}
	r.top, r.bottom = s.top, s.bottom
	r.y += dy
	r.mark.y += dy
	r.bubble.box.y += dy
	r.bubble.tail += dy
	for _, list := range [][]label{r.texts, r.bubble.lines} {
		for i := range list {
			list[i].y += dy
			list[i].box.y += dy
		}
	}
}

// placeNote centres the words of a Step without an arrow between its two lanes.
func (l plan) placeNote(r *row) {
	class, size := "pic-note", smallSize
	if r.Kind == Now {
		class, size = "pic-now", smallSize*bold
	}
	left, right := l.labelRoom(*r, textWidth(r.noteText(), size))
	y := r.top + 22
	for _, line := range wrap(r.noteText(), size, right-left-2*clearance, 2) {
		r.texts = append(r.texts, centred(class, (left+right)/2, y, line, size))
		y += 14
	}
	r.bottom = y + 1
}

// placeChange writes on the lane itself, which has a gap there, and ends there
// for good if the instance is down.
func (l plan) placeChange(r *row) {
	room := 2 * min(r.x2-edge, l.width-r.x2-clearance)
	y := r.top + l.label + 2
	for _, line := range wrap(r.Label, labelSize*bold, room, 2) {
		class := "pic-change"
		if r.Mark == Broken {
			class = "pic-change pic-gone"
		}
		r.texts = append(r.texts, centred(class, r.x2, y, line, labelSize*bold))
		y += lineStep
	}
	r.bottom = y - 4
	if l.dense {
		r.bottom = y - 12
	}
}

// noteText is the text of a Step that has no arrow.
func (s Step) noteText() string {
	if s.Kind == Now {
		return "now: " + s.Label
	}
	return s.Label
}

// placeLabel places the label above the arrow and returns its last baseline.
func (l plan) placeLabel(r *row) float64 {
	shift := 0.0
	if r.Mark.beside() {
		shift = 9
	}
	left, right := l.labelRoom(*r, textWidth(r.Label, labelSize)+2*shift)
	lines := wrap(r.Label, labelSize, right-left-2*clearance-2*shift, l.maxLines())
	y := r.top + l.label
	for i, line := range lines {
		t := centred("pic-label", (left+right)/2+shift, y+float64(i)*lineStep, line, labelSize)
		r.texts = append(r.texts, t)
		if i == 0 && shift > 0 {
			r.mark = box{t.box.x - 18, t.y - 10, 12, 11}
		}
	}
	return y + float64(max(len(lines), 1)-1)*lineStep
}

// labelRoom is where a text may stand: along its arrow, and to the right of it
// if the arrow is too short. A long question of the server may reach as far as
// the server's lane, and in a narrow picture further. Lanes have gaps behind
// texts.
func (l plan) labelRoom(r row, width float64) (left, right float64) {
	const shortest = 132.0
	left, right = min(r.x1, r.x2), max(r.x1, r.x2)
	along := right - left - 2*clearance
	switch {
	case min(r.From, r.To) != you:
		if least := min(shortest, width+2*clearance+1); right-left < least {
			right = max(right, min(left+least, l.width-clearance))
		}
	case max(r.From, r.To) != client || len(l.lanes) <= entry:
	case l.narrow() && width > along:
		right = max(right, min(left+width+2*clearance+1, left+190, l.width-clearance))
	case width > 2*along:
		right = l.lanes[entry]
	}
	return left, right
}

// maxLines is how many lines a label may take; narrow pictures allow more.
func (l plan) maxLines() int {
	if l.narrow() {
		return 5
	}
	return 4
}

func (l plan) narrow() bool { return l.width < 480 }

// placeState puts the diamond on the arrow, clear of the lanes, and its text
// below.
func (l plan) placeState(r *row) {
	r.diamond = l.clearOfLanes(min(r.x1, r.x2), max(r.x1, r.x2))
	if l.dense {
		r.diamond = r.x2 - 26*r.side() // beside who has it now
	}
	if l.brief {
		r.bottom = r.y + 6 + l.after
		return
	}
	left, right := l.labelRoom(*r, textWidth(r.State, smallSize))
	y := r.y + l.state
	for _, line := range wrap(r.State, smallSize, right-left-2*clearance, l.maxLines()-2) {
		half := textWidth(line, smallSize) / 2
		x := min(max(r.diamond, left+clearance+half), right-clearance-half)
		r.texts = append(r.texts, centred("pic-state", x, y, line, smallSize))
		y += 15
	}
	r.bottom = y - 3
	if l.dense {
		r.bottom = y - 10
	}
}

// clearOfLanes is the place nearest to the middle of an arrow that is clear of
// the lanes it crosses, or the middle if there is none.
func (l plan) clearOfLanes(left, right float64) float64 {
	middle := (left + right) / 2
	best, distance := middle, math.Inf(1)
	for i := -8; i <= 8; i++ {
		x := middle + float64(i)*(right-left)/24
		if d := math.Abs(x - middle); d < distance && !l.nearLane(x) {
			best, distance = x, d
		}
	}
	return best
}

// nearLane reports whether a lane is in the way of a diamond at x.
func (l plan) nearLane(x float64) bool {
	return slices.ContainsFunc(l.lanes, func(lane float64) bool { return math.Abs(lane-x) < 14 })
}
