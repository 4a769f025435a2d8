package db

import (
	"context"
	"database/sql"
	"time"
)

// Size says how much is stored.
type Size struct {
	Used       int64 // bytes, as usage.Storage counts them in all
	Free       int64 // bytes of the file that are not in use; 0 on PostgreSQL
	Workspaces int
}

// Size returns how much is stored. It reads no content.
func (s *Store) Size(ctx context.Context) (Size, error) {
	var size Size
	err := s.read.QueryRowContext(ctx,
		`SELECT `+s.dialect.total+`, `+s.dialect.free+`, (SELECT count(*) FROM workspace)`).
		Scan(&size.Used, &size.Free, &size.Workspaces)
	return size, failed("measure storage", err)
}

// Connections says how the connections of one pool to the database are used.
type Connections struct {
	Pool              string // "write" or "read"; on PostgreSQL "all"
	Open, Used, Limit int
	Waits             int64         // requests that waited for a connection, so far
	Waited            time.Duration // by all of them
}

// Connections returns the pools. On SQLite, a wait in the pool "write" is one
// for the only writer.
func (s *Store) Connections() []Connections {
	of := func(name string, pool *sql.DB) Connections {
		n := pool.Stats()
		return Connections{
			Pool: name, Open: n.OpenConnections, Used: n.InUse, Limit: n.MaxOpenConnections,
			Waits: n.WaitCount, Waited: n.WaitDuration,
		}
	}
	if s.read == s.write {
		return []Connections{of("all", s.write)}
	}
	return []Connections{of("write", s.write), of("read", s.read)}
}
