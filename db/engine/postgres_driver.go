package engine

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/stdlib"
)

// connector makes connections to PostgreSQL that take the queries and values of
// this package: placeholders as SQLite writes them, booleans as 0 and 1, and
// texts of any bytes. A query that the server does not answer ends after the
// timeout, unless its context has an end of its own.
type connector struct {
	driver.Connector
	timeout time.Duration
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, lost(ctx, err)
	}
	return &conn{Conn: made.(*stdlib.Conn), timeout: c.timeout}, nil
}

// conn is a connection.
type conn struct {
	*stdlib.Conn
	timeout time.Duration
	begun   bool        // a transaction was begun before BeginTx
	queue   []statement // to be sent before anything else
}

// CheckNamedValue turns an argument into a value that PostgreSQL stores.
func (*conn) CheckNamedValue(v *driver.NamedValue) error {
	value, err := driver.DefaultParameterConverter.ConvertValue(v.Value)
	if err != nil {
		return err
	}
	switch typed := value.(type) {
	case string:
		value = toPostgres(typed)
	case bool:
		value = int64(0)
		if typed {
			value = int64(1)
		}
	}
	v.Value = value
	return nil
}

// limit bounds a context that has no end.
func (c *conn) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ends := ctx.Deadline(); ends {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, c.timeout)
}

// ExecContext runs a statement.
func (c *conn) ExecContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Result, error) {
	limited, stop := c.limit(ctx)
	defer stop()
	if _, err := c.sendQueue(limited); err != nil {
		return nil, err
	}
	result, err := c.Conn.ExecContext(limited, rebind(query), args)
	return result, lost(ctx, err)
}

// QueryContext runs a query that only reads or locks. If the connection is gone,
// the pool tries another one, unless a transaction was open on it.
func (c *conn) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	limited, stop := c.limit(ctx)
	if _, err := c.sendQueue(limited); err != nil {
		stop()
		return nil, err
	}
	found, err := c.Conn.QueryContext(limited, rebind(query), args)
	if err != nil {
		stop()
		return nil, c.gone(ctx, err)
	}
	return pgRows{found, stop, ctx}, nil
}

// gone is lost for what can be done on another connection.
func (c *conn) gone(ctx context.Context, err error) error {
	if c.Conn.Conn().IsClosed() && ctx.Err() == nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
	}
	return lost(ctx, err)
}

// pgRows are the rows that a query found.
type pgRows struct {
	found driver.Rows
	stop  context.CancelFunc
	ctx   context.Context
}

func (r pgRows) Columns() []string { return r.found.Columns() }

func (r pgRows) Close() error {
	defer r.stop()
	return lost(r.ctx, r.found.Close())
}

func (r pgRows) Next(values []driver.Value) error {
	switch err := r.found.Next(values); err {
	case nil:
	case io.EOF: // the end of the rows
		return err
	default:
		return lost(r.ctx, err)
	}
	for i, v := range values {
		if text, ok := v.(string); ok {
			values[i] = fromPostgres(text)
		}
	}
	return nil
}

// rebind replaces the placeholders ? and ?n of a query by $n. A question mark in
// a text between single quotes stays.
func rebind(query string) string {
	if !strings.Contains(query, "?") {
		return query
	}
	var b strings.Builder
	b.Grow(len(query) + 16)
	next, quoted := 1, false
	for i := range len(query) {
		c := query[i]
		if c == '\'' {
			quoted = !quoted
		}
		if c != '?' || quoted {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('$')
		if i+1 == len(query) || query[i+1] < '0' || query[i+1] > '9' {
			b.WriteString(strconv.Itoa(next))
			next++
		}
	}
	return b.String()
}

// A text of PostgreSQL is valid UTF-8 without NUL. A byte that cannot be in one
// is stored as the private character firstEscape + byte, and a character of that
// range as its four bytes in the same way, so that every text comes back as it
// was. An escaped byte counts as four in sums of bytes.
const (
	firstEscape = '\U0010FE00'
	lastEscape  = firstEscape + 0xff
	escapeStart = "\xf4\x8f" // of every character of the range, and of few others
)

// toPostgres returns a text as PostgreSQL stores it.
func toPostgres(text string) string {
	if utf8.ValidString(text) && !strings.Contains(text, "\x00") &&
		!strings.Contains(text, escapeStart) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 || r == 0 || r >= firstEscape && r <= lastEscape {
			for i := range n {
				b.WriteRune(firstEscape + rune(text[i]))
			}
		} else {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// fromPostgres returns a text that toPostgres made as it was.
func fromPostgres(text string) string {
	if !strings.Contains(text, escapeStart) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r >= firstEscape && r <= lastEscape {
			b.WriteByte(byte(r - firstEscape))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
