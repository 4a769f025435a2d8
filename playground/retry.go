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

// NextRetry returns the retry that the client sends automatically, and how long
// to wait before it. It returns false if there is none. The delay doubles with
// each retry in a row.
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
