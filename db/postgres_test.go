package db_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

func TestPostgres(t *testing.T) {
	dbtest.TestStore(t, func(t *testing.T, n int) []*db.Store {
		url := pgtest.Database(t, makeSchema)
		var list []*db.Store
		for range n {
			list = append(list, openPostgres(t, url))
		}
		return list
	})
}

// makeSchema makes the schema in an empty database.
func makeSchema(ctx context.Context, url string) error {
	s, err := db.OpenPostgres(ctx, url)
	if err != nil {
		return err
	}
	return s.Close()
}

// openPostgres returns a Store on a database until the test ends.
func openPostgres(t testing.TB, url string) *db.Store {
	t.Helper()
	s, err := db.OpenPostgres(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// with returns a URL with a further parameter.
func with(t *testing.T, text, name, value string) string {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

// TestOpenPostgres_ManyAtOnce: processes that start together on an empty database
// make one schema.
func TestOpenPostgres_ManyAtOnce(t *testing.T) {
	where := pgtest.Empty(t)
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			s, err := db.OpenPostgres(t.Context(), where)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.AddExchange(t.Context(), "w", "title", dbtest.Exchange(fmt.Sprint(n))); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := openPostgres(t, where)
	for n := range 4 {
		if _, err := s.Exchange(t.Context(), "w", fmt.Sprint(n)); err != nil {
			t.Errorf("process %d: %v", n, err)
		}
	}
}

// TestPostgres_ServerRestarts: while the server is away every call is refused, and
// when it is back everything goes on.
func TestPostgres_ServerRestarts(t *testing.T) {
	ctx, c := t.Context(), pgtest.Start(t)
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	s := openPostgres(t, c.URL("postgres"))
	must(s.AddExchange(ctx, "w", "title", dbtest.Exchange("before")), s.Ready(ctx))
	for name, stop := range map[string]func() error{"restarted": c.Stop, "crashed": c.Kill} {
		must(stop())
		_, readErr := s.Exchange(ctx, "w", "before")
		for what, err := range map[string]error{
			"ready": s.Ready(ctx), "read": readErr,
			"write": s.AddExchange(ctx, "w", "title", dbtest.Exchange("lost")),
		} {
			if !errors.Is(err, playground.ErrStorage) {
				t.Errorf("%s: %s says %v", name, what, err)
			}
		}
		if _, err := db.OpenPostgres(ctx, c.URL("postgres")); !errors.Is(err, playground.ErrStorage) {
			t.Errorf("%s: opened, %v", name, err)
		}
		must(c.Start(), s.Ready(ctx), s.AddExchange(ctx, "w", "title", dbtest.Exchange(name)))
		_, err := s.Exchange(ctx, "w", "before")
		must(err)
		if _, err := s.Exchange(ctx, "w", "lost"); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("%s: what was refused is there: %v", name, err)
		}
	}
}

// TestPostgres_BrokenConnectionsAreReplaced: idle connections that the server has
// closed cost no request.
func TestPostgres_BrokenConnectionsAreReplaced(t *testing.T) {
	ctx, c := t.Context(), pgtest.Start(t)
	s := openPostgres(t, c.URL("postgres"))
	var wg sync.WaitGroup
	for n := range 8 { // several connections
		wg.Go(func() {
			if err := s.AddExchange(ctx, fmt.Sprint(n), "title", dbtest.Exchange(fmt.Sprint(n))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(c.Stop(), c.Start()); err != nil {
		t.Fatal(err)
	}
	for n := range 8 {
		id := fmt.Sprint(n)
		if _, err := s.Exchange(ctx, id, id); err != nil {
			t.Error(err)
		}
		if err := s.Append(ctx, id, playground.Summary{Status: "running"}, dbtest.Events()...); err != nil {
			t.Error(err)
		}
	}
}

// TestPostgres_CrashKeepsWhatWasAcknowledged kills the server while exchanges are
// stored.
func TestPostgres_CrashKeepsWhatWasAcknowledged(t *testing.T) {
	ctx, c := t.Context(), pgtest.Start(t)
	s := openPostgres(t, c.URL("postgres"))
	for round := range 3 {
		stored := make(chan string, 10_000)
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for n := 0; ; n++ {
					id := fmt.Sprint(round, "-", w, "-", n)
					if s.AddExchange(ctx, fmt.Sprint(w), "title", dbtest.Exchange(id)) != nil {
						return
					}
					if s.Append(ctx, id, playground.Summary{Status: "running"}, dbtest.Events()...) != nil {
						return
					}
					stored <- id
				}
			})
		}
		first := <-stored
		if err := c.Kill(); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		close(stored)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ids := []string{first}
		for id := range stored {
			ids = append(ids, id)
		}
		for _, id := range ids {
			if log, err := s.Log(ctx, id); err != nil || len(log) != len(dbtest.Events()) {
				t.Errorf("%s: %d events, %v", id, len(log), err)
			}
		}
	}
}

// TestPostgres_FrozenProcessLetsGo: a process that stops in the middle of a change
// does not keep others out, and its change is not made.
func TestPostgres_FrozenProcessLetsGo(t *testing.T) {
	ctx, where := t.Context(), pgtest.Database(t, makeSchema)
	frozen, awake := make(chan bool), make(chan bool)
	freeze := engine.WithCommit(func() error {
		frozen <- true
		<-awake
		return nil
	})
	s := openPostgres(t, where)
	if err := s.AddExchange(ctx, "w", "title", dbtest.Exchange("x")); err != nil {
		t.Fatal(err)
	}
	short := with(t, where, "idle_in_transaction_session_timeout", "100ms")
	other, err := db.OpenPostgres(ctx, short, freeze)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	result := make(chan error)
	go func() { result <- other.EditSession(ctx, "w", "sx", "of the frozen", "", false) }()
	<-frozen
	if err := s.EditSession(ctx, "w", "sx", "of the other", "", false); err != nil {
		t.Error(err)
	}
	awake <- true
	if err := <-result; !errors.Is(err, playground.ErrStorage) {
		t.Errorf("the frozen process gets %v", err)
	}
	if n, err := s.Session(ctx, "w", "sx"); err != nil || n.Title != "of the other" {
		t.Errorf("title %q, %v", n.Title, err)
	}
}

func TestPostgres_ReadyNeedsToWrite(t *testing.T) {
	where := pgtest.Database(t, makeSchema)
	s := openPostgres(t, with(t, where, "default_transaction_read_only", "on"))
	if err := s.Ready(t.Context()); !errors.Is(err, playground.ErrStorage) {
		t.Errorf("ready to write what is read-only: %v", err)
	}
	if _, err := s.Exchange(t.Context(), "w", "x"); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("reading: %v", err)
	}
}

// TestOpenPostgres_HidesThePassword in every error, whatever is wrong.
func TestOpenPostgres_HidesThePassword(t *testing.T) {
	const secret = "hunter2-QzW"
	for _, where := range []string{
		"postgres://u:" + secret + "@127.0.0.1:1/d",
		"postgres://u:" + secret + "/x@127.0.0.1:1/d",
		"postgres://u:" + secret + "%zz@127.0.0.1:1/d",
		"postgres://u:x@127.0.0.1:" + secret + "/d",
		"postgres://u:" + secret + "@127.0.0.1:1/d?sslmode=" + secret,
		"postgres://127.0.0.1:1/d?password=" + secret + "&connect_timeout=x",
		"postgres://u:" + secret + "@[::1/d",
		"postgres://u:" + secret + "@/d?host=/nonexistent",
		"mysql://u:" + secret + "@127.0.0.1:1/d",
	} {
		s, err := db.OpenPostgres(t.Context(), where)
		if s != nil || err == nil || strings.Contains(err.Error(), secret[:4]) {
			t.Errorf("%s: %v", where, err)
		}
	}
}
