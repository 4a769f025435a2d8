package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

// DB is an open database. Its methods may be called concurrently.
type DB struct {
	*core
	dialect dialect
}

// core is what both engines have.
type core struct {
	schema Schema
	write  *sql.DB // on SQLite one connection, because it has one writer
	read   *sql.DB // on PostgreSQL the same as write
	settings
}

// settings are those of the options.
type settings struct {
	wrap   func(driver.Connector) driver.Connector // of the connector of each pool; nil for nothing
	commit func() error                            // called at the end of every change; nil for nothing
	tried  func(took time.Duration, err error)     // called after every change; nil for nothing
	tracer pgx.QueryTracer                         // of PostgreSQL; nil for none
	logger *slog.Logger
}

// dialect is an engine: *sqliteFile or *postgresServer.
type dialect interface {
	transact(context.Context, Change) error // runs a change in a transaction
	ready(context.Context) error            // nil if the database can be written
	refuse() error                          // nil if it may be written at all
	keepReserve(context.Context) error      // takes space for deletions
	used() string                           // expression: how many bytes are stored in all
	below(bytes int64) bool                 // whether less is certainly stored
	free() string                           // expression: how many bytes of the file are not in use
	close() error
}

// Option changes how a database is opened.
type Option func(*settings)

// WithLogger makes the DB write what takes long, or fails beside a request, to a log.
func WithLogger(l *slog.Logger) Option { return func(s *settings) { s.logger = l } }

// WithObserver makes the DB call f after every change with the time that it took, its
// attempts and the wait for other writers included, and with its error.
func WithObserver(f func(took time.Duration, err error)) Option {
	return func(s *settings) { s.tried = f }
}

// WithCommit makes the DB call f at the end of every change, before it is committed. An
// error of f rolls the change back, as a full disk does; it is for tests.
func WithCommit(f func() error) Option { return func(s *settings) { s.commit = f } }

// WithConnector makes the DB open its connections with what wrap returns for its own
// connector; it is for tests, which count statements or end the process at one.
func WithConnector(wrap func(driver.Connector) driver.Connector) Option {
	return func(s *settings) { s.wrap = wrap }
}

// WithTracer makes the DB report each message to a PostgreSQL server to t; it is for
// tests, which count them.
func WithTracer(t pgx.QueryTracer) Option { return func(s *settings) { s.tracer = t } }

// newCore returns what both engines have, without connections.
func newCore(schema Schema, options []Option) *core {
	c := &core{schema: schema, settings: settings{logger: slog.New(slog.DiscardHandler)}}
	for _, o := range options {
		o(&c.settings)
	}
	return c
}

// openPool returns a pool of connections that c makes.
func (s *settings) openPool(c driver.Connector) *sql.DB {
	if s.wrap != nil {
		c = s.wrap(c)
	}
	return sql.OpenDB(c)
}

// Change runs a change. When it returns nil, the change is on the disk.
func (d *DB) Change(ctx context.Context, c Change) error {
	began := time.Now()
	err := d.dialect.transact(ctx, c)
	if d.tried != nil {
		d.tried(time.Since(began), err)
	}
	return err
}

// Reader returns the connections to read with. On SQLite they see what was committed,
// and wait for no writer.
func (d *DB) Reader() *sql.DB { return d.read }

// Writer returns the connections to write with. A statement of its own needs no Change,
// but on SQLite it waits for the one writer, and a damaged file is not refused: see Exec.
func (d *DB) Writer() *sql.DB { return d.write }

// Exec runs one statement that needs no other in its transaction, and whose loss harms
// nothing: it is not tried again.
func (d *DB) Exec(ctx context.Context, operation, query string, args ...any) error {
	if err := d.dialect.refuse(); err != nil {
		return err
	}
	_, err := d.write.ExecContext(ctx, query, args...)
	return Failed(operation, err)
}

// Ready returns an error unless the database can be written.
func (d *DB) Ready(ctx context.Context) error { return d.dialect.ready(ctx) }

// Close closes the database. The DB must not be used afterwards.
func (d *DB) Close() error { return d.dialect.close() }

// KeepReserve takes space for deletions and the next start, until Close. Until it is
// called, the space is free for this start. On PostgreSQL it does nothing.
func (d *DB) KeepReserve(ctx context.Context) error { return d.dialect.keepReserve(ctx) }

// Used returns an expression for how many bytes are stored in all: on SQLite the pages of
// the file that are in use, on PostgreSQL Schema.Total, because the files of a table do
// not shrink when rows are deleted.
func (d *DB) Used() string { return d.dialect.used() }

// Below reports whether certainly fewer bytes are stored than that, which costs no query. It
// is false on PostgreSQL, and if the file is larger for the space of what was deleted: then
// Used says it.
func (d *DB) Below(bytes int64) bool { return d.dialect.below(bytes) }

// Free returns an expression for how many bytes of the file are not in use: 0 on
// PostgreSQL.
func (d *DB) Free() string { return d.dialect.free() }

// wait waits for a time and reports whether ctx goes on.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// Texts returns the texts that a query of one column selects.
func Texts(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, query string, args ...any,
) ([]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, Failed("read ids", err)
	}
	defer rows.Close()
	var texts []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, Failed("read ids", err)
		}
		texts = append(texts, text)
	}
	return texts, Failed("read ids", rows.Err())
}
