package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Owner is the row that a change belongs to. On PostgreSQL it is the first that the
// change locks, so that the changes of an owner happen one after the other, in all
// processes. A change takes one owner only, so that no two wait for each other. SQLite
// has one writer anyway.
//
// The zero Owner is for a change that writes one row, or rows that no owner has.
type Owner struct {
	Query string // selects the id of the row, without a lock
	ID    string // the argument of the query
}

// Change is the work of one write transaction, of which nothing is left if Do fails.
// The context of Do ends when the change must; among the changes of others it does not
// end. Do may run again in a new transaction, after one that failed because of another
// change: it must not keep what an earlier run has set.
type Change struct {
	Owner   Owner
	Removes bool // Do deletes, maybe much: SQLite gives the space back, and it works on a full disk
	Ends    bool // Do ends what stores more, with a few bytes: it works on a full disk of SQLite, too
	Do      func(context.Context, *Tx) error
}

// late returns the error of a change as that of the storage if the change ended
// because it took too long.
func late(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, playground.ErrStorage) ||
		!errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: %w", playground.ErrStorage, err)
}

// Tx is the transaction of a change.
type Tx struct {
	*sql.Tx
	conn  *sql.Conn // of PostgreSQL, if the change has an owner
	owned bool      // the row of the owner is there and locked
}

// Owned reports whether the row of the owner is there, and locked for this change.
func (tx *Tx) Owned() bool { return tx.owned }

// Retry is for a change that found the row of its owner missing, and then that another
// change has added it: it returns an error with which the change runs again, now with
// the row locked. On SQLite, where no row needs a lock, it returns nil.
func (tx *Tx) Retry() error {
	if tx.conn == nil {
		return nil
	}
	return errAgain
}

// Later runs a statement whose result the change does not read. On PostgreSQL it may
// run later, together with the next statement or the commit, which then returns its
// error. The function fail, which may be nil, makes the error of the change from that
// of the statement.
func (tx *Tx) Later(ctx context.Context, operation string, fail func(error) error,
	query string, args ...any,
) error {
	explained := func(err error) error {
		if fail != nil && err != nil {
			err = fail(err)
		}
		return Failed(operation, err)
	}
	if tx.conn == nil {
		_, err := tx.ExecContext(ctx, query, args...)
		return explained(err)
	}
	return explained(tx.conn.Raw(func(c any) error {
		return c.(*conn).later(statement{query, args, explained})
	}))
}

// run runs f in the transaction, calls last unless that is nil, and commits.
func (tx *Tx) run(ctx context.Context, f func(context.Context, *Tx) error, last func() error) error {
	defer tx.close()
	if err := f(ctx, tx); err != nil {
		return tx.rollBack(err)
	}
	if last != nil {
		if err := last(); err != nil {
			return tx.rollBack(Failed("commit", err))
		}
	}
	return Failed("commit", tx.Commit())
}

// close ends the transaction if f ended in a panic, and gives its connection back.
func (tx *Tx) close() {
	_ = tx.Rollback() // does nothing at any other end
	if tx.conn != nil {
		_ = tx.conn.Close()
	}
}

// rollBack returns err after the transaction was rolled back because of it. A
// connection that was lost needs no rollback.
func (tx *Tx) rollBack(err error) error {
	back := tx.Rollback()
	if back == nil || errors.Is(back, sql.ErrTxDone) || errors.Is(err, playground.ErrStorage) {
		return err
	}
	return errors.Join(err, back)
}
