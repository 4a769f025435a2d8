package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/web/agent"
)

// sweepEvery is how often the sweeper runs.
const sweepEvery = 10 * time.Minute

// sweeper deletes expired links and states of the workbench, and ended
// talks, which cannot be opened any more, the counts of addresses on earlier
// days, idle workspaces, and the data of guests.
type sweeper struct {
	store  *db.Store
	now    func() time.Time
	idle   time.Duration // age at which a workspace is deleted; 0 for never
	logger *slog.Logger
}

// run sweeps now and every sweepEvery until ctx ends.
func (s sweeper) run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
			s.logger.Warn("sweep", "err", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

func (s sweeper) sweep(ctx context.Context) error {
	err := errors.Join(
		s.store.DeleteExpiredShares(ctx, s.now()), s.store.DeleteDays(ctx, usage.Day(s.now())),
		s.store.DeleteExpiredWorkbenches(ctx, s.now()), s.store.DeleteEndedTalks(ctx, s.now()),
		s.store.DeleteExpiredAgentTokens(ctx, s.now()),
	)
	if err != nil || s.idle == 0 {
		return err
	}
	guests, err := s.store.DeleteGuests(ctx, agent.GuestPrefix, s.now().Add(-agent.GuestIdle))
	n, idleErr := s.store.DeleteIdleWorkspaces(ctx, s.now().Add(-s.idle))
	if n+guests > 0 {
		s.logger.Info("deleted idle workspaces", "count", n, "guests", guests)
	}
	return errors.Join(err, idleErr)
}
