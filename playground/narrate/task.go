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
		return fmt.Sprintf("The request %s %s on its way to %s.", text.Visible(s.r.Method, 40),
			s.verb("is", "was"), s.name)
	case playground.OutcomeTask:
		if why := StoppedPolling(s.r); why != "" {
			return s.server() + " answered the call with a task. " + why
		}
		return s.server() + " answered the call with a task." +
			s.then("From now on the client polls for its status.",
				"From then on the client polled for its status.")
	case playground.OutcomeTaskStatus:
		return s.taskStatus()
	case playground.OutcomeInputRequired:
		return s.taskAsks() + s.refused()
	case playground.OutcomeAck:
		return s.acknowledged()
	case playground.OutcomeComplete:
		if s.r.IsError {
			return "The task is completed, and its result is an error of the tool."
		}
		return "The task is completed and carries the result of the call."
	case playground.OutcomeCancelled:
		if s.r.Result == nil {
			return s.gaveUp() + "The task may continue at the server."
		}
		return "The task has the status cancelled."
	case playground.OutcomeInterrupted:
		return s.taskInterrupted()
	}
	return s.failed()
}

// then returns the consequence of a Round, with a space before it: the present
// if it is the newest of a call that goes on, the past if a Round followed,
// else "".
func (s narrator) then(present, past string) string {
	switch {
	case !s.past:
		return " " + present
	case s.next != nil:
		return " " + past
	}
	return ""
}

func (s narrator) taskAsks() string {
	goes, went := "Your answer goes", "The answer went"
	if len(s.r.Questions) != 1 {
		goes, went = "Your answers go", "The answers went"
	}
	const to = " to the task, not to the call that created it."
	return s.askedAgain() + fmt.Sprintf("The task %s %s.", s.verb("needs", "needed"), s.needs()) +
		s.then(goes+to, went+to)
}

func (s narrator) taskInterrupted() string {
	if why := StoppedPolling(s.r); why != "" {
		return why
	}
	words := "The playground stopped while it followed the task."
	if s.reader || s.next != nil {
		return words
	}
	return words + " The task lives at its server, so it can be polled again."
}

// taskStatus describes a poll after which the client polls again, or stops.
func (s narrator) taskStatus() string {
	status := fmt.Sprintf("The task %s the status %s.", s.verb("has", "had"),
		text.Visible(s.r.Task.Status, 40))
	if s.r.Task.Status == "working" && !s.past && StoppedPolling(s.r) == "" {
		status = "Still working."
	}
	if unseen := s.r.Unseen(); len(unseen) > 0 {
		status = fmt.Sprintf("The task still %s for %s. "+
			"Its answer %s received, so the client %s for the server to take it.",
			s.verb("asks", "asked"), Names(unseen), s.verb("was", "had been"),
			s.verb("waits", "waited"))
	}
	if why := StoppedPolling(s.r); why != "" {
		return status + " " + why
	}
	return status + s.then("The client polls; no connection stays open.",
		"The client polled again; no connection stayed open in between.")
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
		return "The client stopped polling: the recording of this session has reached its size limit. " +
			"A new call has room of its own."
	case playground.StoppedInterval:
		return fmt.Sprintf("The server asks for %s between two polls. "+
			"This client does not wait that long, so it stopped polling.", text.Duration(r.Task.Named))
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

// askedAgain is the warning about the questions of a task, as a sentence before
// the others. It is empty if none was answered before.
func (s narrator) askedAgain() string {
	for _, q := range s.r.Questions {
		switch q.Again {
		case playground.AgainAsked:
			return fmt.Sprintf("The task %s again for %s, which was answered before. ",
				s.verb("asks", "asked"), Key(q.Key))
		case playground.AgainUnseen:
			return fmt.Sprintf(
				"The task still %s for %s, although its answer was received many polls earlier. ",
				s.verb("asks", "asked"), Key(q.Key))
		}
	}
	return ""
}

func (s narrator) acknowledged() string {
	why := StoppedPolling(s.r)
	if s.r.Method == playground.TasksCancel {
		if why != "" {
			return s.server() + " was asked to cancel the task. It may finish anyway. " + why
		}
		if s.past {
			return s.server() + " was asked to cancel the task."
		}
		return s.server() + " was asked to cancel the task. It may finish anyway; the next poll will tell."
	}
	if why != "" {
		return s.server() + " acknowledged the answers. " + why
	}
	if s.past {
		return s.server() + " acknowledged the answers."
	}
	return s.server() + " acknowledged the answers. The next poll shows what comes of them."
}
