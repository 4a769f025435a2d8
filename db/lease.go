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

// Append adds events to a log as Store.Append does. From the events with which
// something of the log begins to run until those with which it ends, the replica
// holds the log. The error is playground.ErrElsewhere if another replica holds
// it, playground.ErrNotOpen if the log has become longer than the caller knows,
// and playground.ErrStorage while the replica itself is not renewed.
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

// readEnd returns the end of a log and whether the replica holds it. Else it is free.
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

// take makes the replica the holder of a lease that is free, its own, or that of
// a replica which is not alive.
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

// Claim makes the replica the holder of id, which is a log or anything else that
// one process does. The error is playground.ErrElsewhere if another one holds it
// that is alive.
func (r *Replica) Claim(ctx context.Context, id string) error {
	return r.take(ctx, r.store.write, id)
}

// Release gives back what Claim took, to the replica with the id heir if that is
// not "".
func (r *Replica) Release(ctx context.Context, id, heir string) error {
	if heir != "" {
		_, err := r.store.write.ExecContext(ctx,
			`UPDATE lease SET holder = ? WHERE id = ? AND holder = ?`, heir, id, r.id)
		return failed("pass lease on", err)
	}
	_, err := r.store.write.ExecContext(ctx, `DELETE FROM lease WHERE id = ? AND holder = ?`, id, r.id)
	return failed("release lease", err)
}

// lockPoll is how often a lock is tried that another replica holds.
const lockPoll = 250 * time.Millisecond

// Lock waits until no other replica holds id, and holds it until unlock. It does
// not keep the callers of one replica apart.
func (r *Replica) Lock(ctx context.Context, id string) (unlock func(), err error) {
	for {
		heard, stop := r.bus.hear(id)
		r.count(id, 1)
		err := r.Claim(ctx, id)
		if err == nil {
			stop()
			return func() { r.unlock(id) }, nil
		}
		r.count(id, -1)
		if !errors.Is(err, playground.ErrElsewhere) {
			stop()
			return nil, err
		}
		select {
		case <-heard:
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

// count counts those who hold a lock in this process, or try to.
func (r *Replica) count(id string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.locks[id] += n; r.locks[id] == 0 {
		delete(r.locks, id)
	}
}

// Locks reports whether a caller of this process holds the lock id, or tries to.
func (r *Replica) Locks(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.locks[id] > 0
}

func (r *Replica) unlock(id string) {
	r.count(id, -1)
	ctx, stop := context.WithTimeout(context.WithoutCancel(r.ctx), changeTimeout)
	defer stop()
	if err := r.Release(ctx, id, ""); err != nil {
		r.store.logger.Warn("unlock", "err", err)
	}
	r.bus.tell(id)
}

// ID returns the id of the replica: letters and digits.
func (r *Replica) ID() string { return r.id }

// Elsewhere reports whether another replica that is alive holds id.
func (r *Replica) Elsewhere(ctx context.Context, id string) (bool, error) {
	var found bool
	err := r.store.read.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM lease l WHERE id = ? AND holder <> ? AND `+alive+`)`, id, r.id).
		Scan(&found)
	return found, failed("read lease", err)
}

// Mine returns what this replica holds.
func (r *Replica) Mine(ctx context.Context) ([]string, error) {
	return queryTexts(ctx, r.store.read, `SELECT id FROM lease WHERE holder = ? ORDER BY id`, r.id)
}

// Lost returns which of the ids the replica does not hold.
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

// Unfinished returns the ids of the exchanges and targets that something is done
// with by this replica, or was by one that is not alive or has left.
func (r *Replica) Unfinished(ctx context.Context) ([]string, error) {
	const free = ` AND NOT EXISTS
		(SELECT 1 FROM lease l WHERE l.id = x.id AND holder <> ? AND (? = 0 OR ` + alive + `))`
	settled := r.standing().settled
	return queryTexts(ctx, r.store.read,
		`SELECT id FROM exchange x WHERE held = 1`+free+`
		 UNION ALL SELECT id FROM target x WHERE status = 'connecting'`+free,
		r.id, settled, r.id, settled)
}

// End returns what a log has come to. An unknown log has no events.
func (r *Replica) End(ctx context.Context, id string) (playground.LogEnd, error) {
	var end playground.LogEnd
	err := r.store.read.QueryRowContext(ctx,
		`SELECT coalesce(e.seq, 0), coalesce(e.kind, ''),
		   coalesce(x.status = 'running', t.status = 'connecting', false),
		   EXISTS (SELECT 1 FROM lease l WHERE id = i.id AND holder <> ? AND `+alive+`)
		 FROM (SELECT ?::text AS id) i
		 LEFT JOIN exchange x ON x.id = i.id LEFT JOIN target t ON t.id = i.id
		 LEFT JOIN LATERAL
		   (SELECT seq, kind FROM event WHERE log = i.id ORDER BY seq DESC LIMIT 1) e ON true`,
		r.id, id).Scan(&end.Seq, &end.Kind, &end.Running, &end.Elsewhere)
	return end, failed("read log", err)
}

// NoteLook notes when the owner of an exchange looked at it, if another replica
// may need to know: something of it is running, and the last note is a minute
// old.
func (r *Replica) NoteLook(ctx context.Context, id string, at time.Time) error {
	_, err := r.store.write.ExecContext(ctx,
		`UPDATE exchange SET looked = ? WHERE id = ? AND held = 1 AND looked < ?`,
		micros(at), id, micros(at.Add(-time.Minute)))
	return failed("note look", err)
}

// LookedAt returns when the owner of an exchange last looked at it, to the
// minute.
func (r *Replica) LookedAt(ctx context.Context, id string) (time.Time, error) {
	var at int64
	err := r.store.read.QueryRowContext(ctx, `SELECT looked FROM exchange WHERE id = ?`, id).Scan(&at)
	return fromMicros(at), failed("read look", notFound(err))
}

// Log returns the events of a log of any workspace.
func (r *Replica) Log(ctx context.Context, id string) ([]playground.Event, error) {
	return r.store.Log(ctx, id)
}

// Changed tells the other replicas that what can be seen of id has changed.
func (r *Replica) Changed(id string) { r.bus.tell(id) }

// Changes returns a channel that is closed at the next Changed of id, also when
// one may have been missed, and a function that must be called when the channel
// is not needed any more.
func (r *Replica) Changes(id string) (changed <-chan struct{}, stop func()) { return r.bus.hear(id) }
