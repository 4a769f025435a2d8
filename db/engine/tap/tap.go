// Package tap reports the statements that connections to a database are asked to run, to
// tests that count them or end the process at one of them.
package tap

import (
	"context"
	"database/sql/driver"
)

// Statements returns a function for engine.WithConnector that makes each connection call
// f before each statement and query, and, with "BEGIN" and "COMMIT", at the beginning and
// the commit of each transaction. On PostgreSQL, a database that is opened with it can
// only read: its changes need the connections of the engine itself.
func Statements(
	f func(ctx context.Context, query string, args []driver.NamedValue),
) func(driver.Connector) driver.Connector {
	return func(c driver.Connector) driver.Connector { return connector{c, f} }
}

type report func(ctx context.Context, query string, args []driver.NamedValue)

type connector struct {
	driver.Connector
	report report
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	checker, _ := made.(driver.NamedValueChecker)
	resetter, _ := made.(driver.SessionResetter)
	return conn{made.(full), checker, resetter, c.report}, nil
}

// full is what the connections of both engines are.
type full interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
}

type conn struct {
	full
	checker  driver.NamedValueChecker // nil for none
	resetter driver.SessionResetter   // nil for none
	report   report
}

func (c conn) CheckNamedValue(v *driver.NamedValue) error {
	if c.checker == nil {
		return driver.ErrSkip
	}
	return c.checker.CheckNamedValue(v)
}

func (c conn) ResetSession(ctx context.Context) error {
	if c.resetter == nil {
		return nil
	}
	return c.resetter.ResetSession(ctx)
}

func (c conn) ExecContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Result, error) {
	c.report(ctx, query, args)
	return c.full.ExecContext(ctx, query, args)
}

func (c conn) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	c.report(ctx, query, args)
	return c.full.QueryContext(ctx, query, args)
}

func (c conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	c.report(ctx, "BEGIN", nil)
	begun, err := c.full.BeginTx(ctx, opts)
	return tx{begun, func() { c.report(ctx, "COMMIT", nil) }}, err
}

type tx struct {
	driver.Tx
	report func()
}

func (t tx) Commit() error {
	t.report()
	return t.Tx.Commit()
}
