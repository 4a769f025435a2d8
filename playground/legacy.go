package playground

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// openCall is a call to a server from before 2026-07-28. The call stays open on
// its connection while the server asks in requests of its own. A Round is
// therefore everything between two decisions, and the messages of one
// connection belong to several Rounds.
type openCall struct {
	conn  int
	id    *jsontree.Node
	heads map[int][]Event // first events of each stream, by connection
	aside map[int]bool    // connections of streams that belong to no request
	other []Question      // questions that belong to no call, without an answer
	asked []Question      // questions without an answer
	task  *Task           // the task that the call became; nil if it is none
	polls int             // of the task, in this Round
	named bool            // the server named a session id
}

// legacy adds one Round of an open call.
func (k *foldState) legacy(d Decision, decided Event, conns [][]Event) {
	r := Round{N: d.Round, Decision: d, Decided: decided.At, Legacy: true,
		Outcome: Outcome{Kind: OutcomePending}}
	if d.Action != ActionAnswer || k.open == nil {
		k.open = &openCall{conn: -1, heads: map[int][]Event{}, aside: map[int]bool{}}
	}
	k.reopen(d.Answers)
	k.open.answered(d.Answers)
	k.open.polls = 0
	var parts []part
	for _, events := range conns {
		if p, ok := k.open.part(events); ok {
			parts = append(parts, p)
		}
	}
	own := ownRequest(parts)
	for i, p := range parts {
		switch {
		case i == own:
			r.Trip, r.Began = p.Trip, p.Started
		case len(p.Request.Head)+len(p.Response.Body) > 0:
			r.Others = append(r.Others, p.Trip)
		}
	}
	for _, p := range parts {
		r.handleMessages(k.open, p)
	}
	r.conclude(k.open, conns)
	k.rounds = append(k.rounds, r)
}

// reopen makes questions that belong to no call those of the newest Round if the user
// answered them, as earlier programs let him.
func (k *foldState) reopen(answers []Answer) {
	if len(k.rounds) == 0 {
		return
	}
	last := &k.rounds[len(k.rounds)-1]
	for _, a := range answers {
		i := slices.IndexFunc(k.open.other, func(q Question) bool { return q.Key == a.Key })
		if i >= 0 && (last.Kind == OutcomePending || last.Kind == OutcomeInputRequired) {
			last.Kind, last.Questions = OutcomeInputRequired, append(last.Questions, k.open.other[i])
			k.open.other = slices.Delete(k.open.other, i, i+1)
		}
	}
}

// answered removes the questions that a decision answers.
func (c *openCall) answered(answers []Answer) {
	for _, a := range answers {
		c.asked = slices.DeleteFunc(c.asked, func(q Question) bool { return q.Key == a.Key })
	}
}

// part returns the part of one connection in this Round, and false if nothing
// arrived on it. A stream that began in an earlier Round is read together with
// the head from that Round.
func (c *openCall) part(events []Event) (part, bool) {
	events = slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return e.Kind == Decided })
	if len(events) == 0 {
		return part{}, false
	}
	conn := events[0].Conn
	begun, goesOn := c.heads[conn]
	p := part{legacy: true}.read(append(begun[:len(begun):len(begun)], events...))
	p.Conn = conn
	if goesOn {
		if p.Request.IsLine() {
			p.RequestSeq, p.Response.Head = 0, p.Request.Head // see OnLine
		} else {
			p.Response.Head = nil
		}
		p.Request, p.Started = wire.Frame{}, events[0].At
	}
	if !goesOn && isAside(p.Request) {
		c.aside[conn] = true
	}
	for _, e := range events {
		if e.Kind == Sent || e.Kind == Received && p.streams() {
			c.heads[conn] = append(c.heads[conn], e)
		}
	}
	c.named = c.named || p.Head.Get("Mcp-Session-Id") != ""
	if IsCall(p.Method) && !goesOn {
		c.conn, c.id = conn, p.Sent.Get("id")
	}
	return p, true
}

// isAside reports whether a request opens the stream that belongs to no request, rather
// than resume one that broke (2025-11-25, basic/transports, "Listening for Messages from
// the Server").
func isAside(f wire.Frame) bool {
	head, err := wire.ParseHead(f.Head)
	return err == nil && bytes.HasPrefix(f.Head, []byte("GET ")) && head.Get("Last-Event-Id") == ""
}

// IsCall reports whether method is one of the three methods of a Call.
func IsCall(method string) bool {
	return method == ToolsCall || method == PromptsGet || method == ResourcesRead
}

// ownRequest returns the index of the Round's own request: the call, or else
// the first answer. It returns -1 if nothing was sent yet.
func ownRequest(parts []part) int {
	i := slices.IndexFunc(parts, func(p part) bool { return len(p.Request.Head) > 0 && IsCall(p.Method) })
	if i < 0 {
		i = slices.IndexFunc(parts, func(p part) bool { return len(p.Request.Head) > 0 })
	}
	return i
}

// handleMessages reads the messages of one connection: questions, the end of
// the call, or the rejection of an answer.
func (r *Round) handleMessages(c *openCall, p part) {
	for _, m := range p.Messages {
		r.allMessages = append(r.allMessages, m)
		c.handleMessage(m, c.aside[p.Conn])
		if p.Conn != c.conn && c.id != nil && m.IsResponse() && jsontree.Equal(m.Node.Get("id"), c.id) {
			r.setOutcome(c.becameTask(resumed(p, m, c.id))) // the stream was resumed on another connection
		}
	}
	switch {
	case p.Conn == c.conn || p.Method == Initialize && p.Kind != OutcomeComplete:
		r.setOutcome(c.becameTask(p.Outcome))
	case p.Started.IsZero() && (p.Kind == OutcomeTransportError || p.Kind == OutcomeCancelled):
		r.setOutcome(p.Outcome) // the session ended outside of any request
	case c.task != nil && isLegacyTask(p.Method):
		r.setOutcome(c.followTask(p))
	case isAnswer(p) && p.Head.Status/100 != 2 && p.Kind != OutcomePending && p.Kind != OutcomeAck:
		r.Lost, r.LostBy = lostDetail(p), p.Head.Status
	}
}

// resumed returns the outcome of a call whose response m arrived on a
// connection other than the call's own.
func resumed(p part, m RPC, id *jsontree.Node) Outcome {
	call := part{legacy: true, Trip: Trip{Method: ToolsCall, Head: p.Head},
		Outcome: Outcome{Kind: OutcomePending, Ended: m.At}}
	call.answerTo(id, m)
	return call.Outcome
}

// handleMessage adds a question that the server asks in a request of its own,
// or removes one that the server withdraws. What a server asks on the stream that belongs
// to no request may be meant for the call: some servers know no other way. Roots are not:
// they are of the client, and servers ask for them when a session begins.
func (c *openCall) handleMessage(m RPC, aside bool) {
	id, method := m.Node.Get("id"), m.Method()
	switch {
	case method == CancelledNotified:
		gone := string(m.Node.At("params", "requestId").Raw())
		c.asked = slices.DeleteFunc(c.asked, func(q Question) bool { return q.Key == gone })
	case method == "" || id == nil || method == Ping:
	default:
		key := string(id.Raw())
		if slices.ContainsFunc(c.asked, func(q Question) bool { return q.Key == key }) {
			return
		}
		list := &c.asked
		if aside && method == RootsList {
			list = &c.other
		}
		*list = append(*list, Question{
			Key: key, RawKey: []byte(strconv.Quote(key)), Name: nameOf(m.Node),
			Method: method, Params: m.Node.Get("params"), Node: m.Node,
		})
	}
}

// nameOf returns a short name for a question: its message, or the subject of
// the question. Its JSON-RPC id says nothing.
func nameOf(question *jsontree.Node) string {
	if message := question.At("params", "message").Str(); message != "" {
		return "“" + clip(message, 36) + "”"
	}
	switch method := question.Get("method").Str(); method {
	case Elicit:
		return "your input"
	case CreateMessage:
		return "a response of your model"
	case RootsList:
		return "your roots"
	default:
		return "an answer to " + clip(method, 36)
	}
}

// isAnswer reports whether a request carried the answer to a question.
func isAnswer(p part) bool {
	return p.Method == "" && (p.Sent.Has("result") || p.Sent.Has("error"))
}

// lostDetail returns one sentence about why an answer did not reach the call.
func lostDetail(p part) string {
	who := "the server"
	if p.Instance != "" {
		who = "instance " + p.Instance
	}
	if p.Head.Status == 0 {
		return fmt.Sprintf("The answer did not reach %s: %s", who, p.Detail)
	}
	if p.Head.Status == 404 && p.named() {
		return fmt.Sprintf("The answer reached %s, which returned HTTP status 404. "+
			"It does not have the session of the open call.", who)
	}
	return fmt.Sprintf("The answer reached %s, which did not accept it: HTTP status %d.", who, p.Head.Status)
}

// named reports whether the request named a session.
func (p part) named() bool {
	head, _ := wire.ParseHead(p.Request.Head)
	return head.Get("Mcp-Session-Id") != ""
}

// setOutcome makes the outcome of one connection the outcome of the Round,
// unless the Round has one already.
func (r *Round) setOutcome(o Outcome) {
	if o.Kind == OutcomePending || r.Kind != OutcomePending {
		return
	}
	r.Outcome = o
	if r.Kind == OutcomeTransportError && r.Class == NoResponse {
		r.Class = CallLost
	}
}

// conclude opens the Round for the user when only questions are left, and
// closes it when the process that held the call is gone.
func (r *Round) conclude(c *openCall, conns [][]Event) {
	for _, events := range conns {
		if last := events[len(events)-1]; last.Kind == Interrupted &&
			slices.Contains([]OutcomeKind{OutcomePending, OutcomeInterrupted, OutcomeCancelled}, r.Kind) {
			r.Kind, r.Class, r.Ended = OutcomeInterrupted, CallLost, last.At
			r.Detail = "The process that held the call's connection has stopped."
		}
	}
	r.LegacyTask, r.Polls, r.Session = c.task, c.polls, c.named
	if r.Kind == OutcomePending && len(c.asked) > 0 {
		r.Kind, r.Questions = OutcomeInputRequired, slices.Clone(c.asked)
		r.Ended = r.Decided
		if n := len(r.allMessages); n > 0 {
			r.Ended = r.allMessages[n-1].At
		}
	}
}

// hasQuestions reports whether every answer has its question; some may stay
// open.
func (r Round) hasQuestions(answers []Answer) bool {
	for _, a := range answers {
		if !slices.ContainsFunc(r.Questions, func(q Question) bool { return q.Key == a.Key }) {
			return false
		}
	}
	return len(answers) > 0
}
