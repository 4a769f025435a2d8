package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// noted notes the queries of a pool, and their arguments.
type noted struct {
	connector
	queries []string
	args    [][]any
}

func (n *noted) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := n.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return notedConn{made.(*conn), n}, nil
}

type notedConn struct {
	*conn
	noted *noted
}

func (c notedConn) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	c.noted.queries, c.noted.args = append(c.noted.queries, query), append(c.noted.args, values)
	return c.conn.QueryContext(ctx, query, args)
}

// TestPostgres_CostOfAPage is TestSessions_CostOfAPage on PostgreSQL.
func TestPostgres_CostOfAPage(t *testing.T) {
	s, url := newPostgres(t)
	manySessions(t, s, 10_000)
	config, err := postgresConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	n := &noted{connector: connector{stdlib.GetConnector(*config), queryTimeout}}
	watched := &Store{dialect: postgres, read: sql.OpenDB(n)}
	defer watched.read.Close()
	for name, q := range map[string]session.Search{
		"first page": {Limit: 51},
		"last page":  {Limit: 51, After: session.Cursor{ID: "s00060", Changed: time.Unix(60, 0)}},
	} {
		n.queries, n.args = nil, nil
		list, err := watched.Sessions(t.Context(), "w", q)
		if err != nil || len(list.Rows) != 51 || len(list.Rows[0].Exchanges) != 1 {
			t.Fatalf("%s: %d sessions, %v", name, len(list.Rows), err)
		}
		if len(n.queries) != 2 {
			t.Errorf("%s: %d queries", name, len(n.queries))
		}
		for i, query := range n.queries {
			plan, err := queryTexts(t.Context(), s.read, "EXPLAIN "+query, n.args[i]...)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Join(plan, "\n")
			if strings.Contains(text, "Seq Scan") || strings.Contains(text, "Sort") && i == 0 {
				t.Errorf("%s: %s\n%s", name, query, text)
			}
		}
	}
}

// counted counts the messages that are sent to the server.
type counted struct{ n int }

func (c *counted) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData,
) context.Context {
	c.n++
	return ctx
}

func (c *counted) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counted) TraceBatchStart(
	ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData,
) context.Context {
	c.n++
	return ctx
}

func (c *counted) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (c *counted) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TestPostgres_CostOfAppend: each message to the server is a wait for the network.
func TestPostgres_CostOfAppend(t *testing.T) {
	s, _ := newPostgres(t)
	addLog(t, s, "x")
	r := joined(t, s)
	c := &counted{}
	config := s.config.Copy()
	config.Tracer = c
	pool := sql.OpenDB(connector{stdlib.GetConnector(*config), queryTimeout})
	defer pool.Close()
	first := s.write
	s.write = pool
	defer func() { s.write = first }()
	ctx := usage.WithPayer(t.Context(), usage.Payer{Day: 1, Hash: "h", Network: "n"})
	if _, err := s.Salt(ctx, 1); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		sum  playground.Summary
		most int
	}{
		{"first of a payer", running, 100},
		{"that ends", playground.Summary{Status: "waiting"}, 3},
		{"that begins", running, 4},
		{"between", running, 3},
	} {
		last, err := r.End(ctx, "x")
		wantError(t, "read end", nil, err)
		c.n = 0
		err = r.Append(ctx, "x", step.sum, event(last.Seq+1, playground.Sent),
			event(last.Seq+2, playground.Message))
		wantError(t, step.name, nil, err)
		if c.n > step.most {
			t.Errorf("an append %s takes %d messages", step.name, c.n)
		}
	}
}

// TestPostgres_LaterFails: what is sent with the commit leaves nothing behind if one
// statement fails, and the connection serves the next change.
func TestPostgres_LaterFails(t *testing.T) {
	ctx := t.Context()
	s, _ := newPostgres(t)
	s.write.SetMaxOpenConns(1)
	addLog(t, s, "x")
	open := playground.Event{Seq: 1, Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)}
	wantError(t, "open", nil, s.Append(ctx, "x", running, open))
	for range 3 {
		err := s.Append(ctx, "x", running, event(2, playground.Message), open)
		wantError(t, "open again", playground.ErrNotOpen, err)
	}
	log, err := s.Log(ctx, "x")
	if err != nil || len(log) != 1 {
		t.Errorf("%d events, %v", len(log), err)
	}
	wantError(t, "append", nil, s.Append(ctx, "x", running, event(2, playground.Message)))
}

// manySessions stores n sessions of one exchange.
func manySessions(t *testing.T, s *Store, n int) {
	t.Helper()
	if err := addOne(t.Context(), s, "x00000"); err != nil {
		t.Fatal(err)
	}
	numbers := `generate_series(1, ` + strconv.Itoa(n) + `) AS i`
	for _, statement := range []string{
		`INSERT INTO log (id, workspace) SELECT to_char(i, '"x"FM00000'), 'w' FROM ` + numbers,
		`INSERT INTO session (id, workspace, kind, title, search, created, changed)
		 SELECT to_char(i, '"s"FM00000'), 'w', 'exchange', 't', 't', 0, i::bigint * 1000000 FROM ` + numbers,
		`INSERT INTO exchange (id, session, created, status, search, target, sample, name, url, header,
		   capabilities, method, params)
		 SELECT to_char(i, '"x"FM00000'), to_char(i, '"s"FM00000'), created, status, 's', target, sample,
		   name, url, header, capabilities, method, 'p'::bytea FROM exchange, ` + numbers + `
		 WHERE id = 'x00000'`,
		`ANALYZE`,
	} {
		if _, err := s.write.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}
