// Package drawing shows pictures as inline SVG, one for wide pages and one for
// narrow ones, and addresses as QR codes.
package drawing

import "github.com/mrtr-playground/mrtr-playground/playground/picture"

// Drawing is one picture for three widths, as SVG. A page shows the widest that
// has room, so that no letter gets smaller than it was drawn. The zero value is
// no picture.
type Drawing struct {
	Class                string // drawn-xray or drawn-timing, which differ in the widest
	Wide, Medium, Narrow string
}

// New draws a picture at a width of its own and at those of a narrow
// page.
func New(class string, wide int, draw func(width int) []byte) Drawing {
	return Drawing{
		Class: class, Wide: string(draw(wide)), Medium: string(draw(picture.MediumTiming)),
		Narrow: string(draw(picture.NarrowTiming)),
	}
}
