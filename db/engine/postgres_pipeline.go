package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// attempts is how often a change is tried.
const attempts = 8

// errAgain is the error of a change that has to be tried again because another
// one made or deleted the owner meanwhile.
var errAgain = errors.New("another change made or deleted the owner")

// transact runs a change in a transaction, and again if that meets another one
// that it cannot wait for.
func (s *postgresServer) transact(ctx context.Context, c Change) error {
	limit := changeTimeout
	if c.Removes {
		limit = removeTimeout
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	select {
	case s.changes <- struct{}{}:
		defer func() { <-s.changes }()
	case <-ctx.Done():
		return late(ctx, Failed("begin", ctx.Err()))
	}
	for n := 1; ; n++ {
		tx, err := s.begin(ctx, c.Owner)
		if err == nil {
			err = s.runIn(ctx, tx, c.Do)
		}
		if n == attempts || !isConflict(err) || !wait(ctx, rand.N(time.Duration(n)*10*time.Millisecond)) {
			return late(ctx, err)
		}
	}
}

// A change on PostgreSQL waits for the network as seldom as it can: its beginning
// and the lock of its owner are one message, and the statements whose results it
// does not read go together with its commit. A statement that is new to a connection
// costs one more message.

// begin begins a transaction and locks the row of the owner, if there is one. The lock
// is a statement of its own, because what the same statement reads may be older than
// the lock. If the connection is gone, another one of the pool is tried.
func (s *postgresServer) begin(ctx context.Context, o Owner) (*Tx, error) {
	if o.ID == "" {
		begun, err := s.write.BeginTx(ctx, nil)
		return &Tx{Tx: begun}, Failed("begin", err)
	}
	query := o.Query + ` FOR NO KEY UPDATE`
	for n := 0; ; n++ {
		tx := &Tx{}
		var err error
		if tx.conn, err = s.write.Conn(ctx); err != nil {
			return nil, Failed("begin", err)
		}
		err = tx.conn.Raw(func(c any) (err error) {
			tx.owned, err = c.(*conn).beginAndLock(ctx, query, o.ID)
			return err
		})
		if err == nil {
			if tx.Tx, err = tx.conn.BeginTx(ctx, nil); err == nil {
				return tx, nil
			}
		}
		_ = tx.conn.Close()
		if n == maxConns || !errors.Is(err, driver.ErrBadConn) {
			return nil, Failed("lock owner", err)
		}
	}
}

// statement is one whose result is not read.
type statement struct {
	query string
	args  []any
	fail  func(error) error // makes the error of the change from that of the statement
}

var readCommitted = pgx.TxOptions{IsoLevel: pgx.ReadCommitted}

// beginAndLock begins a transaction, which the next BeginTx returns, and reports
// whether a query with one argument found a row to lock.
func (c *conn) beginAndLock(ctx context.Context, query, arg string) (found bool, err error) {
	limited, stop := c.limit(ctx)
	defer stop()
	var b pgx.Batch
	b.BeginTx(readCommitted)
	b.Queue(rebind(query), toPostgres(arg)).Query(func(rows pgx.Rows) error {
		found = rows.Next()
		return nil
	})
	if err := c.Conn.Conn().SendBatch(limited, &b).Close(); err != nil {
		c.rollBack(limited)
		return false, c.gone(ctx, err)
	}
	c.begun = true
	return found, nil
}

// BeginTx begins a transaction, or returns the one that beginAndLock began. READ
// COMMITTED is enough, because a change locks its owner before it reads. If the
// connection is gone, the pool tries another one.
func (c *conn) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	if c.begun {
		c.begun = false
		return pgTx{c, ctx}, nil
	}
	limited, stop := c.limit(ctx)
	defer stop()
	if _, err := c.Conn.Conn().BeginTx(limited, readCommitted); err != nil {
		return nil, c.gone(ctx, err)
	}
	return pgTx{c, ctx}, nil
}

// keptError is the error of a statement that was kept, as fail made it. The statement
// that was sent with it has no part in it.
type keptError struct{ err error }

func (e *keptError) Error() string { return e.err.Error() }

func (e *keptError) Unwrap() error { return e.err }

// isKept reports whether an error says already what failed.
func isKept(err error) bool {
	var kept *keptError
	return errors.As(err, &kept)
}

// later keeps a statement of a transaction until the next one that is sent, or the
// commit.
func (c *conn) later(s statement) error {
	if c.Conn.Conn().PgConn().TxStatus() == 'I' {
		return sql.ErrTxDone
	}
	s.query, s.args = rebind(s.query), slices.Clone(s.args)
	for i, arg := range s.args {
		v := driver.NamedValue{Value: arg}
		if err := c.CheckNamedValue(&v); err != nil {
			return err
		}
		s.args[i] = v.Value
	}
	c.queue = append(c.queue, s)
	return nil
}

// sendQueue runs the statements that were kept and then others, such as a commit, in
// one message. It returns what the server says to the last one.
func (c *conn) sendQueue(ctx context.Context, others ...string) (tag string, err error) {
	all := c.queue
	c.queue = nil
	for _, query := range others {
		all = append(all, statement{query: query})
	}
	if len(all) == 0 {
		return "", nil
	}
	var b pgx.Batch
	for _, s := range all {
		b.Queue(s.query, s.args...)
	}
	results := c.Conn.Conn().SendBatch(ctx, &b)
	defer func() { _ = results.Close() }() // the error of the first that fails says more
	for _, s := range all {
		done, err := results.Exec()
		if err != nil {
			if err = lost(ctx, err); s.fail != nil {
				err = &keptError{s.fail(err)}
			}
			return "", err
		}
		tag = done.String()
	}
	return tag, lost(ctx, results.Close())
}

// rollBack ends a transaction that failed. A connection on which that is not
// possible is closed.
func (c *conn) rollBack(ctx context.Context) {
	c.queue = nil
	pg := c.Conn.Conn()
	if pg.IsClosed() || pg.PgConn().TxStatus() == 'I' {
		return
	}
	if _, err := pg.Exec(ctx, "rollback"); err != nil {
		_ = pg.Close(ctx)
	}
}

// pgTx is a transaction.
type pgTx struct {
	conn *conn
	ctx  context.Context
}

func (t pgTx) Commit() error {
	limited, stop := t.conn.limit(t.ctx)
	defer stop()
	tag, err := t.conn.sendQueue(limited, "commit")
	if err != nil {
		t.conn.rollBack(limited)
		return err
	}
	if tag == "ROLLBACK" {
		return &lostError{pgx.ErrTxCommitRollback}
	}
	return nil
}

func (t pgTx) Rollback() error {
	limited, stop := t.conn.limit(t.ctx)
	defer stop()
	t.conn.rollBack(limited)
	return nil
}
