package playground

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Round is what lies between two decisions of the user: usually one request and
// its response. With a legacy server it is everything between two decisions.
// Polls of a task that say the same are one Round.
type Round struct {
	N        int
	Decision Decision  // that opened it; zero for a poll
	Decided  time.Time // when the user decided; zero for a poll
	Began    time.Time // when the first byte of its first request was about to leave
	Trip               // its own request; of several polls the newest
	Outcome
	Others []Trip // its other requests, oldest first: earlier polls, the session with a legacy server
	Polls  int    // how many polls in a row said the same; 0 if none
	Legacy bool   // of a server from before 2026-07-28
	Lost   string // of a legacy server: why an answer did not reach the open call; else empty

	allMessages []RPC // of a legacy server: the messages of every connection, in order
}

// Trip is one request and what came back on its connection. Request is empty if
// a stream of an earlier Round went on.
type Trip struct {
	Conn     int
	Method   string // JSON-RPC method of the request
	Request  wire.Frame
	Sent     *jsontree.Node // the request's JSON-RPC message
	Response wire.Frame     // head and the whole body so far
	Head     wire.Head      // of the response; zero before it came
	Messages []RPC          // of the response, in order
	Instance string         // which instance of a sample served it: "b/v1"
	Started  time.Time      // when the first byte was about to leave
	Last     time.Time      // when the last byte that counts came; zero while pending
	Timing   wire.Timing

	first time.Time // when the part of the answer came that Timing is about
}

// Outcome is how a Round ended, with the data that belongs to it.
type Outcome struct {
	Kind   OutcomeKind
	Ended  time.Time      // when it was known; zero while pending
	Class  Class          // of the kinds that are no answer: why; else empty
	Detail string         // one sentence for Class
	Result *jsontree.Node // the result object of the response
	// what the call gave in the end: Result, or the result inside a task; nil
	// before
	Final     *jsontree.Node
	Error     *RPCError       // of rpc_error
	IsError   bool            // of complete: the tool reports an error
	Questions []Question      // of input_required, those to a person first
	State     json.RawMessage // requestState as exact JSON text; nil if none was given
	Paused    bool            // of retry: automatic retries were stopped
	Task      *Task           // the task that the call became, as this Round left it; else nil
}

// AllMessages returns every message of the Round in the order of arrival, also those
// that a legacy server sent on other connections than the Round's own.
func (r Round) AllMessages() []RPC {
	if r.Legacy {
		return r.allMessages
	}
	return r.Messages
}

// Notifications returns how many notifications the server sent in the Round.
func (r Round) Notifications() int {
	n := 0
	for _, m := range r.AllMessages() {
		if !m.IsResponse() && m.Method() != "" && !m.Node.Has("id") {
			n++
		}
	}
	return n
}

// Took returns how long the wire took, as exactly as is known, or 0 while
// pending. Began is a little earlier than the first byte left: what is sent is
// stored before it.
func (r Round) Took() time.Duration {
	if r.Ended.IsZero() {
		return 0
	}
	whole := max(r.Ended.Sub(r.Began), 0)
	if r.Timing.Total == 0 || r.Started.After(r.Began) {
		return whole
	}
	return min(max(r.Ended.Sub(r.first), 0)+r.Timing.Total, whole)
}

// Open reports whether the Round waits for the user: a question or a retry.
func (r Round) Open() bool {
	return r.Kind == OutcomeInputRequired || r.Kind == OutcomeRetry
}

// Branchable reports whether a Branch can go on from the Round: one that is
// answered by sending the same call again.
func (r Round) Branchable() bool { return r.Open() && !r.Legacy && r.Task == nil }

// Resendable reports whether the same request can be sent again, because the
// user cannot know whether the server ever saw it.
func (r Round) Resendable() bool {
	switch r.Kind {
	case OutcomeInterrupted, OutcomeTransportError, OutcomeHTTPError:
		return true
	case OutcomeCancelled:
		return r.Result == nil // a task that was cancelled is an answer
	}
	return false
}

// StateText returns the requestState as a string, or "" if there is none.
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

// Label returns the question's name for people.
func (q Question) Label() string { return cmp.Or(q.Name, q.Key) }

// Mode returns the mode of an elicitation, "form" (the default) or "url", or "" for
// other methods.
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

// Method returns the method of a notification or request, or "" for a response.
func (m RPC) Method() string { return m.Node.Get("method").Str() }

// RPCError is the error object of a JSON-RPC response.
type RPCError struct {
	Code    int64
	Message string
	Data    *jsontree.Node
}

// Answers returns the answers in the Round's request: those of the decision, or what
// an experiment sent instead.
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
