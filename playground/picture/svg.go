package picture

import (
	"html"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/static"
)

// frame describes an SVG image as a whole.
type frame struct {
	class         string
	id            string // prefix of the ids of title and description
	title, desc   string
	width, height float64
	top           float64 // that is left out
	linked        bool
	left          bool // aligned to the top left of whatever room there is
	file          bool // stands alone: has a margin and carries its style
}

// svg is a canvas that writes SVG. The SVG holds no script and, unless it is a
// file, no style.
type svg struct {
	out  []byte
	ends []string // closing tags of the open groups
}

// newSVG begins an image. With links its role is group, because the content of
// an img cannot be reached by keyboard; without them it is img.
func newSVG(f frame) *svg {
	s := &svg{out: make([]byte, 0, 8<<10)}
	s.open(f)
	return s
}

// open begins an image, after the one that was ended before, if any.
func (s *svg) open(f frame) {
	const margin = 16
	at, width, height := 0.0, f.width, f.height-f.top
	if f.file {
		at, width, height = -margin, width+2*margin, height+2*margin
	}
	s.raw(`<svg xmlns="http://www.w3.org/2000/svg" class="`, f.class, `" viewBox="`)
	s.numbers(at, at+f.top, width, height)
	s.raw(`"`)
	s.attribute("width", width)
	s.attribute("height", height)
	if f.left {
		s.raw(` preserveAspectRatio="xMinYMin meet"`)
	}
	if f.title == "" {
		s.raw(` aria-hidden="true">`, "\n")
		return
	}
	role := "img"
	if f.linked {
		role = "group"
	}
	id := html.EscapeString(f.id)
	s.raw(` role="`, role, `" aria-labelledby="`, id, `-title" aria-describedby="`, id, `-desc">`)
	s.raw(`<title id="`, id, `-title">`, escape(f.title), `</title>`)
	s.raw(`<desc id="`, id, `-desc">`, escape(f.desc), `</desc>`)
	if f.file {
		s.raw("<style>", fileStyle, "</style>")
		s.rect("pic-paper", box{at, at, width, height}, 0)
	}
	s.raw("\n")
}

// bytes ends the image and returns it, after those before it.
func (s *svg) bytes() []byte {
	s.raw("</svg>\n")
	return s.out
}

func (s *svg) begin(g group) {
	class := "pic-round"
	if g.current {
		class += " pic-current"
	}
	if g.message != "" {
		s.beginMessage(g)
		return
	}
	if g.row != "" {
		s.raw(`<g data-row="`, escape(g.row), `">`)
		s.ends = append(s.ends, "</g>")
		return
	}
	if g.href == "" {
		s.raw(`<g class="`, class, `">`)
		s.ends = append(s.ends, "</g>\n")
		return
	}
	s.raw(`<a class="`, class, `" href="`, escape(g.href), `" data-pic-round="`, strconv.Itoa(g.round), `"`)
	if g.current {
		s.raw(` aria-current="step"`)
	}
	s.raw(`>`)
	if g.title != "" {
		s.raw(`<title>`, escape(g.title), `</title>`)
	}
	s.rect("pic-hit", g.area, 4)
	s.ends = append(s.ends, "</a>\n")
}

// beginMessage begins the link of an arrow to its message.
func (s *svg) beginMessage(g group) {
	s.raw(`<a href="`, escape(g.href), `" data-m="`, g.message, `"`)
	if g.current {
		s.raw(` aria-current="true"`)
	}
	s.raw(`>`)
	s.rect("pic-hit", g.area, 4)
	s.ends = append(s.ends, "</a>")
}

func (s *svg) end() {
	last := len(s.ends) - 1
	s.raw(s.ends[last])
	s.ends = s.ends[:last]
}

func (s *svg) path(class string, p path) {
	if len(p) == 0 {
		return
	}
	s.raw(`<path class="`, class, `" d="`)
	for _, line := range p {
		s.polyline(line)
	}
	s.raw(`"/>`)
}

// polyline writes path data: horizontal and vertical lines by their end, others
// relative to their start, which is shorter.
func (s *svg) polyline(line polyline) {
	at := line.points[0]
	s.raw("M")
	s.numbers(at.x, at.y)
	for _, p := range line.points[1:] {
		switch {
		case p.y == at.y:
			s.raw("H")
			s.numbers(p.x)
		case p.x == at.x:
			s.raw("V")
			s.numbers(p.y)
		default:
			s.raw("l")
			s.numbers(p.x-at.x, p.y-at.y)
		}
		at = p
	}
	if line.closed {
		s.raw("z")
	}
}

func (s *svg) rect(class string, b box, radius float64) {
	s.raw(`<rect class="`, class, `"`)
	s.attribute("x", b.x)
	s.attribute("y", b.y)
	s.attribute("width", b.w)
	s.attribute("height", b.h)
	if radius > 0 {
		s.attribute("rx", radius)
	}
	s.raw(`/>`)
}

func (s *svg) circle(class string, x, y, radius float64) {
	s.raw(`<circle class="`, class, `"`)
	s.attribute("cx", x)
	s.attribute("cy", y)
	s.attribute("r", radius)
	s.raw(`/>`)
}

func (s *svg) text(class string, x, y float64, text string) {
	s.raw(`<text class="`, class, `"`)
	s.attribute("x", x)
	s.attribute("y", y)
	s.raw(`>`, escape(text), `</text>`)
}

func (s *svg) raw(parts ...string) {
	for _, part := range parts {
		s.out = append(s.out, part...)
	}
}

func (s *svg) attribute(name string, v float64) {
	s.raw(" ", name, `="`)
	s.numbers(v)
	s.raw(`"`)
}

// numbers writes coordinates with one digit after the point, which is as much
// as can be seen.
func (s *svg) numbers(list ...float64) {
	for i, v := range list {
		if i > 0 {
			s.out = append(s.out, ' ')
		}
		s.out = strconv.AppendFloat(s.out, v, 'f', 1, 64)
		if n := len(s.out); s.out[n-1] == '0' {
			s.out = s.out[:n-2]
		}
	}
}

// escape makes markup of text. Control characters of a server's text were made
// visible before.
func escape(s string) string { return html.EscapeString(strings.ToValidUTF8(s, "\ufffd")) }

// fileStyle is the style of a file, with its custom properties replaced: most
// programs that show SVG files do not support them. The dark theme repeats only
// the rules that differ.
var fileStyle = standaloneStyle(static.PictureCSS())

func standaloneStyle(css string) string {
	rules := []string{".pic-paper { fill: var(--paper); }"}
	for _, rule := range rulePattern.FindAllStringSubmatch(css, -1) {
		if selectors, body := rule[1], rule[2]; !strings.HasPrefix(selectors, ".pic a") {
			rules = append(rules, selectors+" { "+strings.TrimSpace(body)+" }")
		}
	}
	var dark []string
	for _, rule := range rules {
		if resolved := static.Dark.Resolve(rule); resolved != static.Light.Resolve(rule) {
			dark = append(dark, resolved)
		}
	}
	return static.Light.Resolve(strings.Join(rules, "\n")) +
		"\n@media (prefers-color-scheme: dark) {\n" + strings.Join(dark, "\n") + "\n}"
}
