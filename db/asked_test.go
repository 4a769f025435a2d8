package db

import (
	"context"
	"database/sql/driver"
)

// asked notes the queries of a context, and their arguments. What the Store does by
// itself is not among them.
type asked struct {
	queries []string
	args    [][]any
}

type askedKey struct{}

// asking returns a context whose queries are noted.
func asking(ctx context.Context) (context.Context, *asked) {
	a := &asked{}
	return context.WithValue(ctx, askedKey{}, a), a
}

// withNotes makes a Store on SQLite note the queries of contexts that ask for it.
func withNotes() Option {
	return WithStatements(func(ctx context.Context, query string, args []driver.NamedValue) {
		a, ok := ctx.Value(askedKey{}).(*asked)
		if !ok {
			return
		}
		values := make([]any, len(args))
		for i, arg := range args {
			values[i] = arg.Value
		}
		a.queries, a.args = append(a.queries, query), append(a.args, values)
	})
}

// WithStatements makes a Store on SQLite call f before each statement that it sends
// and at the beginning and the commit of each transaction.
func WithStatements(f tap) Option {
	return WithConnector(func(c driver.Connector) driver.Connector { return tappedConnector{c, f} })
}

type tap func(ctx context.Context, query string, args []driver.NamedValue)

type tappedConnector struct {
	driver.Connector
	tap tap
}

func (c tappedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return tappedConn{made.(watchedConn), c.tap}, nil
}

type tappedConn struct {
	watchedConn
	tap tap
}

func (c tappedConn) ExecContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Result, error) {
	c.tap(ctx, query, args)
	return c.watchedConn.ExecContext(ctx, query, args)
}

func (c tappedConn) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	c.tap(ctx, query, args)
	return c.watchedConn.QueryContext(ctx, query, args)
}

func (c tappedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	c.tap(ctx, "BEGIN", nil)
	tx, err := c.watchedConn.BeginTx(ctx, opts)
	return tappedTx{tx, func() { c.tap(ctx, "COMMIT", nil) }}, err
}

type tappedTx struct {
	driver.Tx
	tap func()
}

func (t tappedTx) Commit() error {
	t.tap()
	return t.Tx.Commit()
}
