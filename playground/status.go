package playground

import "github.com/mrtr-playground/mrtr-playground/playground/jsontree"

// status returns the status of an Exchange after its last Round.
func status(f Transcript, refused bool) Status {
	last := f.Last()
	switch {
	case last == nil:
		return StatusReady
	case refused:
		return StatusDeclined
	}
	switch last.Kind {
	case OutcomePending:
		return StatusRunning
	case OutcomeTask, OutcomeAck, OutcomeTaskStatus:
		return taskStatus(*last)
	case OutcomeInputRequired:
		return openStatus(last.N)
	case OutcomeRetry:
		if last.retries() && last.N < MaxRounds {
			return StatusRunning
		}
		return openStatus(last.N)
	case OutcomeComplete:
		return completeStatus(f.lastAnswers())
	case OutcomeCancelled:
		return StatusCancelled
	case OutcomeInterrupted:
		if last.PollsStopped() != "" {
			return StatusWaiting
		}
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

// taskStatus stops a server that changes the status of a task for ever. Polls
// that say the same are one Round, however many they are. A task whose polls
// stopped waits for the user.
func taskStatus(r Round) Status {
	switch {
	case r.Kind == OutcomeTaskStatus && r.N > MaxRounds:
		return StatusCapped
	case r.PollsStopped() != "":
		return StatusWaiting
	}
	return StatusRunning
}

// lastAnswers are the answers that the last Round brought. Of a task they were
// sent by tasks/update, and what came of them was polled for.
func (f Transcript) lastAnswers() []Answer {
	for i := len(f.Rounds) - 1; i >= 0; i-- {
		r := f.Rounds[i]
		if r.Method == TasksUpdate || i == len(f.Rounds)-1 && !r.polled() {
			return r.Decision.Answers
		}
		if !isTask(r.Method) {
			break
		}
	}
	return nil
}

// completeStatus returns the status of a call that is complete: declined or
// cancelled if an answer was, where declined wins.
func completeStatus(answers []Answer) Status {
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

// Held reports whether a process has something of the Exchange that a restart
// interrupts. A question of a modern server is not: that is the point of it.
func (f Transcript) Held() bool {
	last := f.Last()
	return f.Status == StatusRunning || f.Status == StatusWaiting && last.Legacy
}

// Action returns the elicitation action of the answer: accept, decline or
// cancel, or "" if it has none.
func (r Answer) Action() string {
	if r.Error != nil {
		return "decline"
	}
	node, err := jsontree.Parse(r.Value, jsontree.Limits{})
	if err != nil {
		return ""
	}
	return node.Get("action").Str()
}
