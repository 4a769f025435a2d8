package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
)

// sweepEvery is how often the sweeper goes through the database.
const sweepEvery = 10 * time.Minute

// sweeper deletes what nobody can or will use any more: links whose time is
// over, which nobody can open already, and workspaces that were left alone.
type sweeper struct {
	store  *db.Store
	now    func() time.Time
	idle   time.Duration // of a workspace; 0 keeps all of them for ever
	logger *slog.Logger
}

// run sweeps at once and then every few minutes until ctx ends.
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
	if err := s.store.DeleteExpiredShares(ctx, s.now()); err != nil || s.idle == 0 {
		return err
	}
	n, err := s.store.DeleteIdleWorkspaces(ctx, s.now().Add(-s.idle))
	if n > 0 {
		s.logger.Info("deleted idle workspaces", "count", n)
	}
	return err
}
