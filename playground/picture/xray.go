package picture

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// XRay is a bar whose parts are as wide as their bytes: the parts of a
// requestState.
type XRay struct {
	Parts []XRayPart
	Width int // in user units; 0 means WideXRay
	ID    string
}

// XRayPart is a part of an XRay. A part without a name is a separator.
type XRayPart struct {
	Name    string
	Value   string // what the part says, if that is short; empty for none
	Bytes   int    // of its text
	Meaning string // one sentence
}

// WideXRay is the width of an XRay as wide as a page, in user units. Narrower
// ones have the widths of a waterfall.
const WideXRay = 1180

// Measures of an XRay, in user units.
const (
	xrayHeight = 28.0 // of the bar
	xrayFan    = 20.0 // of the lines from the parts to their labels
	xrayInset  = 6.0  // between a label and the ends of its part
	xrayApart  = 12.0 // between two labels
)

// placedPart is a part with its place.
type placedPart struct {
	XRayPart
	x1, x2 float64
	label  label
	below  bool // the label stands below the bar; without a text there is none
}

// At returns the bar for another width. Its ids differ, so that several can be
// on one page.
func (x XRay) At(width int) XRay {
	x.Width, x.ID = width, fmt.Sprintf("%s-%d", cmp.Or(x.ID, "xray"), width)
	return x
}

// place puts the parts side by side. A label stands in its part or else below
// it, on one line with the others; those of the shortest parts are left out if
// there is no room.
func (x XRay) place() (parts []placedPart, width, height float64) {
	width = float64(cmp.Or(x.Width, WideXRay))
	sum := 0
	for _, p := range x.Parts {
		sum += p.Bytes
	}
	at, before := 0.0, 0
	for _, p := range x.Parts {
		before += p.Bytes
		to := width * float64(before) / float64(max(sum, 1))
		parts = append(parts, placedPart{XRayPart: p, x1: at, x2: to}.inside())
		at = to
	}
	height = xrayHeight
	if placeBelow(parts, width) {
		height += xrayFan + smallSize + 4
	}
	return parts, width, height
}

// inside puts the label into the part if it has room.
func (p placedPart) inside() placedPart {
	if p.Name == "" {
		return p
	}
	for _, words := range []string{p.Name + ", " + text.Plural(p.Bytes, "byte"), p.words(), p.Name} {
		if textWidth(words, smallSize)+2*xrayInset <= p.x2-p.x1 {
			p.label = centred("pic-part-name", (p.x1+p.x2)/2, xrayHeight/2+4, words, smallSize)
			return p
		}
	}
	p.below = true
	return p
}

// words is the label of a part that has little room.
func (p XRayPart) words() string {
	if p.Value != "" {
		return p.Name + " " + p.Value
	}
	return fmt.Sprintf("%s %d\u00a0B", p.Name, p.Bytes)
}

// placeBelow places the labels that are not in their parts, and reports whether
// there are any. They get shorter until they fit, and then fewer.
func placeBelow(parts []placedPart, width float64) bool {
	var below []*placedPart
	for i := range parts {
		if parts[i].below {
			below = append(below, &parts[i])
		}
	}
	words := XRayPart.words
	for len(below) > 0 && rowWidth(below, words) > width {
		if w := func(p XRayPart) string { return p.Name }; rowWidth(below, w) <= width {
			words = w
			break
		}
		below = withoutShortest(below)
	}
	placeRow(below, words, width)
	return len(below) > 0
}

func rowWidth(parts []*placedPart, words func(XRayPart) string) float64 {
	sum := xrayApart * float64(len(parts)-1)
	for _, p := range parts {
		sum += textWidth(words(p.XRayPart), smallSize)
	}
	return sum
}

func withoutShortest(parts []*placedPart) []*placedPart {
	least := 0
	for i, p := range parts {
		if p.Bytes < parts[least].Bytes {
			least = i
		}
	}
	return append(parts[:least:least], parts[least+1:]...)
}

// placeRow puts labels on one line below the bar, each as near to its part as
// the others allow.
func placeRow(parts []*placedPart, words func(XRayPart) string, width float64) {
	at := 0.0
	starts := make([]float64, len(parts))
	for i, p := range parts {
		w := textWidth(words(p.XRayPart), smallSize)
		starts[i] = max(at, (p.x1+p.x2)/2-w/2)
		at = starts[i] + w + xrayApart
	}
	right := width
	for i := len(parts) - 1; i >= 0; i-- {
		s := words(parts[i].XRayPart)
		w := textWidth(s, smallSize)
		starts[i] = min(starts[i], right-w)
		right = starts[i] - xrayApart
		parts[i].label = centred("pic-note", starts[i]+w/2, xrayHeight+xrayFan+smallSize, s, smallSize)
	}
}

// SVG returns the bar for inlining in a page. Every part has its name, bytes
// and meaning as its title.
func (x XRay) SVG() []byte {
	parts, width, height := x.place()
	s := newSVG(frame{
		class: "pic pic-xray", id: cmp.Or(x.ID, "xray"), title: "Parts of the requestState, by their bytes",
		desc: x.summary(), width: width, height: height, left: true,
	})
	n := 0
	for _, p := range parts {
		if p.Name == "" {
			continue // a separator is a gap
		}
		s.raw("<g><title>", escape(p.title()), "</title>")
		p.draw(s, n%2 == 1)
		s.raw("</g>\n")
		n++
	}
	return s.bytes()
}

func (p placedPart) draw(c canvas, odd bool) {
	class := "pic-part"
	if odd {
		class = "pic-part-odd"
	}
	c.rect(class, box{p.x1, 0, p.x2 - p.x1, xrayHeight}, 0)
	if p.label.text == "" {
		return
	}
	if p.below {
		at, middle := (p.x1+p.x2)/2, p.label.box.x+p.label.box.w/2
		c.path("pic-fan", path{{points: []point{
			{at, xrayHeight + 1}, {at, xrayHeight + 5}, {middle, xrayHeight + xrayFan - 1},
		}}})
	}
	p.label.draw(c)
}

func (p XRayPart) title() string {
	return fmt.Sprintf("%s, %s: %s", p.Name, text.Plural(p.Bytes, "byte"), p.Meaning)
}

// summary names the parts with their bytes.
func (x XRay) summary() string {
	var names []string
	for _, p := range x.Parts {
		if p.Name != "" {
			names = append(names, p.Name+" "+text.Plural(p.Bytes, "byte"))
		}
	}
	return strings.Join(names, ", ") + "."
}
