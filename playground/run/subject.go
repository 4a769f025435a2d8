package run

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// subject is the subject of a log.
type subject interface {
	// read returns the state of the log. A transcript of it comes from r.
	read(log []playground.Event, r *playground.Reader) state
	// next returns the step that follows without a decision, if there is one.
	next(log []playground.Event, s state) (step, bool)
	// spent reports whether a session with a legacy server has no use any more.
	spent(s state) bool
}

// state is the state of a log: of an exchange its transcript, of a target the
// connection to it.
type state struct {
	summary    playground.Summary
	transcript playground.Transcript
	connection server.Connection
}

// running reports whether an answer is still open.
func (s state) running() bool {
	return s.summary.Status == string(playground.StatusRunning) || s.summary.Status == server.Connecting
}

// holds reports whether a process must hold the log.
func (s state) holds() bool { return s.summary.Held || s.summary.Status == server.Connecting }

// waiting reports whether the user has to decide.
func (s state) waiting() bool { return s.summary.Status == string(playground.StatusWaiting) }

// step is a request that is sent after a while, without a decision of the user.
type step struct {
	wait     time.Duration
	rest     time.Duration // rest of wait when the timer fires early, to see if anyone watches
	request  wire.Request
	poll     bool                  // of a task
	stop     playground.StopReason // why the poll is not sent; empty if it is
	decision *playground.Decision  // of an automatic retry, which opens a Round
	session  bool                  // a session with a legacy server begins; there is no request
}

// call is the subject of an exchange's log.
type call struct {
	x      playground.Exchange
	client playground.Client
}

func (c call) read(log []playground.Event, r *playground.Reader) state {
	c.x.Log = log
	f := r.Read(c.x)
	s := state{summary: f.Summary(), transcript: f}
	if f.Foreign() {
		s.summary.Held = len(playground.Unanswered(log)) > 0
	}
	return s
}

func (c call) next(log []playground.Event, s state) (step, bool) {
	if s.transcript.Foreign() {
		return step{}, false
	}
	c.x.Log = log
	if req, wait, ok := playground.NextPoll(c.x, s.transcript, c.client); ok {
		return step{wait: wait, request: req, poll: true}, true
	}
	if req, ok := playground.NextListed(c.x, s.transcript, c.client); ok {
		return step{request: req}, true
	}
	d, wait, ok := playground.NextRetry(s.transcript)
	if !ok {
		return step{}, false
	}
	req, err := playground.Next(c.x, s.transcript, d, c.client)
	return step{wait: wait, request: req, decision: &d}, err == nil
}

func (c call) spent(s state) bool {
	switch s.transcript.Status {
	case playground.StatusCapped:
		return true
	case playground.StatusDeclined:
		return s.transcript.Last().Open() // else the server has ended the call
	case playground.StatusFailed:
		return isIgnored(s.transcript.Last().Class)
	}
	return false
}

// isIgnored reports whether the SDK goes on waiting after an answer of that
// class. What is wrong below JSON-RPC it ends itself, or resumes on another
// connection.
func isIgnored(c playground.Class) bool {
	switch c {
	case playground.Violation, playground.RPCFailed, playground.URLRequired, playground.HeaderMismatch,
		playground.Capability, playground.ProtocolVersion:
		return true
	}
	return false
}

// connection is the subject of a target's log.
type connection struct {
	target playground.Target
	client playground.Client
}

func (c connection) read(log []playground.Event, _ *playground.Reader) state {
	s := state{connection: server.FoldConnection(log)}
	s.summary = playground.Summary{Status: s.connection.Status, Name: s.connection.Name}
	return s
}

func (c connection) next(_ []playground.Event, s state) (step, bool) {
	if s.connection.Era == playground.Legacy && s.connection.Status == server.Connecting {
		return step{session: true}, true
	}
	req, ok := server.NextConnect(c.target, s.connection, c.client)
	return step{request: req}, ok
}

func (c connection) spent(s state) bool {
	return s.connection.Status == server.ConnectFailed && isIgnored(s.connection.Class)
}

// ended is the subject of a finished log: it sends nothing.
type ended struct{ state }

func (e ended) read([]playground.Event, *playground.Reader) state { return e.state }
func (ended) next([]playground.Event, state) (step, bool)         { return step{}, false }
func (ended) spent(state) bool                                    { return true }
