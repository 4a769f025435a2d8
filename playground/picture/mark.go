package picture

import "github.com/mrtr-playground/mrtr-playground/static"

// mark draws the mark of the program in pixels, as wide as high: requestState
// on its way between client and server. Its shape is that of static/icon.svg,
// whose sheet is 32 units wide.
func (r *raster) mark(left, top, size float64) {
	unit := size / 32
	at := func(x, y float64) point { return point{left + x*unit, top + y*unit} }
	colour := static.Light.Colour
	r.line(at(6, 16), at(26, 16), 1.5*unit, nil, colour("muted"))
	r.line(at(6, 3), at(6, 29), 2.5*unit, nil, colour("client"))
	r.line(at(26, 3), at(26, 29), 2.5*unit, nil, colour("server"))
	r.fill([]point{at(16, 9), at(23, 16), at(16, 23), at(9, 16)}, colour("state"))
}
