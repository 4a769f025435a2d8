package playground

import (
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// EventKind tells what an Event records.
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
)

// Event is one entry of a log. It is never changed after it was appended.
//
// Data is, by kind: a Decision as JSON (decision); the exact bytes of the
// request (sent); of the answer, or of its head when a stream follows
// (received); of one server-sent event (message); a wire.Failure as JSON
// (failed); empty (cancelled, interrupted).
type Event struct {
	Seq  int // from 1, without gaps
	At   time.Time
	Conn int // connection within the log, from 1; 0 for decisions
	Kind EventKind
	Data []byte

	Timing *wire.Timing // how long the steps to it took; of the first event of an answer
	Sealed []byte       // Data before a secret in it was masked, encrypted; empty when none was
}

// Action is what a Decision asks for.
type Action string

// Actions of the user. ActionRefuse sends nothing: refusing sampling or roots has no
// shape on the wire, the client just does not go on.
const (
	ActionStart  Action = "start"
	ActionAnswer Action = "answer" // send the answers to an input_required result
	// send a state-only round again (client requirement 1: the client MAY at once)
	ActionRetry  Action = "retry"
	ActionResend Action = "resend" // send the same Round again after it was interrupted or failed on the way
	ActionRefuse Action = "refuse"
	ActionStop   Action = "stop" // ask the server to cancel the task (SEP-2663); it may finish all the same
)

// Decision is what the user decided; it opens the Round it names, except
// Refuse, which closes the last one.
type Decision struct {
	Action  Action   `json:"action"`
	Round   int      `json:"round"`
	Answers []Answer `json:"answers,omitempty"`
	// server instance that the user chose for this Round; samples only
	Instance string `json:"instance,omitempty"`
	Auto     bool   `json:"auto,omitempty"`   // of a retry: go on by itself as long as nothing is asked
	Anyway   bool   `json:"anyway,omitempty"` // the schema refuses an answer, and the user sent it on purpose

	Experiment string `json:"experiment,omitempty"` // id of the Experiment that this is done for
	Changed    bool   `json:"changed,omitempty"`    // and this Round's request is the one that it changed
}

// Answer is the user's answer to one key of inputRequests. Value is the JSON
// text that is sent, for elicitation {"action":...,"content":...}.
type Answer struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
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

// mustJSON is for our own values, whose raw parts were checked before.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("encode event: " + err.Error())
	}
	return data
}

// Opens returns the number of the Round that a decision opens, or 0 for every other
// event.
func (e Event) Opens() int {
	d := readDecision(e)
	if e.Kind != Decided || d.Action == ActionRefuse {
		return 0
	}
	return d.Round
}

// ChangesStatus reports whether the event can change the status of its log. Most
// messages of a stream cannot, and there may be hundreds.
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
		m.Method() == methodCancelled
}
