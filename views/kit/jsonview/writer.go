package jsonview

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// writer collects the spans of one line after the other. A message has thousands
// of them, so that their texts share memory, and so do they.
type writer struct {
	texts strings.Builder
	spans []Span // those of the line begin at first
	first int
	name  string // of the next span
	named bool
}

const (
	minChunk = 32   // spans
	maxChunk = 512  // spans
	minTexts = 512  // bytes
	maxTexts = 8192 // bytes
)

// take returns the spans of the line that was written, and begins the next one.
func (w *writer) take() []Span {
	line := slices.Clip(w.spans[w.first:])
	w.first = len(w.spans)
	return line
}

// drop forgets the line that was written.
func (w *writer) drop() {
	clear(w.spans[w.first:])
	w.spans, w.named = w.spans[:w.first], false
}

// put writes a span.
func (w *writer) put(kind Kind, text string) *Span {
	if n := len(w.spans); n == cap(w.spans) { // the spans before the line stay where they are
		more := make([]Span, 0, max(min(2*n, maxChunk), 2*(n-w.first), minChunk))
		w.spans, w.first = append(more, w.spans[w.first:]...), 0
	}
	w.spans = w.spans[:len(w.spans)+1]
	s := &w.spans[len(w.spans)-1]
	s.Text, s.Kind = text, kind
	if w.named {
		s.Name, s.Named, w.named = w.name, true, false
	}
	return s
}

// plain writes text between the values.
func (w *writer) plain(s string) {
	if last := len(w.spans) - 1; !w.named && last >= w.first && w.spans[last].Tail == "" {
		w.spans[last].Tail = s
	} else if s != "" {
		w.put(Plain, s)
	}
}

// key writes the name of a member, which is in quotation marks; nothing for an
// item.
func (w *writer) key(key []byte) {
	if len(key) > 0 {
		w.name, w.named = w.foreign(unquoted(key)), true
	}
}

// scalarOf writes a value without members or items, n of p. What differs in a
// changed string is marked.
func (w *writer) scalarOf(p jsontree.Aligned, n *jsontree.Node) {
	if !isChangedText(p, n) {
		w.scalar(n)
		return
	}
	was, is := text.Visible(string(p.Before.Raw()), maxShown), text.Visible(string(n.Raw()), maxShown)
	kind, from, to := changed(was, is)
	if kind == Plain {
		kind = String
	}
	s := w.put(kind, strings.TrimSuffix(strings.TrimPrefix(is, `"`), `"`))
	s.From, s.To = max(from-1, 0), max(to-1, 0)
}

// isChangedText reports whether n of p is a string that was another one before.
func isChangedText(p jsontree.Aligned, n *jsontree.Node) bool {
	return n == p.After && !p.Same && p.Before != nil &&
		p.Before.Kind == n.Kind && n.Kind == jsontree.String
}

// scalar writes a value without members or items.
func (w *writer) scalar(n *jsontree.Node) { w.value(n, String, Value) }

// newID writes an id that is another one now.
func (w *writer) newID(p jsontree.Aligned) {
	w.value(p.Before, WasString, WasValue)
	w.plain(" → ")
	w.scalar(p.After)
}

// value writes a value without members or items, of one kind if it is a string
// and of another if not.
func (w *writer) value(n *jsontree.Node, asString, other Kind) {
	switch n.Kind {
	case jsontree.String:
		w.put(asString, w.foreign(unquoted(n.Raw())))
	case jsontree.Object:
		w.put(other, "{}")
	case jsontree.Array:
		w.put(other, "[]")
	default:
		w.put(other, w.foreign(n.Raw()))
	}
}

// unquoted returns a string of the source without its quotation marks.
func unquoted(s []byte) []byte { return s[1 : len(s)-1] }

// maxShown is how much of one value a page shows, in characters.
const maxShown = 1 << 20

// foreign returns foreign text with its hidden characters replaced. Most of it is
// plain and short.
func (w *writer) foreign(s []byte) string {
	plain := len(s) <= maxShown
	for i := 0; plain && i < len(s); i++ {
		plain = ' ' <= s[i] && s[i] <= '~'
	}
	if !plain {
		return text.Visible(string(s), maxShown)
	}
	from := w.texts.Len()
	if w.texts.Cap()-from < len(s) {
		more := max(min(2*w.texts.Cap(), maxTexts), minTexts, len(s))
		w.texts, from = strings.Builder{}, 0
		w.texts.Grow(more)
	}
	w.texts.Write(s)
	return w.texts.String()[from:]
}

// flat writes a container on one line. It stops and returns false if it is wider
// than most characters.
func (w *writer) flat(n *jsontree.Node, most int) bool {
	return most > 0 && n.End-n.Start <= 4*most && w.flatValue(n, most) <= most
}

// flatValue writes a value on one line and returns its width in characters. It
// stops when that is more than most.
func (w *writer) flatValue(n *jsontree.Node, most int) (width int) {
	if n.Len() == 0 {
		w.scalar(n)
		return utf8.RuneCount(n.Raw())
	}
	open, closing := brackets(n)
	if n.Kind == jsontree.Object {
		open, closing = "{ ", " }"
	}
	w.plain(open)
	width = len(open)
	put := func(key []byte, v *jsontree.Node, first bool) (wide bool) {
		if !first {
			w.plain(", ")
			width += 2
		}
		if key != nil {
			w.key(key)
			width += utf8.RuneCount(key) + 2
		}
		width += w.flatValue(v, most-width)
		return width > most
	}
	for i, m := range n.Members {
		if put(n.RawKey(m), m.Value, i == 0) {
			return width
		}
	}
	for i, item := range n.Items {
		if put(nil, item, i == 0) {
			return width
		}
	}
	w.plain(closing)
	return width + len(closing)
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

// isState reports whether a value is the requestState of a message.
func isState(p jsontree.Aligned, n *jsontree.Node, at jsonPlace) bool {
	return n.Kind == jsontree.String && at.depth == 2 && name(p) == "requestState" &&
		(at.parent == "params" || at.parent == "result")
}

func brackets(n *jsontree.Node) (open, closing string) {
	if n.Kind == jsontree.Object {
		return "{", "}"
	}
	return "[", "]"
}

// name returns the name of a member without its quotes, as in the source.
func name(p jsontree.Aligned) string { return strings.Trim(string(p.Key), `"`) }
