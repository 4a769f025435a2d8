package playground

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Round is what lies between two decisions of the user: usually one request
// and its response.
type Round struct {
	N        int
	Method   string // JSON-RPC method of the request
	Decision Decision
	Decided  time.Time // when the user decided
	Started  time.Time // when the first byte was about to leave
	Ended    time.Time // when the last byte that counts came; zero while pending
	Timing   wire.Timing

	first    time.Time // when the first of the answer came that Timing is of
	conn     int       // of the request
	Request  wire.Frame
	Sent     *jsontree.Node // the request's JSON-RPC message
	Response wire.Frame     // head and the whole body so far
	Head     wire.Head      // of the response; zero before it came
	Messages []RPC          // every message of the response, in order

	Outcome Outcome
	Class   Class  // why, of the outcomes that are no answer; else empty
	Detail  string // one sentence for Class, in our words

	Result    *jsontree.Node  // the result object of the response
	Final     *jsontree.Node  // what the call gave in the end: Result, or the result inside a task; nil before
	Error     *RPCError       // of rpc_error
	IsError   bool            // a tool's own isError; the Outcome is complete
	Questions []Question      // of input_required, those to a person first
	State     json.RawMessage // requestState as exact JSON text; nil when none was given
	Instance  string          // which instance of a sample served it: "b/v1"

	Paused bool      // retries by themselves were stopped after this one
	Task   *Task     // the task that the call became, as this Round left it; else nil
	Asked  time.Time // when Request left: of polls that joined, later than Started
	Polls  int       // how many polls in a row said the same; 0 if none
	Legacy bool      // of a server from before 2026-07-28
	Lost   string    // legacy: why an answer did not reach the open call; else empty
	own    []RPC     // of Messages, those that answer the Round's own request; nil means all
	Also   []Trip    // the other requests of the Round, oldest first: earlier polls, the session of an older server
}

// Trip is one request beside the Round's own, and what came back. Request is
// empty when a stream of an earlier Round went on.
type Trip struct {
	Conn              int
	Request, Response wire.Frame
	Messages          []RPC
	Started, Ended    time.Time
}

// Own are the messages that came for the Round's own request.
func (r Round) Own() []RPC {
	if r.Legacy {
		return r.own
	}
	return r.Messages
}

// Took is how long the wire took, as exactly as is known; 0 while pending.
// Started is a little earlier than the first byte left: what is sent is stored
// before it.
func (r Round) Took() time.Duration {
	if r.Ended.IsZero() {
		return 0
	}
	whole := max(r.Ended.Sub(r.Started), 0)
	if r.Timing.Total == 0 || r.Asked.After(r.Started) {
		return whole
	}
	return min(max(r.Ended.Sub(r.first), 0)+r.Timing.Total, whole)
}

func (r Round) trip() Trip {
	return Trip{Conn: r.conn, Request: r.Request, Response: r.Response, Messages: r.Messages, Started: r.Asked, Ended: r.Ended}
}

// Open reports whether the Round waits for the user: a question or a retry.
func (r Round) Open() bool {
	return r.Outcome == OutcomeInputRequired || r.Outcome == OutcomeRetry
}

// Branchable reports whether a Branch can go on from the Round: one that is
// answered by sending the same call again.
func (r Round) Branchable() bool { return r.Open() && !r.Legacy && r.Task == nil }

// Resendable reports whether the same request can be sent again, because the
// user cannot know whether the server ever saw it.
func (r Round) Resendable() bool {
	switch r.Outcome {
	case OutcomeInterrupted, OutcomeTransportError, OutcomeHTTPError:
		return true
	case OutcomeCancelled:
		return r.Result == nil // a task that was cancelled is an answer
	}
	return false
}

// StateText is the requestState as the string it is; empty when none.
func (r Round) StateText() string {
	node, err := jsontree.Parse(r.State, jsontree.Limits{})
	if err != nil {
		return ""
	}
	return node.Str()
}

// Question is one entry of inputRequests. Key is the server's word and opaque;
// an older server gives none, and the text of its request's id takes the place.
type Question struct {
	Key    string
	Name   string          // what to call it, when the key is no name for people
	RawKey json.RawMessage // the quoted key exactly as it came
	Method string
	Params *jsontree.Node // may be absent for roots/list
	Node   *jsontree.Node // the whole request object
}

// Label is what to call the question.
func (q Question) Label() string { return cmp.Or(q.Name, q.Key) }

// Mode of an elicitation: "form" (also when omitted) or "url".
func (q Question) Mode() string {
	if q.Method != "elicitation/create" {
		return ""
	}
	if mode := q.Params.Get("mode").Str(); mode != "" {
		return mode
	}
	return "form"
}

// RPC is one JSON-RPC message of an answer.
type RPC struct {
	At   time.Time
	Raw  []byte // exact bytes; for a stream, of the event's data
	Node *jsontree.Node
	Err  error // why Node is nil
}

// IsResponse reports whether the message is a response: it has a result or an error.
func (m RPC) IsResponse() bool { return m.Node.Has("result") || m.Node.Has("error") }

// Method of a notification or request; empty for a response.
func (m RPC) Method() string { return m.Node.Get("method").Str() }

// RPCError is the error object of a JSON-RPC response.
type RPCError struct {
	Code    int64
	Message string
	Data    *jsontree.Node
}

// Answers are the answers that the Round's request carried: those of the decision,
// unless an experiment changed on purpose what was sent.
func (r Round) Answers() []Answer {
	if r.Decision.Experiment == "" {
		return r.Decision.Answers
	}
	responses := r.Sent.At("params", "inputResponses")
	if responses == nil {
		return nil
	}
	var list []Answer
	for _, m := range responses.Members {
		list = append(list, Answer{Key: m.Key, Value: json.RawMessage(m.Value.Raw())})
	}
	return list
}
