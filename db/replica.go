package db

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// leaseTime is how long a replica holds what it has begun without a renewal.
const leaseTime = 10 * time.Second

// Replica is this process as one of those that share a PostgreSQL database, with the
// leases of an engine.Replica. While something runs in a log, the log has a lease with
// the same id.
//
// Its methods may be called concurrently.
type Replica struct {
	*engine.Replica
	store *Store
}

// Join makes this process one of the replicas that share the database; now is the
// clock of its machine. The error is engine.ErrAlone on SQLite. Leave must be called
// before the Store is closed.
func (s *Store) Join(ctx context.Context, now func() time.Time) (*Replica, error) {
	return s.join(ctx, now, leaseTime)
}

func (s *Store) join(
	ctx context.Context, now func() time.Time, life time.Duration,
) (*Replica, error) {
	r, err := s.db.Join(ctx, now, life)
	if err != nil {
		return nil, err
	}
	return &Replica{r, s}, nil
}

// Append adds events to a log as Store.Append does. The replica holds the log while
// something of it is running, as the summary says. The error is playground.ErrElsewhere
// if another replica holds the log, playground.ErrNotOpen if the log is longer than the
// caller knows, and playground.ErrStorage if the replica itself is not renewed.
func (r *Replica) Append(
	ctx context.Context, log string, sum playground.Summary, events ...playground.Event,
) error {
	ctx = context.WithoutCancel(ctx)
	return r.store.change(ctx, ofLog(log), func(ctx context.Context, tx *txn) error {
		lease := r.Lease(log)
		e, held, err := readHeldEnd(ctx, tx, log, lease)
		if err != nil {
			return err
		}
		e.exact = true
		holds := sum.Held || sum.Status == server.Connecting
		if holds && !held {
			if err := lease.Take(ctx, tx.Tx); err != nil {
				return err
			}
		}
		if err := appendLog(ctx, tx, log, e, sum, events); err != nil || holds || !held {
			return err
		}
		return lease.End(ctx, tx.Tx)
	})
}

// readHeldEnd returns the end of a log and whether the replica holds the log. If it does
// not, the log is free.
func readHeldEnd(
	ctx context.Context, tx *txn, log string, lease *engine.Lease,
) (e end, held bool, err error) {
	err = tx.QueryRowContext(ctx,
		`SELECT `+lease.Columns()+`, `+endColumns+` FROM `+endTables+` WHERE l.id = ?`,
		append(lease.Args(), log)...).Scan(append(lease.Fields(), e.columns()...)...)
	if err == nil {
		held, err = lease.Held()
	}
	return e, held, failed("append event", notFound(err))
}

// newTarget is how long a target without events counts as new: the process that added
// it is about to connect to it.
const newTarget = time.Minute

// Unfinished returns the ids of the exchanges, captures and targets in progress that no
// other live replica holds. A new target is not among them.
func (r *Replica) Unfinished(ctx context.Context) ([]string, error) {
	others, args := r.Others(`x.id`, true)
	all := append(args, args...)
	all = append(all, newTarget.Microseconds())
	return engine.Texts(ctx, r.store.read,
		`SELECT id FROM exchange x WHERE held = 1 AND NOT `+others+`
		 UNION ALL SELECT id FROM capture_log x WHERE held = 1 AND NOT `+others+`
		 UNION ALL SELECT id FROM target x WHERE status = 'connecting'
		   AND (EXISTS (SELECT 1 FROM event WHERE log = x.id)
		     OR created < extract(epoch FROM clock_timestamp()) * 1000000 - ?) AND NOT `+others,
		append(all, args...)...)
}

// End returns the state of a log. An unknown log has no events.
func (r *Replica) End(ctx context.Context, id string) (playground.LogEnd, error) {
	var end playground.LogEnd
	others, args := r.Others(`i.id`, false)
	err := r.store.read.QueryRowContext(ctx,
		`SELECT coalesce(e.seq, 0), coalesce(e.kind, ''),
		   coalesce(x.status = 'running', t.status = 'connecting', k.held = 1, false), `+others+`
		 FROM (SELECT ?::text AS id) i
		 LEFT JOIN exchange x ON x.id = i.id LEFT JOIN target t ON t.id = i.id
		 LEFT JOIN capture_log k ON k.id = i.id
		 LEFT JOIN LATERAL
		   (SELECT seq, kind FROM event WHERE log = i.id ORDER BY seq DESC LIMIT 1) e ON true`,
		append(args, id)...).Scan(&end.Seq, &end.Kind, &end.Running, &end.Elsewhere)
	return end, failed("read log", err)
}

// NoteLook stores when the owner of an exchange last viewed it, for the replica that
// polls it: only while the exchange is running, and once a minute.
func (r *Replica) NoteLook(ctx context.Context, id string, at time.Time) error {
	return r.store.db.Exec(ctx, "note look",
		`UPDATE exchange SET looked = ? WHERE id = ? AND held = 1 AND looked < ?`,
		micros(at), id, micros(at.Add(-time.Minute)))
}

// LookedAt returns when the owner of an exchange last viewed it, to the minute.
func (r *Replica) LookedAt(ctx context.Context, id string) (time.Time, error) {
	var at int64
	err := r.store.read.QueryRowContext(ctx, `SELECT looked FROM exchange WHERE id = ?`, id).Scan(&at)
	return fromMicros(at), failed("read look", notFound(err))
}

// Log returns the events of a log of any workspace.
func (r *Replica) Log(ctx context.Context, id string) ([]playground.Event, error) {
	return r.store.Log(ctx, id)
}
