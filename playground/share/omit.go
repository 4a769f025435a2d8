package share

import (
	"bytes"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// omitHeaders removes all header fields from a log but those that a reader
// needs to understand it.
func omitHeaders(log []playground.Event) {
	for i := range log {
		if log[i].Kind != playground.Sent && log[i].Kind != playground.Received {
			continue
		}
		frame := wire.Split(log[i].Data)
		var head []byte
		for n, line := range bytes.SplitAfter(frame.Head, []byte("\n")) {
			name, _, isField := bytes.Cut(line, []byte(":"))
			if n == 0 || !isField || isNeeded(string(name)) {
				head = append(head, line...)
			}
		}
		log[i].Data = append(head, frame.Body...)
	}
}

// isNeeded reports whether a header field stays when headers are omitted.
func isNeeded(name string) bool {
	switch strings.ToLower(name) {
	case "host", "content-type", "content-length", "accept", "mcp-protocol-version", "mcp-method",
		"mcp-name", "mcp-sample-instance", "location", "retry-after":
		return true
	}
	return false
}

// answers marks the user's answers in a decision or request, and returns their
// values.
func (p *piece) answers() []string {
	start := 0
	if p.kind == playground.Sent {
		start = len(wire.Split(p.data).Head)
	}
	n, err := jsontree.Parse(p.data[start:], jsontree.Limits{})
	if err != nil {
		return nil
	}
	a := answerCollector{view: redact.Whole(p.data[start:], start)}
	switch p.kind {
	case playground.Decided:
		for _, item := range n.Get("answers").Elements() {
			a.leaves(item.Get("value"), "")
		}
	case playground.Sent:
		a.leaves(n.At("params", "inputResponses"), "")
	}
	p.marks = append(p.marks, a.marks...)
	return a.values
}

// answerCollector collects the scalar values of answers.
type answerCollector struct {
	view   redact.View
	marks  []mark
	values []string
}

// leaves adds every string, number and boolean but the action: accept, decline
// and cancel stay visible.
func (a *answerCollector) leaves(n *jsontree.Node, name string) {
	if n == nil {
		return
	}
	switch n.Kind {
	case jsontree.String:
		v := inString(a.view, n.Start, n.End)
		if name != "action" && len(v.Text) > 0 {
			a.add(v, string(v.Text))
		}
	case jsontree.Number, jsontree.Bool:
		v := a.view.Slice(n.Start, n.End)
		v.Number = true
		a.add(v, string(v.Text))
	}
	for _, m := range n.Members {
		a.leaves(m.Value, m.Key)
	}
	for _, item := range n.Items {
		a.leaves(item, name)
	}
}

func (a *answerCollector) add(v redact.View, value string) {
	a.marks = append(a.marks, marksOf(v, 0, len(v.Text), nil)...)
	const least = 4 // "yes" and "no" occur in too many other places
	if len(value) >= least && value != "true" && value != "false" {
		a.values = append(a.values, value)
	}
}

// omitAnswers marks all answers, and every repetition of them in later pieces,
// also of branches.
func (s *scanner) omitAnswers(list []*piece) {
	search, known := redact.NewSearch(), map[string]bool{}
	w := func(v redact.View, _ string) {
		search.In(v, func(at redact.View, start, end, _ int) {
			s.piece.marks = append(s.piece.marks, marksOf(at, start, end, nil)...)
		})
	}
	for _, p := range list {
		s.piece = p
		if p.kind != "" && len(known) > 0 {
			p.walk(newWalker(w))
		}
		if p.kind != playground.Decided && p.kind != playground.Sent {
			continue
		}
		for _, value := range p.answers() {
			if known[value] {
				continue
			}
			if known[value] = true; len(known) <= maxSpelled {
				search.Add(0, redact.Spellings(value)...)
			}
			search.Add(0, value)
		}
	}
}

// maxSpelled is of how many answers all spellings are searched for. Of further
// ones only what a walker decodes is found.
const maxSpelled = 1000
