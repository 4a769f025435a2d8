package engine

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// alive is the condition that the holder of the lease l is alive.
const alive = `EXISTS (SELECT 1 FROM replica r WHERE r.id = l.holder AND r.expires > clock_timestamp())`

// Lease is a lease as a change reads it, in a query that it makes anyway: one more query
// would be one more wait for the network, and one before the change would be too early.
type Lease struct {
	r                    *Replica
	id                   string
	held, theirs, living bool
}

// Lease returns the lease id, to be read by a change.
func (r *Replica) Lease(id string) *Lease { return &Lease{r: r, id: id} }

// Columns returns the columns of a query that read the lease. They have no table.
func (l *Lease) Columns() string {
	return `EXISTS (SELECT 1 FROM lease WHERE id = ? AND holder = ?),
		EXISTS (SELECT 1 FROM lease l WHERE id = ? AND holder <> ? AND (? = 0 OR ` + alive + `)),
		EXISTS (SELECT 1 FROM replica WHERE id = ? AND expires > clock_timestamp())`
}

// Args returns the arguments of Columns.
func (l *Lease) Args() []any {
	return []any{l.id, l.r.id, l.id, l.r.id, l.r.standing().settled, l.r.id}
}

// Fields returns where the query is to scan Columns.
func (l *Lease) Fields() []any { return []any{&l.held, &l.theirs, &l.living} }

// Held reports, after the query, whether the replica holds the lease; if not, the lease is
// free. The error is playground.ErrElsewhere if another replica holds it, and
// playground.ErrStorage if the replica itself is not renewed.
func (l *Lease) Held() (bool, error) {
	switch {
	case l.theirs:
		return false, playground.ErrElsewhere
	case !l.living:
		return false, errors.Join(playground.ErrStorage, errNotRenewed)
	}
	return l.held, nil
}

// Take makes the replica the holder in the transaction of the change. The error is
// playground.ErrElsewhere if another one was faster.
func (l *Lease) Take(ctx context.Context, tx *Tx) error { return l.r.take(ctx, tx, l.id) }

// End ends the lease with the change.
func (l *Lease) End(ctx context.Context, tx *Tx) error {
	return tx.Later(ctx, "release lease", nil,
		`DELETE FROM lease WHERE id = ? AND holder = ?`, l.id, l.r.id)
}

var errNotRenewed = errors.New("this process was cut off from the database for some time")

// Others returns the condition, with its arguments, that another live replica holds the
// lease whose id is an expression of a query. A replica that was cut off itself cannot
// know who is alive: if it is to be careful, it takes every holder for alive then.
func (r *Replica) Others(id string, careful bool) (condition string, args []any) {
	settled := !careful || r.standing().settled
	return `EXISTS (SELECT 1 FROM lease l WHERE l.id = ` + id + ` AND l.holder <> ? AND (? = 0 OR ` +
		alive + `))`, []any{r.id, settled}
}

// Gone returns the condition, with its arguments, that the replica whose id is an
// expression of a query is another one and no longer alive. The condition has a table with
// a column id, so another column of that name must be qualified.
func (r *Replica) Gone(id string) (condition string, args []any) {
	return `(` + id + ` <> ? AND NOT EXISTS (SELECT 1 FROM replica r WHERE r.id = ` + id + `
		AND (? = 0 OR r.expires > clock_timestamp())))`, []any{r.id, r.standing().settled}
}

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
	return Failed("take lease", err)
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
	return r.take(ctx, r.server.write, id)
}

// Release ends the lease id, or passes it on to the replica heir if that is not "".
func (r *Replica) Release(ctx context.Context, id, heir string) error {
	if heir != "" {
		_, err := r.server.write.ExecContext(ctx,
			`UPDATE lease SET holder = ? WHERE id = ? AND holder = ?`, heir, id, r.id)
		return Failed("pass lease on", err)
	}
	_, err := r.server.write.ExecContext(ctx, `DELETE FROM lease WHERE id = ? AND holder = ?`, id, r.id)
	return Failed("release lease", err)
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
			return nil, Failed("lock", late(ctx, err))
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
		r.server.logger.Warn("unlock", "err", err)
	}
	r.bus.publish(id)
}

// ID returns the id of the replica: letters and digits.
func (r *Replica) ID() string { return r.id }

// Elsewhere reports whether another live replica holds the lease id.
func (r *Replica) Elsewhere(ctx context.Context, id string) (bool, error) {
	var found bool
	condition, args := r.Others(`i.id`, false)
	err := r.server.read.QueryRowContext(ctx, `SELECT `+condition+` FROM (SELECT ?::text AS id) i`,
		append(args, id)...).Scan(&found)
	return found, Failed("read lease", err)
}

// Mine returns the ids of the leases of this replica.
func (r *Replica) Mine(ctx context.Context) ([]string, error) {
	return Texts(ctx, r.server.read, `SELECT id FROM lease WHERE holder = ? ORDER BY id`, r.id)
}

// Lost returns those of the ids whose lease the replica does not hold.
func (r *Replica) Lost(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, Failed("encode ids", err)
	}
	return Texts(ctx, r.server.read,
		`SELECT i FROM json_array_elements_text(?::json) AS i
		 WHERE NOT EXISTS (SELECT 1 FROM lease WHERE id = i AND holder = ?)`, string(list), r.id)
}

// Changed notifies the other replicas that the view of id has changed.
func (r *Replica) Changed(id string) { r.bus.publish(id) }

// Changes returns a channel that is closed at the next Changed of id, or when one may
// have been missed, and a function that must be called to end the subscription.
func (r *Replica) Changes(id string) (changed <-chan struct{}, stop func()) {
	return r.bus.subscribe(id)
}
