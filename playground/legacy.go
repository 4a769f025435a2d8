package playground

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Initialize opens a session with a server from before 2026-07-28; by methodCancelled
// it takes a question back.
const (
	Initialize      = "initialize"
	methodCancelled = "notifications/cancelled"
)

// openCall is a call of a server from before 2026-07-28. It stays open on its
// connection while the server asks by requests of its own, so a Round is
// everything between two decisions, and what one connection brings is spread
// over Rounds.
type openCall struct {
	conn  int
	id    *jsontree.Node
	heads map[int][]Event // how each stream began
	asked []Question      // not answered yet
}

// legacy reads a Round of an open call.
func (k *folding) legacy(d Decision, decided Event, conns [][]Event) {
	r := Round{N: d.Round, Decision: d, Decided: decided.At, Legacy: true, Outcome: OutcomePending}
	if d.Action != ActionAnswer || k.open == nil {
		k.open = &openCall{conn: -1, heads: map[int][]Event{}}
	}
	k.open.answered(d.Answers)
	var parts []Round
	for _, events := range conns {
		if part, ok := k.open.part(events); ok {
			parts = append(parts, part)
		}
	}
	own := r.useRequest(parts)
	for i, part := range parts {
		if i != own && len(part.Request.Head)+len(part.Response.Body) > 0 {
			r.Also = append(r.Also, part.trip())
		}
		r.handleMessages(k.open, part)
	}
	r.conclude(k.open, conns)
	k.rounds = append(k.rounds, r)
}

// answered takes the questions away that a decision answers.
func (c *openCall) answered(answers []Answer) {
	for _, a := range answers {
		c.asked = slices.DeleteFunc(c.asked, func(q Question) bool { return q.Key == a.Key })
	}
}

// part is what one connection brought in this Round. A stream that began in an
// earlier one is read with the head it began with.
func (c *openCall) part(events []Event) (Round, bool) {
	events = slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return e.Kind == Decided })
	if len(events) == 0 {
		return Round{}, false
	}
	conn := events[0].Conn
	begun, goesOn := c.heads[conn]
	r := foldRound(Decision{}, append(begun[:len(begun):len(begun)], events...))
	r.conn = conn
	if goesOn {
		r.Request, r.Response.Head, r.Started, r.Asked = wire.Frame{}, nil, events[0].At, events[0].At
	}
	for _, e := range events {
		if e.Kind == Sent || e.Kind == Received && r.streams() {
			c.heads[conn] = append(c.heads[conn], e)
		}
	}
	if IsCall(r.Method) && !goesOn {
		c.conn, c.id = conn, r.Sent.Get("id")
	}
	return r, true
}

// IsCall reports whether method is one of the three methods of a Call.
func IsCall(method string) bool {
	return method == ToolsCall || method == PromptsGet || method == ResourcesRead
}

// useRequest shows the request that the Round is about: the call itself, or the first
// answer. It returns its index; -1 when nothing was sent yet.
func (r *Round) useRequest(parts []Round) int {
	i := slices.IndexFunc(parts, func(p Round) bool { return len(p.Request.Head) > 0 && IsCall(p.Method) })
	if i < 0 {
		i = slices.IndexFunc(parts, func(p Round) bool { return len(p.Request.Head) > 0 })
	}
	if i < 0 {
		return i
	}
	p := parts[i]
	r.own, r.conn, r.Method, r.Asked, r.Started, r.Request, r.Sent, r.Response, r.Head, r.Instance = p.Messages, p.conn, p.Method, p.Started, p.Started, p.Request, p.Sent, p.Response, p.Head, p.Instance
	return i
}

// handleMessages takes what one connection brought: questions, the end of the call, or
// the news that an answer was not taken.
func (r *Round) handleMessages(c *openCall, part Round) {
	for _, m := range part.Messages {
		r.Messages = append(r.Messages, m)
		c.handleMessage(m)
		if part.conn != c.conn && c.id != nil && m.IsResponse() && jsontree.Equal(m.Node.Get("id"), c.id) {
			call := Round{Method: ToolsCall, Head: part.Head, Ended: m.At, Outcome: OutcomePending}
			call.answerTo(c.id, m) // the stream was resumed on another connection
			r.setOutcome(call)
		}
	}
	switch {
	case part.conn == c.conn || part.Method == Initialize && part.Outcome != OutcomeComplete:
		r.setOutcome(part)
	case part.Started.IsZero() && part.Outcome == OutcomeTransportError:
		r.setOutcome(part) // the session broke outside of any request
	case isAnswer(part) && part.Head.Status/100 != 2 && part.Outcome != OutcomePending:
		r.Lost = lost(part)
	}
}

// handleMessage keeps the questions that the server asks by a request of its own, and
// drops those that it takes back.
func (c *openCall) handleMessage(m RPC) {
	id, method := m.Node.Get("id"), m.Method()
	switch {
	case method == methodCancelled:
		gone := string(m.Node.At("params", "requestId").Raw())
		c.asked = slices.DeleteFunc(c.asked, func(q Question) bool { return q.Key == gone })
	case method == "" || id == nil || method == "ping":
	default:
		key := string(id.Raw())
		if slices.ContainsFunc(c.asked, func(q Question) bool { return q.Key == key }) {
			return
		}
		c.asked = append(c.asked, Question{
			Key: key, RawKey: []byte(strconv.Quote(key)), Name: nameOf(method) + " " + key, Method: method, Params: m.Node.Get("params"), Node: m.Node,
		})
	}
}

// nameOf is a method without its verb, where that says it all.
func nameOf(method string) string {
	switch method {
	case "elicitation/create":
		return "elicitation"
	case "sampling/createMessage":
		return "sampling"
	case "roots/list":
		return "roots"
	}
	return method
}

// isAnswer reports whether a request brought the answer to a question.
func isAnswer(part Round) bool {
	return part.Method == "" && (part.Sent.Has("result") || part.Sent.Has("error"))
}

// lost says why an answer did not reach the call.
func lost(part Round) string {
	who := "the server"
	if part.Instance != "" {
		who = "instance " + part.Instance
	}
	if part.Head.Status == 0 {
		return fmt.Sprintf("The answer did not reach %s: %s", who, part.Detail)
	}
	return fmt.Sprintf("The answer reached %s, which said %d: it does not hold the session of the open call.", who, part.Head.Status)
}

// setOutcome makes the end of one connection the Round's own.
func (r *Round) setOutcome(part Round) {
	if part.Outcome == OutcomePending || r.Outcome != OutcomePending {
		return
	}
	r.Outcome, r.Class, r.Detail, r.Ended = part.Outcome, part.Class, part.Detail, part.Ended
	r.Result, r.Final, r.Error, r.IsError = part.Result, part.Final, part.Error, part.IsError
	if r.Outcome == OutcomeTransportError && r.Class == NoResponse {
		r.Class = CallLost
	}
}

// conclude opens the Round for the user when only questions are left, and
// closes it when the process that held the call is gone.
func (r *Round) conclude(c *openCall, conns [][]Event) {
	for _, events := range conns {
		if last := events[len(events)-1]; last.Kind == Interrupted && slices.Contains([]Outcome{OutcomePending, OutcomeInterrupted, OutcomeCancelled}, r.Outcome) {
			r.Outcome, r.Class, r.Ended = OutcomeInterrupted, CallLost, last.At
			r.Detail = "The call lived on a connection of the process that stopped; a server from before 2026-07-28 keeps what it knows of a call in memory, tied to that connection."
		}
	}
	if r.Outcome == OutcomePending && len(c.asked) > 0 {
		r.Outcome, r.Questions = OutcomeInputRequired, slices.Clone(c.asked)
		r.Ended = r.Decided
		if n := len(r.Messages); n > 0 {
			r.Ended = r.Messages[n-1].At
		}
	}
}

// asks reports whether every answer has its question; some may stay open.
func (r Round) asks(answers []Answer) bool {
	for _, a := range answers {
		if !slices.ContainsFunc(r.Questions, func(q Question) bool { return q.Key == a.Key }) {
			return false
		}
	}
	return len(answers) > 0
}
