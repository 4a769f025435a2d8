package picture

import (
	"fmt"
	"time"
)

// axis maps the time of requests to places. Pauses are cut out of it: each is a
// break of a fixed width.
type axis struct {
	left   float64
	second float64         // width of a second
	gap    float64         // width of a break
	breaks []time.Duration // when each break comes, in time of requests
	sum    time.Duration   // of all requests
}

// newAxis returns the axis of bars in a room that begins at left. Breaks take
// at most half of the room.
func newAxis(bars []Bar, left, room float64) axis {
	a := axis{left: left}
	breaks := 0
	for _, b := range bars {
		switch {
		case b.Break != "":
			a.breaks = append(a.breaks, a.sum)
			breaks++
		case b.Running:
			breaks++ // of the same width
		default:
			a.sum += b.Took
		}
	}
	room = max(room, 0)
	a.gap = min(breakWidth, room/2/max(float64(breaks), 1))
	if a.sum > 0 {
		a.second = (room - a.gap*float64(breaks)) / a.sum.Seconds()
	}
	return a
}

// at returns the place of a time. A break at that very time is right of it.
func (a axis) at(d time.Duration) float64 {
	x := a.left + d.Seconds()*a.second
	for _, b := range a.breaks {
		if b < d {
			x += a.gap
		}
	}
	return x
}

// end returns where the axis ends.
func (a axis) end() float64 {
	return a.left + a.sum.Seconds()*a.second + a.gap*float64(len(a.breaks))
}

// axisTick is a time that the axis names.
type axisTick struct {
	x     float64
	label string
}

// ticks returns round times whose labels have room. There are at least two if
// any time was recorded.
func (a axis) ticks() []axisTick {
	if a.sum <= 0 {
		return nil
	}
	step := a.step()
	list := []axisTick{{a.left, "0"}}
	for d := step; d <= a.sum; d += step {
		list = append(list, axisTick{a.at(d), a.label(d, step)})
	}
	return list
}

// step returns the shortest round time whose ticks have room for their labels,
// or the longest that is on the axis.
func (a axis) step() time.Duration {
	step := a.sum
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i] > a.sum {
			continue
		}
		last := a.label(a.sum/steps[i]*steps[i], steps[i])
		if step != a.sum && steps[i].Seconds()*a.second < textWidth(last, smallSize)+tickClear {
			break
		}
		step = steps[i]
	}
	return step
}

// tickClear is the least space between the labels of two ticks.
const tickClear = 14.0

// steps are the round times, rising: 1, 2 and 5 of each power of ten, and of
// minutes and hours what a clock shows.
var steps = func() []time.Duration {
	var list []time.Duration
	for unit := time.Microsecond; unit <= 10*time.Second; unit *= 10 {
		list = append(list, unit, 2*unit, 5*unit)
	}
	list = list[:len(list)-1] // 50 s
	for _, minutes := range []time.Duration{1, 2, 5, 10, 30, 60, 120, 360, 720, 1440, 2880, 7200, 14400} {
		list = append(list, minutes*time.Minute)
	}
	return list
}()

// label returns a round time in the unit of the axis: "0.2 ms", "30 s", "2 min".
// The unit is the longest in which both the axis and its step are plain numbers.
func (a axis) label(d, step time.Duration) string {
	for _, u := range units {
		if a.sum >= u.length && (u.length < time.Minute || step%u.length == 0) {
			return fmt.Sprintf("%.4g\u00a0%s", float64(d)/float64(u.length), u.name)
		}
	}
	return fmt.Sprintf("%.4g\u00a0µs", float64(d)/float64(time.Microsecond))
}

// units are those of an axis, the longest first.
var units = []struct {
	length time.Duration
	name   string
}{{time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}, {time.Millisecond, "ms"}}

// zigzag is the mark of a break: a line that jumps up and down on its way from
// x1 to x2, less often where there is little room.
func zigzag(x1, x2, y float64) path {
	const high = 4.0
	teeth := max(min(int((x2-x1)/5), 4), 2)
	points := []point{{x1, y}}
	for i := range teeth {
		up := high
		if i%2 == 0 {
			up = -high
		}
		points = append(points, point{x1 + (x2-x1)*(float64(i)+0.5)/float64(teeth), y + up})
	}
	return path{{points: append(points, point{x2, y})}}
}

// hatch fills a box with lines at an angle, a step apart.
func hatch(b box, step float64) path {
	var p path
	for x := b.x - b.h; x < b.right(); x += step {
		// from (x, bottom) to (x+h, top), cut to the box
		from, to := max(x, b.x), min(x+b.h, b.right())
		if to-from > 0.5 {
			p.line(from, b.bottom()-(from-x), to, b.bottom()-(to-x))
		}
	}
	return p
}
