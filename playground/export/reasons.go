package export

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// reasons say why the request of a Round looks as it does (basic/patterns/mrtr,
// client requirements 1 to 4).
func reasons(r playground.Round, before *playground.Round) []string {
	switch {
	case len(r.Request.Head) == 0:
		return []string{"Nothing was sent."}
	case before == nil:
		return []string{"The client makes the call. The server may answer at once, or ask for what is missing."}
	}
	lines := []string{"The same call as before, because the server kept nothing: it must be able to finish on any machine."}
	if sent, was := r.Sent.Get("id").Raw(), before.Sent.Get("id").Raw(); !bytes.Equal(sent, was) {
		lines = append(lines, "A new id, because this is a new request.")
	}
	if r.Decision.Action == playground.ActionResend {
		return append(lines, "Sent again, because the last try never got an answer.")
	}
	for _, a := range r.Decision.Answers {
		lines = append(lines, fmt.Sprintf("An answer to %s: %s", inline(a.Key), inline(string(a.Value))))
	}
	return append(lines, stateReason(r, before))
}

func stateReason(r playground.Round, before *playground.Round) string {
	sent := r.Sent.At("params", "requestState").Raw()
	switch {
	case before.State == nil && sent == nil:
		return "No requestState, because the server gave none."
	case bytes.Equal(sent, before.State):
		return fmt.Sprintf("The requestState goes back exactly as it came (%d bytes). It is the server's; a client never opens it.", len(before.StateText()))
	}
	return "The requestState is not what the server gave: somebody changed it on purpose."
}

// outcome is one sentence about how a Round ended.
func outcome(r playground.Round) string {
	who := "The server"
	if r.Instance != "" {
		who = "Instance " + inline(r.Instance)
	}
	took := ""
	if !r.Ended.IsZero() && r.Ended.After(r.Began) {
		took = fmt.Sprintf(" after %s", r.Took().Round(time.Millisecond))
	}
	switch r.Kind {
	case playground.OutcomePending:
		return "There is no answer yet."
	case playground.OutcomeComplete:
		if r.IsError {
			return who + " completes the call" + took + ", but the tool reports an error."
		}
		return who + " completes the call" + took + "."
	case playground.OutcomeInputRequired:
		return who + " needs something more" + took + "; " + handed(r) + "."
	case playground.OutcomeRetry:
		return who + " asks nothing but wants the call again" + took + "; " + handed(r) + "."
	case playground.OutcomeCancelled:
		return "You cancelled" + took + "."
	case playground.OutcomeInterrupted:
		return "The program stopped before an answer came; nobody knows whether the server saw the request."
	}
	return strings.TrimSpace(fmt.Sprintf("The round ends as %s%s. %s", inline(string(r.Kind)), took, inline(r.Detail)))
}

func handed(r playground.Round) string {
	if r.State == nil {
		return "it hands over no state"
	}
	return fmt.Sprintf("it hands over its state (%d bytes)", len(r.StateText()))
}
