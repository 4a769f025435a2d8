package picture

import (
	"fmt"
	"slices"
	"strings"
)

// gap is a stretch of a lane that is left out.
type gap struct {
	from, to float64
}

// lanes draws the lanes with gaps where words stand, so that no line runs
// through a word. Where you thought, time is compressed and the lanes are
// dotted.
func (d *drawing) lanes(l plan) {
	var solid, dotted strings.Builder
	for i, x := range l.lanes {
		for _, s := range segments(laneTop, l.end(i), l.gaps(x, true)) {
			fmt.Fprintf(&solid, "M%s %sV%s", n(x), n(s.from), n(s.to))
		}
		for _, p := range l.pauses() {
			for _, s := range segments(p.from, p.to, l.gaps(x, false)) {
				fmt.Fprintf(&dotted, "M%s %sV%s", n(x), n(s.from), n(s.to))
			}
		}
	}
	d.f(`<path class="pic-lane" d="%s"/>`, solid.String())
	if dotted.Len() > 0 {
		d.f(`<path class="pic-lane pic-lane-pause" d="%s"/>`, dotted.String())
	}
	d.WriteByte('\n')
}

// end is where a lane ends: at the bottom, or where its instance was gone for good.
func (l plan) end(lane int) float64 {
	end := l.height - 4
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

// gaps are where the lane at x makes way: for words, and for pauses if asked.
func (l plan) gaps(x float64, pauses bool) []gap {
	var list []gap
	for _, r := range l.rows {
		for _, t := range r.texts {
			if x > t.box.x-4 && x < t.box.right()+4 {
				list = append(list, gap{t.box.y - 1, t.box.bottom() + 1})
			}
		}
		if r.mark.w > 0 && x > r.mark.x-4 && x < r.mark.right()+4 {
			list = append(list, gap{r.mark.y - 1, r.mark.bottom() + 1})
		}
	}
	if pauses {
		list = append(list, l.pauses()...)
	}
	return list
}

func (l plan) pauses() []gap {
	var list []gap
	for _, r := range l.rows {
		if r.Kind == Pause {
			list = append(list, gap{r.top + 4, r.bottom})
		}
	}
	return list
}

// segments is what is left of a line after its gaps.
func segments(from, to float64, gaps []gap) []gap {
	slices.SortFunc(gaps, func(a, b gap) int {
		if a.from < b.from {
			return -1
		}
		return 1
	})
	var list []gap
	for _, g := range gaps {
		if g.to <= from || g.from >= to {
			continue
		}
		if g.from > from {
			list = append(list, gap{from, g.from})
		}
		from = max(from, g.to)
	}
	if from < to {
		list = append(list, gap{from, to})
	}
	return list
}
