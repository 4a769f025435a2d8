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
		return []string{"The client makes the call. The server may answer at once, or ask for what is " +
			"missing."}
	}
	lines := []string{"The same call as before: the request alone must be enough, whichever instance " +
		"handles it."}
	if sent, was := r.Sent.Get("id").Raw(), before.Sent.Get("id").Raw(); !bytes.Equal(sent, was) {
		lines = append(lines, "A new id, because this is a new request.")
	}
	if r.Decision.Action == playground.ActionResend {
		return append(lines, "Sent again, because the last attempt got no response.")
	}
	for _, a := range r.Decision.Answers {
		lines = append(lines, fmt.Sprintf("An answer to %s: %s", Key(a.Key),
			text.Visible(string(a.Value), 200)))
	}
	return append(lines, stateReason(r, before))
}

func stateReason(r playground.Round, before *playground.Round) string {
	sent := r.Sent.At("params", "requestState").Raw()
	switch {
	case before.State == nil && sent == nil:
		return "No requestState, because the server sent none."
	case bytes.Equal(sent, before.State):
		return fmt.Sprintf("The requestState goes back exactly as it came (%s). It belongs to the "+
			"server; a client never opens it.",
			text.Size(len(before.StateText())))
	}
	return "The requestState is not what the server sent: it was changed on purpose."
}
