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
	dialect     *dialect
	schema      Schema
	*sqliteFile                 // on SQLite
	write       *sql.DB         // on SQLite one connection, because it has one writer
	read        *sql.DB         // on PostgreSQL the same as write
	config      *pgx.ConnConfig // of PostgreSQL
	changes     chan struct{}   // of PostgreSQL: has an entry for each change that runs

	wrap   func(driver.Connector) driver.Connector // of the connector of each pool; nil for nothing
	commit func() error                            // called at the end of every change; nil for nothing
	tried  func(took time.Duration, err error)     // called after every change
	logger *slog.Logger
}

// dialect is an engine, with what it does in its own way.
type dialect struct {
	transact func(*DB, context.Context, Change) error // runs a change in a transaction
	ready    func(*DB, context.Context) error
	close    func(*DB) error
}

// Option changes how a database is opened.
type Option func(*DB)

// WithLogger makes the DB write what takes long, or fails beside a request, to a log.
func WithLogger(l *slog.Logger) Option { return func(d *DB) { d.logger = l } }

// WithObserver makes the DB call f after every change with the time that it took, its
// attempts and the wait for other writers included, and with its error.
func WithObserver(f func(took time.Duration, err error)) Option {
	return func(d *DB) { d.tried = f }
}

// WithCommit makes the DB call f at the end of every change, before it is committed. An
// error of f rolls the change back, as a full disk does; it is for tests.
func WithCommit(f func() error) Option { return func(d *DB) { d.commit = f } }

// WithConnector makes the DB open its connections with what wrap returns for its own
// connector; it is for tests, which count what is sent or end the process at it.
func WithConnector(wrap func(driver.Connector) driver.Connector) Option {
	return func(d *DB) { d.wrap = wrap }
}

// WithTracer makes the DB report each message to a PostgreSQL server to t; it is for
// tests, which count them.
func WithTracer(t pgx.QueryTracer) Option {
	return func(d *DB) {
		if d.config != nil {
			d.config.Tracer = t
		}
	}
}

// openPool returns a pool of connections that c makes.
func (d *DB) openPool(c driver.Connector) *sql.DB {
	if d.wrap != nil {
		c = d.wrap(c)
	}
	return sql.OpenDB(c)
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
	if err := d.refuseDamaged(); err != nil {
		return err
	}
	_, err := d.write.ExecContext(ctx, query, args...)
	return Failed(operation, err)
}

// Ready returns an error unless the database can be written.
func (d *DB) Ready(ctx context.Context) error { return d.dialect.ready(d, ctx) }

// Close closes the database. The DB must not be used afterwards.
func (d *DB) Close() error { return d.dialect.close(d) }

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
