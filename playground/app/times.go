package app

import (
	"cmp"
	"time"
)

// Times limit the work behind a page. A zero field means that of DefaultTimes.
type Times struct {
	Rerun       time.Duration // of the Rounds before an experiment, together
	Experiment  time.Duration // until an experiment of a page is given up
	CheckAnswer time.Duration // that a check waits for one answer
	AgentRound  time.Duration // of call_tool for one round; a task may take longer
	// Gateway is how long a gateway may take to answer at all, GatewayCall to end a call of its test,
	// and Cancelled how long a cancellation may take to reach its upstream.
	Gateway, GatewayCall, Cancelled time.Duration
}

// DefaultTimes returns the times that hold unless others are configured.
func DefaultTimes() Times {
	return Times{
		Rerun:       10 * time.Second,
		Experiment:  10*time.Second + 2*MaxExpiryWait,
		CheckAnswer: 20 * time.Second,
		AgentRound:  2 * time.Minute,
		Gateway:     10 * time.Second,
		GatewayCall: 40 * time.Second,
		Cancelled:   5 * time.Second,
	}
}

func (t Times) orDefaults() Times {
	d := DefaultTimes()
	return Times{
		Rerun:       cmp.Or(t.Rerun, d.Rerun),
		Experiment:  cmp.Or(t.Experiment, d.Experiment),
		CheckAnswer: cmp.Or(t.CheckAnswer, d.CheckAnswer),
		AgentRound:  cmp.Or(t.AgentRound, d.AgentRound),
		Gateway:     cmp.Or(t.Gateway, d.Gateway),
		GatewayCall: cmp.Or(t.GatewayCall, d.GatewayCall),
		Cancelled:   cmp.Or(t.Cancelled, d.Cancelled),
	}
}

// Times of experiments that wait for a state to expire.
const (
	MaxExpiryWait = 10 * time.Second // for one that says when
	LateWait      = 2 * time.Second  // for one whose expiry is unknown
)
