// Package jsonview shows JSON as lines, as long as a line of a page is, alone or
// beside an earlier value with the differences marked. Members keep their order
// and scalars their spelling: the text of the lines is the JSON that came. Long
// and deep values are folded, and a value that is too large for a page is cut
// with a sentence that says so.
//
// A Layout returns the lines as data, with text that is not escaped. The
// component Lines renders them, and is the only place that knows their HTML.
package jsonview

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

const (
	// MaxReadable is the most lines that are formatted. The exact bytes are
	// always complete.
	MaxReadable = 2000

	// MaxStanding is the most lines that are shown without scrolling.
	MaxStanding = 60

	// maxFlat is the width in characters up to which a container is one line.
	maxFlat = 72

	// maxEqual is the most lines in a row without a difference that stay
	// unfolded among lines with one.
	maxEqual = 3
)

// readable formats a document. What differs from before is marked: added lines,
// removed ones where they were, and a changed value as both. What is the same is
// folded unless it is short, as is _meta, which is nearly the same in every
// request. before may be nil; then nothing is marked.
func readable(before, n *jsontree.Node) []Line {
	return Layout{}.LayOut(before, n)
}

// Layout formats documents.
type Layout struct {
	ID        string // of the element with the whole requestState; empty if it cannot be copied
	StatePath string // address of the State panel; empty if there is none
	Dates     bool   // the document is claims, whose times have their dates

	Apart    bool // the documents stand side by side, so no line is about both
	compared bool // there is a document before
	unfolded bool // the lines are inside a fold, where only _meta folds again
	*writer       // of the line that is laid out
}

// LayOut returns a value as lines. Where it differs from before, the lines are marked; a nil
// before marks nothing.
func (l Layout) LayOut(before, n *jsontree.Node) []Line {
	if n == nil {
		return nil
	}
	most := n.Lines()
	if most > MaxReadable {
		return []Line{TextLine("(too long to format; see the exact bytes)")}
	}
	if before.Lines() > MaxReadable {
		before = nil
	}
	l.compared, l.writer = before != nil, &writer{}
	p := jsontree.Aligned{After: n}
	if l.compared {
		p = jsontree.Align(before, n)
	}
	return l.value(make([]Line, 0, most/2+1), p, jsonPlace{})
}

// jsonPlace is where in a document a value is and how its lines are marked.
type jsonPlace struct {
	depth  int
	mark   Mark
	parent string // name of the member that the value is in; empty for an item
	tail   string // a comma, or empty
}

// line returns a line of the value at the place.
func (at jsonPlace) line(spans []Span) Line {
	return Line{Spans: spans, Depth: at.depth, Mark: at.mark}
}

// value appends the lines of a value with its name.
func (l Layout) value(lines []Line, p jsontree.Aligned, at jsonPlace) []Line {
	switch {
	case l.compared && at.mark == Unmarked && p.Before == nil:
		at.mark = Added
	case p.After == nil:
		at.mark = Removed
	case !p.Same && p.Before != nil && p.Parts == nil:
		return l.changed(lines, p, at)
	}
	n := p.After
	if n == nil {
		n = p.Before
	}
	if n.Len() == 0 && len(p.Parts) == 0 {
		return append(lines, l.leaf(p, n, at))
	}
	if name(p) == "_meta" {
		return append(lines, l.fold(p, n, at, false))
	}
	if (p.Same || p.Parts == nil) && !holdsState(n, at.depth) && !(l.Dates && at.depth == 0) {
		l.key(p.Key)
		if l.flat(n, maxFlat-2*at.depth-len(p.Key)-2) {
			l.plain(at.tail)
			return append(lines, at.line(l.take()))
		}
		l.drop()
	}
	if !l.unfolded && (at.mark == Removed || p.Same && l.compared && at.mark == Unmarked && at.depth > 1) {
		return append(lines, l.fold(p, n, at, true))
	}
	return l.container(lines, p, n, at)
}

// changed appends the lines of a value that is another one now: the removed one
// and the added one, or one line for an id.
func (l Layout) changed(lines []Line, p jsontree.Aligned, at jsonPlace) []Line {
	if isID(p, at) && !l.Apart {
		l.key(p.Key)
		l.newID(p)
		l.plain(at.tail)
		return append(lines, at.line(l.take()))
	}
	was, is := p, p
	was.After, is.Before = nil, nil
	before, after := at, at
	before.mark, after.mark = Removed, Added
	lines = l.value(lines, was, before)
	if p.After.Kind == jsontree.String {
		return append(lines, l.leaf(p, p.After, after))
	}
	return l.value(lines, is, after)
}

// leaf returns the line of a value without members or items.
func (l Layout) leaf(p jsontree.Aligned, n *jsontree.Node, at jsonPlace) Line {
	if isState(p, n, at) {
		l.key(p.Key)
		l.state(p, n, at)
		line := at.line(l.take())
		line.alone = true
		return line
	}
	l.key(p.Key)
	l.scalarOf(p, n)
	l.plain(at.tail)
	line := at.line(l.take())
	if !l.Dates || at.depth != 1 || !slices.Contains(claimsWithTime, name(p)) {
		return line
	}
	if seconds, err := strconv.ParseInt(string(n.Raw()), 10, 64); err == nil {
		line.Spans = append(line.Spans, Span{Kind: When, Text: prose.Time(time.Unix(seconds, 0))})
		line.alone = true
	}
	return line
}

// claimsWithTime are the claims whose value is a time in Unix seconds: those of
// the samples and of RFC 7519.
var claimsWithTime = []string{"issued", "expires", "iat", "exp", "nbf"}

// isID reports whether a value is an id that is new in every request.
func isID(p jsontree.Aligned, at jsonPlace) bool {
	if p.Same || p.Before == nil || p.After == nil || p.Before.Len()+p.After.Len() > 0 {
		return false
	}
	return at.depth == 1 && name(p) == "id" ||
		at.parent == "_meta" && (name(p) == "progressToken" || name(p) == "traceparent")
}

// container appends the lines of an object or array that is not on one line.
func (l Layout) container(
	lines []Line, p jsontree.Aligned, n *jsontree.Node, at jsonPlace,
) []Line {
	open, closing := brackets(n)
	l.key(p.Key)
	l.plain(open)
	parts := partsOf(p, n)
	if at.depth == 0 {
		parts = l.head(parts)
	}
	lines = l.parts(append(lines, at.line(l.take())), parts, at, name(p), !p.Same && at.mark == Unmarked)
	return closed(lines, closing+at.tail, at)
}

// closed appends a closing bracket to the last line, or to a line of its own
// where it does not belong to that one.
func closed(lines []Line, closing string, at jsonPlace) []Line {
	last := &lines[len(lines)-1]
	if last.Mark == at.mark && last.Fold == nil && !last.alone {
		closing = " " + closing
		if n := len(last.Spans); last.Spans[n-1].Tail == "" {
			last.Spans[n-1].Tail = closing
		} else {
			last.Spans = append(last.Spans, Span{Text: closing})
		}
		return lines
	}
	return append(lines, at.line([]Span{{Text: closing}}))
}

// head writes the short members at the start of a message, such as jsonrpc and
// ID, which share its first line, and returns the others.
func (l Layout) head(parts []jsontree.Aligned) (rest []jsontree.Aligned) {
	width := 0
	if l.Dates {
		return parts
	}
	for i, p := range parts {
		id := isID(p, jsonPlace{depth: 1}) && !l.Apart
		if p.After == nil || p.After.Len() > 0 || len(p.Key) == 0 || l.compared && !p.Same && !id {
			return parts[i:]
		}
		width += len(p.Key) + p.After.End - p.After.Start + 4
		if width > maxFlat || i == len(parts)-1 {
			return parts[i:]
		}
		l.plain(" ")
		l.key(p.Key)
		if id {
			l.newID(p)
		} else {
			l.scalarOf(p, p.After)
		}
		l.plain(",")
	}
	return nil
}

// partsOf returns the members or items of a value.
func partsOf(p jsontree.Aligned, n *jsontree.Node) []jsontree.Aligned {
	if p.Parts != nil {
		return p.Parts
	}
	parts := make([]jsontree.Aligned, 0, n.Len())
	side := func(key []byte, v *jsontree.Node) {
		part := jsontree.Aligned{Key: key, After: v}
		if p.After == nil {
			part = jsontree.Aligned{Key: key, Before: v}
		}
		parts = append(parts, part)
	}
	for _, m := range n.Members {
		side(n.RawKey(m), m.Value)
	}
	for _, item := range n.Items {
		side(nil, item)
	}
	return parts
}

// parts appends the lines of the parts of a container. Many lines in a row without
// a difference are one folded line if fold is set.
func (l Layout) parts(
	lines []Line, parts []jsontree.Aligned, at jsonPlace, parent string, fold bool,
) []Line {
	inner := jsonPlace{depth: at.depth + 1, mark: at.mark, parent: parent}
	equal := len(lines) // where the newest lines without a difference begin
	flush := func() {
		if n := len(lines) - equal; n > maxEqual {
			words := fmt.Sprintf("▸ %d lines unchanged", n)
			folded := Line{Depth: inner.depth, Rest: []Span{{Text: words}}, Fold: slices.Clone(lines[equal:])}
			lines = append(lines[:equal], folded)
		}
	}
	last := lastPart(parts)
	for i, p := range parts {
		inner.tail = ","
		if i >= last {
			inner.tail = ""
		}
		if fold && p.Same {
			lines = l.value(lines, p, inner)
			continue
		}
		flush()
		lines = l.value(lines, p, inner)
		equal = len(lines)
	}
	flush()
	return lines
}

// lastPart returns the index of the last part that the newer document has, or of
// the last one if it has none of them.
func lastPart(parts []jsontree.Aligned) int {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].After != nil {
			return i
		}
	}
	return len(parts) - 1
}

// fold returns the one line that a container folds to. It says how much there
// is. If beginning is set, it shows the first short values.
func (l Layout) fold(p jsontree.Aligned, n *jsontree.Node, at jsonPlace, beginning bool) Line {
	open, closing := brackets(n)
	l.key(p.Key)
	l.plain(open)
	line := at.line(l.take())
	more := n.Len()
	if beginning {
		more -= l.preview(n)
	}
	l.plain(fmt.Sprintf(" ▸ %d more", more))
	if changes := differences(p); changes > 0 {
		l.plain(fmt.Sprintf(", %d changed", changes))
		line.Open = changes > 1 || !hasNewToken(p)
	}
	l.plain(" " + closing + at.tail)
	line.Rest = l.take()
	l.unfolded = true
	line.Fold = l.parts(nil, partsOf(p, n), at, name(p), false)
	line.Fold = closed(line.Fold, closing+at.tail, at)
	return line
}

// differences returns how many members or items of a value differ.
func differences(p jsontree.Aligned) int {
	count := 0
	for _, part := range p.Parts {
		if !part.Same {
			count++
		}
	}
	return count
}

// hasNewToken reports whether a _meta has another progressToken or span, as that
// of every request does.
func hasNewToken(p jsontree.Aligned) bool {
	for _, part := range p.Parts {
		if isID(part, jsonPlace{parent: "_meta"}) {
			return true
		}
	}
	return false
}

// preview writes the short values at the start of a container, as they stand on
// its folded line, and returns how many.
func (l Layout) preview(n *jsontree.Node) (count int) {
	width := 0
	add := func(key []byte, v *jsontree.Node) bool {
		width += len(key) + v.End - v.Start + 4
		if v.Len() > 0 || width > maxFlat/2 {
			return false
		}
		l.plain(" ")
		l.key(key)
		l.scalar(v)
		l.plain(",")
		count++
		return true
	}
	for i, m := range n.Members {
		if i == n.Len()-1 || m.Key == "requestState" || !add(n.RawKey(m), m.Value) {
			return count
		}
	}
	for i, item := range n.Items {
		if i == n.Len()-1 || !add(nil, item) {
			return count
		}
	}
	return count
}
