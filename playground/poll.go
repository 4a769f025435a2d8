package playground

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// pollsPerDelay is the number of polls with the same status after which the
// delay doubles, so that the log of a long task stays short.
const pollsPerDelay = 30

// maxPolls is the number of polls with the same status after which the client
// asks the user whether to go on.
const maxPolls = 1000

// Reasons why the client stopped polling a task.
const (
	PollsExpired = "expired" // the task's time to live is over
	PollsMany    = "many"    // too many polls returned the same status
)

// PollsStopped returns why the client polls the task of the Round no more
// unless the user asks for it, or "".
func (r Round) PollsStopped() string {
	switch {
	case r.Task == nil || r.Kind != OutcomeTask && r.Kind != OutcomeTaskStatus && r.Kind != OutcomeAck:
		return ""
	case !r.Task.Expires.IsZero() && r.Ended.After(r.Task.Expires):
		return PollsExpired
	case r.Polls >= maxPolls:
		return PollsMany
	}
	return ""
}

// NextPoll returns the next tasks/get request for the task of an Exchange, and
// how long to wait before it is sent. It returns false if there is nothing to
// poll.
func NextPoll(x Exchange, f Transcript, c Client) (wire.Request, time.Duration, bool) {
	last := f.Last()
	if f.Task() == nil || !last.pollable(f.Status) {
		return wire.Request{}, 0, false
	}
	name := fmt.Sprintf("poll-%d", countSent(x.Log)+1)
	params, err := jsontree.Set(taskParams(last.Task.ID),
		jsontree.Pair{Key: "_meta", Value: Meta(x, name, c)})
	if err != nil { // the params are an object that this package built
		panic("build params: " + err.Error())
	}
	req := wire.Request{URL: x.Target.URL, Method: TasksGet, ID: jsontree.Quote(name), Params: params,
		Header: x.Target.Header}
	return req, last.wait(), true
}

// pollable reports whether the client may poll without a decision of the user:
// none is needed and no request is running. A poll that was interrupted by the
// end of the program is repeated.
func (r Round) pollable(s Status) bool {
	switch r.Kind {
	case OutcomeTask, OutcomeTaskStatus, OutcomeAck:
		return s == StatusRunning
	case OutcomeInterrupted:
		return r.polled()
	}
	return false
}

// wait returns how long to wait before the next poll: as long as the server says,
// and longer after many polls with the same status.
func (r Round) wait() time.Duration {
	every := r.Task.Every
	for n := r.Polls; n >= pollsPerDelay && every < maxPoll; n -= pollsPerDelay {
		every *= 2
	}
	return min(every, max(maxPoll, r.Task.Every))
}

// countSent returns the number of requests in a log.
func countSent(log []Event) int {
	n := 0
	for _, e := range log {
		if e.Kind == Sent {
			n++
		}
	}
	return n
}

// taskParams returns the params of tasks/get and tasks/cancel.
func taskParams(id string) json.RawMessage {
	return jsontree.ObjectOf(jsontree.Pair{Key: "taskId", Value: jsontree.Quote(id)})
}

// updateParams returns the params of tasks/update: the id and the answers to
// all open questions of the task.
func updateParams(r *Round, answers []Answer) (json.RawMessage, error) {
	responses, err := inputResponses(r.Questions, answers)
	if err != nil {
		return nil, err
	}
	return jsontree.ObjectOf(jsontree.Pair{Key: "taskId", Value: jsontree.Quote(r.Task.ID)},
		jsontree.Pair{Key: "inputResponses", Value: responses}), nil
}

// Polling reports whether the request on connection conn of a log is tasks/get.
func Polling(log []Event, conn int) bool {
	for _, e := range log {
		if e.Conn == conn && e.Kind == Sent {
			var p part
			p.send(e)
			return p.Method == TasksGet
		}
	}
	return false
}
