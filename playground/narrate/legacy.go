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
		if lost != "" {
			return lost + "The call has no response yet."
		}
		if task := s.r.LegacyTask; task != nil {
			return fmt.Sprintf("The call became a task with the status %s. The client polls it with "+
				"tasks/get and fetches its result with tasks/result.", text.Visible(task.Status, 40))
		}
		return "The call is open at " + s.name + "."
	case playground.OutcomeInputRequired:
		return s.legacyAsks()
	case playground.OutcomeComplete:
		return lost + s.legacyComplete()
	case playground.OutcomeInterrupted:
		if s.r.LegacyTask != nil {
			return "The playground stopped while it polled the task. It does not resume tasks of earlier " +
				"revisions, so the call must start again."
		}
		return "The playground stopped while the call was open. The call was tied to that connection, " +
			"so the answers so far are lost and it must start again."
	case playground.OutcomeCancelled:
		return s.legacyCancelled()
	}
	return lost + s.failed()
}

// legacyAsks describes a question in a request of the server.
func (s narrator) legacyAsks() string {
	asks := fmt.Sprintf("%s asks for %s in a request of its own while the call stays open", s.server(),
		Keys(s.r.Questions))
	switch {
	case s.r.LegacyTask != nil && !ofTask(s.r.Questions):
		asks = fmt.Sprintf("%s asks for %s in a request of its own while the task of the call goes on",
			s.server(), Keys(s.r.Questions))
	case s.r.LegacyTask != nil:
		asks = fmt.Sprintf("For the task that the call became, the server asks for %s in a request of "+
			"its own", Keys(s.r.Questions))
	case !s.sent(playground.IsCall):
		asks = fmt.Sprintf("%s asks for %s while the session opens, before the call was sent", s.server(),
			Keys(s.r.Questions))
		if s.r.N > 1 {
			asks = fmt.Sprintf("%s asks for %s in a request of its own", s.server(), Keys(s.r.Questions))
		}
	}
	switch {
	case s.sample:
		return asks + ", so the answer must reach the instance that holds it."
	case s.r.Session:
		return asks + ". The answer goes out in a request of its own with the session id."
	}
	return asks + ". The server named no session id, so only the id of its request ties the answer to it."
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

func (s narrator) legacyCancelled() string {
	switch {
	case s.sent(func(m string) bool { return m == playground.TasksCancel }):
		return "You cancelled the call, and the client asked the server to cancel its task."
	case s.sent(func(m string) bool { return m == "notifications/cancelled" }):
		return "You cancelled the call. Its connection was closed and the server was notified."
	case s.r.Result != nil:
		return "The task has the status cancelled."
	}
	return "You cancelled the call. Its connection was closed."
}

func (s narrator) legacyComplete() string {
	if s.r.IsError {
		return s.server() + " ended the call, and the tool reports an error."
	}
	if refused := refusedKeys(s.r.Decision.Answers); refused != "" {
		return "You refused, and " + s.server() + " ended the call."
	}
	if s.r.LegacyTask != nil {
		return "The task ended, and its result is that of the call."
	}
	return s.server() + " finished the call."
}
