package narrate

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Account says in one sentence what happened in a Round and why, made from its
// data. server is what to call the server.
func Account(r playground.Round, server string) string {
	if text := accountOf(r, server); text != "" {
		return text
	}
	return "Round " + fmt.Sprint(r.N) + " gave no result. " + r.Detail
}

func accountOf(r playground.Round, server string) string {
	switch {
	case r.Legacy:
		return olderAccount(r, server)
	case r.Task != nil:
		return taskAccount(r, server)
	}
	switch r.Kind {
	case playground.OutcomePending:
		return fmt.Sprintf("The request is on its way to %s.", server)
	case playground.OutcomeInputRequired:
		return askedAccount(r, server)
	case playground.OutcomeRetry:
		return fmt.Sprintf("%s gave up this attempt and handed back its requestState: the same call can be sent again at once, and any instance goes on from there.", server)
	case playground.OutcomeComplete:
		return completeAccount(r, server)
	case playground.OutcomeInterrupted:
		return "This program stopped while the request was under way. Whether the server saw it cannot be known; it can be sent again."
	case playground.OutcomeCancelled:
		return "You closed the connection before the answer came."
	}
	return ""
}

func askedAccount(r playground.Round, server string) string {
	s := fmt.Sprintf("%s needs %s and ended the request with input_required", server, wanted(r))
	if r.State == nil {
		return s + ". It keeps nothing and sent no requestState: the same call with your " + plural("answer", len(r.Questions)) + " will say all it needs."
	}
	return s + ". It keeps nothing: what it must remember travels with you, as requestState."
}

func plural(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// wanted is how much is asked, and by which keys.
func wanted(r playground.Round) string {
	what := "one more thing"
	if len(r.Questions) > 1 {
		what = fmt.Sprintf("%d more things", len(r.Questions))
	}
	keys := make([]string, len(r.Questions))
	for i, q := range r.Questions {
		keys[i] = q.Label()
	}
	return what + " (" + strings.Join(keys, ", ") + ")"
}

func completeAccount(r playground.Round, server string) string {
	if r.IsError {
		return fmt.Sprintf("%s finished the call, and the tool reports an error.", server)
	}
	if r.N == 1 {
		return fmt.Sprintf("%s needed nothing more and finished at once.", server)
	}
	if r.Instance != "" {
		server += ", instance " + r.Instance + ","
	}
	return fmt.Sprintf("%s had everything it needed in the request itself, and finished the call.", server)
}

// taskAccount tells of work that outlives its call.
func taskAccount(r playground.Round, server string) string {
	switch r.Kind {
	case playground.OutcomePending:
		return fmt.Sprintf("%s is on its way to %s.", r.Method, server)
	case playground.OutcomeTask:
		return fmt.Sprintf("%s ended the call at once and goes on with the work as a task; from now on the client asks how it stands.", server)
	case playground.OutcomeTaskStatus:
		return fmt.Sprintf("The task is %s. The client asks %s again after a while; nothing is held open meanwhile.", strings.ReplaceAll(r.Task.Status, "_", " "), server)
	case playground.OutcomeInputRequired:
		return fmt.Sprintf("The task needs %s before it can go on. The answer goes to the task, not to the call that began it.", wanted(r))
	case playground.OutcomeAck:
		return ackAccount(r, server)
	case playground.OutcomeComplete:
		if r.IsError {
			return "The task is completed, and the tool reports an error."
		}
		return "The task is completed and carries the result of the call."
	case playground.OutcomeCancelled:
		if r.Result == nil {
			return "You closed the connection before the answer came; the task goes on without us."
		}
		return fmt.Sprintf("The task is cancelled: %s stopped the work.", server)
	case playground.OutcomeInterrupted:
		return "This program stopped while it followed the task. The task lives at its server, so it can be asked for again."
	}
	return ""
}

func ackAccount(r playground.Round, server string) string {
	if r.Method == playground.TasksCancel {
		return fmt.Sprintf("%s was asked to cancel the task. It may finish all the same; the next answer will tell.", server)
	}
	return fmt.Sprintf("%s took the answers; what comes of them is asked for with the next poll.", server)
}

// olderAccount tells of a call that a server from before 2026-07-28 holds open.
func olderAccount(r playground.Round, server string) string {
	switch r.Kind {
	case playground.OutcomePending:
		if r.Lost != "" {
			return r.Lost + " The call still waits where it was made."
		}
		return fmt.Sprintf("The call is open at %s.", server)
	case playground.OutcomeInputRequired:
		return fmt.Sprintf("%s asks by a request of its own while the call stays open, so the answer must reach the very machine that holds it.", server)
	case playground.OutcomeComplete:
		return olderComplete(r, server)
	case playground.OutcomeInterrupted:
		return "This program stopped while the call was open. The server kept the call in memory, tied to that connection: the answers given so far are lost, and it has to be started from the beginning."
	case playground.OutcomeCancelled:
		return "You cancelled the call; its connection was closed and the server was told."
	}
	return ""
}

func olderComplete(r playground.Round, server string) string {
	end := fmt.Sprintf("%s finished the call on the connection it had held open.", server)
	if r.IsError {
		end = fmt.Sprintf("%s ended the call, and the tool reports an error.", server)
	}
	if r.Lost != "" {
		return r.Lost + " " + end
	}
	return end
}
