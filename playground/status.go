package playground

import "github.com/mrtr-playground/mrtr-playground/playground/jsontree"

// status is where the Exchange stands after its last Round.
func status(f Folded, refused bool) Status {
	last := f.Last()
	switch {
	case last == nil:
		return StatusReady
	case refused:
		return StatusDeclined
	}
	switch last.Outcome {
	case OutcomePending, OutcomeTask, OutcomeTaskStatus, OutcomeAck:
		return StatusRunning
	case OutcomeInputRequired, OutcomeRetry:
		return openStatus(last.N)
	case OutcomeComplete:
		return completeStatus(last.Decision.Answers)
	case OutcomeCancelled:
		return StatusCancelled
	case OutcomeInterrupted:
		return StatusInterrupted
	}
	return StatusFailed
}

func openStatus(n int) Status {
	if n >= MaxRounds {
		return StatusCapped
	}
	return StatusWaiting
}

// completeStatus tells a call that ended because the user said no from one
// that was done. Decline is the stronger word.
func completeStatus(answers []Response) Status {
	s := StatusComplete
	for _, a := range answers {
		switch a.Action() {
		case "decline":
			return StatusDeclined
		case "cancel":
			s = StatusCancelled
		}
	}
	return s
}

// Action is the elicitation action of the answer: accept, decline or cancel;
// empty for answers that have none.
func (r Response) Action() string {
	node, err := jsontree.Parse(r.Value, jsontree.Limits{})
	if err != nil {
		return ""
	}
	return node.Get("action").Str()
}
