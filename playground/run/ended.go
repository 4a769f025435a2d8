package run

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Ended is a Round whose outcome was just stored.
type Ended struct {
	Round  playground.Round
	Target playground.Target
	// Took is the time from the decision, or from the request of a poll, until the
	// outcome was stored. Of an interrupted Round it includes the time in which the
	// program did not run.
	Took time.Duration
}

// reportEnded passes on the Rounds of an exchange that have ended since its
// transcript was before. A poll that repeats an earlier one ends no Round.
func (a *actor) reportEnded(before playground.Transcript) {
	c, isCall := a.subject.(call)
	if a.r.cfg.Ended == nil || !isCall {
		return
	}
	for i, r := range a.state.transcript.Rounds {
		known := i < len(before.Rounds) && before.Rounds[i].Kind != playground.OutcomePending
		if known || r.Kind == playground.OutcomePending {
			continue
		}
		began := r.Began
		if !r.Decided.IsZero() {
			began = r.Decided
		}
		took := max(a.r.cfg.Now().Sub(began), 0)
		a.r.cfg.Ended(Ended{Round: r, Target: c.x.Target, Took: took})
	}
}

// Running returns how many logs something is done with, and how many polls of
// foreign servers are open.
func (r *Runner) Running() (logs, polls int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	polls, _ = r.polls.Count()
	return len(r.live), polls
}
