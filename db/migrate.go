package db

import (
	"context"
	"database/sql"
	_ "embed"
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
)

//go:embed schema_sqlite.sql
var schema string

// steps are the versions of the schema as goose counts them, the same on both
// engines, so that one number stands for one schema. A new database gets the newest
// schema at once and counts as having every step. One of the baseline or later is
// migrated one version at a time: a change of the schema files needs a step that makes
// the same change to existing databases, and must not change what earlier steps do.
var steps = []step{
	{baseline, nil, nil},
	{23, upgradeSQLite23, upgradePostgres23},
	{24, upgradeSQLite24, upgradePostgres24},
	{25, upgradeSQLite25, upgradePostgres25},
	{26, upgradeSQLite26, upgradePostgres26},
}

// step brings a database from the version before to its own, on each engine.
type step struct {
	version          int
	sqlite, postgres func(context.Context, *sql.Tx) error
}

// baseline is the last development version before the first release.
const baseline = 22

// newest is the version of the schema files.
var newest = steps[len(steps)-1].version

// migrator brings the schema of a database up to date.
type migrator struct {
	pool     *sql.DB
	schema   string                                     // of a new database
	mark     func(ctx context.Context, err error) error // an error of the pool
	provider *goose.Provider
	versions database.Store
}

// newMigrator returns the migrator of an engine, which goose calls d, with its steps.
func newMigrator(
	d goose.Dialect, pool *sql.DB, schema string, mark func(context.Context, error) error,
) (migrator, error) {
	m := migrator{pool: pool, schema: schema, mark: mark}
	list := make([]*goose.Migration, len(steps))
	for i, s := range steps {
		run := s.sqlite
		if d == goose.DialectPostgres {
			run = s.postgres
		}
		list[i] = goose.NewGoMigration(int64(s.version), &goose.GoFunc{RunTx: run}, nil)
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

// run creates the schema or brings it up to date.
func (m migrator) run(ctx context.Context) error {
	version, target, err := m.provider.GetVersions(ctx)
	if err != nil {
		return failed("read schema version", m.mark(ctx, err))
	}
	switch {
	case version > target:
		return ErrNewer
	case version == 0:
		return m.install(ctx)
	case version < baseline:
		return ErrOlder
	}
	_, err = m.provider.Up(ctx)
	return failed("migrate", m.mark(ctx, err))
}

// install makes the newest schema and notes in the same transaction that no migration
// is left to do.
func (m migrator) install(ctx context.Context) error {
	tx, err := m.pool.BeginTx(ctx, nil)
	if err != nil {
		return failed("begin", m.mark(ctx, err))
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	if _, err := tx.ExecContext(ctx, m.schema); err != nil {
		return failed("create schema", m.mark(ctx, err))
	}
	for _, source := range m.provider.ListSources() {
		err := m.versions.Insert(ctx, tx, database.InsertRequest{Version: source.Version})
		if err != nil {
			return failed("write schema version", m.mark(ctx, err))
		}
	}
	return failed("commit", m.mark(ctx, tx.Commit()))
}

// migrateSQLite creates the schema or brings it up to date.
func (s *Store) migrateSQLite(ctx context.Context) error {
	unmarked := func(_ context.Context, err error) error { return err }
	m, err := newMigrator(goose.DialectSQLite3, s.write, schema, unmarked)
	if err != nil {
		return err
	}
	return m.run(ctx)
}

// upgrade runs the statements of a migration.
func upgrade(ctx context.Context, tx *sql.Tx, statements ...string) error {
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return failed("upgrade schema", err)
		}
	}
	return nil
}
