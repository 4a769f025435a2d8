package narrate

import (
	"bytes"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Reasons returns sentences that explain the request of a Round
// (basic/patterns/mrtr, client requirements 1 to 4). before is the Round before
// it, or nil.
func Reasons(r playground.Round, before *playground.Round) []string {
	switch {
	case len(r.Request.Head) == 0:
		return []string{"Nothing was sent."}
	case before == nil:
		return []string{"The client makes the call. " +
			"The server may answer at once, or ask for what is missing."}
	}
	if line := otherRequest(r); line != "" {
		return []string{line}
	}
	lines := []string{
		"The same call as before: the request alone must be enough, whichever instance handles it."}
	if sent, was := r.Sent.Get("id").Raw(), before.Sent.Get("id").Raw(); !bytes.Equal(sent, was) {
		lines = append(lines, "A new id, because this is a new request.")
	}
	if r.Decision.Action == playground.ActionResend {
		return append(lines,
			"Sent again on your request. The last attempt ended with: "+Response(*before)+".")
	}
	for _, a := range r.Decision.Answers {
		lines = append(lines, fmt.Sprintf("An answer to %s: %s", Key(a.Key),
			text.Visible(string(a.Value), 200)))
	}
	return append(lines, stateReason(r, before))
}

// otherRequest explains a request that is not the call, or returns "".
func otherRequest(r playground.Round) string {
	switch {
	case r.Legacy && !playground.IsCall(r.Method):
		return "The call stays open. " +
			"The answer goes out in a request of its own, with the id of the server's question."
	case r.Legacy:
		return "The call is made again, in a new session."
	case r.Method == playground.TasksGet:
		return "The client asks for the status of the task."
	case r.Method == playground.TasksUpdate:
		return "The answers go to the task, under the keys of its questions. A task has no requestState."
	case r.Method == playground.TasksCancel:
		return "You asked to cancel the task. The server may finish it anyway."
	}
	return ""
}

func stateReason(r playground.Round, before *playground.Round) string {
	sent := r.Sent.At("params", "requestState").Raw()
	switch {
	case before.State == nil && sent == nil:
		return "No requestState, because the server sent none."
	case bytes.Equal(sent, before.State) && text.HasMask(sent):
		return "The requestState goes back. " +
			"It is masked in this recording, so whether it was changed cannot be seen."
	case bytes.Equal(sent, before.State):
		return fmt.Sprintf("The requestState goes back exactly as it came (%s). "+
			"It belongs to the server; a client never opens it.",
			text.Size(len(before.StateText())))
	}
	return "The requestState is not what the server sent: it was changed on purpose."
}
