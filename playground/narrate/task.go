package narrate

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// task describes work that outlives its call.
func (s narrator) task() string {
	switch s.r.Kind {
	case playground.OutcomePending:
		return fmt.Sprintf("The request %s is on its way to %s.", text.Visible(s.r.Method, 40), s.name)
	case playground.OutcomeTask:
		return s.server() + " answered the call with a task. From now on the client polls for its status."
	case playground.OutcomeTaskStatus:
		return s.taskStatus()
	case playground.OutcomeInputRequired:
		return s.askedAgain() + fmt.Sprintf("The task needs %s. Your %s to the task, not to the call that "+
			"created it.", s.needs(), s.goes())
	case playground.OutcomeAck:
		return s.acknowledged()
	case playground.OutcomeComplete:
		if s.r.IsError {
			return "The task is completed, and the tool reports an error."
		}
		return "The task is completed and carries the result of the call."
	case playground.OutcomeCancelled:
		if s.r.Result == nil {
			return "You closed the connection before the response arrived. The task continues at the server."
		}
		return "The task has the status cancelled."
	case playground.OutcomeInterrupted:
		if why := StoppedPolling(s.r); why != "" {
			return why
		}
		return "The playground stopped while it followed the task. The task lives at its server, so it " +
			"can be polled again."
	}
	return s.failed()
}

// taskStatus describes a poll after which the client polls again, or stops.
func (s narrator) taskStatus() string {
	status := "The task has the status " + text.Visible(s.r.Task.Status, 40) + "."
	if unseen := s.r.Unseen(); len(unseen) > 0 {
		status = fmt.Sprintf("The task still asks for %s. Its answer was received, so the client waits for "+
			"the server to take it.", Names(unseen))
	}
	if why := StoppedPolling(s.r); why != "" {
		return status + " " + why
	}
	return status + " The client polls again; no connection stays open in between."
}

// StoppedPolling returns a sentence on why the client stopped polling the task
// of a Round, or "" if it did not.
func StoppedPolling(r playground.Round) string {
	switch r.PollsStopped() {
	case playground.StoppedExpired:
		return "The task's time to live is over, so the client stopped polling."
	case playground.StoppedCancelled:
		return "You cancelled the task, and it still runs at the server, so the client stopped polling."
	case playground.StoppedMany:
		return "The client stopped polling, because it has polled as often as its limit allows."
	case playground.StoppedFull:
		return "The client stopped polling, because the recording of this session has reached its size " +
			"limit. A new call has room of its own."
	case playground.StoppedUnwatched:
		return "The client stopped polling, because this page was not open for a while."
	case playground.StoppedImported:
		return "The recording came from a file and ends here, so the client does not poll."
	}
	return ""
}

// Repeats returns in words how often a poll was answered the same in a row, or
// "" if it was not counted.
func Repeats(t playground.Trip) string {
	if t.Repeats == 0 {
		return ""
	}
	return fmt.Sprintf("Asked %d times with the same answer, last at %s.", t.Repeats+1,
		t.Until().UTC().Format("15:04:05 UTC"))
}

// askedAgain is what is odd about the questions of a task, as a sentence before
// the others. It is empty if none was answered before.
func (s narrator) askedAgain() string {
	for _, q := range s.r.Questions {
		switch q.Again {
		case playground.AgainAsked:
			return "The task asks again for " + Key(q.Key) + ", which was answered before. "
		case playground.AgainUnseen:
			return "The task still asks for " + Key(q.Key) +
				", although its answer was received many polls ago. "
		}
	}
	return ""
}

func (s narrator) goes() string {
	if len(s.r.Questions) == 1 {
		return "answer goes"
	}
	return "answers go"
}

func (s narrator) acknowledged() string {
	if s.r.Method == playground.TasksCancel {
		return s.server() + " was asked to cancel the task. It may finish anyway; the next poll will tell."
	}
	return s.server() + " acknowledged the answers. The next poll shows what comes of them."
}
