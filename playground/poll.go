package playground

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// pollsPerDelay is the number of polls with the same status after which the
// delay doubles, so that the log of a long task stays short.
const pollsPerDelay = 30

// StopReason is why the client stopped polling a task although it may still
// run. It polls again when the user asks for it.
type StopReason string

// Reasons to stop polling. The first two follow from the log; the others are
// recorded with a Stop.
const (
	StoppedExpired   StopReason = "expired"   // the task's time to live is over
	StoppedCancelled StopReason = "cancelled" // the user cancelled the task, and it still runs
	StoppedMany      StopReason = "many"      // the limit of polls is reached
	StoppedFull      StopReason = "full"      // the recording has reached its size limit
	StoppedInterval  StopReason = "interval"  // the server asks for more time between polls than the limit
	StoppedUnwatched StopReason = "unwatched" // the exchange was not looked at for long
	StoppedImported  StopReason = "imported"  // the recording came from a file; it ends here
)

// Stop is the content of the interrupted event with which a recorder stops
// polling a task.
type Stop struct {
	Reason StopReason `json:"reason"`
}

// Event returns the log entry of the stop. conn is the newest connection of the
// log.
func (s Stop) Event(at time.Time, conn int) Event {
	return Event{At: at, Conn: conn, Kind: Interrupted, Data: mustJSON(s)}
}

// stopped returns why polling stopped with an interrupted event, or "" if the
// event is something else.
func (e Event) stopped() StopReason {
	var s Stop
	if e.Kind != Interrupted || json.Unmarshal(e.Data, &s) != nil {
		return ""
	}
	switch s.Reason {
	case StoppedMany, StoppedFull, StoppedInterval, StoppedUnwatched, StoppedImported:
		return s.Reason
	}
	return ""
}

// PollsStopped returns why the client polls the task of the Round no more
// unless the user asks for it, or "".
func (r Round) PollsStopped() StopReason {
	switch {
	case r.Task == nil:
	case r.Kind == OutcomeInterrupted && r.polled():
		return r.Stopped
	case r.Kind != OutcomeTask && r.Kind != OutcomeTaskStatus && r.Kind != OutcomeAck:
	case r.Stopped != "":
		return r.Stopped
	case !r.Task.Expires.IsZero() && r.Ended.After(r.Task.Expires):
		return StoppedExpired
	}
	return ""
}

// PollsInARow returns how often the task was polled since the newest decision
// of the user.
func (f Transcript) PollsInARow() int {
	n := 0
	for _, r := range slices.Backward(f.Rounds) {
		n += r.Polls
		if r.Decision.Action != "" {
			break
		}
	}
	return n
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
	req := wire.Request{
		URL: x.Target.URL, Method: TasksGet, ID: jsontree.Quote(x.OnChannel(name)), Params: params,
		Header: x.Target.Header,
	}
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
		return r.polled() && r.Stopped == ""
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

// countSent returns the number of requests that a log stands for.
func countSent(log []Event) int {
	n := 0
	for _, e := range log {
		switch e.Kind {
		case Sent:
			n++
		case Repeated:
			r, _ := e.Repetition()
			n += r.Count
		}
	}
	return n
}

// taskParams returns the params of tasks/get and tasks/cancel.
func taskParams(id string) json.RawMessage {
	return jsontree.ObjectOf(jsontree.Pair{Key: "taskId", Value: jsontree.Quote(id)})
}

// updateParams returns the params of tasks/update: the id and the answers to open
// questions of the task. Those that are left out stay open.
func updateParams(r *Round, answers []Answer) (json.RawMessage, error) {
	asked := slices.DeleteFunc(slices.Clone(r.Questions), func(q Question) bool {
		return !slices.ContainsFunc(answers, func(a Answer) bool { return a.Key == q.Key })
	})
	if len(asked) == 0 {
		return nil, fmt.Errorf("%w: none is answered", ErrAnswers)
	}
	responses, err := inputResponses(asked, answers)
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
