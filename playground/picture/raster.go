package picture

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/mrtr-playground/mrtr-playground/static"
)

// raster draws shapes and words on paper, smoothly.
type raster struct {
	img           *image.RGBA
	regular, bold *opentype.Font
}

// point is a place in pixels.
type point struct{ x, y float64 }

func newRaster(width, height int) (*raster, error) {
	regular, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	bold, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, err
	}
	r := &raster{image.NewRGBA(image.Rect(0, 0, width, height)), regular, bold}
	draw.Draw(r.img, r.img.Bounds(), image.NewUniform(colourOf("paper")), image.Point{}, draw.Src)
	return r, nil
}

// colourOf is a colour of the light theme by its name in tokens.css.
func colourOf(name string) color.RGBA { return static.Light.Colour(cmp.Or(name, "ink")) }

// fill fills a closed shape. Only the part of the image that the shape covers
// is touched, or a dashed line would cost as much as a hundred images.
func (r *raster) fill(shape []point, c color.RGBA) {
	low, high := shape[0], shape[0]
	for _, p := range shape {
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	box := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x)), int(math.Ceil(high.y)))
	if box.Intersect(r.img.Bounds()).Empty() {
		return
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, p := range shape {
		x, y := float32(p.x-float64(box.Min.X)), float32(p.y-float64(box.Min.Y))
		if i == 0 {
			z.MoveTo(x, y)
		} else {
			z.LineTo(x, y)
		}
	}
	z.ClosePath()
	if box.In(r.img.Bounds()) {
		z.Draw(r.img, box, image.NewUniform(c), image.Point{})
		return
	}
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy())) // the rasteriser itself does not clip
	z.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	draw.DrawMask(r.img, box, image.NewUniform(c), image.Point{}, mask, image.Point{}, draw.Over)
}

func (r *raster) circle(x, y, radius float64, c color.RGBA) {
	shape := make([]point, 24)
	for i := range shape {
		a := 2 * math.Pi * float64(i) / float64(len(shape))
		shape[i] = point{x + radius*math.Cos(a), y + radius*math.Sin(a)}
	}
	r.fill(shape, c)
}

// line draws one straight line, dashed when there are dashes.
func (r *raster) line(from, to point, width float64, dashes []float64, c color.RGBA) {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		return
	}
	ux, uy := (to.x-from.x)/length, (to.y-from.y)/length
	stroke := func(a, b float64) {
		ox, oy := -uy*width/2, ux*width/2
		p, q := point{from.x + ux*a, from.y + uy*a}, point{from.x + ux*b, from.y + uy*b}
		r.fill([]point{{p.x + ox, p.y + oy}, {q.x + ox, q.y + oy}, {q.x - ox, q.y - oy}, {p.x - ox, p.y - oy}}, c)
	}
	if len(dashes) < 2 {
		stroke(0, length)
		return
	}
	for at := 0.0; at < length; at += dashes[0] + dashes[1] {
		stroke(at, min(at+dashes[0], length))
	}
}

// pen is how words are written: from x on, or centred on it.
type pen struct {
	size   float64
	bold   bool
	colour string
	centre bool
}

func (r *raster) write(p pen, x, y float64, text string) {
	source := r.regular
	if p.bold {
		source = r.bold
	}
	face, err := opentype.NewFace(source, &opentype.FaceOptions{Size: p.size, DPI: 72, Hinting: font.HintingNone})
	if err != nil { // the fonts are ours and the sizes are not zero
		return
	}
	d := font.Drawer{Dst: r.img, Src: image.NewUniform(colourOf(p.colour)), Face: face}
	text = drawable(source, text)
	if p.centre {
		x -= float64(d.MeasureString(text)) / 64 / 2
	}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}
	d.DrawString(text)
}

// drawable replaces the characters that the font does not have.
func drawable(f *opentype.Font, text string) string {
	out := []rune(text)
	for i, c := range out {
		if index, err := f.GlyphIndex(nil, c); err != nil || index == 0 {
			out[i] = '□'
			if c == '\u00a0' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}
