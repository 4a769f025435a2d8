package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"

	"github.com/mrtr-playground/mrtr-playground/static"
)

// Size of a Card in pixels, as chats and feeds expect it of a link's preview
// image.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Card is the preview image of a link: words on the left, a picture on the
// right.
type Card struct {
	Title, Line, Foot string
	Pictures          []Picture  // one below the other
	Parts             []CardPart // of a results board, which has no picture
}

// CardPart is how many results of one kind a board has.
type CardPart struct {
	N      int
	Words  string
	Colour string // name in the palette
}

// PNG draws the card in the light theme.
func (c Card) PNG() ([]byte, error) {
	r := newRaster(CardWidth, CardHeight)
	c.drawWords(r)
	c.drawParts(r)
	for i, p := range c.Pictures {
		drawPicture(r, p, i, len(c.Pictures))
	}
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
	ink, muted := static.Light.Colour("ink"), static.Light.Colour("muted")
	r.mark(cardEdge-6, 72, 40)
	r.write(typeface{24, true}, ink, point{cardEdge + 48, 100}, false, "MRTR Playground")
	foot := wrap(visible(c.Foot), 20, cardRoom, 2)
	bottom := CardHeight - cardEdge - 26*float64(len(foot)-1)
	for i, line := range foot {
		r.write(typeface{20, false}, muted, point{cardEdge, bottom + 26*float64(i)}, false, line)
	}
	size, title, below := c.words(bottom)
	y := cardTop
	for _, line := range title {
		r.write(typeface{size, true}, ink, point{cardEdge, y}, false, line)
		y += size * cardLead
	}
	y += 8
	for _, line := range below {
		r.write(typeface{25, false}, muted, point{cardEdge, y}, false, line)
		y += 36
	}
}

// Measures of the words of a card: their width, where the title begins, and the height of
// its lines as a multiple of its size.
const (
	cardRoom = 440.0
	cardTop  = 200.0
	cardLead = 56.0 / 46
)

// words returns the lines of the title, with the largest size at which it and the line below
// it, whose lines it returns too, have room as a whole above bottom. What has no room at any
// size is cut off.
func (c Card) words(bottom float64) (size float64, title, below []string) {
	const most = 4
	all := len(wrap(visible(c.Line), 25*0.96, cardRoom, 2*most))
	for _, size = range []float64{46, 40, 34, 30} {
		title = wrap(visible(c.Title), size*0.94, cardRoom, 2*most)
		whole := len(title) <= most
		title = wrap(visible(c.Title), size*0.94, cardRoom, most)
		room := min(int((bottom-32-8-cardTop-size*cardLead*float64(len(title)))/36), most)
		below = wrap(visible(c.Line), 25*0.96, cardRoom, room)
		if whole && all <= room {
			break
		}
	}
	return size, title, below
}

// drawPicture draws picture i of n in the right half, as large as it fits, but no
// letter smaller than 12 pixels: a long picture leaves out its first Rounds, and
// continues below the edge if it is still too long.
func drawPicture(r *raster, p Picture, i, n int) {
	const left, width, all = 540.0, CardWidth - 540 - 40.0, CardHeight - 2*48.0
	height := all / float64(n)
	top := 48 + height*float64(i)
	p.Link, p.Messages, p.Current = nil, nil, 0
	if n := len(p.Steps); n > 0 {
		p.leaveOut(height, p.Steps[n-1].Round)
	}
	l := layout(p)
	scale := max(min(width/l.width, height/l.height), 1)
	r.at(left+(width-l.width*scale)/2, top+max(0, (height-l.height*scale)/2), scale)
	l.draw(r)
}

// drawParts draws the results of a board: a bar and, below it, the counts.
func (c Card) drawParts(r *raster) {
	const left, width, top, bar, line = 540.0, CardWidth - 540 - 64.0, 200.0, 36.0, 54.0
	all := 0
	for _, p := range c.Parts {
		all += p.N
	}
	x := left
	for i, p := range c.Parts {
		colour := static.Light.Colour(p.Colour)
		w := width * float64(p.N) / float64(all)
		r.block(colour, x, top, w, bar)
		x += w
		y := top + bar + line*float64(i+1)
		r.block(colour, left, y-20, 20, 20)
		r.write(typeface{28, true}, static.Light.Colour("ink"), point{left + 36, y}, false, p.Words)
	}
}

// block fills a rectangle.
func (r *raster) block(c color.Color, x, y, width, height float64) {
	r.fill([]point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}, c)
}
