package db

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// newPostgres returns a Store on a database of PostgreSQL, and its URL.
func newPostgres(t *testing.T, options ...engine.Option) (*Store, string) {
	t.Helper()
	url := pgtest.Database(t, func(ctx context.Context, url string) error {
		s, err := OpenPostgres(ctx, url)
		if err != nil {
			return err
		}
		return s.Close()
	})
	s, err := OpenPostgres(t.Context(), url, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, url
}

// sums returns every sum of bytes by the row that has it.
func sums(t *testing.T, s *Store) map[string]int64 {
	t.Helper()
	rows, err := s.read.QueryContext(t.Context(),
		`SELECT 'log ' || id, bytes FROM log UNION ALL SELECT 'workspace ' || id, bytes FROM workspace
		 UNION ALL SELECT 'payer ' || hash, bytes FROM payer`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	list := map[string]int64{}
	for rows.Next() {
		var id string
		var n int64
		if err := rows.Scan(&id, &n); err != nil {
			t.Fatal(err)
		}
		list[id] = n
	}
	return list
}

// TestBytes_AreTheSameOnBothEngines does everything there is on both, and
// compares the sums that the triggers keep. TestBytes_AreWhatIsStored shows that
// those of SQLite are right.
func TestBytes_AreTheSameOnBothEngines(t *testing.T) {
	lite, _ := newStore(t)
	pg, _ := newPostgres(t)
	ctx := usage.WithPayer(t.Context(), usage.Payer{Day: 7, Hash: "address", Network: "network"})
	moved := usage.WithPayer(t.Context(), usage.Payer{Day: 7, Hash: "address", Network: "other"})
	target := marked("t0one", "", "other", 99).Target
	target.ID = "t0one"
	for _, step := range []struct {
		what string
		do   func(s *Store) error
	}{
		{"day", func(s *Store) error { _, err := s.Salt(ctx, 7); return err }},
		{"filled one", func(s *Store) error {
			for n := range 3 {
				filledWith(t, s, "one", "Übung", n, 100*n)
			}
			return nil
		}},
		{"filled two", func(s *Store) error { filledWith(t, s, "two", "Übung", 0, 9000); return nil }},
		{"charged", func(s *Store) error {
			return errors.Join(addOne(ctx, s, "paid"), s.Append(ctx, "paid", playground.Summary{},
				markedLog("paid", 77)...))
		}},
		{"moved to another network", func(s *Store) error {
			return s.Append(moved, "paid", playground.Summary{}, markedLog("again", 5)[1])
		}},
		{"server changed", func(s *Store) error { return s.SetTarget(ctx, "one", target) }},
		{"secrets forgotten", func(s *Store) error { return s.ForgetSecrets(ctx, "one", "t1one") }},
		{"saved call renamed", func(s *Store) error {
			return s.RenameSavedCall(ctx, "one", "v1one", "Übung zwei")
		}},
		{"server forgotten", func(s *Store) error { return s.ForgetTarget(ctx, "one", "t0one") }},
		{"workbench", func(s *Store) error {
			now := time.Unix(1, 0)
			return s.KeepWorkbench(ctx, "one", "w", []byte("sealed"), now, now.Add(time.Hour), 3)
		}},
		{"registration deleted", func(s *Store) error {
			return s.DeleteRegistration(ctx, "one", "Übungissuer")
		}},
		{"share deleted", func(s *Store) error { return s.DeleteShare(ctx, "one", "Übungtoken0one") }},
		{"shares expired", func(s *Store) error {
			return s.DeleteExpiredShares(ctx, time.Now().Add(2*time.Hour))
		}},
		{"roots", func(s *Store) error {
			return s.SetRoots(ctx, "one", []question.Root{{URI: "file:///ü"}}, time.Unix(1, 0))
		}},
		{"session deleted", func(s *Store) error { return s.DeleteSession(ctx, "one", "s0one") }},
		{"stage deleted", func(s *Store) error { return s.DeleteSession(ctx, "one", "sd0one") }},
		{"sessions deleted", func(s *Store) error { return s.DeleteSessions(ctx, "one") }},
		{"workspace purged", func(s *Store) error { return s.PurgeWorkspace(ctx, "two") }},
	} {
		if err := errors.Join(step.do(lite), step.do(pg)); err != nil {
			t.Fatal(step.what, err)
		}
		want, got := sums(t, lite), sums(t, pg)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: on SQLite (-), on PostgreSQL (+):\n%s", step.what, diff)
		}
		var all int64
		for id, n := range got {
			if strings.HasPrefix(id, "workspace ") {
				all += n
			}
		}
		if u, err := pg.Storage(ctx, "", "", usage.Payer{}); u.Total != all || err != nil {
			t.Errorf("%s: %d bytes in all, want %d, %v", step.what, u.Total, all, err)
		}
	}
}

func TestOpenPostgres_NewerSchema(t *testing.T) {
	s, url := newPostgres(t)
	_, err := s.db.Writer().ExecContext(t.Context(),
		`UPDATE goose_db_version SET version_id = 99 WHERE version_id = ?`, newest)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPostgres(t.Context(), url); !errors.Is(err, engine.ErrNewer) {
		t.Errorf("opened a newer database: %v", err)
	}
}

// TestSchema_HasTheSameColumns on both engines, in the same order.
func TestSchema_HasTheSameColumns(t *testing.T) {
	lite, _ := newStore(t)
	pg, _ := newPostgres(t)
	const key = ` || ' ' || c.cid FROM sqlite_master m, pragma_table_xinfo(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'goose%' AND m.name NOT LIKE 'sqlite%' ORDER BY 1`
	want, err := engine.Texts(t.Context(), lite.read, `SELECT m.name || '.' || c.name`+key)
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.Texts(t.Context(), pg.read,
		`SELECT (table_name || '.' || column_name || ' ' || ordinal_position - 1) COLLATE "C"
		 FROM information_schema.columns WHERE table_schema = 'public'
		   AND table_name NOT IN ('goose_db_version', 'total', 'replica', 'lease', 'letter',
		     'sample_task', 'sample_ticket') ORDER BY 1`)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v on SQLite (-), on PostgreSQL (+):\n%s", err, diff)
	}
}

// TestPostgres_TextsAreComparedByBytes whatever the database was created with.
func TestPostgres_TextsAreComparedByBytes(t *testing.T) {
	s, _ := newPostgres(t)
	others, err := engine.Texts(t.Context(), s.read,
		`SELECT table_name || '.' || column_name FROM information_schema.columns
		 WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`)
	if err != nil || len(others) > 0 {
		t.Errorf("columns of another collation: %v, %v", others, err)
	}
}
