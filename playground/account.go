package playground

import (
	"fmt"
	"strings"
)

// Account says in one sentence what happened in a Round and why, made from its
// data. server is what to call the server.
func Account(r Round, server string) string {
	switch r.Outcome {
	case OutcomePending:
		return fmt.Sprintf("The request is on its way to %s.", server)
	case OutcomeInputRequired:
		return askedAccount(r, server)
	case OutcomeRetry:
		return fmt.Sprintf("%s gave up this attempt and handed back its requestState: the same call can be sent again at once, and any copy goes on from there.", server)
	case OutcomeComplete:
		return completeAccount(r, server)
	case OutcomeInterrupted:
		return "This program stopped while the request was under way. Whether the server saw it cannot be known; it can be sent again."
	case OutcomeCancelled:
		return "You closed the connection before the answer came."
	case OutcomeTask:
		return fmt.Sprintf("%s went on with the work as a task.", server)
	}
	return "Round " + fmt.Sprint(r.N) + " gave no result. " + r.Detail
}

func askedAccount(r Round, server string) string {
	what := "one more thing"
	if len(r.Questions) > 1 {
		what = fmt.Sprintf("%d more things", len(r.Questions))
	}
	keys := make([]string, len(r.Questions))
	for i, q := range r.Questions {
		keys[i] = q.Key
	}
	s := fmt.Sprintf("%s needs %s (%s) and ended the request with input_required", server, what, strings.Join(keys, ", "))
	if r.State == nil {
		return s + "; it gave no requestState, because the same call will carry all it needs."
	}
	return s + "; what it must remember travels with you as requestState."
}

func completeAccount(r Round, server string) string {
	if r.IsError {
		return fmt.Sprintf("%s finished the call, and the tool reports an error.", server)
	}
	if r.N == 1 {
		return fmt.Sprintf("%s needed nothing more and finished at once.", server)
	}
	if r.Copy != "" {
		return fmt.Sprintf("Copy %s had everything it needed in the request itself, and finished the call.", r.Copy)
	}
	return fmt.Sprintf("%s had everything it needed in the request itself, and finished the call.", server)
}
