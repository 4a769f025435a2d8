package views

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
	var b strings.Builder
	if flat(&b, n, most) > most {
		return ""
	}
	return b.String()
}

// flat writes a value on one line and returns its width in characters. It stops
// when that is more than most.
func flat(b *strings.Builder, n *jsontree.Node, most int) int {
	if n.Len() == 0 {
		b.WriteString(scalarHTML(n))
		return utf8.RuneCount(n.Raw())
	}
	open, closing := brackets(n)
	width := 0
	put := func(s string) {
		b.WriteString(s)
		width += utf8.RuneCountInString(s)
	}
	pad := ""
	if n.Kind == jsontree.Object {
		pad = " "
	}
	put(open + pad)
	for i, m := range n.Members {
		if i > 0 {
			put(", ")
		}
		key := n.RawKey(m)
		b.WriteString(keyHTML(key))
		width += utf8.RuneCount(key) + 2
		if width += flat(b, m.Value, most-width); width > most {
			return width
		}
	}
	for i, item := range n.Items {
		if i > 0 {
			put(", ")
		}
		if width += flat(b, item, most-width); width > most {
			return width
		}
	}
	put(pad + closing)
	return width
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
	if len(key) == 0 {
		return ""
	}
	return "<b>" + visibleHTML(string(key)) + "</b>: "
}

// isState reports whether a value is the requestState of a message.
func isState(p jsontree.Aligned, n *jsontree.Node, at jsonPlace) bool {
	return n.Kind == jsontree.String && at.depth == 2 && name(p) == "requestState" &&
		(at.parent == "params" || at.parent == "result")
}

// scalarOf returns a value without members or items, n of p. What differs in a
// changed string is marked.
func scalarOf(p jsontree.Aligned, n *jsontree.Node) string {
	if n != p.After || p.Same || p.Before == nil || p.Before.Kind != n.Kind || n.Kind != jsontree.String {
		return scalarHTML(n)
	}
	was, is := text.Visible(string(p.Before.Raw()), 1<<20), text.Visible(string(n.Raw()), 1<<20)
	return "<i>" + differing(was, is) + "</i>"
}

func scalarHTML(n *jsontree.Node) string {
	if n.Kind == jsontree.Object || n.Kind == jsontree.Array {
		open, closing := brackets(n)
		return "<i>" + open + closing + "</i>"
	}
	return "<i>" + visibleHTML(string(n.Raw())) + "</i>"
}

// state returns a requestState as a chip with its beginning, its end and its
// length, which unfolds to the whole. Of a state that was removed, the last
// Round has the whole.
func (l jsonLayout) state(p jsontree.Aligned, n *jsontree.Node, at jsonPlace) string {
	whole := n.Str()
	shown := text.Visible(whole, text.NoLimit)
	chip := visibleHTML(shortState(whole)) + " <small>" + byteCount(len(whole)) + "</small>"
	if at.mark == lineRemoved || shortState(whole) == shown {
		chip = `<span class="st">` + chip + `</span>` + at.tail
	} else {
		id, copies := "", ""
		if l.id != "" && shown == whole {
			id = ` id="` + l.id + `"`
			copies = ` <button class="as-link" type="button" data-copy="` + l.id + `" hidden>copy</button>`
		}
		code, open := escapeText(shown), ""
		if p.Before != nil && p.Before.Kind == jsontree.String && !p.Same {
			code = differing(text.Visible(p.Before.Str(), text.NoLimit), shown)
		}
		if strings.Contains(code, "<mark>") {
			open = " open"
		}
		chip = `<details class="st"` + open + `><summary>` + chip + `</summary><code` + id + `>` + code +
			`</code></details>` + at.tail + copies
	}
	if l.statePath != "" && at.mark != lineRemoved {
		chip += ` <a href="` + templ.EscapeString(l.statePath) + `">open in State</a>`
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

// byteCount returns a number of bytes: "612 B", "1 093 B", "683.6 KiB".
func byteCount(n int) string {
	switch {
	case n >= 100_000:
		return text.Size(n)
	case n >= 1000:
		return fmt.Sprintf("%d\u00a0%03d\u00a0B", n/1000, n%1000)
	}
	return strconv.Itoa(n) + "\u00a0B"
}

// visibleHTML returns foreign text as HTML for the content of an element, where
// quotation marks need no escape.
func visibleHTML(s string) string { return escapeText(text.Visible(s, 1<<20)) }

func escapeText(s string) string { return textEscapes.Replace(s) }

var textEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// linesHTML returns lines as HTML, one element each. A page has hundreds of
// lines; a component for each would be slow.
func linesHTML(lines []JSONLine) string {
	var b strings.Builder
	for _, l := range lines {
		l.write(&b)
	}
	return b.String()
}

func (l JSONLine) write(b *strings.Builder) {
	// The depth aligns the rest of a wrapped line.
	class := "d" + strconv.Itoa(min(l.Depth, maxIndent))
	if l.First {
		class += " next"
	}
	html, rest := l.HTML, l.Rest
	if l.Mark == lineRemoved { // the indentation is not struck
		html = "<s>" + html + "</s>"
		if rest != "" {
			rest = "<s>" + rest + "</s>"
		}
	}
	html = strings.Repeat("  ", l.Depth) + html
	if l.Fold == nil {
		tag := map[string]string{lineAdded: "ins", lineRemoved: "del", "": "div"}[l.Mark]
		b.WriteString("<" + tag + ` class="` + class + `">` + html + "</" + tag + ">")
		return
	}
	if l.Mark != "" {
		class += " " + l.Mark
	}
	open := ""
	if l.Open {
		open = " open"
	}
	b.WriteString(`<details class="fold"` + open + `><summary class="` + class + `">` + html)
	if l.HTML == "" { // it stays when unfolded
		b.WriteString("<u>" + rest + "</u>")
	} else {
		b.WriteString("<span>" + rest + "</span>")
	}
	b.WriteString("</summary>")
	for _, inner := range l.Fold {
		inner.write(b)
	}
	b.WriteString("</details>")
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
		return escapeText(is)
	}
	return escapeText(string(b[:from])) + "<mark>" + escapeText(string(b[from:len(b)-end])) + "</mark>" +
		escapeText(string(b[len(b)-end:]))
}
