package views

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Task is what stands beside the picture while work outlives its call.
type Task struct {
	ID       string
	Heading  string
	Status   string   // in the server's word
	Said     []string // what it said of its status, in order
	Asked    string   // how often it was asked, and how often it will be
	Expires  string   // until when the server keeps it; empty when it does not say
	OpenPath string   // where the newest Round is; empty on that one
}

// newTask tells how the task stood after r.
func newTask(x playground.Exchange, r playground.Round, newest bool) *Task {
	t := &Task{ID: text.Visible(r.Task.ID, 120), Status: text.Visible(r.Task.Status, 40), Heading: taskHeading(r)}
	for _, line := range r.Task.Messages {
		t.Said = append(t.Said, text.Visible(line, 200))
	}
	t.Asked = "The poll interval is " + text.Duration(r.Task.Every) + "."
	if r.Polls > 1 {
		t.Asked = fmt.Sprintf("Polled %d times with the same status. ", r.Polls) + t.Asked
	}
	if !r.Task.Expires.IsZero() {
		t.Expires = r.Task.Expires.UTC().Format("15:04:05 UTC")
	}
	if !newest {
		t.OpenPath = "/x/" + x.ID
	}
	return t
}

// newRetrying tells of a call that is sent again by itself.
func newRetrying(f playground.Transcript) *Task {
	_, wait, _ := playground.NextRetry(f)
	return &Task{
		Heading: "Nothing to answer. The call is retried automatically.",
		Asked: fmt.Sprintf("The next retry is %s after the last response, at %s. Retries stop after round %d.",
			text.Duration(wait), f.Last().Ended.Add(wait).UTC().Format("15:04:05 UTC"), playground.MaxRounds),
	}
}

func taskHeading(r playground.Round) string {
	switch {
	case r.Kind == playground.OutcomeTask:
		return "The call became a task"
	case r.Method == playground.TasksUpdate:
		return "The answers were sent to the task"
	case r.Method == playground.TasksCancel:
		return "Cancellation was requested"
	}
	switch r.Task.Status {
	case "working":
		return "The task is running"
	case "input_required":
		return "The task asks for input"
	}
	return "Task status: " + text.Visible(r.Task.Status, 40)
}

// Stop is the button that ends what still runs for this exchange.
type Stop struct{ Path, Words string }

// newStop offers to end a task, or a call that stays open at an older server,
// also while a question waits; nil when nothing runs.
func newStop(x playground.Exchange, f playground.Transcript) *Stop {
	stop := &Stop{Path: "/x/" + x.ID + "/cancel"}
	switch last := f.Last(); {
	case f.Task() != nil && f.Status != playground.StatusFailed:
		stop.Words = "Cancel the task"
	case last.Kind == playground.OutcomeRetry && f.Status == playground.StatusRunning:
		stop.Words = "Stop retrying"
	case last.Legacy && f.Status == playground.StatusWaiting:
		stop.Words = "Cancel the call"
	default:
		return nil
	}
	return stop
}

// eraNote says what a server's era costs; empty for a modern one.
func eraNote(f playground.Transcript) string {
	if last := f.Last(); last == nil || !last.Legacy {
		return ""
	}
	return "This server uses a revision before 2026-07-28: the call stays open on one connection while the server asks. If that connection is lost, so are the answers sent so far."
}

// Also is a request beside a Round's own, with what came back.
type Also struct {
	Words    string
	Request  *FrameView // nil when a stream of an earlier Round went on
	Response *FrameView
}

// alsoSent lists the other requests of a Round.
func alsoSent(r playground.Round) []Also {
	var list []Also
	for i, t := range r.Others {
		a := Also{Words: fmt.Sprintf("Connection %d", t.Conn)}
		if len(t.Request.Head) > 0 {
			a.Request = alsoFrame(r.N, i, "request", t.Request)
		} else {
			a.Words += ", continued"
		}
		if len(t.Response.Head)+len(t.Response.Body) > 0 {
			a.Response = alsoFrame(r.N, i, "response", t.Response)
			for _, m := range t.Messages {
				a.Response.Readable = append(a.Response.Readable, readable(nil, m.Node)...)
			}
		}
		list = append(list, a)
	}
	return list
}

// AlsoWords say what the other requests of the Round are.
func (w WireRound) AlsoWords() string {
	if w.Method == playground.TasksGet {
		return text.Plural(len(w.Also), "earlier poll") + " with the same status"
	}
	return text.Plural(len(w.Also), "more connection") + " in this round"
}

func alsoFrame(round, i int, side string, frame wire.Frame) *FrameView {
	f := newFrame(round, side, frame)
	f.ID += fmt.Sprintf("-%d", i+1)
	return &f
}
