package picture

// canvas is the surface that a drawing is drawn on, shape by shape and in the
// order given. A class names the meaning of a shape; css/picture.css of package
// static says how each class looks.
type canvas interface {
	path(class string, p path)
	rect(class string, b box, radius float64)
	circle(class string, x, y, radius float64)
	text(class string, x, y float64, s string)

	// begin and end enclose the shapes of one Round, or of one message or row in
	// it.
	begin(g group)
	end()
}

// group has the shapes of one Round or of one message.
type group struct {
	round   int
	message string // "2.request"; empty for a Round
	row     string // name of a row of a slide; empty for anything else
	current bool
	href    string // address of the Round or the message; empty draws no link
	title   string // tooltip of the link; empty for none
	area    box    // what can be clicked
}

// point is a place in user units.
type point struct{ x, y float64 }

// box is a rectangle in user units, such as the space that a text takes.
type box struct {
	x, y, w, h float64
}

func (b box) right() float64  { return b.x + b.w }
func (b box) bottom() float64 { return b.y + b.h }

// path is a list of polylines that are drawn as one shape.
type path []polyline

// polyline is a sequence of straight lines.
type polyline struct {
	points []point
	closed bool
}

func (p *path) line(x1, y1, x2, y2 float64) {
	*p = append(*p, polyline{points: []point{{x1, y1}, {x2, y2}}})
}

func horizontal(x1, x2, y float64) path { return path{{points: []point{{x1, y}, {x2, y}}}} }

// arrowhead points at (x, y); side is 1 for an arrow to the right, -1 for one
// to the left.
func arrowhead(x, y, side float64) path {
	return path{{[]point{{x, y}, {x - 9*side, y - 4}, {x - 9*side, y + 4}}, true}}
}

func diamond(x, y float64) path {
	return path{{[]point{{x, y - 6}, {x + 6, y}, {x, y + 6}, {x - 6, y}}, true}}
}

func tick(x, y float64) path {
	return path{{points: []point{{x, y}, {x + 4, y + 4}, {x + 11, y - 5}}}}
}

func cross(x, y, half float64) path {
	return path{
		{points: []point{{x - half, y - half}, {x + half, y + half}}},
		{points: []point{{x + half, y - half}, {x - half, y + half}}},
	}
}
