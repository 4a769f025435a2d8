package engine

import (
	"database/sql"
	"time"
)

// Used returns an expression for how many bytes are stored in all: on SQLite the pages of
// the file that are in use, on PostgreSQL Schema.Total, because the files of a table do
// not shrink when rows are deleted.
func (d *DB) Used() string {
	if d.dialect == postgres {
		return d.schema.Total
	}
	return `(SELECT (c.page_count - f.freelist_count) * z.page_size
	  FROM pragma_page_count() c, pragma_freelist_count() f, pragma_page_size() z)`
}

// Free returns an expression for how many bytes of the file are not in use: 0 on
// PostgreSQL.
func (d *DB) Free() string {
	if d.dialect == postgres {
		return `0`
	}
	return `(SELECT f.freelist_count * z.page_size
	  FROM pragma_freelist_count() f, pragma_page_size() z)`
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
