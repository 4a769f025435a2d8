package playground

import "time"

// Back-off of retries that the client sends by itself.
const (
	firstRetry = time.Second
	maxRetry   = 30 * time.Second
)

// retries reports whether the client sends the Round's retry by itself.
func (r Round) retries() bool {
	return r.Kind == OutcomeRetry && r.Decision.Action == ActionRetry && r.Decision.Auto && !r.Paused
}

// NextRetry is the retry that the client sends by itself, and how long it waits
// before; false when there is none. Each one in a row waits twice as long as the
// one before: a server that sheds load is not helped by haste.
func NextRetry(f Transcript) (Decision, time.Duration, bool) {
	if f.Status != StatusRunning || !f.Last().retries() {
		return Decision{}, 0, false
	}
	wait := firstRetry
	for i := len(f.Rounds) - 2; i >= 0 && f.Rounds[i].retries() && wait < maxRetry; i-- {
		wait *= 2
	}
	return Decision{Action: ActionRetry, Round: f.Last().N + 1, Auto: true}, min(wait, maxRetry), true
}
