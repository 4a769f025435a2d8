package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"slices"

	"github.com/jackc/pgx/v5"
)

// A change on PostgreSQL waits for the network as seldom as it can: its beginning
// and the lock of its owner are one message, and the statements whose results it
// does not read go together with its commit. A statement that is new to a connection
// costs one more message.

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
