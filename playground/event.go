package playground

import (
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// EventKind is the kind of an Event.
type EventKind string

// The kinds of events. The four that wire also knows have the same names there.
const (
	Decided     EventKind = "decision"
	Sent        EventKind = "sent"
	Received    EventKind = EventKind(wire.Received)
	Message     EventKind = EventKind(wire.Message)
	Failed      EventKind = EventKind(wire.Failed)
	Cancelled   EventKind = EventKind(wire.Cancelled)
	Interrupted EventKind = "interrupted"
	Repeated    EventKind = "repeated"
)

// Event is one entry of a log. It never changes after it was appended, but for
// one: a repeated event counts on while it is the newest of its log.
//
// What Data holds depends on the kind:
//
//   - decision: a Decision as JSON
//   - sent: the exact bytes of the request
//   - received: the exact bytes of the response, or of its head if a stream follows;
//     of a server on standard input, of one line (wire.Line)
//   - message: the exact bytes of one server-sent event
//   - failed: a wire.Failure as JSON
//   - cancelled: nothing
//   - interrupted: nothing, a Stop as JSON if the client stopped polling a task, or
//     a Note as JSON
//   - repeated: a Repetition as JSON
type Event struct {
	Seq  int // from 1, without gaps
	At   time.Time
	Conn int // connection within the log, from 1; 0 for decisions
	Kind EventKind
	Data []byte

	Timing *wire.Timing // duration of each step; only on the first event of a response
	Sealed []byte       // Data without masks, encrypted; empty if nothing is masked
}

// Action is the kind of a Decision.
type Action string

// Actions of the user.
const (
	// ActionStart sends the call.
	ActionStart Action = "start"
	// ActionAnswer sends the answers to an input_required result.
	ActionAnswer Action = "answer"
	// ActionRetry answers an input_required result that has only a requestState
	// (basic/patterns/mrtr, client requirement 1).
	ActionRetry Action = "retry"
	// ActionResend sends a Round again that was interrupted or failed.
	ActionResend Action = "resend"
	// ActionRefuse sends nothing: MCP 2026-07-28 has no message that refuses a
	// sampling or roots request, so the client does not continue. A legacy
	// server is answered with an error: see Answer.
	ActionRefuse Action = "refuse"
	// ActionStop asks the server to cancel the task (SEP-2663). The task may
	// complete nevertheless.
	ActionStop Action = "stop"
)

// Author is the side that decided.
type Author string

// ByClient is the author of a Decision that was read from the request of a foreign
// client.
const ByClient Author = "client"

// Join is the certainty that a request of a foreign client continues an
// Exchange.
type Join string

// Joins.
const (
	JoinCertain Join = "certain" // no other Exchange can be meant
	JoinEither  Join = "either"  // several that ask the same can be meant; it is the newest of them
	JoinLikely  Join = "likely"  // it fits that Exchange, and no other, but only in part
	// JoinMixed is of a request that begins an Exchange: it has parts of two others.
	JoinMixed Join = "mixed"
)

// Decision is a decision of the user. It opens the Round that it names; only
// ActionRefuse closes the last Round instead.
type Decision struct {
	Action   Action   `json:"action"`
	Round    int      `json:"round"`
	Answers  []Answer `json:"answers,omitempty"`
	Instance string   `json:"instance,omitempty"` // instance of a sample that the user chose
	Auto     bool     `json:"auto,omitempty"`     // retry again automatically while nothing is asked
	Anyway   bool     `json:"anyway,omitempty"`   // sent on purpose although a schema rejects an answer

	// of connecting: the era that the user chose; of a call: Legacy if it opens a session
	Era Era `json:"era,omitempty"`

	// By is the side that decided; empty for the user of this program. Join is
	// the certainty that a request of a foreign client continues the Exchange.
	By   Author `json:"by,omitempty"`
	Join Join   `json:"join,omitempty"`

	Experiment string `json:"experiment,omitempty"` // id of the experiment it belongs to
	Changed    bool   `json:"changed,omitempty"`    // the experiment changes the request of this Round
}

// Answer is the user's answer to one key of inputRequests. Value is the JSON
// text that is sent, for elicitation {"action":...,"content":...}.
type Answer struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
	// Error refuses a question of a legacy server, in place of Value: the error
	// object that is sent.
	Error json.RawMessage `json:"error,omitempty"`
}

// Event returns the log entry of the decision.
func (d Decision) Event(at time.Time) Event {
	return Event{At: at, Kind: Decided, Data: mustJSON(d)}
}

// PartEvent returns the log entry of a part of a response on connection conn.
func PartEvent(p wire.Part, conn int) Event {
	e := Event{At: p.At, Conn: conn, Kind: EventKind(p.Kind), Data: p.Bytes}
	if p.Timing != (wire.Timing{}) {
		e.Timing = &p.Timing
	}
	if p.Failure != nil {
		e.Data = mustJSON(p.Failure)
	}
	return e
}

// mustJSON encodes a value whose raw JSON parts were checked before.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("encode event: " + err.Error())
	}
	return data
}

// Decision returns the decision that the event records; that of any other event is
// empty.
func (e Event) Decision() Decision { return readDecision(e) }

// Failure returns the failure that the event records; that of any other event is empty.
func (e Event) Failure() wire.Failure {
	if e.Kind != Failed {
		return wire.Failure{}
	}
	return failureOf(e)
}

// Opens returns the number of the Round that a decision opens, or 0 for every
// other event.
func (e Event) Opens() int {
	d := readDecision(e)
	if e.Kind != Decided || d.Action == ActionRefuse {
		return 0
	}
	return d.Round
}

// Ends reports whether the event only ends something in progress, and has no
// bytes of a message.
func (e Event) Ends() bool { return e.Kind == Failed || e.Kind == Cancelled || e.Kind == Interrupted }

// IsResponse reports whether the event is a message of a stream, or a line, that is
// a response.
func (e Event) IsResponse() bool {
	data, _, ok := wire.EventData(e.Data)
	if f := wire.Split(e.Data); e.Kind == Received && f.IsLine() {
		data = f.Body
	} else if e.Kind != Message || !ok {
		return false
	}
	node, err := jsontree.Parse(data, jsontree.Limits{})
	return err == nil && RPC{Node: node}.IsResponse()
}

// ChangesStatus reports whether the event can change the status of its log.
// Most messages of a stream, of which there may be hundreds, cannot.
func (e Event) ChangesStatus() bool {
	if e.Kind != Message {
		return true
	}
	data, _, ok := wire.EventData(e.Data)
	if !ok || len(data) == 0 {
		return false
	}
	node, err := jsontree.Parse(data, jsontree.Limits{})
	m := RPC{Node: node}
	return err != nil || node.Kind != jsontree.Object || m.IsResponse() || node.Has("id") ||
		m.Method() == CancelledNotified
}
