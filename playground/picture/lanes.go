package picture

import "math"

const (
	bold        = 1.08 // bold letters are about this much wider
	headGap     = 10.0 // between the headings of neighbours
	headLongest = 110.0
	noteLongest = 60.0 // of a short heading: "v1 → v2"
)

// Names of lanes.
const (
	youName    = "You"
	userName   = "User" // of a foreign client
	clientName = "Client"
	balancer   = "Balancer"
)

// InstanceLane returns the lane of an instance.
func InstanceLane(i Instance) Lane {
	note := visible(i.Version)
	if note == "dead" {
		note = "down"
	}
	return Lane{Name: "Instance " + visible(i.Name), Note: note, Instance: visible(i.Name)}
}

// placeLanes places the lanes and their headings. If there is no room for
// "Instance a" above every instance, their headings are "a" and "b" below a row
// of "Balancer" and "Instances", and other lanes have no note.
func (l *plan) placeLanes(p Picture) {
	lanes := p.Lanes
	var fits bool
	l.lanes, fits = spread(p, lanes)
	if short := shortHeadings(lanes); !fits && short != nil {
		l.lanes, _ = spread(p, short)
		l.placeHeadings(short, 35)
		l.placeGroup(lanes)
		return
	}
	l.placeHeadings(lanes, 16)
}

// shortHeadings are lanes with the names of instances alone, or nil if there is
// no instance.
func shortHeadings(lanes []Lane) []Lane {
	short, found := make([]Lane, len(lanes)), false
	for i, lane := range lanes {
		short[i] = Lane{Name: lane.Name}
		switch {
		case lane.Instance != "":
			short[i], found = Lane{Name: lane.Instance, Instance: lane.Instance}, true
			if textWidth(lane.Note, smallSize) <= noteLongest {
				short[i].Note = lane.Note
			}
		case lane.Name == balancer:
			short[i].Name = ""
		}
	}
	if !found {
		return nil
	}
	return short
}

// spread returns the x of each lane, and whether all headings fit. Lanes share
// the room by weight, but are at least so far apart that their headings fit.
func spread(p Picture, lanes []Lane) ([]float64, bool) {
	first := max(edge, textWidth("You", labelSize*bold)/2) + 14
	if p.Dense && lanes[0].Instance == "" {
		first = min(headWidth(lanes[0]), headLongest)/2 + 4
	}
	room := p.width() - first - lastMargin(p, lanes[len(lanes)-1])
	distances, fits := divide(room, len(lanes), p.weight, func(i int) float64 {
		least := leastDistance(lanes, i, room)
		if i == client && lanes[you].isUser() {
			least = max(least, min(p.speechRoom(), room*0.4))
		}
		return least
	})
	xs := make([]float64, len(lanes))
	xs[0] = first
	for i := 1; i < len(xs); i++ {
		xs[i] = xs[i-1] + distances[i]
	}
	return xs, fits
}

// lastMargin is the room between the last lane and the edge.
func lastMargin(p Picture, last Lane) float64 {
	least := 24.0
	if p.Dense {
		least = 40 // changes of the last instance are written on its lane
	}
	return min(max(headWidth(last)/2, least)+6, p.width()/6)
}

// divide returns the distance of each lane from the one before. If the headings
// do not fit, it divides the room by weight alone.
func divide(
	room float64, n int, weight, leastBefore func(lane int) float64,
) (distances []float64, fits bool) {
	distances = make([]float64, n)
	fixed, rest, weights := make([]bool, n), room, 0.0
	for i := 1; i < n; i++ {
		weights += weight(i)
	}
	total := weights
	for again := true; again; {
		again = false
		for i := 1; i < n; i++ {
			least := leastBefore(i)
			if !fixed[i] && rest*weight(i)/weights < least {
				distances[i], fixed[i], again = least, true, true
				rest -= least
				weights -= weight(i)
			}
		}
	}
	fits = rest >= 0
	for i := 1; i < n; i++ {
		switch {
		case !fits:
			distances[i] = room * weight(i) / total
		case !fixed[i]:
			distances[i] = rest * weight(i) / weights
		}
	}
	return distances, fits
}

// weight is the share of the room before a lane. You and the client are further
// apart, because answers, and on a slide bubbles, are written between them.
// Beside another Picture, the first instance gets room for the labels.
func (p Picture) weight(lane int) float64 {
	speaks := lane == client && p.Lanes[you].isUser()
	switch {
	case p.Brief && lane == client+1:
		return 1.1
	case p.Brief && !speaks:
		return 0.75
	case p.Dense && speaks && p.width() < 480:
		return 1.5
	case p.Dense && speaks:
		return 1.2
	case !p.Dense && lane == client && len(p.Lanes) > 4:
		return 1.3
	}
	return 1
}

// leastDistance is how far lane i is from the one before at least.
func leastDistance(lanes []Lane, i int, room float64) float64 {
	least := (min(headWidth(lanes[i-1]), headLongest)+min(headWidth(lanes[i]), headLongest))/2 + headGap
	switch {
	case i == client:
		least = max(least, min(room*0.24, 110)) // room for questions and answers
	case lanes[i-1].Name == "": // "Balancer" stands beside "Instances"
		group := textWidth(balancer, smallSize)/2 + textWidth("Instances", smallSize)/2 + headGap
		least = max(least, group-headGap*float64(len(lanes)-1-i))
	}
	return least
}

// isUser reports whether the lane is that of the person who answers.
func (l Lane) isUser() bool { return l.Name == youName || l.Name == userName }

// class is the style of a lane's name, in the colour of its role.
func (l Lane) class() string {
	switch l.Name {
	case youName, userName, balancer:
		return "pic-name"
	case clientName:
		return "pic-name pic-client"
	}
	return "pic-name pic-server"
}

func headWidth(l Lane) float64 {
	return max(textWidth(l.Name, labelSize*bold), textWidth(l.Note, smallSize))
}

// placeHeadings places the names above the lanes with their baseline at y, and
// the notes below. It clips them where neighbours would touch, but wraps that of
// a server, which is its address.
func (l *plan) placeHeadings(lanes []Lane, y float64) {
	l.top = y + 32
	if l.dense {
		l.top = y + 26
	}
	for i, lane := range lanes {
		if lane.Name == "" {
			continue
		}
		room := l.headRoom(lanes, i)
		name := clip(lane.Name, labelSize*bold, room)
		l.heads = append(l.heads, centred(lane.class(), l.lanes[i], y, name, labelSize*bold))
		switch {
		case lane.Note == "":
		case i == len(lanes)-1 && lane.Instance == "" && textWidth(lane.Note, smallSize) > room:
			l.placeAddress(lane.Note, l.lanes[i], y+17)
		default:
			note := clip(lane.Note, smallSize, room)
			l.heads = append(l.heads, centred("pic-note", l.lanes[i], y+17, note, smallSize))
		}
	}
}

// placeAddress places the note of the last lane, at x, in up to five lines
// from y on: between the headings that are there and the picture's edge.
func (l *plan) placeAddress(note string, x, y float64) {
	const lines, step = 5, 14.0
	left, right := edge, l.width-2
	for _, h := range l.heads {
		if h.x != x {
			left = max(left, h.box.right()+headGap)
		}
	}
	for i, line := range wrap(note, smallSize, right-left, lines) {
		half := textWidth(line, smallSize) / 2
		at := max(min(x, right-half), left+half)
		l.heads = append(l.heads, centred("pic-note", at, y+float64(i)*step, line, smallSize))
		if i > 0 {
			l.top += step
		}
	}
}

// headRoom is how wide a heading may be: up to its neighbours' headings, or
// half way to wider ones, or up to the picture's edge.
func (l *plan) headRoom(lanes []Lane, i int) float64 {
	half := min(l.lanes[i], l.width-l.lanes[i])
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(lanes) {
			distance := math.Abs(l.lanes[j] - l.lanes[i])
			half = min(half, distance-min(headWidth(lanes[j])/2, distance/2))
		}
	}
	return 2*half - 6
}

// placeGroup places the row above short headings: the balancer, and the common
// heading of all instances with a bracket below it.
func (l *plan) placeGroup(lanes []Lane) {
	first, last, count := 0, 0, 0
	for i, lane := range lanes {
		switch {
		case lane.Instance != "":
			if count == 0 {
				first = i
			}
			last, count = i, count+1
		case lane.Name == balancer:
			l.heads = append(l.heads, centred("pic-note", l.lanes[i], 12, balancer, smallSize))
		}
	}
	name := "Instances"
	if count == 1 {
		name = "Instance"
	}
	half := textWidth(name, smallSize) / 2
	x := min((l.lanes[first]+l.lanes[last])/2, l.width-half-2)
	l.heads = append(l.heads, centred("pic-note", x, 12, name, smallSize))
	if count > 1 {
		l.bracket = horizontal(l.lanes[first]-6, l.lanes[last]+6, 18)
	}
}
