package exchange

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Broken shows where a response violates the protocol: the requirements that it
// breaks, and the place in its bytes.
type Broken struct {
	Issues                []standing.Verdict // violations of the Round
	Before, Marked, After string             // of the message; empty if nothing of it can be pointed at
}

// says reports whether the requirements name the fault.
func (b *Broken) says() bool { return b != nil && len(b.Issues) > 0 }

// newBroken returns where a Round violates the protocol, or nil if it does not.
func newBroken(r playground.Round, issues []standing.Verdict) *Broken {
	if r.Kind != playground.OutcomeViolation {
		return nil
	}
	b := &Broken{}
	for _, v := range issues {
		if isViolation(v) {
			b.Issues = append(b.Issues, v)
		}
	}
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := r.Messages[i]; m.Node != nil {
			b.mark(m.Node, causePath(r.Cause))
			break
		}
	}
	return b
}

// isViolation reports whether v is a requirement that the server violated.
func isViolation(v standing.Verdict) bool {
	return v.Verdict == string(verdict.Failed) && v.Side == string(rules.Server)
}

// causePath returns the member of a message that a cause is about; none for the
// whole message.
func causePath(c playground.Cause) []string {
	switch c {
	case playground.CauseResponseID, playground.CauseErrorID:
		return []string{"id"}
	case playground.CauseBoth, playground.CauseErrorShape:
		return []string{"error"}
	case playground.CauseResultObject, playground.CauseTaskID:
		return []string{"result"}
	case playground.CauseResultType, playground.CauseResultTypeUnknown, playground.CauseAskedWhere,
		playground.CauseNothingAsked, playground.CauseTaskWhere, playground.CauseTaskUndeclared:
		return []string{"result", "resultType"}
	case playground.CauseStateString:
		return []string{"result", "requestState"}
	case playground.CauseRequestsObject, playground.CauseTaskRequests:
		return []string{"result", "inputRequests"}
	case playground.CauseTaskOther:
		return []string{"result", "taskId"}
	case playground.CauseTaskStatus:
		return []string{"result", "status"}
	case playground.CauseTaskResult:
		return []string{"result", "result"}
	}
	return nil
}

// How much of a message is shown, in bytes.
const (
	brokenAround = 72
	brokenMost   = 240
)

// mark shows a member of a message, with its name and some of the bytes around
// it. If the message lacks the member, it shows the object that lacks it.
func (b *Broken) mark(n *jsontree.Node, path []string) {
	source, start, end := n.Raw(), n.Start, n.End
	offset := n.Start
	for _, name := range path {
		found := false
		for _, m := range n.Entries() {
			if m.Key == name {
				start, end, n, found = m.KeyStart, m.Value.End, m.Value, true
			}
		}
		if !found {
			break
		}
	}
	start, end = start-offset, end-offset
	cut := min(end, start+brokenMost)
	b.Before = excerpt(source[max(0, start-brokenAround):start])
	if start > brokenAround {
		b.Before = "… " + b.Before
	}
	b.Marked = excerpt(source[start:cut])
	if cut < end {
		b.Marked += " …"
		return
	}
	b.After = excerpt(source[end:min(len(source), end+brokenAround)])
	if end+brokenAround < len(source) {
		b.After += " …"
	}
}

// excerpt returns a stretch of bytes as it can be read.
func excerpt(raw []byte) string {
	return text.Lines(strings.ToValidUTF8(string(raw), "\uFFFD"), 4*brokenMost)
}
