package exchange

import (
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Task describes a task between two questions.
type Task struct {
	ID       string
	Heading  string
	Status   string          // as the server spells it
	Messages []string        // status messages, in order
	Polling  string          // how often it is polled
	Expires  string          // when the server may delete it; empty if unknown
	OpenPath string          // newest Round; empty on that one
	PollPath string          // for another poll of a task that is polled no more; else empty
	Round    int             // shown with PollPath
	Problem  *prose.Sentence // why another poll was not sent; nil if none was refused
	Back     string          // as in Input

	NextRetry time.Time // of automatic retries: when the next one is sent; else zero
}

// newTask describes the task as it was after r.
func newTask(x playground.Exchange, r playground.Round, newest bool) *Task {
	t := &Task{
		ID: text.Visible(r.Task.ID, 120), Status: text.Visible(r.Task.Status, 40),
		Heading: taskHeading(r),
	}
	for _, line := range r.Task.Messages {
		t.Messages = append(t.Messages, text.Visible(line, 200))
	}
	t.Polling = pollWords(r)
	if !r.Task.Expires.IsZero() {
		t.Expires = r.Task.Expires.UTC().Format("15:04:05 UTC")
	}
	if why := r.PollsStopped(); newest && why != "" && why != playground.StoppedFull {
		t.PollPath, t.Round = "/x/"+x.ID+"/rounds", r.N
	}
	if !newest {
		t.OpenPath = "/x/" + x.ID
	}
	return t
}

// onceToldBy leaves out why polling stopped if the account of the Round says it.
func (t *Task) onceToldBy(account string, r playground.Round) {
	if why := narrate.StoppedPolling(r); why != "" && strings.Contains(account, why) {
		t.Polling = strings.TrimSpace(strings.Replace(t.Polling, why, "", 1))
	}
}

// newLegacyTask describes the task that a call of 2025-11-25 became, while it
// runs.
func newLegacyTask(x playground.Exchange, r playground.Round, newest bool) *Task {
	polls := r.Polls
	r.Task, r.Polls = r.LegacyTask, 0
	t := newTask(x, r, newest)
	t.Heading = "The call became a task"
	if polls > 0 {
		t.Polling = "Polled " + text.Plural(polls, "time") + ". " + t.Polling
	}
	return t
}

// pollWords says how often the client polls and who decided that, or why it
// stopped.
func pollWords(r playground.Round) string {
	if why := narrate.StoppedPolling(r); why != "" {
		return why
	}
	every := text.Duration(r.Task.Every)
	switch r.Task.Named {
	case 0:
		return "The server named no poll interval. The client polls every " + every + "."
	case r.Task.Every:
		return "The server asks for a poll every " + every + "."
	}
	return fmt.Sprintf("The server names a poll interval of %s. The client polls every %s.",
		text.Duration(r.Task.Named), every)
}

// newRetrying describes a call that is retried automatically.
func newRetrying(f playground.Transcript) *Task {
	_, wait, _ := playground.NextRetry(f)
	return &Task{
		Heading:   "Nothing to answer. The call is retried automatically.",
		NextRetry: f.Last().Ended.Add(wait),
		Polling: fmt.Sprintf("Each wait is twice as long as the last. Retries stop after round %d.",
			playground.MaxRounds),
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
	if r.PollsStopped() != "" {
		return "The client stopped polling the task"
	}
	switch r.Task.Status {
	case "working":
		return "The task is running"
	case "input_required":
		if len(r.Unseen()) > 0 {
			return "Waiting for the server to take the answer"
		}
		return "The task asks for input"
	}
	return "Task status: " + text.Visible(r.Task.Status, 40)
}

// Stop is the button that ends the running work of an exchange.
type Stop struct {
	Path, Words string
	Back        string // as in Input
}

// newStop returns the button that ends a task, retries, or an open call of a
// legacy server, also while a question waits. It returns nil if nothing runs.
func newStop(x playground.Exchange, f playground.Transcript) *Stop {
	stop := &Stop{Path: "/x/" + x.ID + "/cancel"}
	switch last := f.Last(); {
	case f.Task() != nil && f.Status != playground.StatusFailed:
		stop.Words = "Cancel the task"
	case last.Kind == playground.OutcomeRetry && f.Status == playground.StatusRunning:
		stop.Words = "Stop retrying"
	case last.Legacy && (f.Status == playground.StatusWaiting ||
		f.Status == playground.StatusRunning && last.LegacyTask != nil):
		stop.Words = "Cancel the call"
	default:
		return nil
	}
	return stop
}

// eraNote explains the limits of a legacy server. It is empty for a modern one.
func eraNote(f playground.Transcript) string {
	last := f.Last()
	if last == nil || !last.Legacy {
		return ""
	}
	switch {
	case last.LegacyTask != nil:
		return "This call uses a revision before 2026-07-28. It became a task of that revision. " +
			"The client polls it, and the server asks in requests of its own."
	case last.OnLine():
		return "This call uses a revision before 2026-07-28. " +
			"It stays open in one process while the server asks. " +
			"If the process ends, the answers sent so far are lost."
	case !last.Session && len(last.AllMessages()) > 0:
		return "This call uses a revision before 2026-07-28. " +
			"The server named no session id (it is stateless). " +
			"The call stays open on one connection until its response arrives."
	}
	return "This call uses a revision before 2026-07-28. " +
		"It stays open on one connection while the server asks. " +
		"If that connection is lost, so are the answers sent so far."
}
