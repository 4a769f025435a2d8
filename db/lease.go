package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// alive is the condition that the holder of the lease l is alive.
const alive = `EXISTS (SELECT 1 FROM replica r WHERE r.id = l.holder AND r.expires > clock_timestamp())`

// Append adds events to a log as Store.Append does. The replica holds the log while
// something of it is running, as the summary says. The error is playground.ErrElsewhere
// if another replica holds the log, playground.ErrNotOpen if the log is longer than the
// caller knows, and playground.ErrStorage if the replica itself is not renewed.
func (r *Replica) Append(
	ctx context.Context, log string, sum playground.Summary, events ...playground.Event,
) error {
	ctx = context.WithoutCancel(ctx)
	return r.store.change(ctx, ofLog(log), func(ctx context.Context, tx *txn) error {
		e, held, err := r.readEnd(ctx, tx, log)
		if err != nil {
			return err
		}
		e.exact = true
		holds := sum.Held || sum.Status == server.Connecting
		if holds && !held {
			if err := r.take(ctx, tx, log); err != nil {
				return err
			}
		}
		if err := appendLog(ctx, tx, log, e, sum, events); err != nil || holds || !held {
			return err
		}
		return tx.later(ctx, "append event", nil,
			`DELETE FROM lease WHERE id = ? AND holder = ?`, log, r.id)
	})
}

// readEnd returns the end of a log and whether the replica holds the log. If it does
// not, the log is free.
func (r *Replica) readEnd(ctx context.Context, tx *txn, log string) (e end, held bool, err error) {
	var theirs, living bool
	err = tx.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM lease WHERE id = l.id AND holder = ?),
		   EXISTS (SELECT 1 FROM lease l WHERE id = ? AND holder <> ? AND (? = 0 OR `+alive+`)),
		   EXISTS (SELECT 1 FROM replica WHERE id = ? AND expires > clock_timestamp()), `+endColumns+`
		 FROM `+endTables+` WHERE l.id = ?`,
		r.id, log, r.id, r.standing().settled, r.id, log).
		Scan(append([]any{&held, &theirs, &living}, e.columns()...)...)
	switch {
	case err != nil:
		return e, false, failed("append event", notFound(err))
	case theirs:
		return e, false, failed("append event", playground.ErrElsewhere)
	case !living:
		return e, false, failed("append event", errors.Join(playground.ErrStorage, errNotRenewed))
	}
	return e, held, nil
}

var errNotRenewed = errors.New("this process was cut off from the database for some time")

// execer is a transaction, or the database.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// take makes the replica the holder of a lease, if the lease is free or its holder is
// not alive.
func (r *Replica) take(ctx context.Context, q execer, id string) error {
	taken, err := r.tryTake(ctx, q, id)
	if err == nil && !taken {
		err = playground.ErrElsewhere
	}
	return failed("take lease", err)
}

func (r *Replica) tryTake(ctx context.Context, q execer, id string) (bool, error) {
	result, err := q.ExecContext(ctx,
		`INSERT INTO lease AS l (id, holder) VALUES (?, ?)
		 ON CONFLICT (id) DO UPDATE SET holder = excluded.holder
		 WHERE l.holder = excluded.holder OR ? = 1 AND NOT `+alive,
		id, r.id, r.standing().settled)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Claim makes the replica the holder of the lease id: a log, or the name of any other
// work for one process. The error is playground.ErrElsewhere if a live replica holds it.
func (r *Replica) Claim(ctx context.Context, id string) error {
	return r.take(ctx, r.store.write, id)
}

// Release ends the lease id, or passes it on to the replica heir if that is not "".
func (r *Replica) Release(ctx context.Context, id, heir string) error {
	if heir != "" {
		_, err := r.store.write.ExecContext(ctx,
			`UPDATE lease SET holder = ? WHERE id = ? AND holder = ?`, heir, id, r.id)
		return failed("pass lease on", err)
	}
	_, err := r.store.write.ExecContext(ctx, `DELETE FROM lease WHERE id = ? AND holder = ?`, id, r.id)
	return failed("release lease", err)
}

// lockPoll is the interval of tries to take a lock that another replica holds.
const lockPoll = 250 * time.Millisecond

// Lock waits until no other replica holds the lease id, and takes it until unlock. It
// excludes other replicas only: callers of one replica hold it together.
func (r *Replica) Lock(ctx context.Context, id string) (unlock func(), err error) {
	for {
		changed, stop := r.bus.subscribe(id)
		r.addUser(id, 1)
		err := r.Claim(ctx, id)
		if err == nil {
			stop()
			return func() { r.unlock(id) }, nil
		}
		r.addUser(id, -1)
		if !errors.Is(err, playground.ErrElsewhere) {
			stop()
			return nil, err
		}
		select {
		case <-changed:
		case <-time.After(lockPoll):
		case <-ctx.Done():
			err = ctx.Err()
		}
		stop()
		if !errors.Is(err, playground.ErrElsewhere) {
			return nil, failed("lock", late(ctx, err))
		}
	}
}

// addUser adds n to the number of goroutines that hold or wait for lock id.
func (r *Replica) addUser(id string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.locks[id] += n; r.locks[id] == 0 {
		delete(r.locks, id)
	}
}

// Locks reports whether a goroutine of this process holds or waits for lock id.
func (r *Replica) Locks(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.locks[id] > 0
}

func (r *Replica) unlock(id string) {
	r.addUser(id, -1)
	ctx, stop := context.WithTimeout(context.WithoutCancel(r.ctx), changeTimeout)
	defer stop()
	if err := r.Release(ctx, id, ""); err != nil {
		r.store.logger.Warn("unlock", "err", err)
	}
	r.bus.publish(id)
}

// ID returns the id of the replica: letters and digits.
func (r *Replica) ID() string { return r.id }

// Elsewhere reports whether another live replica holds the lease id.
func (r *Replica) Elsewhere(ctx context.Context, id string) (bool, error) {
	var found bool
	err := r.store.read.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM lease l WHERE id = ? AND holder <> ? AND `+alive+`)`, id, r.id).
		Scan(&found)
	return found, failed("read lease", err)
}

// Mine returns the ids of the leases of this replica.
func (r *Replica) Mine(ctx context.Context) ([]string, error) {
	return queryTexts(ctx, r.store.read, `SELECT id FROM lease WHERE holder = ? ORDER BY id`, r.id)
}

// Lost returns those of the ids whose lease the replica does not hold.
func (r *Replica) Lost(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, failed("encode ids", err)
	}
	return queryTexts(ctx, r.store.read,
		`SELECT i FROM json_array_elements_text(?::json) AS i
		 WHERE NOT EXISTS (SELECT 1 FROM lease WHERE id = i AND holder = ?)`, string(list), r.id)
}

// newTarget is how long a target without events counts as new: the process that added
// it is about to connect to it.
const newTarget = time.Minute

// Unfinished returns the ids of the exchanges, captures and targets in progress that no
// other live replica holds. A new target is not among them.
func (r *Replica) Unfinished(ctx context.Context) ([]string, error) {
	const free = ` AND NOT EXISTS
		(SELECT 1 FROM lease l WHERE l.id = x.id AND holder <> ? AND (? = 0 OR ` + alive + `))`
	settled := r.standing().settled
	return queryTexts(ctx, r.store.read,
		`SELECT id FROM exchange x WHERE held = 1`+free+`
		 UNION ALL SELECT id FROM capture_log x WHERE held = 1`+free+`
		 UNION ALL SELECT id FROM target x WHERE status = 'connecting'
		   AND (EXISTS (SELECT 1 FROM event WHERE log = x.id)
		     OR created < extract(epoch FROM clock_timestamp()) * 1000000 - ?)`+free,
		r.id, settled, r.id, settled, newTarget.Microseconds(), r.id, settled)
}

// End returns the state of a log. An unknown log has no events.
func (r *Replica) End(ctx context.Context, id string) (playground.LogEnd, error) {
	var end playground.LogEnd
	err := r.store.read.QueryRowContext(ctx,
		`SELECT coalesce(e.seq, 0), coalesce(e.kind, ''),
		   coalesce(x.status = 'running', t.status = 'connecting', k.held = 1, false),
		   EXISTS (SELECT 1 FROM lease l WHERE id = i.id AND holder <> ? AND `+alive+`)
		 FROM (SELECT ?::text AS id) i
		 LEFT JOIN exchange x ON x.id = i.id LEFT JOIN target t ON t.id = i.id
		 LEFT JOIN capture_log k ON k.id = i.id
		 LEFT JOIN LATERAL
		   (SELECT seq, kind FROM event WHERE log = i.id ORDER BY seq DESC LIMIT 1) e ON true`,
		r.id, id).Scan(&end.Seq, &end.Kind, &end.Running, &end.Elsewhere)
	return end, failed("read log", err)
}

// NoteLook stores when the owner of an exchange last viewed it, for the replica that
// polls it: only while the exchange is running, and once a minute.
func (r *Replica) NoteLook(ctx context.Context, id string, at time.Time) error {
	_, err := r.store.write.ExecContext(ctx,
		`UPDATE exchange SET looked = ? WHERE id = ? AND held = 1 AND looked < ?`,
		micros(at), id, micros(at.Add(-time.Minute)))
	return failed("note look", err)
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

// Changed notifies the other replicas that the view of id has changed.
func (r *Replica) Changed(id string) { r.bus.publish(id) }

// Changes returns a channel that is closed at the next Changed of id, or when one may
// have been missed, and a function that must be called to end the subscription.
func (r *Replica) Changes(id string) (changed <-chan struct{}, stop func()) {
	return r.bus.subscribe(id)
}
