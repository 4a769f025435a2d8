package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// owner says which workspace a change belongs to. On PostgreSQL its row is the
// first that the change locks, so that the changes of a workspace happen one after
// the other, in all processes. The order of locks is: the workspace, what belongs
// to it, the payer, the network of the payer. A change takes one workspace only,
// so that no two wait for each other. SQLite has one writer anyway.
//
// A change without an owner writes one row, or rows that no owner has: days with
// their payers, and blocks.
type owner struct{ condition, id string }

func ofWorkspace(id string) owner { return owner{`id = ?`, id} }

func ofSession(id string) owner {
	return owner{`id = (SELECT workspace FROM session WHERE id = ?)`, id}
}

func ofLog(id string) owner { return owner{`id = (SELECT workspace FROM log WHERE id = ?)`, id} }

// change is the work of one write transaction, of which nothing is left if f fails.
// The context of f ends when the change must; among the changes of others it does not
// end. f may run again in a new transaction, after one that failed because of another
// change.
type change struct {
	owner   owner
	removes bool // f deletes, maybe much
	ends    bool // f ends what stores more, with a few bytes
	f       func(context.Context, *txn) error
}

// change runs f in one write transaction.
func (s *Store) change(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	return s.run(ctx, change{owner: o, f: f})
}

// remove is change for an f that deletes. On SQLite, it works on a full disk, the space
// is given back afterwards, and Close removes what is left of the rows.
func (s *Store) remove(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	return s.run(ctx, change{owner: o, removes: true, f: f})
}

// end is change for an f that ends what stores more. On SQLite, it works on a full disk.
func (s *Store) end(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	return s.run(ctx, change{owner: o, ends: true, f: f})
}

func (s *Store) run(ctx context.Context, c change) error {
	began := time.Now()
	err := s.dialect.transact(s, ctx, c)
	if s.tried != nil {
		s.tried(time.Since(began), err)
	}
	return err
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

// txn is the transaction of a change.
type txn struct {
	*sql.Tx
	conn  *sql.Conn // of PostgreSQL, if the change has an owner
	owned bool      // the row of the owner is there and locked
	payer int64     // id of the payer of the change; 0 if it is not known yet
}

// later runs a statement whose result the change does not read. On PostgreSQL it may
// run later, together with the next statement or the commit, which then returns its
// error. The function fail, which may be nil, makes the error of the change from that
// of the statement.
func (tx *txn) later(ctx context.Context, operation string, fail func(error) error,
	query string, args ...any,
) error {
	explained := func(err error) error {
		if fail != nil && err != nil {
			err = fail(err)
		}
		return failed(operation, err)
	}
	if tx.conn == nil {
		_, err := tx.ExecContext(ctx, query, args...)
		return explained(err)
	}
	return explained(tx.conn.Raw(func(c any) error {
		return c.(*conn).later(statement{query, args, explained})
	}))
}

// runIn runs f in a transaction that has begun, and commits it.
func (s *Store) runIn(ctx context.Context, tx *txn, f func(context.Context, *txn) error) error {
	defer tx.close()
	if err := f(ctx, tx); err != nil {
		return tx.rollBack(err)
	}
	if s.commit != nil {
		if err := s.commit(); err != nil {
			return tx.rollBack(failed("commit", err))
		}
	}
	return failed("commit", tx.Commit())
}

// close ends the transaction if f ended in a panic, and gives its connection back.
func (tx *txn) close() {
	_ = tx.Rollback() // does nothing at any other end
	if tx.conn != nil {
		_ = tx.conn.Close()
	}
}

// rollBack returns err after the transaction was rolled back because of it. A
// connection that was lost needs no rollback.
func (tx *txn) rollBack(err error) error {
	back := tx.Rollback()
	if back == nil || errors.Is(back, sql.ErrTxDone) || errors.Is(err, playground.ErrStorage) {
		return err
	}
	return errors.Join(err, back)
}
