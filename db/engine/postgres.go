package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// ErrURL is the error for the URL of a database that cannot be read. It does not
// say which part is wrong, because a part may be the password.
var ErrURL = errors.New("the database URL is not postgres://USER:PASSWORD@HOST:PORT/NAME " +
	"with known parameters; a special character in the password is written as %XX")

const (
	// maxConns is how many connections a Store opens; a Replica has two more. A larger
	// number makes a busy server slower. Eight replicas fit into the 100 that a server
	// allows when nothing else is set.
	maxConns = 10
	// maxChanges is how many of them changes get. Changes wait for each other, and
	// pages are read meanwhile.
	maxChanges  = 7
	maxConnIdle = 5 * time.Minute

	connectTimeout = 5 * time.Second
	queryTimeout   = 10 * time.Second // of reading, also when the server does not answer at all
	changeTimeout  = 15 * time.Second // of a change with all its attempts
	removeTimeout  = 2 * time.Minute  // of a change that deletes, maybe a long history
	readyTimeout   = 3 * time.Second
)

// sessionParameters are the settings of a connection. The server ends what a
// process that was frozen or cut off has begun, so that it locks no rows for
// longer.
var sessionParameters = map[string]string{
	"application_name":                    "mrtr-playground",
	"client_encoding":                     "UTF8",
	"statement_timeout":                   "2min",
	"idle_in_transaction_session_timeout": "10s",
	// Every query finds its rows through an index. What PostgreSQL knows of a table that
	// has just grown is out of date, and must not make it read the whole table instead.
	"enable_seqscan": "off",
	"jit":            "off",
}

// postgresServer is an open database of PostgreSQL.
type postgresServer struct {
	*core
	config  *pgx.ConnConfig
	changes chan struct{} // has an entry for each change that runs
}

// IsPostgresURL reports whether a text is meant as the URL of a PostgreSQL
// database.
func IsPostgresURL(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// OpenPostgres opens the PostgreSQL database at a URL, creates the tables if
// they are missing, and brings its schema up to date. Any number of processes
// may have the same database open. No error shows the password of the URL.
func OpenPostgres(ctx context.Context, url string, schema Schema, options ...Option) (*DB, error) {
	config, err := postgresConfig(url)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := migratePostgres(ctx, *config, schema); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	config.RuntimeParams = merged(config.RuntimeParams, sessionParameters)
	s := &postgresServer{newCore(schema, options), config, make(chan struct{}, maxChanges)}
	s.config.Tracer = s.tracer
	s.write = s.newPool(maxConns)
	s.read = s.write
	return &DB{s.core, s}, nil
}

// newPool returns a pool of so many connections.
func (s *postgresServer) newPool(most int) *sql.DB {
	pool := s.openPool(connector{stdlib.GetConnector(*s.config), queryTimeout})
	pool.SetMaxOpenConns(most)
	pool.SetMaxIdleConns(most)
	pool.SetConnMaxIdleTime(maxConnIdle)
	return pool
}

// postgresConfig reads a URL.
func postgresConfig(url string) (*pgx.ConnConfig, error) {
	if !IsPostgresURL(url) {
		return nil, ErrURL
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, ErrURL // its text may contain parts of the URL
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	// A connection that a network has dropped is noticed after 20 seconds.
	dialer := net.Dialer{
		Timeout: config.ConnectTimeout,
		KeepAliveConfig: net.KeepAliveConfig{
			Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 2,
		},
	}
	config.DialFunc = dialer.DialContext
	return config, nil
}

// merged returns the entries of two maps, of which the first counts.
func merged(first, second map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range []map[string]string{second, first} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// ready returns an error unless the database can be written: it commits
// a write that changes nothing.
func (s *postgresServer) ready(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, readyTimeout)
	defer stop()
	_, err := s.write.ExecContext(ctx,
		s.schema.Touch)
	return Failed("write", err)
}

func (*postgresServer) refuse() error { return nil }

func (*postgresServer) keepReserve(context.Context) error { return nil }

func (s *postgresServer) used() string { return s.schema.Total }

func (*postgresServer) below(int64) bool { return false }

func (*postgresServer) free() string { return `0` }

func (s *postgresServer) close() error { return s.write.Close() }

// PostgresHosts returns the hosts of a database URL, each with its port. There are none for
// SQLite, for a socket of the file system, and for a URL that cannot be read.
func PostgresHosts(url string) []string {
	config, err := pgx.ParseConfig(url)
	if !IsPostgresURL(url) || err != nil {
		return nil
	}
	var list []string
	add := func(host string, port uint16) {
		if host != "" && !strings.HasPrefix(host, "/") {
			list = append(list, net.JoinHostPort(host, strconv.Itoa(int(port))))
		}
	}
	add(config.Host, config.Port)
	for _, f := range config.Fallbacks {
		add(f.Host, f.Port)
	}
	return list
}
