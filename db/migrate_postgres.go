package db

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

//go:embed schema_postgres.sql
var schemaPostgres string

// postgresMigrations returns the migrations of databases that have the baseline.
func postgresMigrations() []*goose.Migration {
	return []*goose.Migration{
		goose.NewGoMigration(baseline, nil, nil),
		goose.NewGoMigration(counting, &goose.GoFunc{RunTx: upgradePostgres23}, nil),
	}
}

// How long a process waits for another one that migrates: a try each second.
const (
	migrationTry   = 1
	migrationTries = 300
)

// migratePostgres creates the schema or brings it up to date. Of processes that
// start at once, one does that, and the others wait for it.
func migratePostgres(ctx context.Context, config pgx.ConnConfig) (err error) {
	pool := sql.OpenDB(stdlib.GetConnector(config)) // plain, as goose expects it
	defer func() { err = errors.Join(err, pool.Close()) }()
	p, err := goose.NewProvider(goose.DialectPostgres, pool, nil,
		goose.WithVerbose(false), goose.WithDisableGlobalRegistry(true),
		goose.WithGoMigrations(postgresMigrations()...))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	versions, err := database.NewStore(database.DialectPostgres, goose.DefaultTablename)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	sources := p.ListSources()
	target := sources[len(sources)-1].Version
	// Most starts find a schema that is up to date, and need no lock. An error may
	// be that there is no table of versions yet.
	if found, err := versions.GetLatestVersion(ctx, pool); err == nil && found == target {
		return nil
	}
	return underLock(ctx, pool, func() error { return upgradePostgres(ctx, pool, p, versions) })
}

// underLock runs f while this process holds goose's lock on the database, on a
// connection of its own. The server releases the lock if the process dies.
func underLock(ctx context.Context, pool *sql.DB, f func() error) error {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(migrationTry, migrationTries))
	if err != nil {
		return fmt.Errorf("lock schema: %w", err)
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return failed("connect", lost(ctx, err))
	}
	defer conn.Close()
	if err := locker.SessionLock(ctx, conn); err != nil {
		return failed("lock schema", lost(ctx, err))
	}
	return errors.Join(f(), locker.SessionUnlock(context.WithoutCancel(ctx), conn))
}

func upgradePostgres(
	ctx context.Context, pool *sql.DB, p *goose.Provider, versions database.Store,
) error {
	version, target, err := p.GetVersions(ctx)
	if err != nil {
		return failed("read schema version", lost(ctx, err))
	}
	switch {
	case version > target:
		return ErrNewer
	case version == 0:
		return createPostgresSchema(ctx, pool, p, versions)
	case version < baseline:
		return ErrOlder
	}
	if _, err := p.Up(ctx); err != nil {
		return failed("migrate", lost(ctx, err))
	}
	return nil
}

// createPostgresSchema makes the newest schema and notes in the same transaction
// that no migration is left to do.
func createPostgresSchema(
	ctx context.Context, pool *sql.DB, p *goose.Provider, versions database.Store,
) error {
	begun, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return failed("begin", lost(ctx, err))
	}
	tx := &txn{Tx: begun}
	if _, err := tx.ExecContext(ctx, schemaPostgres); err != nil {
		return tx.rollBack(failed("create schema", lost(ctx, err)))
	}
	if err := noteVersions(ctx, begun, p, versions); err != nil {
		return tx.rollBack(err)
	}
	return failed("commit", lost(ctx, tx.Commit()))
}
