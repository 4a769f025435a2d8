package picture

import (
	"bytes"
	"fmt"
	"image/png"

	"github.com/mrtr-playground/mrtr-playground/static"
)

// Size of a Card in pixels, which is what chats and feeds expect of a link's
// preview image.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Card is the preview image of a link: words on the left, a picture on the
// right.
type Card struct {
	Title, Line, Foot string
	Picture           Picture
}

// PNG draws the card in the light theme.
func (c Card) PNG() ([]byte, error) {
	r := newRaster(CardWidth, CardHeight)
	c.drawWords(r)
	c.drawPicture(r)
	var out bytes.Buffer
	if err := png.Encode(&out, r.img); err != nil {
		return nil, fmt.Errorf("encode card: %w", err)
	}
	return out.Bytes(), nil
}

const cardEdge = 64.0

// drawWords draws the left half: the product's name, the title, one line about
// the recording, and the foot.
func (c Card) drawWords(r *raster) {
	const room = 440.0
	ink, muted := static.Light.Colour("ink"), static.Light.Colour("muted")
	r.mark(cardEdge-6, 72, 40)
	r.write(typeface{24, true}, ink, point{cardEdge + 48, 100}, false, "MRTR Playground")
	y := 200.0
	for _, line := range wrap(visible(c.Title), 46*0.94, room, 4) {
		r.write(typeface{46, true}, ink, point{cardEdge, y}, false, line)
		y += 56
	}
	y += 8
	for _, line := range wrap(visible(c.Line), 25*0.96, room, 4) {
		r.write(typeface{25, false}, muted, point{cardEdge, y}, false, line)
		y += 36
	}
	foot := clip(visible(c.Foot), 20, room)
	r.write(typeface{20, false}, muted, point{cardEdge, CardHeight - cardEdge}, false, foot)
}

// drawPicture draws the right half, as large as it fits, but no letter smaller
// than 12 pixels: a long picture leaves out its first Rounds, and continues
// below the edge if it is still too long.
func (c Card) drawPicture(r *raster) {
	const left, top, width, height = 540.0, 48.0, CardWidth - 540 - 40.0, CardHeight - 2*48.0
	p := c.Picture
	p.Link, p.Messages, p.Current = nil, nil, 0
	if n := len(p.Steps); n > 0 {
		p.leaveOut(height, p.Steps[n-1].Round)
	}
	l := layout(p)
	scale := max(min(width/l.width, height/l.height), 1)
	r.at(left+(width-l.width*scale)/2, top+max(0, (height-l.height*scale)/2), scale)
	l.draw(r)
}
