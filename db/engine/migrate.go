package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// Why the schema of a database cannot be brought up to date.
var (
	ErrNewer = errors.New("the database was written by a newer version of this program")
	ErrOlder = errors.New("the database was written by a development version before the first release, " +
		"which this version does not read: export your calls with the version that wrote it, " +
		"or move it away to begin with an empty one")
	ErrShared = errors.New("an older version of this program still uses the database: " +
		"stop all programs that share it, then start the new version")
)

// migrator brings the schema of a database up to date.
type migrator struct {
	pool      *sql.DB
	schema    Schema
	statement string                                     // that makes the newest schema
	mark      func(ctx context.Context, err error) error // an error of the pool
	alone     func(ctx context.Context) error            // an error unless no other process uses the database
	provider  *goose.Provider
	versions  database.Store
}

// newMigrator returns the migrator of an engine, which goose calls d.
func newMigrator(
	d goose.Dialect, pool *sql.DB, schema Schema, mark func(context.Context, error) error,
) (migrator, error) {
	m := migrator{
		pool: pool, schema: schema, statement: schema.SQLite, mark: mark,
		alone: func(context.Context) error { return nil },
	}
	if d == goose.DialectPostgres {
		m.statement = schema.Postgres
		m.alone = func(ctx context.Context) error { return unshared(ctx, pool) }
	}
	list := make([]*goose.Migration, len(schema.Steps))
	for i, s := range schema.Steps {
		statements := s.SQLite
		if d == goose.DialectPostgres {
			statements = s.Postgres
		}
		list[i] = goose.NewGoMigration(int64(s.Version), &goose.GoFunc{RunTx: runs(statements)}, nil)
	}
	var err error
	m.provider, err = goose.NewProvider(d, pool, nil,
		goose.WithVerbose(false), goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(list...))
	if err == nil {
		m.versions, err = database.NewStore(d, goose.DefaultTablename)
	}
	if err != nil {
		return m, fmt.Errorf("read migrations: %w", err)
	}
	return m, nil
}

// runs returns a function that runs the statements of a step.
func runs(statements string) func(context.Context, *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statements)
		return Failed("upgrade schema", err)
	}
}

// run creates the schema or brings it up to date.
func (m migrator) run(ctx context.Context) error {
	version, target, err := m.provider.GetVersions(ctx)
	if err != nil {
		return Failed("read schema version", m.mark(ctx, err))
	}
	switch {
	case version > target:
		return ErrNewer
	case version == 0:
		return m.install(ctx)
	case version < int64(m.schema.oldest()):
		return ErrOlder
	case version < target:
		if err := m.alone(ctx); err != nil {
			return err
		}
	}
	_, err = m.provider.Up(ctx)
	return Failed("migrate", m.mark(ctx, err))
}

// install makes the newest schema and notes in the same transaction that no migration
// is left to do.
func (m migrator) install(ctx context.Context) error {
	tx, err := m.pool.BeginTx(ctx, nil)
	if err != nil {
		return Failed("begin", m.mark(ctx, err))
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	if _, err := tx.ExecContext(ctx, m.statement); err != nil {
		return Failed("create schema", m.mark(ctx, err))
	}
	for _, source := range m.provider.ListSources() {
		err := m.versions.Insert(ctx, tx, database.InsertRequest{Version: source.Version})
		if err != nil {
			return Failed("write schema version", m.mark(ctx, err))
		}
	}
	return Failed("commit", m.mark(ctx, tx.Commit()))
}
