package jsonhtml

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// flatHTML returns a container on one line, or "" if it is wider than most
// characters.
func flatHTML(n *jsontree.Node, most int) string {
	if most <= 0 || n.End-n.Start > 4*most {
		return ""
	}
	var short [512]byte
	b, width := appendFlat(short[:0], n, most)
	if width > most {
		return ""
	}
	return string(b)
}

// appendFlat appends a value on one line and returns its width in characters. It
// stops when that is more than most.
func appendFlat(b []byte, n *jsontree.Node, most int) ([]byte, int) {
	if n.Len() == 0 {
		return appendScalar(b, n), utf8.RuneCount(n.Raw())
	}
	open, closing := brackets(n)
	if n.Kind == jsontree.Object {
		open, closing = "{ ", " }"
	}
	b = append(b, open...)
	width := len(open)
	put := func(key []byte, v *jsontree.Node, first bool) (wide bool) {
		if !first {
			b = append(b, ", "...)
			width += 2
		}
		if key != nil {
			b = appendKey(b, key)
			width += utf8.RuneCount(key) + 2
		}
		var inner int
		b, inner = appendFlat(b, v, most-width)
		width += inner
		return width > most
	}
	for i, m := range n.Members {
		if put(n.RawKey(m), m.Value, i == 0) {
			return b, width
		}
	}
	for i, item := range n.Items {
		if put(nil, item, i == 0) {
			return b, width
		}
	}
	return append(b, closing...), width + len(closing)
}

// holdsState reports whether a value is a message, or the params or result of
// one, with a requestState, which is never on a line with others.
func holdsState(n *jsontree.Node, depth int) bool {
	switch depth {
	case 0:
		return n.At("params", "requestState") != nil || n.At("result", "requestState") != nil
	case 1:
		return n.Has("requestState")
	}
	return false
}

func brackets(n *jsontree.Node) (open, closing string) {
	if n.Kind == jsontree.Object {
		return "{", "}"
	}
	return "[", "]"
}

// name returns the name of a member without its quotes, as in the source.
func name(p jsontree.Aligned) string { return strings.Trim(string(p.Key), `"`) }

func keyHTML(key []byte) string {
	var short [128]byte
	return string(appendKey(short[:0], key))
}

// appendKey appends the quoted name of a member; nothing for an item.
func appendKey(b, key []byte) []byte {
	if len(key) == 0 {
		return b
	}
	b = append(b, "<b>"...)
	b = appendVisible(b, key)
	return append(b, "</b>: "...)
}

// memberHTML returns a value without members or items, n of p, with its name.
func memberHTML(p jsontree.Aligned, n *jsontree.Node, tail string) string {
	var short [128]byte
	b := appendKey(short[:0], p.Key)
	if isChangedText(p, n) {
		b = append(b, scalarOf(p, n)...)
	} else {
		b = appendScalar(b, n)
	}
	return string(append(b, tail...))
}

// isState reports whether a value is the requestState of a message.
func isState(p jsontree.Aligned, n *jsontree.Node, at jsonPlace) bool {
	return n.Kind == jsontree.String && at.depth == 2 && name(p) == "requestState" &&
		(at.parent == "params" || at.parent == "result")
}

// scalarOf returns a value without members or items, n of p. What differs in a
// changed string is marked.
func scalarOf(p jsontree.Aligned, n *jsontree.Node) string {
	if !isChangedText(p, n) {
		return scalarHTML(n)
	}
	was, is := text.Visible(string(p.Before.Raw()), maxShown), text.Visible(string(n.Raw()), maxShown)
	return "<i>" + differing(was, is) + "</i>"
}

// isChangedText reports whether n of p is a string that was another one before.
func isChangedText(p jsontree.Aligned, n *jsontree.Node) bool {
	return n == p.After && !p.Same && p.Before != nil &&
		p.Before.Kind == n.Kind && n.Kind == jsontree.String
}

func scalarHTML(n *jsontree.Node) string { return string(appendScalar(nil, n)) }

// appendScalar appends a value without members or items.
func appendScalar(b []byte, n *jsontree.Node) []byte {
	b = append(b, "<i>"...)
	if n.Kind == jsontree.Object || n.Kind == jsontree.Array {
		open, closing := brackets(n)
		b = append(append(b, open...), closing...)
	} else {
		b = appendVisible(b, n.Raw())
	}
	return append(b, "</i>"...)
}

// state returns a requestState as a chip with its beginning, its end and its
// length, which unfolds to the whole. Of a state that was removed, the last
// Round has the whole.
func (l Layout) state(p jsontree.Aligned, n *jsontree.Node, at jsonPlace) string {
	whole := n.Str()
	shown := text.Visible(whole, text.NoLimit)
	chip := Visible(shortState(whole)) + " <small>" + ByteCount(len(whole)) + "</small>"
	if at.mark == LineRemoved || shortState(whole) == shown {
		chip = `<span class="st">` + chip + `</span>` + at.tail
	} else {
		id, copies := "", ""
		if l.ID != "" && shown == whole {
			id = ` id="` + l.ID + `"`
			copies = ` <button class="as-link" type="button" data-copy="` + l.ID + `" hidden>copy</button>`
		}
		code, open := Escape(shown), ""
		if p.Before != nil && p.Before.Kind == jsontree.String && !p.Same {
			code = differing(text.Visible(p.Before.Str(), text.NoLimit), shown)
		}
		if strings.Contains(code, "<mark>") {
			open = " open"
		}
		chip = `<details class="st"` + open + `><summary>` + chip + `</summary><code` + id + `>` + code +
			`</code></details>` + at.tail + copies
	}
	if l.StatePath != "" && at.mark != LineRemoved {
		chip += ` <a href="` + templ.EscapeString(l.StatePath) + `">open in State</a>`
	}
	return chip
}

// shortState returns the beginning and the end of a state that is not short.
func shortState(s string) string {
	if r := []rune(s); len(r) > 24 {
		return string(r[:10]) + "…" + string(r[len(r)-4:])
	}
	return s
}

// ByteCount returns a number of bytes: "612 B", "1 093 B", "683.6 KiB".
func ByteCount(n int) string {
	switch {
	case n >= 100_000:
		return text.Size(n)
	case n >= 1000:
		return fmt.Sprintf("%d\u00a0%03d\u00a0B", n/1000, n%1000)
	}
	return strconv.Itoa(n) + "\u00a0B"
}

// maxShown is how much of one value a page shows, in characters.
const maxShown = 1 << 20

// Visible returns foreign text as HTML for the content of an element, where
// quotation marks need no escape.
func Visible(s string) string { return Escape(text.Visible(s, maxShown)) }

// appendVisible appends what Visible returns for foreign text. Most of it is
// plain and short.
func appendVisible(b, foreign []byte) []byte {
	if len(foreign) > maxShown {
		return append(b, Visible(string(foreign))...)
	}
	for _, c := range foreign {
		if c < ' ' || c > '~' || c == '&' || c == '<' || c == '>' {
			return append(b, Visible(string(foreign))...)
		}
	}
	return append(b, foreign...)
}

// Escape returns text as the content of an element or the value of an attribute.
func Escape(s string) string { return textEscapes.Replace(s) }

var textEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Lines returns lines as HTML, one element each. A page has hundreds of
// lines; a component for each would be slow.
func Lines(lines []Line) string {
	var b strings.Builder
	b.Grow(128 * len(lines))
	for i := range lines {
		lines[i].write(&b)
	}
	return b.String()
}

// write writes the line as one element: div, ins or del, or details if it unfolds.
func (l *Line) write(b *strings.Builder) {
	if l.Fold != nil {
		l.writeFold(b)
		return
	}
	tag := "div"
	switch l.Mark {
	case LineAdded:
		tag = "ins"
	case LineRemoved:
		tag = "del"
	}
	writeAll(b, "<", tag, ` class="`, l.depthClass())
	if l.First {
		b.WriteString(" next")
	}
	b.WriteString(`">`)
	l.writeText(b)
	writeAll(b, "</", tag, ">")
}

// writeFold writes a line that unfolds to others.
func (l *Line) writeFold(b *strings.Builder) {
	b.WriteString(`<details class="fold"`)
	if l.Open {
		b.WriteString(" open")
	}
	writeAll(b, `><summary class="`, l.depthClass())
	if l.First {
		b.WriteString(" next")
	}
	if l.Mark != "" {
		writeAll(b, " ", l.Mark)
	}
	b.WriteString(`">`)
	l.writeText(b)
	tag := "span"
	if l.HTML == "" { // it stays when unfolded
		tag = "u"
	}
	writeAll(b, "<", tag, ">")
	if l.Rest != "" {
		l.writeStruck(b, l.Rest)
	}
	writeAll(b, "</", tag, "></summary>")
	for i := range l.Fold {
		l.Fold[i].write(b)
	}
	b.WriteString("</details>")
}

// depthClass returns the class that aligns the rest of a wrapped line.
func (l *Line) depthClass() string { return "d" + strconv.Itoa(min(l.Depth, maxIndent)) }

// writeText writes the text of the line with its indentation, which is not struck.
func (l *Line) writeText(b *strings.Builder) {
	for range l.Depth {
		b.WriteString("  ")
	}
	l.writeStruck(b, l.HTML)
}

// writeStruck writes html, struck if the line was removed.
func (l *Line) writeStruck(b *strings.Builder, html string) {
	if l.Mark == LineRemoved {
		writeAll(b, "<s>", html, "</s>")
		return
	}
	b.WriteString(html)
}

func writeAll(b *strings.Builder, parts ...string) {
	for _, s := range parts {
		b.WriteString(s)
	}
}

// differing returns a text as HTML with the changed part marked, if most of the
// text is unchanged: one flipped byte of a long state is hard to find.
func differing(was, is string) string {
	a, b := []rune(was), []rune(is)
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	end := 0
	for end < min(len(a), len(b))-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if 2*(from+end) < len(b) {
		return Escape(is)
	}
	return Escape(string(b[:from])) + "<mark>" + Escape(string(b[from:len(b)-end])) + "</mark>" +
		Escape(string(b[len(b)-end:]))
}
