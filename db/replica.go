package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

const (
	leaseTime  = 10 * time.Second // from a renewal until others may take what a replica holds
	slowPoll   = 2 * time.Second  // how often a replica looks for what a notification should have told
	forgetTime = time.Hour        // from the last renewal of a replica until its row is deleted
	sweepEvery = time.Minute
)

// ErrAlone is the error of Join for a database that serves one process.
var ErrAlone = errors.New("an SQLite database serves one process")

// Replica is this process as one of those that share a PostgreSQL database. What
// something is done with (a log, a check, the renewal of a token) is held by one
// of them, which is a row of the table lease. A holder is alive while it renews
// its row of the table replica; one that does not for 10 seconds has lost what it
// holds to the first that takes it. All of these times are the database's, so it
// does not matter if the clocks of the processes differ.
//
// Its methods may be called concurrently.
type Replica struct {
	store *Store
	id    string
	life  time.Duration // leaseTime
	bus   *bus
	beat  *sql.DB // a connection for renewals, which must not wait for others

	ctx  context.Context // of its goroutines
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu      sync.Mutex
	until   time.Time             // others leave alone what it holds until then
	since   time.Time             // it was renewed in time since then
	renewed chan struct{}         // closed at the next renewal
	locks   map[string]int        // of Lock, with how many hold them or try to
	late    func(context.Context) // called after a renewal that came too late; may be nil
}

// Join makes this process one of the replicas that share the database. The error
// is ErrAlone on SQLite. Leave must be called before the Store is closed.
func (s *Store) Join(ctx context.Context) (*Replica, error) { return s.join(ctx, leaseTime) }

func (s *Store) join(ctx context.Context, life time.Duration) (*Replica, error) {
	if s.dialect != postgres {
		return nil, ErrAlone
	}
	r := &Replica{store: s, id: rand.Text(), life: life, renewed: make(chan struct{}), bus: newBus(s),
		locks: map[string]int{}, beat: s.newPool(1)}
	r.ctx, r.stop = context.WithCancel(context.Background())
	if err := r.renew(ctx); err != nil {
		r.stop()
		return nil, errors.Join(err, r.beat.Close())
	}
	r.wg.Go(r.keepAlive)
	r.wg.Go(func() { r.bus.listen(r.ctx) })
	r.wg.Go(func() { r.bus.send(r.ctx) })
	return r, nil
}

// Leave gives back all that the replica holds, so that others can go on at once,
// and ends its goroutines.
func (r *Replica) Leave(ctx context.Context) error {
	r.stop()
	r.wg.Wait()
	_, err := r.store.write.ExecContext(ctx, `DELETE FROM lease WHERE holder = ?`, r.id)
	if err == nil {
		_, err = r.store.write.ExecContext(ctx, `DELETE FROM replica WHERE id = ?`, r.id)
	}
	return errors.Join(failed("leave", err), r.beat.Close())
}

// WhenLate makes the Replica call f beside everything else after it was renewed too
// late: others may hold by now what it held before. Its ctx ends when the replica
// leaves.
func (r *Replica) WhenLate(f func(ctx context.Context)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.late = f
}

// Every calls f again and again, with pauses, until the replica leaves.
func (r *Replica) Every(pause time.Duration, f func(context.Context)) {
	r.wg.Go(func() {
		for r.ctx.Err() == nil {
			f(r.ctx)
			select {
			case <-time.After(pause):
			case <-r.ctx.Done():
			}
		}
	})
}

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
				r.store.logger.Warn("renew leases", "err", err)
			}
			continue
		}
		if time.Since(swept) >= sweepEvery && r.standing().settled {
			swept = time.Now()
			if err := r.sweep(r.ctx); err != nil {
				r.store.logger.Warn("delete leases of ended processes", "err", err)
			}
		}
	}
}

// renew makes what the replica holds its own for a further leaseTime.
func (r *Replica) renew(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, r.life/2)
	defer stop()
	begun := time.Now() // the time in the database is later
	_, err := r.beat.ExecContext(ctx,
		`INSERT INTO replica (id, expires) VALUES (?, clock_timestamp() + make_interval(secs => ?))
		 ON CONFLICT (id) DO UPDATE SET expires = excluded.expires`, r.id, r.life.Seconds())
	if err != nil {
		return failed("renew", late(ctx, err))
	}
	r.mu.Lock()
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

// sweep deletes what ended replicas have left.
func (r *Replica) sweep(ctx context.Context) error {
	for _, old := range []struct {
		statement string
		age       time.Duration
	}{
		{`DELETE FROM replica WHERE expires < clock_timestamp() - make_interval(secs => ?)`, forgetTime},
		{`DELETE FROM letter WHERE created < clock_timestamp() - make_interval(secs => ?)`, 2 * askTime},
	} {
		if _, err := r.store.write.ExecContext(ctx, old.statement, old.age.Seconds()); err != nil {
			return failed("sweep", err)
		}
	}
	for _, table := range []string{"sample_task", "sample_ticket"} {
		_, err := r.store.write.ExecContext(ctx, `DELETE FROM `+table+` WHERE expires <= clock_timestamp()`)
		if err != nil {
			return failed("sweep", err)
		}
	}
	_, err := r.store.write.ExecContext(ctx,
		`DELETE FROM lease l WHERE NOT EXISTS (SELECT 1 FROM replica r WHERE r.id = l.holder)`)
	return failed("sweep", err)
}

// standing is how the replica stands by the clock of this machine.
type standing struct {
	alive   bool      // what it holds is its own
	since   time.Time // and has been without a gap
	settled bool      // it was renewed in time for so long that others were, too, if they could
	renewed <-chan struct{}
}

func (r *Replica) standing() standing {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	return standing{now.Before(r.until), r.since, now.Sub(r.since) >= r.life, r.renewed}
}

// Confirm returns nil if the replica still holds what it held as id at some time,
// so that something may be sent for it. If the replica was frozen, or cut off from the
// database, it waits until it has been renewed, or ctx ends. The error is
// playground.ErrElsewhere if another one has taken it meanwhile.
//
// The clock of this machine stands still while it sleeps, so a machine that serves
// with others must not. What is left besides is the time between the return of
// Confirm and the first byte that is sent: a replica that is frozen there for longer
// than 10 seconds sends what another one has already closed as interrupted.
func (r *Replica) Confirm(ctx context.Context, id string, held time.Time) error {
	for {
		s := r.standing()
		if s.alive && s.since.Before(held) {
			return nil
		}
		if s.alive {
			lost, err := r.Lost(ctx, []string{id})
			if err == nil && len(lost) > 0 {
				err = playground.ErrElsewhere
			}
			return err
		}
		select {
		case <-s.renewed:
		case <-ctx.Done():
			return failed("confirm lease", late(ctx, ctx.Err()))
		case <-r.ctx.Done():
			return playground.ErrElsewhere
		}
	}
}
