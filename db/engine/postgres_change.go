package engine

import (
	"context"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"time"
)

// attempts is how often a change is tried.
const attempts = 8

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
			err = tx.run(ctx, c.Do, s.commit)
		}
		if n == attempts || !isConflict(err) || !wait(ctx, rand.N(time.Duration(n)*10*time.Millisecond)) {
			return late(ctx, err)
		}
	}
}

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
