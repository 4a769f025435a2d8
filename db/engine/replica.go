package engine

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
	slowPoll   = 2 * time.Second // interval of the poll that makes up for lost notifications
	forgetTime = time.Hour       // from the last renewal of a replica until its row is deleted
	sweepEvery = time.Minute
)

// ErrAlone is the error of Join for a database that serves one process.
var ErrAlone = errors.New("an SQLite database serves one process")

// Replica is this process as one of those that share a PostgreSQL database. Work that
// must not be done twice belongs to one replica at a time: a row of the table lease
// names it and its holder. A holder is alive while it renews its row of the table replica.
// After its life without a renewal, any other replica may take its leases. All of
// these times are the database's, so the clocks of the processes may differ.
//
// Its methods may be called concurrently.
type Replica struct {
	server *postgresServer
	id     string
	now    func() time.Time
	life   time.Duration // from a renewal until others may take what it holds
	bus    *bus
	beat   *sql.DB // one connection for renewals, so that they wait for no other query

	ctx  context.Context // of its goroutines
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu      sync.Mutex
	ahead   time.Duration         // how far the clock of the database is ahead of now
	until   time.Time             // end of the current renewal: its leases are its own until then
	since   time.Time             // start of the unbroken series of renewals
	renewed chan struct{}         // closed at the next renewal
	locks   map[string]int        // by id: number of goroutines that hold or wait for a Lock
	late    func(context.Context) // called after a late renewal; may be nil
}

// Join makes this process one of the replicas that share the database. now is the clock
// of its machine, and life the time from a renewal until others may take what it holds:
// the same in all of them. The error is ErrAlone on SQLite. Leave must be called before
// the DB is closed.
func (d *DB) Join(ctx context.Context, now func() time.Time, life time.Duration) (*Replica, error) {
	s, ok := d.dialect.(*postgresServer)
	if !ok {
		return nil, ErrAlone
	}
	r := &Replica{
		server: s, id: rand.Text(), now: now, life: life, renewed: make(chan struct{}), bus: newBus(s),
		locks: map[string]int{}, beat: s.newPool(1),
	}
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

// Leave ends the goroutines of the replica and deletes its leases, so that others can
// take them at once.
func (r *Replica) Leave(ctx context.Context) error {
	r.stop()
	r.wg.Wait()
	_, err := r.server.write.ExecContext(ctx, `DELETE FROM lease WHERE holder = ?`, r.id)
	if err == nil {
		_, err = r.server.write.ExecContext(ctx, `DELETE FROM replica WHERE id = ?`, r.id)
	}
	return errors.Join(Failed("leave", err), r.beat.Close())
}

// WhenLate makes the Replica call f in a goroutine after each late renewal: others may
// have taken its leases meanwhile. The context of f ends when the replica leaves.
func (r *Replica) WhenLate(f func(ctx context.Context)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.late = f
}

// Every calls f repeatedly, with a pause after each call, until the replica leaves.
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

// Now returns the time that all replicas have, whatever the clocks of their machines
// say: that of the database, as exactly as a query is fast. What happens at one after
// something at another has a later time, so that what they record can be put in order.
func (r *Replica) Now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now().Add(r.ahead)
}

// standing is the state of the renewals of a replica, by the clock of this machine.
type standing struct {
	alive   bool            // the current renewal has not ended: its leases are its own
	since   time.Time       // start of the unbroken series of renewals
	settled bool            // the series is long enough for every live replica to be renewed
	renewed <-chan struct{} // closed at the next renewal
}

func (r *Replica) standing() standing {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	return standing{now.Before(r.until), r.since, now.Sub(r.since) >= r.life, r.renewed}
}

// Confirm returns nil if the replica has held the lease id since the time held, so that
// a request may be sent for it. If the replica was frozen, or cut off from the database,
// Confirm waits for the next renewal, or until ctx ends. The error is
// playground.ErrElsewhere if another replica has taken the lease.
//
// The clock of this machine stands still while the machine sleeps, so a machine that
// shares a database must not sleep. One window remains: a replica that is frozen for
// more than its life between the return of Confirm and the first byte sends a request
// that another replica has already closed as interrupted.
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
			return Failed("confirm lease", late(ctx, ctx.Err()))
		case <-r.ctx.Done():
			return playground.ErrElsewhere
		}
	}
}
