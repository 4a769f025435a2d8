package check

import (
	"context"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

// GoneError is the cause if the server responds to nothing any more.
type GoneError struct{ Experiment lab.Experiment }

func (e *GoneError) Error() string {
	return fmt.Sprintf("the server responds to nothing any more since the experiment %q", e.Experiment.Title)
}

// tryAgain makes an experiment again that the server sent no response to, once it has
// responded to right requests up to Round n. The error is a *GoneError if it doesn't.
func (c *checker) tryAgain(ctx context.Context, from playground.Round, e lab.Experiment, m lab.Material,
	n int) (lost bool, err error) {
	if err := c.awaitServer(ctx, e, n); err != nil {
		return false, err
	}
	x, err := c.attempt(ctx, from, e, m)
	if err != nil || !lab.Lost(x) {
		return false, err
	}
	if lab.Hung(x) {
		c.patience = c.shortPatience()
	}
	return true, c.awaitServer(ctx, e, n)
}

// restarts are the pauses in which a server that has died may be started again.
var restarts = []time.Duration{0, time.Second, 2 * time.Second, 4 * time.Second}

// awaitServer makes the right call up to Round n until the server responds.
func (c *checker) awaitServer(ctx context.Context, e lab.Experiment, n int) error {
	for _, pause := range restarts {
		if err := c.cfg.Wait(ctx, pause); err != nil {
			return err
		}
		if err := c.repeat(ctx, n); err != nil {
			return err
		}
		if r := c.exchanges[len(c.exchanges)-1].Fold().Last(); r != nil &&
			r.Kind != playground.OutcomeTransportError {
			return nil
		}
	}
	return &GoneError{e}
}

// Bounds of the time that a server may take for an experiment once it is known to hang:
// the slowest right answer times ten, but at least a few seconds.
const (
	leastPatience = 3 * time.Second
	timesSlower   = 10
)

// shortPatience returns how long to wait for responses of a server that hangs.
func (c *checker) shortPatience() time.Duration {
	patience := leastPatience
	for _, r := range c.exchanges[0].Fold().Rounds {
		patience = max(patience, timesSlower*r.Ended.Sub(r.Began))
	}
	if limit := c.plan.Call.Wait; limit > 0 {
		return min(patience, limit)
	}
	return patience
}
