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
		return f.taskStatus()
	case OutcomeInputRequired:
		return f.openStatus()
	case OutcomeRetry:
		if last.retries() && last.N < MaxRounds {
			return StatusRunning
		}
		return f.openStatus()
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

// openStatus returns the status of an Exchange that waits for an answer. MaxRounds
// does not hold for foreign clients.
func (f Transcript) openStatus() Status {
	if f.Last().N >= MaxRounds && !f.Foreign() {
		return StatusCapped
	}
	return StatusWaiting
}

// taskStatus stops a server that changes the status of a task for ever. Polls
// that say the same are one Round, however many they are. A task whose polls
// stopped waits for the user.
func (f Transcript) taskStatus() Status {
	r := f.Last()
	switch {
	case r.Kind == OutcomeTaskStatus && r.N > MaxRounds && !f.Foreign():
		return StatusCapped
	case r.PollsStopped() != "":
		return StatusWaiting
	}
	return StatusRunning
}

// Foreign reports whether the newest decision is that of a foreign client, which goes
// on by itself: nothing is sent for it.
func (f Transcript) Foreign() bool {
	for i := len(f.Rounds) - 1; i >= 0; i-- {
		if d := f.Rounds[i].Decision; d.Action != "" {
			return d.By == ByClient
		}
	}
	return false
}

// lastAnswers are the answers that the last Round brought. Of a task they were
// sent by tasks/update, and their result was polled for.
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
	if f.Foreign() {
		return last.Kind == OutcomePending
	}
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
