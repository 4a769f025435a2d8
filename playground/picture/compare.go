package picture

import (
	"cmp"
	"slices"
)

// moment is when a Step happens in a story, so that the Steps of two lanes of
// the story can be drawn side by side.
type moment struct {
	round, phase, n int
}

// Phases of a Round. What happens to an instance after a Round comes last.
const (
	requestPhase = iota
	responsePhase
	changePhase
)

// lastRound is the Round of the end of a story, whenever a lane reaches it.
const lastRound = 1 << 30

func (m moment) compare(o moment) int {
	return cmp.Or(cmp.Compare(m.round, o.round), cmp.Compare(m.phase, o.phase), cmp.Compare(m.n, o.n))
}

// moments returns when each Step of a Picture happens. A call that is complete
// ends the story.
func moments(steps []Step) []moment {
	list := make([]moment, len(steps))
	for i, s := range steps {
		m := moment{round: s.Round}
		switch {
		case s.Kind == Change:
			m.phase = changePhase
		case s.Kind == Reply && s.Mark == Done:
			m = moment{round: lastRound}
		case s.Kind != Call:
			m.phase = responsePhase
		}
		for slices.Contains(list[:i], m) {
			m.n++
		}
		list[i] = m
	}
	return list
}

// slot is the place of a row. arrow is its arrow's y, or 0 if it has none.
type slot struct {
	top, arrow, bottom float64
}

// slots are the places of the rows of a Picture, and the height that follows.
type slots struct {
	rows   []slot
	height float64
}

// Compare places two stage Pictures so that they can be read side by side: with
// the same width and height, and simultaneous steps of a story at the same
// height. Steps are left out until both are at most height units tall: first
// changes in one of the Pictures alone, then the first Steps.
func Compare(a, b Picture, height float64) (Picture, Picture) {
	pair := [2]Picture{a, b}
	for {
		times := timeline(pair)
		rows, total := align(pair, times)
		drop, ok := droppable(pair, times)
		if total > height && ok {
			for i := range pair {
				pair[i] = pair[i].without(drop)
			}
			continue
		}
		for i := range pair {
			pair[i].slots = &slots{height: total}
			for _, m := range moments(pair[i].Steps) {
				at, _ := slices.BinarySearchFunc(times, m, moment.compare)
				pair[i].slots.rows = append(pair[i].slots.rows, rows[at])
			}
		}
		return pair[0], pair[1]
	}
}

// timeline returns the moments of both Pictures in order.
func timeline(pair [2]Picture) []moment {
	list := slices.Concat(moments(pair[0].Steps), moments(pair[1].Steps))
	slices.SortFunc(list, moment.compare)
	return slices.Compact(list)
}

// align returns a slot for each moment, as tall as the taller of its two rows,
// and the height of the whole.
func align(pair [2]Picture, times []moment) ([]slot, float64) {
	above, below := make([]float64, len(times)), make([]float64, len(times))
	y, foot := 0.0, 0.0
	for _, p := range pair {
		l := newPlan(p)
		y, foot = max(y, l.top+l.head()), l.foot()
		for i, m := range moments(p.Steps) {
			at, _ := slices.BinarySearchFunc(times, m, moment.compare)
			r := l.place(p.Steps[i], 0)
			above[at] = max(above[at], r.y)
			below[at] = max(below[at], r.bottom-r.y)
		}
	}
	list := make([]slot, len(times))
	for i := range times {
		list[i] = slot{top: y, bottom: y + above[i] + below[i]}
		if times[i].phase != changePhase {
			list[i].arrow = y + above[i]
		}
		y = list[i].bottom
	}
	return list, y + foot
}

// droppable returns the moment that is missed least, and false if the Pictures
// are as short as they may become.
func droppable(pair [2]Picture, times []moment) (moment, bool) {
	if len(times) <= 3 {
		return moment{}, false
	}
	both := [2][]moment{moments(pair[0].Steps), moments(pair[1].Steps)}
	for _, m := range times {
		if m.phase == changePhase && (!slices.Contains(both[0], m) || !slices.Contains(both[1], m)) {
			return m, true
		}
	}
	return times[0], true
}

// without returns the Picture without the Steps of a moment. Where an instance
// went down there, its lane is not drawn.
func (p Picture) without(m moment) Picture {
	times, steps := moments(p.Steps), p.Steps
	p.Steps, p.passed = nil, slices.Clone(p.passed)
	for i, s := range steps {
		if times[i] == m {
			p.passed = append(p.passed, s)
		} else {
			p.Steps = append(p.Steps, s)
		}
	}
	return p
}
