package picture

import (
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

// raster is a canvas of pixels, with the light theme and smooth edges. Its
// unit can be scaled and moved, so that a drawing becomes a part of an image.
type raster struct {
	img       *image.RGBA
	scale     float64
	left, top float64
	styles    map[string]style
	faces     map[typeface]font.Face
}

// typeface is one font at one size in pixels.
type typeface struct {
	size float64
	bold bool
}

var regularFont, boldFont = mustParseFont(goregular.TTF), mustParseFont(gobold.TTF)

func mustParseFont(data []byte) *opentype.Font {
	f, err := opentype.Parse(data)
	if err != nil {
		panic("parse embedded font: " + err.Error())
	}
	return f
}

// newRaster returns a blank sheet of the colour of paper.
func newRaster(width, height int) *raster {
	r := &raster{
		img:    image.NewRGBA(image.Rect(0, 0, width, height)),
		scale:  1,
		styles: map[string]style{},
		faces:  map[typeface]font.Face{},
	}
	draw.Draw(r.img, r.img.Bounds(), image.NewUniform(static.Light.Colour("paper")), image.Point{}, draw.Src)
	return r
}

// at places the following drawings.
func (r *raster) at(left, top, scale float64) { r.left, r.top, r.scale = left, top, scale }

func (r *raster) pixel(p point) point {
	return point{r.left + p.x*r.scale, r.top + p.y*r.scale}
}

func (r *raster) style(class string) style {
	s, ok := r.styles[class]
	if !ok {
		s = styleOf(class)
		r.styles[class] = s
	}
	return s
}

func (r *raster) begin(group) {} // an image has no links

func (r *raster) end() {}

func (r *raster) path(class string, p path) {
	s := r.style(class)
	dashes := make([]float64, len(s.dashes))
	for i, dash := range s.dashes {
		dashes[i] = dash * r.scale
	}
	for _, line := range p {
		points := make([]point, 0, len(line.points)+1)
		for _, q := range line.points {
			points = append(points, r.pixel(q))
		}
		if line.closed {
			points = append(points, points[0])
		}
		if s.fill != nil {
			r.fill(points, s.fill)
		}
		for i := 1; i < len(points) && s.stroke != nil; i++ {
			r.line(points[i-1], points[i], s.width*r.scale, dashes, s.stroke)
		}
	}
}

// rect draws square corners: at the size of a share image nothing rounder
// shows.
func (r *raster) rect(class string, b box, _ float64) {
	corners := []point{{b.x, b.y}, {b.right(), b.y}, {b.right(), b.bottom()}, {b.x, b.bottom()}}
	r.path(class, path{{corners, true}})
}

func (r *raster) circle(class string, x, y, radius float64) {
	points := make([]point, 24)
	for i := range points {
		a := 2 * math.Pi * float64(i) / float64(len(points))
		points[i] = point{x + radius*math.Cos(a), y + radius*math.Sin(a)}
	}
	r.path(class, path{{points, true}})
}

func (r *raster) text(class string, x, y float64, s string) {
	look := r.style(class)
	if look.fill == nil {
		return
	}
	p := r.pixel(point{x, y})
	r.write(typeface{look.size * r.scale, look.bold}, look.fill, p, !look.start, s)
}

// fill fills a closed shape. Only the part of the image that the shape covers
// is touched: otherwise a dashed line would cost as much as a hundred images.
func (r *raster) fill(shape []point, c color.Color) {
	low, high := shape[0], shape[0]
	for _, p := range shape {
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	bounds := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x)),
		int(math.Ceil(high.y)))
	if bounds.Intersect(r.img.Bounds()).Empty() {
		return
	}
	z := vector.NewRasterizer(bounds.Dx(), bounds.Dy())
	for i, p := range shape {
		x, y := float32(p.x-float64(bounds.Min.X)), float32(p.y-float64(bounds.Min.Y))
		if i == 0 {
			z.MoveTo(x, y)
		} else {
			z.LineTo(x, y)
		}
	}
	z.ClosePath()
	if bounds.In(r.img.Bounds()) {
		z.Draw(r.img, bounds, image.NewUniform(c), image.Point{})
		return
	}
	mask := image.NewAlpha(image.Rect(0, 0, bounds.Dx(), bounds.Dy())) // the rasteriser itself does not clip
	z.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	draw.DrawMask(r.img, bounds, image.NewUniform(c), image.Point{}, mask, image.Point{}, draw.Over)
}

// line draws one straight line in pixels, dashed if there are dashes.
func (r *raster) line(from, to point, width float64, dashes []float64, c color.Color) {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		return
	}
	ux, uy := (to.x-from.x)/length, (to.y-from.y)/length
	stroke := func(a, b float64) {
		ox, oy := -uy*width/2, ux*width/2
		p, q := point{from.x + ux*a, from.y + uy*a}, point{from.x + ux*b, from.y + uy*b}
		r.fill([]point{{p.x + ox, p.y + oy}, {q.x + ox, q.y + oy}, {q.x - ox, q.y - oy},
			{p.x - ox, p.y - oy}}, c)
	}
	if len(dashes) < 2 {
		stroke(0, length)
		return
	}
	for at := 0.0; at < length; at += dashes[0] + dashes[1] {
		stroke(at, min(at+dashes[0], length))
	}
}

// write draws text in pixels: from p on, or centred on it.
func (r *raster) write(face typeface, c color.Color, p point, centred bool, text string) {
	d := font.Drawer{Dst: r.img, Src: image.NewUniform(c), Face: r.face(face)}
	text = drawable(face.font(), text)
	if centred {
		p.x -= float64(d.MeasureString(text)) / 64 / 2
	}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(p.x * 64), Y: fixed.Int26_6(p.y * 64)}
	d.DrawString(text)
}

func (t typeface) font() *opentype.Font {
	if t.bold {
		return boldFont
	}
	return regularFont
}

func (r *raster) face(t typeface) font.Face {
	face, ok := r.faces[t]
	if !ok {
		var err error
		face, err = opentype.NewFace(t.font(),
			&opentype.FaceOptions{Size: t.size, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic("scale embedded font: " + err.Error())
		}
		r.faces[t] = face
	}
	return face
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
