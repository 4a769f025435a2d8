package engine

import (
	"context"
	"slices"
	"time"
)

// keepAlive renews the replica until it leaves.
func (r *Replica) keepAlive() {
	tick := time.NewTicker(r.life / 4)
	defer tick.Stop()
	swept := time.Now()
	for {
		select {
		case <-tick.C:
		case <-r.ctx.Done():
			return
		}
		if err := r.renew(r.ctx); err != nil {
			if r.ctx.Err() == nil {
				r.server.logger.Warn("renew leases", "err", err)
			}
			continue
		}
		if time.Since(swept) >= sweepEvery && r.standing().settled {
			swept = time.Now()
			if err := r.sweep(r.ctx); err != nil {
				r.server.logger.Warn("delete leases of ended processes", "err", err)
			}
		}
	}
}

// renew extends the leases of the replica by its life.
func (r *Replica) renew(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, r.life/2)
	defer stop()
	begun, asked := time.Now(), r.now() // the time in the database is later
	var there time.Time
	err := r.beat.QueryRowContext(ctx,
		`INSERT INTO replica (id, expires) VALUES (?, clock_timestamp() + make_interval(secs => ?))
		 ON CONFLICT (id) DO UPDATE SET expires = excluded.expires
		 RETURNING clock_timestamp()`, r.id, r.life.Seconds()).Scan(&there)
	if err != nil {
		return Failed("renew", late(ctx, err))
	}
	took := time.Since(begun)
	r.mu.Lock()
	r.ahead = nearer(r.ahead, there.Sub(asked)-took/2, took/2)
	first, gap := r.until.IsZero(), !begun.Before(r.until)
	if gap {
		r.since = begun
	}
	r.until = begun.Add(r.life)
	close(r.renewed)
	r.renewed = make(chan struct{})
	f := r.late
	r.mu.Unlock()
	if gap && !first && f != nil {
		r.wg.Go(func() { f(r.ctx) })
	}
	return nil
}

// nearer returns how far a clock is ahead, if it was thought to be ahead by before and
// is now seen to be ahead by seen, give or take some: the value nearest to before.
func nearer(before, seen, some time.Duration) time.Duration {
	return min(max(before, seen-some), seen+some)
}

// sweep deletes the rows of ended replicas and their leases, old letters, and what the
// schema says.
func (r *Replica) sweep(ctx context.Context) error {
	for _, old := range []struct {
		statement string
		age       time.Duration
	}{
		{`DELETE FROM replica WHERE expires < clock_timestamp() - make_interval(secs => ?)`, forgetTime},
		{`DELETE FROM letter WHERE created < clock_timestamp() - make_interval(secs => ?)`, 2 * askTime},
	} {
		if _, err := r.server.write.ExecContext(ctx, old.statement, old.age.Seconds()); err != nil {
			return Failed("sweep", err)
		}
	}
	for _, statement := range append(slices.Clone(r.server.schema.Sweep),
		`DELETE FROM lease l WHERE NOT EXISTS (SELECT 1 FROM replica r WHERE r.id = l.holder)`) {
		if _, err := r.server.write.ExecContext(ctx, statement); err != nil {
			return Failed("sweep", err)
		}
	}
	return nil
}
