package picture

import "math"

// Measures, in user units.
const (
	labelSize = 13.0 // font size of labels and names
	smallSize = 11.0 // font size of notes and states
	lineStep  = 16.0 // from one line of a label to the next
	laneTop   = 48.0
	edge      = 24.0 // left of the first lane's text; holds the Round numbers
	clear     = 6.0  // between a label and the lanes at its ends
)

// label is one line of text with its place.
type label struct {
	class string
	x, y  float64 // of the baseline's middle, or its start for the class pic-start
	text  string
	box   box // the space that the text takes, by estimate
}

// row is one Step with its place.
type row struct {
	Step
	top, bottom float64
	y           float64 // of the arrow
	x1, x2      float64 // of the arrow
	diamond     float64 // x of the state's diamond
	mark        box     // of a tick or cross beside the label
	texts       []label
}

// spacing holds the distances in a row: of the first baseline from the top, of
// the arrow from the label, of the words of a state from the arrow, and of the
// row's end from the arrow.
type spacing struct {
	label, arrow, state, after float64
}

func (p Picture) spacing() spacing {
	if p.Dense {
		return spacing{17, 8, 17, 6}
	}
	return spacing{22, 8, 19, 9}
}

// plan is a Picture with everything placed.
type plan struct {
	spacing
	current       int
	link          func(round int) string
	width, height float64
	lanes         []float64 // x of each lane
	heads         []label
	rows          []row
}

// layout places a Picture. Rows never overlap, so only the parts of one row can
// touch each other.
func layout(p Picture) plan {
	l := plan{spacing: p.spacing(), current: p.Current, link: p.Link, width: p.width(), lanes: lanesAt(p)}
	l.heads = l.headings(p.Lanes)
	y := laneTop + 4
	for _, s := range p.Steps {
		r := l.place(s, y)
		l.rows = append(l.rows, r)
		y = r.bottom
	}
	if len(p.Steps) == 0 {
		y += 120 // lanes alone show who will take part
	}
	l.height = y + 12
	return l
}

// lanesAt spreads the lanes. You and the client are a little further apart,
// because answers and the current position are written between them.
func lanesAt(p Picture) []float64 {
	room := max(edge, textWidth("You", labelSize*bold)/2) + 14
	weights, sum := make([]float64, len(p.Lanes)), 0.0
	for i := 1; i < len(p.Lanes); i++ {
		weights[i] = weight(i, len(p.Lanes))
		sum += weights[i]
	}
	last, least := p.Lanes[len(p.Lanes)-1], 24.0
	if p.Dense {
		least = 40 // changes of the last instance are written on its lane
	}
	right := min(max(headWidth(last)/2, least)+6, p.width()/6)
	xs := make([]float64, len(p.Lanes))
	xs[0] = room
	for i := 1; i < len(xs); i++ {
		xs[i] = xs[i-1] + (p.width()-room-right)*weights[i]/sum
	}
	return xs
}

func weight(i, lanes int) float64 {
	if lanes > 4 && i == client {
		return 1.3
	}
	return 1
}

const bold = 1.08 // bold letters are about this much wider

func headWidth(l Lane) float64 {
	return max(textWidth(l.Name, labelSize*bold), textWidth(l.Note, smallSize))
}

// headings are the names above the lanes, clipped where neighbours would touch.
func (l plan) headings(lanes []Lane) []label {
	var heads []label
	for i, lane := range lanes {
		room := l.headRoom(lanes, i)
		heads = append(heads,
			centred("pic-name", l.lanes[i], 16, clip(lane.Name, labelSize*bold, room), labelSize*bold))
		if lane.Note != "" {
			heads = append(heads, centred("pic-note", l.lanes[i], 33, clip(lane.Note, smallSize, room), smallSize))
		}
	}
	return heads
}

// headRoom is how wide a heading may be: up to its neighbours' headings, or half
// way to wider ones, or up to the picture's edge.
func (l plan) headRoom(lanes []Lane, i int) float64 {
	half := min(l.lanes[i], l.width-l.lanes[i])
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(lanes) {
			distance := math.Abs(l.lanes[j] - l.lanes[i])
			half = min(half, distance-min(headWidth(lanes[j])/2, distance/2))
		}
	}
	return 2*half - 6
}

// centred is a text with its middle at x and its baseline at y.
func centred(class string, x, y float64, text string, size float64) label {
	w := textWidth(text, size)
	return label{class, x, y, text, box{x - w/2, y - size*0.8, w, size * 1.05}}
}

// startingAt is a text that begins at x, with its baseline at y.
func startingAt(class string, x, y float64, text string, size float64) label {
	return label{class + " pic-start", x, y, text, box{x, y - size*0.8, textWidth(text, size), size * 1.05}}
}
