package engine

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// changeOf runs f as a change of an owner, or of none.
func changeOf(ctx context.Context, d *DB, owner string, f func(context.Context, *Tx) error) error {
	return d.Change(ctx, Change{Owner: Owner{`SELECT id FROM owner WHERE id = ?`, owner}, Do: f})
}

func addOwner(t *testing.T, d *DB, id string) {
	t.Helper()
	if _, err := d.write.ExecContext(t.Context(), `INSERT INTO owner (id) VALUES (?)`, id); err != nil {
		t.Fatal(err)
	}
}

// TestPostgres_ServerThatDoesNotAnswer: a query ends although its caller set no
// limit, and the next one gets another connection.
func TestPostgres_ServerThatDoesNotAnswer(t *testing.T) {
	_, url := newPostgres(t)
	config, err := postgresConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	pool := sql.OpenDB(connector{stdlib.GetConnector(*config), 50 * time.Millisecond})
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	_, err = pool.ExecContext(t.Context(), `SELECT pg_sleep(600)`)
	_, readErr := Texts(t.Context(), pool, `SELECT 'x' FROM pg_sleep(600)`)
	for _, err := range []error{Failed("write", err), readErr} {
		if !errors.Is(err, playground.ErrStorage) {
			t.Errorf("error %v", err)
		}
	}
	own, end := context.WithTimeout(t.Context(), time.Hour) // in place of the limit of the pool
	defer end()
	if texts, err := Texts(own, pool, `SELECT 'x'`); err != nil || len(texts) != 1 {
		t.Errorf("the next query: %v, %v", texts, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Texts(ctx, pool, `SELECT 'x'`); err == nil || errors.Is(err, playground.ErrStorage) {
		t.Errorf("a caller that went away: %v", err)
	}
}

// TestChange_IsTriedAgain after a conflict, a limited number of times, and after
// no other error.
func TestChange_IsTriedAgain(t *testing.T) {
	d, _ := newPostgres(t)
	for _, c := range []struct {
		code        string
		fails, want int
		kind        error
	}{
		{serializationFailure, 3, 4, nil},
		{deadlockDetected, 1, 2, nil},
		{deadlockDetected, 1000, attempts, playground.ErrStorage},
		{uniqueViolation, 1000, 1, nil},
		{"53100", 1000, 1, playground.ErrFull},
		{"57P01", 1000, 1, playground.ErrStorage},
		{"25006", 1000, 1, playground.ErrStorage},
	} {
		tried := 0
		err := changeOf(t.Context(), d, "w", func(context.Context, *Tx) error {
			tried++
			if tried <= c.fails {
				return Failed("test", &pgconn.PgError{Code: c.code})
			}
			return nil
		})
		if tried != c.want || (err == nil) != (c.fails < c.want) ||
			c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s, %d times: tried %d times, want %d, %v", c.code, c.fails, tried, c.want, err)
		}
	}
}

// TestChange_EndsInTime: a change that waits for another one is refused when its
// time is over, wherever it waits, and leaves the connections usable.
func TestChange_EndsInTime(t *testing.T) {
	d, _ := newPostgres(t)
	d.write.SetMaxOpenConns(2)
	addOwner(t, d, "w")
	nothing := func(context.Context, *Tx) error { return nil }
	soon := func() context.Context {
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		t.Cleanup(stop)
		return ctx
	}
	err := changeOf(t.Context(), d, "w", func(context.Context, *Tx) error {
		if err := changeOf(soon(), d, "w", nothing); !errors.Is(err, playground.ErrStorage) {
			t.Errorf("waiting for the lock: %v", err)
		}
		return changeOf(t.Context(), d, "other", func(context.Context, *Tx) error {
			if err := changeOf(soon(), d, "", nothing); !errors.Is(err, playground.ErrStorage) {
				t.Errorf("waiting for a connection: %v", err)
			}
			return nil
		})
	})
	if err != nil {
		t.Error(err)
	}
	err = changeOf(soon(), d, "", func(ctx context.Context, tx *Tx) error {
		<-ctx.Done()
		_, err := tx.ExecContext(ctx, `DELETE FROM owner`)
		return Failed("delete", err)
	})
	if !errors.Is(err, playground.ErrStorage) {
		t.Errorf("between two statements: %v", err)
	}
	if owners, err := Texts(t.Context(), d.read, `SELECT id FROM owner`); err != nil || len(owners) != 1 {
		t.Errorf("%v, %v", owners, err)
	}
}
