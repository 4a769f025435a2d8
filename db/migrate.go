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

// Versions of the schema as goose counts them, the same on both engines, so that
// one number stands for one schema. A new database gets the newest schema at once
// and counts as having every migration. One of the baseline or later is migrated one
// version at a time: a change of the schema files needs a migration that makes the
// same change to existing databases, and must not change what earlier migrations do.
const (
	baseline = 22 // of the last development version, before the first release
	counting = 23 // see migrate_23.go
	newest   = counting
)

// migrations returns the migrations of files that have the baseline.
func migrations() []*goose.Migration {
	return []*goose.Migration{
		goose.NewGoMigration(baseline, nil, nil),
		goose.NewGoMigration(counting, &goose.GoFunc{RunTx: upgradeSQLite23}, nil),
	}
}

// migrate creates the schema or brings it up to date.
func (s *Store) migrate(ctx context.Context) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, s.write, nil,
		goose.WithVerbose(false), goose.WithDisableGlobalRegistry(true),
		goose.WithGoMigrations(migrations()...))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	version, target, err := p.GetVersions(ctx)
	if err != nil {
		return failed("read schema version", err)
	}
	switch {
	case version > target:
		return ErrNewer
	case version == 0:
		return s.install(ctx, p)
	case version < baseline:
		return ErrOlder
	}
	if _, err := p.Up(ctx); err != nil {
		return failed("migrate", err)
	}
	return nil
}

// install makes the newest schema and notes in the same transaction that no migration
// is left to do.
func (s *Store) install(ctx context.Context, p *goose.Provider) error {
	versions, err := database.NewStore(database.DialectSQLite3, goose.DefaultTablename)
	if err != nil {
		return fmt.Errorf("write schema version: %w", err)
	}
	return s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return failed("create schema", err)
		}
		return noteVersions(ctx, tx.Tx, p, versions)
	})
}

// noteVersions notes that every migration has been done.
func noteVersions(ctx context.Context, tx *sql.Tx, p *goose.Provider, versions database.Store) error {
	for _, m := range p.ListSources() {
		if err := versions.Insert(ctx, tx, database.InsertRequest{Version: m.Version}); err != nil {
			return failed("write schema version", err)
		}
	}
	return nil
}
