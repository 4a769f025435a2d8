package history

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/jsonview"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Comparison shows two exchanges side by side, message by message.
type Comparison struct {
	A, B   Compared
	Shared int // how many Rounds B inherits from A, which Pairs does not have
	Pairs  []ComparedRound
	Share  string // address of the page that shares it; empty for a reader
	Same   bool   // apart from what differs between any two, such as dates
}

// Compared describes one of the two exchanges.
type Compared struct {
	Path, Name, Words string
	Standing          standing.Standing
	Imported          bool
}

// ComparedRound is the same Round of both.
type ComparedRound struct {
	N     int
	Sides []ComparedSide
}

// ComparedSide is the request or the response of both.
type ComparedSide struct {
	Title string
	A, B  string // first line of the message; empty where there is none
	Lines []ComparedLine
	Equal bool
}

// ComparedLine is one line of both messages: the same line, a line that differs,
// or a line that only one of them has. The other one is nil then.
type ComparedLine struct{ A, B *jsonview.Line }

// Same reports whether both sides have the line.
func (l ComparedLine) Same() bool { return l.A != nil && l.A.Mark == jsonview.Unmarked }

// NewComparison returns the comparison of b with a.
func NewComparison(a, b playground.Exchange) Comparison {
	both := []playground.Exchange{a, b}
	c := Comparison{A: newCompared(a, "A", both), B: newCompared(b, "B", both), Same: true}
	left, right := a.Fold(), b.Fold()
	shares := b.Origin != nil && b.Origin.Exchange == a.ID
	for n := 1; n <= playground.MaxRounds*2; n++ {
		l, r := left.Round(n), right.Round(n)
		if l == nil && r == nil {
			break
		}
		if shares && b.Inherits(n) {
			c.Shared = n
			continue
		}
		round := ComparedRound{N: n, Sides: compareRounds(n, orNone(l), orNone(r))}
		for _, side := range round.Sides {
			c.Same = c.Same && side.Equal
		}
		c.Pairs = append(c.Pairs, round)
	}
	return c
}

// sharedWords says which Rounds B inherits from A.
func sharedWords(n int) string {
	switch n {
	case 1:
		return "Round 1 is the same in A and B."
	case 2:
		return "Rounds 1 and 2 are the same in A and B."
	}
	return fmt.Sprintf("Rounds 1 to %d are the same in A and B.", n)
}

func orNone(r *playground.Round) playground.Round {
	if r == nil {
		return playground.Round{}
	}
	return *r
}

// newCompared describes one exchange. An experiment is judged by what both show.
func newCompared(x playground.Exchange, letter string, both []playground.Exchange) Compared {
	f := x.Fold()
	c := Compared{
		Path: "/x/" + x.ID, Name: letter, Words: text.Visible(prose.Heading(x.Call)+" · "+x.Target.Name, 120),
		Standing: standing.Of(f), Imported: x.Imported,
	}
	if tried, ok := lab.NewJudge(both).Branch(x); ok && x.Origin != nil {
		c.Standing = c.Standing.Judged(tried, f.Status)
	}
	for _, r := range f.Rounds {
		if e, ok := lab.ExperimentByID(r.Decision.Experiment); ok {
			c.Words = e.Title
		}
	}
	return c
}

func compareRounds(n int, a, b playground.Round) []ComparedSide {
	return []ComparedSide{
		compareSides(fmt.Sprintf("Request %d", n), a.Request, b.Request, a.Sent, b.Sent),
		compareSides(fmt.Sprintf("Response %d", n), a.Response, b.Response, responseOf(a), responseOf(b)),
	}
}

// responseOf returns the JSON-RPC response of a Round, or nil if none came.
func responseOf(r playground.Round) *jsontree.Node {
	for _, m := range r.Messages {
		if m.IsResponse() {
			return m.Node
		}
	}
	return nil
}

func compareSides(title string, a, b wire.Frame, was, is *jsontree.Node) ComparedSide {
	s := ComparedSide{Title: title, A: firstLine(a), B: firstLine(b)}
	head := headLines(a.Head, b.Head)
	s.Equal = bytes.Equal(a.Body, b.Body) || was != nil && is != nil && len(jsontree.Diff(was, is)) == 0
	s.Equal = s.Equal && s.A == s.B && len(head) == 0
	s.Lines = append(aligned(head), compareBodies(a, b, was, is)...)
	return s
}

// compareBodies returns the lines of two bodies. If one of them is not JSON, or
// too long to format, each is a line of text.
func compareBodies(a, b wire.Frame, was, is *jsontree.Node) []ComparedLine {
	if formats(a, was) && formats(b, is) {
		return aligned(sideBySide(was, is))
	}
	left, right := textLine(a), textLine(b)
	if left != nil && right != nil && left.Spans[0].Text != right.Spans[0].Text {
		left.Mark, right.Mark = jsonview.Removed, jsonview.Added
	}
	return []ComparedLine{{left, right}}
}

// formats reports whether a body can be formatted as JSON, or is empty.
func formats(f wire.Frame, n *jsontree.Node) bool {
	return len(f.Body) == 0 || n != nil && len(f.Body) <= wireview.MaxBody
}

// textLine returns a body as one line of text, or nil if it is empty.
func textLine(f wire.Frame) *jsonview.Line {
	if len(f.Body) == 0 {
		return nil
	}
	line := jsonview.TextLine(text.Visible(string(f.Body), maxComparedText))
	return &line
}

// maxComparedText is the most characters of a body that are shown as text.
const maxComparedText = 4000

// firstLine returns the first line of a message, or "" if there is none.
func firstLine(f wire.Frame) string {
	line, _, _ := bytes.Cut(f.Head, []byte("\r\n"))
	return text.Visible(string(line), 200)
}

// sideBySide returns the lines of two documents in one sequence. Either may be
// nil.
func sideBySide(was, is *jsontree.Node) []jsonview.Line {
	layout := jsonview.Layout{Apart: true}
	switch {
	case was == nil:
		return marked(layout.LayOut(nil, is), jsonview.Added)
	case is == nil:
		return marked(layout.LayOut(nil, was), jsonview.Removed)
	}
	return layout.LayOut(was, is)
}

func marked(lines []jsonview.Line, mark jsonview.Mark) []jsonview.Line {
	for i := range lines {
		lines[i].Mark = mark
	}
	return lines
}

// aligned returns the lines of a sequence in which removed lines are those of A
// and added ones those of B. Where lines of both follow each other, they stand
// beside each other.
func aligned(lines []jsonview.Line) []ComparedLine {
	var list []ComparedLine
	open := 0 // index of the first line of A that has none of B beside it yet
	for i := range lines {
		l := lines[i]
		switch l.Mark {
		case jsonview.Removed:
			list = append(list, ComparedLine{A: &l})
		case jsonview.Added:
			if open < len(list) {
				list[open].B = &l
			} else {
				list = append(list, ComparedLine{B: &l})
			}
			open++
			continue
		default:
			a, b := l, l
			a.Fold, b.Fold = without(l.Fold, jsonview.Added), without(l.Fold, jsonview.Removed)
			list = append(list, ComparedLine{&a, &b})
			open = len(list)
		}
	}
	return list
}

// without returns the lines that do not have the mark, also inside folds.
func without(lines []jsonview.Line, mark jsonview.Mark) []jsonview.Line {
	var list []jsonview.Line
	for _, l := range lines {
		if l.Mark == mark {
			continue
		}
		l.Fold = without(l.Fold, mark)
		list = append(list, l)
	}
	return list
}

// headLines returns the header fields that differ, those of the same name one
// after the other: that of a, then that of b.
func headLines(a, b []byte) []jsonview.Line {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	was, is := fieldLines(a), fieldLines(b)
	removed, added := missing(was, is), missing(is, was)
	byName := map[string][]string{} // of added, those that stand beside none yet
	for _, line := range added {
		byName[fieldName(line)] = append(byName[fieldName(line)], line)
	}
	paired := map[string]int{} // how many of a name do
	var lines []jsonview.Line
	for _, line := range removed {
		lines = append(lines, fieldLine(line, jsonview.Removed))
		if name := fieldName(line); len(byName[name]) > 0 {
			lines = append(lines, fieldLine(byName[name][0], jsonview.Added))
			byName[name] = byName[name][1:]
			paired[name]++
		}
	}
	for _, line := range added {
		if name := fieldName(line); paired[name] > 0 {
			paired[name]--
			continue
		}
		lines = append(lines, fieldLine(line, jsonview.Added))
	}
	return lines
}

// missing returns the lines that are not among others, in their order.
func missing(lines, others []string) []string {
	known := make(map[string]bool, len(others))
	for _, line := range others {
		known[line] = true
	}
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return known[line] })
}

// fieldName returns the name of a header field in lower case.
func fieldName(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.ToLower(name)
}

// fieldLine returns a header field as a line with a mark.
func fieldLine(field string, mark jsonview.Mark) jsonview.Line {
	name, value, _ := strings.Cut(text.Visible(field, 300), ":")
	return jsonview.Line{Mark: mark, Spans: []jsonview.Span{
		{Kind: jsonview.Field, Text: name, Tail: ":"}, {Kind: jsonview.Value, Text: value},
	}}
}

// fieldLines returns the header fields of a head, without those that differ
// between any two messages.
func fieldLines(head []byte) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(string(head)), "\r\n")[1:] {
		switch fieldName(line) {
		case "content-length", "date":
			continue
		}
		lines = append(lines, line)
	}
	return lines
}
