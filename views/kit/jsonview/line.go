package jsonview

import (
	"fmt"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Line is one line of formatted JSON.
type Line struct {
	Spans []Span
	Depth int
	Mark  Mark
	Fold  []Line // lines that the line unfolds to
	Rest  []Span // after Spans as long as the line is folded
	Open  bool   // it is unfolded from the start
	First bool   // the first line of another message

	alone bool // no bracket follows on the line
}

// Mark is what happened to a line since the last Round.
type Mark byte

// Marks of lines.
const (
	Unmarked Mark = iota
	Added
	Removed
)

// TextLine returns a line of text that is not JSON.
func TextLine(text string) Line { return Line{Spans: []Span{{Text: text}}} }

// Span is a part of a line: a value, with its name if it is a member, and the
// commas and brackets after it. Hidden characters are replaced by their notation,
// and nothing is escaped.
type Span struct {
	Name string // of a member, without its quotation marks, as in the source
	Text string
	Tail string // plain text that follows

	Kind  Kind
	Named bool // it has a Name, which may be empty

	// Text[From:To] is what is another text than before, if the kind is Changed.
	// It is empty where something was removed.
	From, To int32

	State *State // of a Chip
}

func (s *Span) before() string  { return s.Text[:s.From] }
func (s *Span) changed() string { return s.Text[s.From:s.To] }
func (s *Span) after() string   { return s.Text[s.To:] }

// Kind is what the text of a Span is.
type Kind byte

// Kinds of spans. The text of a String, Changed or WasString is between quotation
// marks, which are no part of it.
const (
	Plain     Kind = iota
	String         // a value that is a string
	Changed        // a value that is a string, nearly the same as before
	Value          // any other value
	WasString      // a string that is replaced on the same line
	WasValue       // any other value that is
	Field          // the name of a header field
	When           // the date of a time before it
	Chip           // the beginning and the end of a requestState
)

// State is a requestState that is shown as a chip, which may unfold to all of it.
type State struct {
	Size string
	Tail string // a comma, or empty
	Path string // address of the State panel; empty for no link

	Unfolds bool
	Whole   Span   // Plain or Changed; if it unfolds
	ID      string // of the element with Whole, which can be copied; empty if it cannot
}

// state writes a requestState as a chip. Of a state that was removed, the last
// Round has the whole.
func (l Layout) state(p jsontree.Aligned, n *jsontree.Node, at jsonPlace) {
	whole := n.Str()
	shown, short := text.Visible(whole, text.NoLimit), shortState(whole)
	s := &State{Size: prose.ByteCount(len(whole)), Tail: at.tail}
	l.put(Chip, text.Visible(short, maxShown)).State = s
	if at.mark == Removed {
		return
	}
	s.Path = l.StatePath
	if s.Unfolds = short != shown; !s.Unfolds {
		return
	}
	s.Whole = Span{Text: shown}
	if shown == whole {
		s.ID = l.ID
	}
	if p.Before != nil && p.Before.Kind == jsontree.String && !p.Same {
		s.Whole.Kind, s.Whole.From, s.Whole.To = changed(text.Visible(p.Before.Str(), text.NoLimit), shown)
	}
}

// shortState returns the beginning and the end of a state that is not short.
func shortState(s string) string {
	if r := []rune(s); len(r) > 24 {
		return string(r[:10]) + "…" + string(r[len(r)-4:])
	}
	return s
}

// changed returns where a text differs from the one before it, if most of it is
// unchanged, since one flipped byte of a long state is hard to find. Else the kind
// is Plain.
func changed(was, is string) (kind Kind, from, to int32) {
	a, b := []rune(was), []rune(is)
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if 2*(start+end) < len(b) {
		return Plain, 0, 0
	}
	return Changed, int32(len(string(b[:start]))), int32(len(string(b[:len(b)-end])))
}

// attributes returns the classes of a line, of which that of its depth aligns the
// rest of a line that is wrapped. templ takes them as attributes, because it reads
// an expression of classes as a list, which takes much longer.
func (l *Line) attributes() templ.Attributer {
	depth := min(l.Depth, len(depthClasses)-1)
	if !l.First && (l.Fold == nil || l.Mark == Unmarked) {
		return depthClasses[depth]
	}
	class := fmt.Sprintf("d%d", depth)
	if l.First {
		class += " next"
	}
	if l.Fold != nil {
		class += markClasses[l.Mark]
	}
	return templ.OrderedAttributes{{Key: "class", Value: class}}
}

var markClasses = [...]string{"", " added", " removed"}

// depthClasses are the classes of lines by their depth: d0 to d8. The last one is
// that of all that are deeper.
var depthClasses = func() (list [9]templ.Attributer) {
	for i := range list {
		list[i] = templ.OrderedAttributes{{Key: "class", Value: fmt.Sprintf("d%d", i)}}
	}
	return list
}()

// indent returns the indentation of a line.
func (l *Line) indent() string {
	if width := 2 * l.Depth; width < len(blanks) {
		return blanks[:width]
	}
	return strings.Repeat("  ", l.Depth)
}

const blanks = "                                "
