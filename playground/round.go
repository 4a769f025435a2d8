package playground

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Round is one request and its response, with the decision that caused it. With
// a legacy server it is everything between two decisions. Polls of a task that
// return the same status are one Round.
type Round struct {
	N        int
	Decision Decision  // the decision that opened the Round; zero for a poll
	Decided  time.Time // time of the decision; zero for a poll
	Began    time.Time // time just before the first byte of the first request was sent
	Trip               // the Round's own request; of several polls the latest
	Outcome
	Others []Trip // other requests, oldest first: earlier polls, the session of a legacy server
	Polls  int    // number of polls with the same status; 0 if the Round is not a poll
	Legacy bool   // whether the server is one from before 2026-07-28
	Lost   string // legacy only: why an answer did not reach the open call; empty if it did
	LostBy int    // the HTTP status of the response that rejected that answer

	Session bool // legacy only: whether the server named a session id

	// LegacyTask is the task that a call of 2025-11-25 became; else nil. The
	// call stays open until the task's result arrives.
	LegacyTask *Task

	allMessages []RPC      // legacy only: the messages of all connections, in order
	relist      *relisting // the tools/list before the Round's own request; nil if there is none
}

// Trip is one request and everything received on its connection. Request is
// empty if the connection continues a stream of an earlier Round.
type Trip struct {
	Conn    int
	Method  string // JSON-RPC method of the request
	Request wire.Frame
	// RequestSeq and ResponseSeq are the sequence numbers of the request and of
	// the first event of the response; 0 before it is recorded.
	RequestSeq, ResponseSeq int

	Sent     *jsontree.Node // JSON-RPC message of the request
	Response wire.Frame     // head and body as far as they arrived
	Head     wire.Head      // head of the response; zero until it arrived
	Decoded  bool           // the body was compressed; Messages are of the decompressed one
	Messages []RPC          // messages of the response, in order
	Instance string         // instance of a sample that served the request, such as "b/v1"
	Started  time.Time      // time just before the first byte was sent
	Last     time.Time      // time of the byte that completed the response; zero while pending
	Timing   wire.Timing

	// Repeats is the number of further polls that were answered the same. They are
	// counted in place of their bytes.
	Repeats  int
	Repeated time.Time // time of the newest of them; zero if there is none
	Copy     bool      // the frames are those of a poll in an earlier Round, which this one repeated

	first time.Time // time of the part of the response that Timing describes
}

// ServedBy returns the name and the version of the sample's instance that served
// the request, or two empty strings.
func (t Trip) ServedBy() (name, version string) {
	name, version, _ = strings.Cut(t.Instance, "/")
	return name, version
}

// Until returns when the newest response that the Trip stands for was complete.
func (t Trip) Until() time.Time {
	if t.Repeated.After(t.Last) {
		return t.Repeated
	}
	return t.Last
}

// Outcome is how a Round ended, with the data that belongs to it.
type Outcome struct {
	Kind   OutcomeKind
	Ended  time.Time // time at which the outcome was known; zero while pending
	Class  Class     // reason, for the kinds that are failures; else empty
	Cause  Cause     // violation only: the exact fault
	Detail string    // one sentence about Class
	// of the server, in DER form; only where a connection failed for it while
	// the server was added
	Certificate []byte
	Result      *jsontree.Node  // result object of the response
	Final       *jsontree.Node  // result of the call: Result, or the one in a task; nil until it ends
	Error       *RPCError       // of an rpc_error, or of an http_error that has one as well
	IsError     bool            // complete only: whether the tool reports an error
	Questions   []Question      // input_required only; questions for a person come first
	State       json.RawMessage // requestState as exact JSON text; nil if there is none
	Paused      bool            // retry only: whether automatic retries were stopped
	Task        *Task           // task that the call became, after this Round; else nil
	Stopped     StopReason      // why the client stopped polling the task after this Round; "" if it did not
}

// AllMessages returns every message of the Round in the order of arrival,
// including those that a legacy server sent on connections other than the
// Round's own.
func (r Round) AllMessages() []RPC {
	if r.Legacy && r.allMessages != nil {
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

// FirstText returns the first text of the result of a tool, or "".
func (r Round) FirstText() string {
	blocks := r.Final.Get("content").Elements()
	if len(blocks) == 0 {
		return ""
	}
	return blocks[0].Get("text").Str()
}

// Took returns the time from the first byte sent to the outcome, or 0 while
// pending. It is shorter than Ended minus Began, because a request is stored
// after Began and before its first byte is sent.
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

// Branchable reports whether a Branch can continue from the Round, which is so
// if it is answered by sending the same call again.
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
	return r.HeadersRejected() || r.Unauthorized()
}

// Unauthorized reports whether the server refused the request for want of a
// token or of rights, before it dealt with it (basic/authorization, "Error
// Handling").
func (r Round) Unauthorized() bool {
	return r.Head.Status == http.StatusUnauthorized || r.Head.Status == http.StatusForbidden
}

// StateText returns the requestState as a string, or "" if there is none.
func (r Round) StateText() string {
	node, err := jsontree.Parse(r.State, jsontree.Limits{})
	if err != nil {
		return ""
	}
	return node.Str()
}

// Question is one entry of inputRequests. Its Key is chosen by the server and
// opaque. A legacy server gives no key: there, Key is the text of the request's
// id.
type Question struct {
	Key    string
	Name   string          // name for people; empty if Key serves
	RawKey json.RawMessage // the quoted key exactly as it arrived
	Method string
	Params *jsontree.Node // nil if absent, as roots/list allows
	Node   *jsontree.Node // the whole request object
	Again  Again          // of a task only: why an answered key is asked again
}

// Again is the reason why a task asks again for a key that was answered.
type Again string

const (
	// AgainAsked is a key that was gone from the task's status, or that has
	// another question now. Keys must be unique over the life of a task.
	AgainAsked Again = "asked"
	// AgainUnseen is a question that stayed the same for many polls after its
	// answer was received.
	AgainUnseen Again = "unseen"
)

// Label returns the question's name for people.
func (q Question) Label() string { return cmp.Or(q.Name, q.Key) }

// Mode returns the mode of an elicitation, "form" (the default) or "url", or ""
// for other methods.
func (q Question) Mode() string {
	if q.Method != Elicit {
		return ""
	}
	if mode := q.Params.Get("mode").Str(); mode != "" {
		return mode
	}
	return "form"
}

// RPC is one JSON-RPC message of a response.
type RPC struct {
	At   time.Time
	Raw  []byte // exact bytes; in a stream those of the event's data
	Node *jsontree.Node
	Err  error // reason why Node is nil
}

// IsResponse reports whether the message is a response: it has a result or an
// error.
func (m RPC) IsResponse() bool { return m.Node.Has("result") || m.Node.Has("error") }

// Method returns the method of a notification or request, or "" for a response.
func (m RPC) Method() string { return m.Node.Get("method").Str() }

// RPCError is the error object of a JSON-RPC response.
type RPCError struct {
	Code    int64
	Message string
	Data    *jsontree.Node
}

// IsModern reports whether e has a code that was added in 2026-07-28, so that no server of an
// earlier revision sends it. A nil e is no error.
func (e *RPCError) IsModern() bool {
	if e == nil {
		return false
	}
	switch codeClass(e.Code) {
	case HeaderMismatch, Capability, ProtocolVersion:
		return true
	}
	return false
}

// Answers returns the answers in the Round's request: those of the decision, or
// those that an experiment sent instead.
func (r Round) Answers() []Answer {
	if r.Decision.Experiment == "" {
		return r.Decision.Answers
	}
	return r.sentAnswers()
}

// sentAnswers returns the answers in the Round's request.
func (r Round) sentAnswers() []Answer {
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
