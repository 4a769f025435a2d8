package engine

import (
	"database/sql"
	"time"
)

// Connections says how the connections of one pool to the database are used.
type Connections struct {
	Pool              string // "write" or "read"; on PostgreSQL "all"
	Open, Used, Limit int
	Waits             int64         // requests that waited for a connection, so far
	Waited            time.Duration // by all of them
}

// Connections returns the pools. On SQLite, a wait in the pool "write" is one
// for the only writer.
func (d *DB) Connections() []Connections {
	of := func(name string, pool *sql.DB) Connections {
		n := pool.Stats()
		return Connections{
			Pool: name, Open: n.OpenConnections, Used: n.InUse, Limit: n.MaxOpenConnections,
			Waits: n.WaitCount, Waited: n.WaitDuration,
		}
	}
	if d.read == d.write {
		return []Connections{of("all", d.write)}
	}
	return []Connections{of("write", d.write), of("read", d.read)}
}
