package playground

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// pollsPerDelay is the number of polls with the same status after which the delay
// doubles, so that the log of a long task stays short.
const pollsPerDelay = 30

// NextPoll returns the request that polls the task of an Exchange, and how long to
// wait before it. It returns false if there is nothing to poll.
func NextPoll(x Exchange, f Transcript, c Client) (wire.Request, time.Duration, bool) {
	last := f.Last()
	if f.Task() == nil || !last.pollable(f.Status) {
		return wire.Request{}, 0, false
	}
	name := fmt.Sprintf("poll-%d", countSent(x.Log)+1)
	params, err := jsontree.Set(taskParams(last.Task.ID),
		jsontree.Pair{Key: "_meta", Value: Meta(x, name, c)})
	if err != nil { // our own object takes any member
		panic("build params: " + err.Error())
	}
	req := wire.Request{URL: x.Target.URL, Method: TasksGet, ID: jsontree.Quote(name), Params: params,
		Header: x.Target.Header}
	return req, last.wait(), true
}

// pollable reports whether the client may poll without the user: no decision is
// needed and no request is running. A poll that a killed process left behind is
// repeated.
func (r Round) pollable(s Status) bool {
	switch r.Kind {
	case OutcomeTask, OutcomeTaskStatus, OutcomeAck:
		return s == StatusRunning
	case OutcomeInterrupted:
		return r.polled()
	}
	return false
}

// wait returns how long to wait before the next poll.
func (r Round) wait() time.Duration {
	every := r.Task.Every
	for n := r.Polls; n >= pollsPerDelay && every < maxPoll; n -= pollsPerDelay {
		every *= 2
	}
	return min(every, maxPoll)
}

func countSent(log []Event) int {
	n := 0
	for _, e := range log {
		if e.Kind == Sent {
			n++
		}
	}
	return n
}

func taskParams(id string) json.RawMessage {
	return jsontree.ObjectOf(jsontree.Pair{Key: "taskId", Value: jsontree.Quote(id)})
}

// updateParams are the answers to the questions of a task; its keys are unique
// for the task's life.
func updateParams(r *Round, answers []Answer) (json.RawMessage, error) {
	responses, err := inputResponses(r.Questions, answers)
	if err != nil {
		return nil, err
	}
	return jsontree.ObjectOf(jsontree.Pair{Key: "taskId", Value: jsontree.Quote(r.Task.ID)},
		jsontree.Pair{Key: "inputResponses", Value: responses}), nil
}

// Polling reports whether connection conn of a log asks for a task.
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
