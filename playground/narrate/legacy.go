package narrate

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// legacy describes a call that a legacy server holds open.
func (s narrator) legacy() string {
	lost := ""
	if s.r.Lost != "" {
		lost = text.Visible(s.r.Lost, 400) + " "
	}
	switch s.r.Kind {
	case playground.OutcomePending:
		return lost + s.legacyPending()
	case playground.OutcomeInputRequired:
		return s.legacyAsks() + s.refused()
	case playground.OutcomeComplete:
		return lost + s.legacyComplete()
	case playground.OutcomeInterrupted:
		return s.legacyInterrupted()
	case playground.OutcomeCancelled:
		return s.legacyCancelled()
	}
	return lost + s.failed()
}

func (s narrator) legacyPending() string {
	task := s.r.LegacyTask
	switch {
	case s.r.Lost != "":
		return fmt.Sprintf("The call %s no response yet.", s.verb("has", "had"))
	case task != nil && s.past:
		return "The call became a task with the status " + text.Visible(task.Status, 40) + "."
	case task != nil:
		return fmt.Sprintf("The call became a task with the status %s. "+
			"The client polls it with tasks/get and fetches its result with tasks/result.",
			text.Visible(task.Status, 40))
	case s.reader:
		return "The call was open at " + s.name + " when the recording was made."
	}
	return fmt.Sprintf("The call %s open at %s.", s.verb("is", "was"), s.name)
}

func (s narrator) legacyInterrupted() string {
	words := "The playground stopped while the call was open."
	tied := "connection"
	if s.r.OnLine() {
		tied = "process"
	}
	why := " The call was tied to its " + tied +
		", so the answers so far are lost and it must start again."
	if s.r.LegacyTask != nil {
		words = "The playground stopped while it polled the task."
		why = " It does not resume tasks of earlier revisions, so the call must start again."
	}
	if s.reader || s.next != nil {
		return words
	}
	return words + why
}

// legacyAsks describes a question in a request of the server.
func (s narrator) legacyAsks() string {
	verb, keys := s.verb("asks", "asked"), Keys(s.r.Questions)
	asks := fmt.Sprintf("%s %s for %s in a request of its own while the call %s open", s.server(), verb,
		keys, s.verb("stays", "stayed"))
	switch {
	case s.r.LegacyTask != nil && !ofTask(s.r.Questions):
		asks = fmt.Sprintf("%s %s for %s in a request of its own while the task of the call %s on",
			s.server(), verb, keys, s.verb("goes", "went"))
	case s.r.LegacyTask != nil:
		asks = fmt.Sprintf("For the task that the call became, the server %s for %s in a request of its own",
			verb, keys)
	case !s.sent(playground.IsCall):
		asks = fmt.Sprintf("%s %s for %s while the session %s, before the call was sent", s.server(), verb,
			keys, s.verb("opens", "opened"))
		if s.r.N > 1 {
			asks = fmt.Sprintf("%s %s for %s in a request of its own", s.server(), verb, keys)
		}
	}
	switch {
	case s.sample:
		return asks + fmt.Sprintf(", so the answer %s reach the instance that %s it.",
			s.verb("must", "had to"), s.verb("holds", "held"))
	case s.r.OnLine():
		return asks + "." + s.then("The answer goes out to the same process, which holds the call.",
			"The answer went out to the same process, which held the call.")
	case s.r.Session:
		return asks + "." + s.then("The answer goes out in a request of its own with the session id.",
			"The answer went out in a request of its own with the session id.")
	}
	return asks + fmt.Sprintf(". The server named no session id, so only the id of its request %s the "+
		"answer to it.", s.verb("ties", "tied"))
}

// ofTask reports whether the questions say that they belong to a task
// (2025-11-25, basic/utilities/tasks, "Related Task Metadata").
func ofTask(questions []playground.Question) bool {
	return !slices.ContainsFunc(questions, func(q playground.Question) bool {
		return q.Params.At("_meta", "io.modelcontextprotocol/related-task") == nil
	})
}

// sent reports whether the Round sent a request with such a method.
func (s narrator) sent(is func(method string) bool) bool {
	for _, t := range append(s.r.Others[:len(s.r.Others):len(s.r.Others)], s.r.Trip) {
		if len(t.Request.Head) > 0 && is(t.Method) {
			return true
		}
	}
	return false
}

// legacyCancelled says that a call was cancelled, and by whom. One that lost an
// answer is cancelled by a demo too, so nothing is said of who did it.
func (s narrator) legacyCancelled() string {
	cancelled := s.user() + " cancelled the call"
	if s.r.Lost != "" {
		cancelled = "The call was cancelled"
	}
	switch {
	case s.sent(func(m string) bool { return m == playground.TasksCancel }):
		return cancelled + ", and the client asked the server to cancel its task."
	case s.sent(func(m string) bool { return m == playground.CancelledNotified }):
		return cancelled + ". Its connection was closed and the server was notified."
	case s.r.Result != nil:
		return "The task has the status cancelled."
	}
	return cancelled + ". Its connection was closed."
}

func (s narrator) legacyComplete() string {
	if refused := refusedKeys(s.r.Decision.Answers); refused != "" {
		return fmt.Sprintf("%s %s, and %s ended the call.", s.user(), refused, s.server())
	}
	if s.r.IsError {
		return s.server() + " ended the call with an error of the tool."
	}
	if s.r.LegacyTask != nil {
		return "The task ended, and its result is that of the call."
	}
	return s.server() + " finished the call."
}
