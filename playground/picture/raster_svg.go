package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

// svg draws what SVG wrote, and no more of the format than that: one drawing,
// two media.
func (r *raster) svg(data []byte, scale, left, top float64) error {
	s := &stencil{raster: r, scale: scale, left: left, top: top}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			s.start(t)
		case xml.CharData:
			s.content(string(t))
		case xml.EndElement:
			s.writing = nil
		}
	}
}

// stencil places one drawing on a raster.
type stencil struct {
	*raster
	scale, left, top float64
	writing          *label
}

type label struct {
	pen  pen
	x, y float64
}

// look is how a class of picture.css is drawn: stroke with width and dashes, or
// filled.
type look struct {
	stroke, fill string
	width        float64
	dashes       []float64
}

func looks(class string) look {
	switch strings.Fields(class + " -")[0] {
	case "pic-lane":
		return look{stroke: "rule", width: 1.5}
	case "pic-req":
		return look{stroke: "client", width: 1.75}
	case "pic-res":
		return look{stroke: "server", width: 1.75, dashes: []float64{5, 3}}
	case "pic-tell":
		return look{stroke: "server", width: 1, dashes: []float64{1.5, 3}}
	case "pic-req-head":
		return look{fill: "client"}
	case "pic-res-head", "pic-tell-head":
		return look{fill: "server"}
	case "pic-diamond":
		return look{stroke: "state", fill: "paper", width: 1.75}
	case "pic-pass":
		return look{stroke: "pass", width: 2.25}
	case "pic-fail":
		return look{stroke: "fail", width: 2.25}
	}
	return look{}
}

func pens(class string) pen {
	switch class {
	case "pic-name":
		return pen{size: labelSize, bold: true, centre: true}
	case "pic-note":
		return pen{size: smallSize, colour: "muted", centre: true}
	case "pic-number":
		return pen{size: smallSize, colour: "muted"}
	case "pic-now":
		return pen{size: smallSize, bold: true, centre: true}
	case "pic-state":
		return pen{size: smallSize, colour: "state", centre: true}
	}
	return pen{size: labelSize, centre: true}
}

func (s *stencil) start(t xml.StartElement) {
	a := map[string]string{}
	for _, attr := range t.Attr {
		a[attr.Name.Local] = attr.Value
	}
	number := func(name string) float64 { v, _ := strconv.ParseFloat(a[name], 64); return v }
	switch t.Name.Local {
	case "path":
		s.path(looks(a["class"]), a["d"])
	case "circle":
		p := s.at(point{number("cx"), number("cy")})
		s.circle(p.x, p.y, number("r")*s.scale, colourOf(looks(a["class"]).fill))
	case "text":
		p := s.at(point{number("x"), number("y")})
		w := pens(a["class"])
		w.size *= s.scale
		s.writing = &label{w, p.x, p.y}
	}
}

func (s *stencil) at(p point) point {
	return point{s.left + p.x*s.scale, s.top + p.y*s.scale}
}

func (s *stencil) content(text string) {
	if s.writing != nil {
		s.write(s.writing.pen, s.writing.x, s.writing.y, text)
	}
}

// path draws each part of a path: filled first, then its lines.
func (s *stencil) path(l look, d string) {
	for _, part := range outline(d) {
		for i := range part {
			part[i] = s.at(part[i])
		}
		if l.fill != "" {
			s.fill(part, colourOf(l.fill))
		}
		for i := 1; i < len(part) && l.stroke != ""; i++ {
			dashes := make([]float64, len(l.dashes))
			for k, n := range l.dashes {
				dashes[k] = n * s.scale
			}
			s.line(part[i-1], part[i], l.width*s.scale, dashes, colourOf(l.stroke))
		}
	}
}

// outline reads the path commands that this package writes: M, H, V, m, l, v, z.
func outline(d string) [][]point {
	var parts [][]point
	var at point
	for d != "" {
		command := d[0]
		end := 1
		for end < len(d) && strings.IndexByte("MHVmlvz", d[end]) < 0 {
			end++
		}
		n := numbers(d[1:end])
		d = d[end:]
		last := len(parts) - 1
		switch {
		case command == 'M' && len(n) == 2:
			at = point{n[0], n[1]}
		case command == 'm' && len(n) == 2, command == 'l' && len(n) == 2:
			at = point{at.x + n[0], at.y + n[1]}
		case command == 'H' && len(n) == 1:
			at.x = n[0]
		case command == 'V' && len(n) == 1:
			at.y = n[0]
		case command == 'v' && len(n) == 1:
			at.y += n[0]
		case command == 'z' && last >= 0:
			at = parts[last][0]
		}
		if command == 'M' || command == 'm' || last < 0 {
			parts = append(parts, []point{at})
			continue
		}
		parts[last] = append(parts[last], at)
	}
	return parts
}

func numbers(s string) []float64 {
	var list []float64
	for _, word := range strings.Fields(s) {
		if v, err := strconv.ParseFloat(word, 64); err == nil {
			list = append(list, v)
		}
	}
	return list
}
