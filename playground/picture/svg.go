package picture

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// SVG is the Picture for inlining in a page. It has classes only: colours and
// fonts come from static/css/picture.css.
//
// With links its role is group, because what is inside an img cannot be reached
// by keyboard; without them it is img. Each Round is one link, and thus one
// stop of the Tab key, named by what is drawn in it.
func (p Picture) SVG() []byte {
	var d drawing
	d.open(p, layout(p), 0, "")
	return d.close()
}

// drawing writes SVG.
type drawing struct {
	strings.Builder
}

// f writes one formatted piece.
func (d *drawing) f(format string, args ...any) { fmt.Fprintf(d, format, args...) }

// open begins the image, with a margin around the plan, and draws all of it.
func (d *drawing) open(p Picture, l plan, margin float64, style string) {
	role, id := "img", p.ID
	if p.Link != nil {
		role = "group"
	}
	if id == "" {
		id = "pic"
	}
	id = html.EscapeString(id)
	d.f(`<svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="%[1]s %[1]s %[2]s %[3]s" width="%[2]s" height="%[3]s"`, n(0-margin), n(l.width+2*margin), n(l.height+2*margin))
	if p.Dense {
		d.f(` preserveAspectRatio="xMinYMin meet"`) // whatever room there is, it begins where the words begin
	}
	d.f(` role="%s" aria-labelledby="%s-title" aria-describedby="%[2]s-desc">`, role, id)
	d.f(`<title id="%s-title">%s</title><desc id="%[1]s-desc">%[3]s</desc>%[4]s`, id, escape(p.Title), escape(p.summary()), style)
	d.WriteByte('\n')
	d.bands(p, l)
	d.lanes(l)
	for _, h := range l.heads {
		d.text(h)
	}
	d.rounds(p, l)
}

func (d *drawing) close() []byte {
	d.WriteString("</svg>\n")
	return []byte(d.String())
}

// summary is where the story stands; the sentences of Text stand beside the
// picture and need not be said twice.
func (p Picture) summary() string {
	if len(p.Steps) == 0 {
		return "Nothing happened yet."
	}
	return fmt.Sprintf("%d steps. %s", len(p.Steps), p.Steps[len(p.Steps)-1].Sentence)
}

// bands marks the current Round, below everything else.
func (d *drawing) bands(p Picture, l plan) {
	for _, g := range groups(l.rows) {
		if r := g[0].Round; r != 0 && r == p.Current {
			d.f(`<rect class="pic-band" x="0" y="%s" width="%s" height="%s" rx="4"/>`+"\n", n(g[0].top), n(l.width), n(g[len(g)-1].bottom-g[0].top))
		}
	}
}

// rounds draws the steps, those of one Round inside one link.
func (d *drawing) rounds(p Picture, l plan) {
	for _, g := range groups(l.rows) {
		d.start(p, l, g)
		for _, r := range g {
			d.row(l, r)
		}
		d.end(p, g[0].Round)
	}
}

func (d *drawing) start(p Picture, l plan, g []row) {
	class, round := "pic-round", g[0].Round
	if round != 0 && round == p.Current {
		class += " pic-current"
	}
	if p.Link == nil || round == 0 {
		d.f(`<g class="%s">`, class)
	} else {
		current := ""
		if round == p.Current {
			current = ` aria-current="step"`
		}
		d.f(`<a class="%s" href="%s" data-pic-round="%d"%s>`, class, escape(p.Link(round)), round, current)
		d.f(`<rect class="pic-hit" x="1" y="%s" width="%s" height="%s" rx="4"/>`, n(g[0].top+1), n(l.width-2), n(g[len(g)-1].bottom-g[0].top-2))
	}
	if round != 0 {
		d.f(`<text class="pic-number" x="6" y="%s">%d</text>`, n(g[0].top+l.label), round)
	}
}

func (d *drawing) end(p Picture, round int) {
	if p.Link == nil || round == 0 {
		d.WriteString("</g>\n")
		return
	}
	d.WriteString("</a>\n")
}

// groups are the rows of one Round after the other.
func groups(rows []row) [][]row {
	var list [][]row
	for i, r := range rows {
		if i == 0 || r.Round != rows[i-1].Round {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], r)
	}
	return list
}

func (d *drawing) text(t writing) {
	d.f(`<text class="%s" x="%s" y="%s">%s</text>`, t.class, n(t.x), n(t.y), escape(t.text))
}

// escape makes text of words; what came from a server was made visible before.
func escape(s string) string { return html.EscapeString(strings.ToValidUTF8(s, "\ufffd")) }

// n is a coordinate, with no more digits than can be seen.
func n(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}
