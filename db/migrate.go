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

// Why the schema of a file cannot be brought up to date.
var (
	ErrNewer = errors.New("the database was written by a newer version of this program")
	ErrOlder = errors.New("the database was written by a development version that is no longer supported")
)

//go:embed schema_sqlite.sql
var schema string

// Versions of the schema as goose counts them, the same on both engines, so that
// one number stands for one schema. A new file gets schema_sqlite.sql at once and
// counts as having every migration. Files of version 10 were made before the first
// release by ten migrations; upgradeFrom10 brings them to schema_sqlite.sql in one
// step. Files of a later version are migrated one version at a time: a change of
// schema_sqlite.sql then needs a migration that makes the same change to existing
// files, and must not change what earlier migrations do.
const (
	development = 10
	baseline    = 11
	counting    = 12
	networks    = 13
	results     = 14
	saved       = 15
	certified   = 16
	paired      = 17
	protected   = 18
	workbench   = 19
	searched    = 20
	shared      = 21
	newest      = 22
)

// migrations returns the migrations of files that have the baseline.
func migrations() []*goose.Migration {
	return []*goose.Migration{
		goose.NewGoMigration(baseline, nil, nil),
		goose.NewGoMigration(counting, &goose.GoFunc{RunTx: upgradeFrom11}, nil),
		goose.NewGoMigration(networks, &goose.GoFunc{RunTx: upgradeFrom12}, nil),
		goose.NewGoMigration(results, &goose.GoFunc{RunTx: upgradeFrom13}, nil),
		goose.NewGoMigration(saved, &goose.GoFunc{RunTx: upgradeFrom14}, nil),
		goose.NewGoMigration(certified, &goose.GoFunc{RunTx: upgradeFrom15}, nil),
		goose.NewGoMigration(paired, &goose.GoFunc{RunTx: upgradeFrom16}, nil),
		goose.NewGoMigration(protected, &goose.GoFunc{RunTx: upgradeFrom17}, nil),
		goose.NewGoMigration(workbench, &goose.GoFunc{RunTx: upgradeFrom18}, nil),
		goose.NewGoMigration(searched, &goose.GoFunc{RunTx: upgradeFrom19}, nil),
		goose.NewGoMigration(shared, nil, nil), // this and the next one are of PostgreSQL only
		goose.NewGoMigration(newest, nil, nil),
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
		return s.install(ctx, p, createSchema)
	case version == development:
		return s.install(ctx, p, upgradeFrom10)
	case version < baseline:
		return ErrOlder
	}
	if _, err := p.Up(ctx); err != nil {
		return failed("migrate", err)
	}
	return nil
}

// install makes the newest schema with create and notes in the same
// transaction that no migration is left to do.
func (s *Store) install(
	ctx context.Context, p *goose.Provider, create func(context.Context, *sql.Tx) error,
) error {
	versions, err := database.NewStore(database.DialectSQLite3, goose.DefaultTablename)
	if err != nil {
		return fmt.Errorf("write schema version: %w", err)
	}
	return s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		if err := create(ctx, tx.Tx); err != nil {
			return err
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

func createSchema(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, schema)
	return failed("create schema", err)
}
