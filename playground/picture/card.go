package picture

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
)

// Size of a Card in pixels, as chats and feeds show previews of links.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Card is a preview of a link: words on the left, a picture on the right.
type Card struct {
	Title, Line, Foot string
	Picture           Picture
}

// PNG draws the card, light, with the same shapes as the picture's SVG.
func (c Card) PNG() ([]byte, error) {
	r, err := newRaster(CardWidth, CardHeight)
	if err != nil {
		return nil, fmt.Errorf("draw card: %w", err)
	}
	c.words(r)
	if err := c.picture(r); err != nil {
		return nil, fmt.Errorf("draw card: %w", err)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, r.img); err != nil {
		return nil, fmt.Errorf("encode card: %w", err)
	}
	return out.Bytes(), nil
}

const cardEdge = 64.0

// words are the left half: whose card it is, the title, one line about it.
func (c Card) words(r *raster) {
	const room = 440.0
	r.write(pen{size: 24, bold: true}, cardEdge, 100, "MRTR Playground")
	y := 200.0
	title := pen{size: 46, bold: true}
	for _, line := range wrap(visible(c.Title), title.size*0.94, room, 4) {
		r.write(title, cardEdge, y, line)
		y += 56
	}
	y += 8
	for _, line := range wrap(visible(c.Line), 25*0.96, room, 4) {
		r.write(pen{size: 25, colour: "muted"}, cardEdge, y, line)
		y += 36
	}
	r.write(pen{size: 20, colour: "muted"}, cardEdge, CardHeight-cardEdge, clip(visible(c.Foot), 20, room))
}

// picture is the right half, as large as it fits; a long one goes on below the
// edge.
func (c Card) picture(r *raster) error {
	const left, width, height, least = 540.0, CardWidth - 540 - 40.0, CardHeight - 2*48.0, 0.82
	p := c.Picture
	p.Link, p.Current = nil, 0
	l := layout(p)
	scale := max(math.Min(width/l.width, height/l.height), least)
	top := 48 + max(0, (height-l.height*scale)/2)
	return r.svg(p.SVG(), scale, left+(width-l.width*scale)/2, top)
}
