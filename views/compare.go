package views

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
)

// Comparison shows two exchanges side by side, message by message.
type Comparison struct {
	A, B  Compared
	Pairs []ComparedRound
	Same  bool // apart from what differs between any two, such as dates
}

// Compared describes one of the two exchanges.
type Compared struct {
	Path, Name, Words string
	Standing          Standing
}

// ComparedRound is the same Round of both.
type ComparedRound struct {
	N      int
	Shared bool // B inherits it from A
	Sides  []ComparedSide
}

// ComparedSide is the request or the response of both. Differences are marked
// in B.
type ComparedSide struct {
	Title string
	A, B  ComparedMessage
	Equal bool
}

// ComparedMessage is one message; Line is empty where there is none.
type ComparedMessage struct {
	Line string
	Head []JSONLine
	Body []JSONLine
	Text string // a body that is not JSON
}

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
		round := ComparedRound{N: n, Shared: shares && b.Inherits(n)}
		if !round.Shared {
			round.Sides = compareRounds(n, orNone(l), orNone(r))
		}
		for _, side := range round.Sides {
			c.Same = c.Same && side.Equal
		}
		c.Pairs = append(c.Pairs, round)
	}
	return c
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
		Path: "/x/" + x.ID, Name: letter, Words: text.Visible(heading(x.Call)+" · "+x.Target.Name, 120),
		Standing: standingOf(f),
	}
	if tried, ok := lab.JudgeBranch(x, both); ok && x.Origin != nil {
		c.Standing = c.Standing.judged(tried, f.Status)
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
	s := ComparedSide{Title: title, A: newComparedMessage(a, nil, was), B: newComparedMessage(b, was, is)}
	s.Equal = bytes.Equal(a.Body, b.Body) || was != nil && is != nil && len(jsontree.Diff(was, is)) == 0
	s.B.Head = headLines(a.Head, b.Head)
	s.Equal = s.Equal && s.A.Line == s.B.Line && len(s.B.Head) == 0
	return s
}

func newComparedMessage(f wire.Frame, before, n *jsontree.Node) ComparedMessage {
	var m ComparedMessage
	if len(f.Head)+len(f.Body) == 0 {
		return m
	}
	line, _, _ := bytes.Cut(f.Head, []byte("\r\n"))
	m.Line = text.Visible(string(line), 200)
	if n == nil || len(f.Body) > maxBody {
		m.Text = text.Visible(string(f.Body), 4000)
		return m
	}
	m.Body = readable(before, n)
	return m
}

// headLines returns the header fields of a that b does not have with that value,
// then those that only b has.
func headLines(a, b []byte) []JSONLine {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	var lines []JSONLine
	was, is := fieldLines(a), fieldLines(b)
	for _, line := range was {
		if !slices.Contains(is, line) {
			lines = append(lines, JSONLine{HTML: fieldHTML(line), Mark: lineRemoved})
		}
	}
	for _, line := range is {
		if !slices.Contains(was, line) {
			lines = append(lines, JSONLine{HTML: fieldHTML(line), Mark: lineAdded})
		}
	}
	return lines
}

// fieldHTML returns a header field as a line.
func fieldHTML(line string) string {
	name, value, _ := strings.Cut(text.Visible(line, 300), ":")
	return "<b>" + escapeText(name) + "</b>:<i>" + escapeText(value) + "</i>"
}

// fieldLines returns the header fields of a head, without those that differ
// between any two messages.
func fieldLines(head []byte) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(string(head)), "\r\n")[1:] {
		name, _, _ := strings.Cut(line, ":")
		switch strings.ToLower(name) {
		case "content-length", "date":
			continue
		}
		lines = append(lines, line)
	}
	return lines
}
