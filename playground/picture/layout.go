package picture

import "slices"

// Measures, in user units.
const (
	labelSize = 13.0 // font size of labels and names
	smallSize = 12.0 // font size of notes, states and Round numbers: the smallest on any page
	lineStep  = 16.0 // from one line of a label to the next
	edge      = 24.0 // left of the first lane's text; holds the Round numbers
	clearance = 6.0  // between a label and the lanes at its ends
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
	bubble      bubble
}

// spacing holds the distances in a row: of the first baseline from the top, of
// the arrow from the label, of the words of a state from the arrow, and of the
// row's end from the arrow.
type spacing struct {
	label, arrow, state, after float64
}

func (p Picture) spacing() spacing {
	if p.Dense {
		return spacing{label: 16, arrow: 8, state: 17, after: 5}
	}
	return spacing{label: 22, arrow: 8, state: 19, after: 9}
}

// plan is a Picture with everything placed.
type plan struct {
	spacing
	dense, brief  bool
	current       int
	link          func(round int) string
	messages      func(Message) string
	selected      Message
	leftOut       []Step
	width, height float64
	lanes         []float64 // x of each lane
	heads         []label
	bracket       path    // over the names of instances; empty for none
	top           float64 // of the lanes
	rows          []row
}

// layout places a Picture. Rows never overlap, so only the parts of one row can
// touch each other.
func layout(p Picture) plan {
	l := newPlan(p)
	y := l.top + l.head()
	for i, s := range p.drawn() {
		r := l.place(s, y)
		if p.slots != nil {
			r.into(p.slots.rows[i])
		}
		l.rows = append(l.rows, r)
		y = r.bottom
	}
	if len(p.Steps) == 0 {
		y += 120 // lanes alone show who will take part
	}
	l.height = max(y+l.foot(), float64(p.Height))
	if p.slots != nil {
		l.height = p.slots.height
	}
	if p.Dense {
		l.markDown()
	}
	return l
}

// head is the room above the first row.
func (l plan) head() float64 {
	if l.dense {
		return 2
	}
	return 4
}

// foot is the room below the last row.
func (l plan) foot() float64 {
	if l.dense {
		return 6
	}
	return 12
}

// newPlan returns a plan with the lanes and their headings, but no rows.
func newPlan(p Picture) plan {
	l := plan{spacing: p.spacing(), dense: p.Dense, brief: p.Brief, current: p.Current, link: p.Link,
		leftOut:  slices.Concat(p.passed, p.Steps[:p.LeftOut]),
		messages: p.Messages, selected: p.Selected, width: p.width()}
	l.placeLanes(p)
	return l
}

// markDown marks the headings of lanes whose instance is down at the end.
func (l *plan) markDown() {
	for i, x := range l.lanes {
		if l.end(i) == l.height-4 {
			continue
		}
		for j := range l.heads {
			if l.heads[j].x == x {
				l.heads[j].class += " pic-down"
			}
		}
	}
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
