package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// How long a process waits for another one that migrates: a try each second.
const (
	migrationTry   = 1
	migrationTries = 300
)

// migratePostgres creates the schema or brings it up to date. Of processes that
// start at once, one does that, and the others wait for it.
func migratePostgres(ctx context.Context, config pgx.ConnConfig, schema Schema) (err error) {
	pool := sql.OpenDB(stdlib.GetConnector(config)) // plain, as goose expects it
	defer func() { err = errors.Join(err, pool.Close()) }()
	m, err := newMigrator(goose.DialectPostgres, pool, schema, lost)
	if err != nil {
		return err
	}
	// Most starts find a schema that is up to date, and need no lock. An error may
	// be that there is no table of versions yet.
	if found, err := m.versions.GetLatestVersion(ctx, pool); err == nil && found == int64(schema.newest()) {
		return nil
	}
	return underLock(ctx, pool, func() error { return m.run(ctx) })
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
		return Failed("connect", lost(ctx, err))
	}
	defer conn.Close()
	if err := locker.SessionLock(ctx, conn); err != nil {
		return Failed("lock schema", lost(ctx, err))
	}
	return errors.Join(f(), locker.SessionUnlock(context.WithoutCancel(ctx), conn))
}

// sharedPoll is the interval of looks at the replicas before a migration.
const sharedPoll = 200 * time.Millisecond

// unshared returns nil once no replica is alive, and ErrShared once one that was found has been
// renewed: it runs, with the statements of an older version, which the new schema may break. One
// that was killed is never renewed, so it is waited for.
func unshared(ctx context.Context, pool *sql.DB) error {
	found := map[string]time.Time{}
	for {
		alive, renewed, err := countReplicas(ctx, pool, found)
		switch {
		case err != nil:
			return Failed("look for other programs", lost(ctx, err))
		case alive == 0:
			return nil
		case renewed:
			return ErrShared
		}
		select {
		case <-time.After(sharedPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// countReplicas returns how many replicas are alive, and whether one was renewed since an earlier
// look, which is in found.
func countReplicas(
	ctx context.Context, pool *sql.DB, found map[string]time.Time,
) (alive int, renewed bool, err error) {
	rows, err := pool.QueryContext(ctx, `SELECT id, expires FROM replica WHERE expires > clock_timestamp()`)
	if err != nil {
		return 0, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var expires time.Time
		if err := rows.Scan(&id, &expires); err != nil {
			return 0, false, err
		}
		before, known := found[id]
		renewed = renewed || known && expires.After(before)
		found[id] = expires
		alive++
	}
	return alive, renewed, rows.Err()
}
