package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// TestVersion22_HasEveryKindOfRow: what the other tests of migrations look at has a
// row of each table, and each optional column with a value and without one.
func TestVersion22_HasEveryKindOfRow(t *testing.T) {
	onVersion22(t, func(t *testing.T, o old) {
		for _, table := range o.names(t, o.tables) {
			if len(o.names(t, `SELECT '' FROM `+table)) == 0 {
				t.Errorf("%s has no row", table)
			}
			for _, column := range o.names(t, o.optional, table) {
				for _, condition := range []string{` IS NULL`, ` IS NOT NULL`} {
					if len(o.names(t, `SELECT '' FROM `+table+` WHERE `+column+condition)) == 0 {
						t.Errorf("%s.%s%s nowhere", table, column, condition)
					}
				}
			}
		}
	})
}

// migrated are the columns that migrations of version 22 change or drop, by table.
// "*" stands for all of them.
var migrated = map[string][]string{
	"vocabulary": {"*"}, "word": {"*"}, "ending": {"*"}, "word_session": {"*"}, "session_words": {"*"},
	"session": {"indexed", "called"}, "workspace": {"bytes"}, "total": {"*"}, // without words
}

// TestMigrate_KeepsEveryRow compares every column of every row before and after the
// upgrade.
func TestMigrate_KeepsEveryRow(t *testing.T) {
	onVersion22(t, func(t *testing.T, o old) {
		columns, before := map[string][]string{}, map[string][]string{}
		for _, table := range o.names(t, o.tables) {
			if table == "goose_db_version" || slices.Contains(migrated[table], "*") {
				continue
			}
			columns[table] = slices.DeleteFunc(o.names(t, o.columns, table), func(column string) bool {
				return slices.Contains(migrated[table], column)
			})
			before[table] = o.rows(t, table, columns[table])
		}
		s, err := o.open()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		after := map[string][]string{}
		for table := range maps.Keys(before) {
			after[table] = o.rows(t, table, columns[table])
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("before (-), after (+):\n%s", diff)
		}
	})
}

// TestMigrate_Counts: the sums of an upgraded database are those of its rows, and those
// that version 22 had counted are right but for the words, which are gone.
func TestMigrate_Counts(t *testing.T) {
	onVersion22(t, func(t *testing.T, o old) {
		const logs = `SELECT id || ' ' || bytes FROM log`
		const workspaces = `SELECT id || ' ' || (bytes - coalesce(
			(SELECT bytes FROM vocabulary v WHERE v.workspace = w.id), 0)) FROM workspace w`
		before := append(o.names(t, logs), o.names(t, workspaces)...)
		s, err := o.open()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		checkSums(t, s, "upgraded")
		after := append(o.names(t, logs), o.names(t, `SELECT id || ' ' || bytes FROM workspace`)...)
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("before (-), after (+):\n%s", diff)
		}
		if s.onPostgres() {
			all := o.names(t, `SELECT '' FROM workspace HAVING sum(bytes) = (SELECT sum(bytes) FROM total)`)
			if len(all) != 1 {
				t.Error("the sum of all is another one")
			}
		}
	})
}

// TestMigrate_SchemasAreIdentical: a new database, and one that was upgraded.
func TestMigrate_SchemasAreIdentical(t *testing.T) {
	onVersion22(t, func(t *testing.T, o old) {
		s, err := o.open()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var fresh *Store
		if s.onPostgres() {
			fresh, _ = newPostgres(t)
		} else {
			fresh, _ = newStore(t)
			if broken := o.names(t, `SELECT "table" FROM pragma_foreign_key_check`); len(broken) > 0 {
				t.Errorf("broken references in %v", broken)
			}
		}
		if diff := cmp.Diff(o.schema(t, fresh), o.schema(t, s)); diff != "" {
			t.Errorf("new (-), of version 22 (+):\n%s", diff)
		}
		var version int
		err = s.read.QueryRow(`SELECT max(version_id) FROM goose_db_version`).Scan(&version)
		if err != nil || version != newest {
			t.Errorf("version %d, %v", version, err)
		}
	})
}

// TestMigrate_FromEveryVersion stops at each version on the way and goes on from there, so
// that a database of each can be opened.
func TestMigrate_FromEveryVersion(t *testing.T) {
	for n, step := range schema.Steps {
		t.Run(fmt.Sprint(step.Version), func(t *testing.T) {
			until := schema
			until.Steps = schema.Steps[:n+1]
			onVersion22(t, func(t *testing.T, o old) { upgradeInTwo(t, o, until, step.Version) })
		})
	}
}

// upgradeInTwo brings a database to a version, and then to the newest.
func upgradeInTwo(t *testing.T, o old, until engine.Schema, version int) {
	t.Helper()
	sessions := o.names(t, `SELECT id FROM session`)
	d, err := o.openWith(until)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	var found int
	err = o.raw.QueryRow(`SELECT max(version_id) FROM goose_db_version`).Scan(&found)
	if err != nil || found != version {
		t.Fatalf("version %d, want %d, %v", found, version, err)
	}
	s, err := o.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkSums(t, s, "upgraded")
	if diff := cmp.Diff(sessions, o.names(t, `SELECT id FROM session`)); diff != "" {
		t.Error(diff)
	}
}

// TestMigrate_UpgradedIsUsed uses the rows of version 22 as any other.
func TestMigrate_UpgradedIsUsed(t *testing.T) {
	onVersion22(t, func(t *testing.T, o old) {
		s, err := o.open()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, now := t.Context(), time.Now()
		st, err := s.Stage(ctx, "one", "sd0one")
		want := demo.Stage{
			Session: "sd0one", Story: "azure-devops", Own: "d0one", Legacy: "l0one",
			Marks:   []demo.Mark{{Instances: "Übungmark"}, {Instances: "Übungmark2"}},
			Started: time.Unix(1, 0).UTC(),
		}
		if diff := cmp.Diff(want, st); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
		for words, found := range map[string]int{
			"ÜBUNG": 4, "edited after": 1, "tool_error": 0, "waiting": 1, "rameters": 0, "BUNGPARAM": 4,
		} {
			q := session.Search{Limit: 9, Words: strings.Fields(words)}
			if p, err := s.Sessions(ctx, "one", q); err != nil || len(p.Rows) != found {
				t.Errorf("%s: %d found, want %d, %v", words, len(p.Rows), found, err)
			}
		}
		if p, err := s.Sessions(ctx, "two", session.Search{Limit: 9, Words: []string{"param"}}); err != nil ||
			len(p.Rows) != 1 {
			t.Errorf("of the other workspace: %+v, %v", p.Rows, err)
		}
		if id, err := s.LastCall(ctx, "one", session.CheckedKey("tc0one")); id == "" || err != nil {
			t.Errorf("the check of a server is not found: %v", err)
		}
		more := playground.Decision{Action: playground.ActionAnswer, Round: 2}.Event(now)
		for _, err := range []error{
			s.Append(ctx, "paid", playground.Summary{Status: "running", Changed: now}, more),
			s.AddMark(ctx, "salone", 2, demo.Mark{Instances: "a:v1"}, now),
			s.EditSession(ctx, "two", "swords", "new", "new", true),
			s.DeleteSession(ctx, "one", "sd0one"),
			s.DeleteSessions(ctx, "one"),
			s.ForgetTarget(ctx, "one", "t0one"),
			s.PurgeWorkspace(ctx, "two"),
			s.Close(),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		again, err := o.open()
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if left := o.names(t, `SELECT id FROM session`); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// TestMigrate_RefusesOtherVersions: one that is newer, and those of before the first
// release, with words that say what to do.
func TestMigrate_RefusesOtherVersions(t *testing.T) {
	for version, want := range map[string]error{
		"9999": engine.ErrNewer, "21": engine.ErrOlder, "10": engine.ErrOlder, "1": engine.ErrOlder,
	} {
		onVersion22(t, func(t *testing.T, o old) {
			for _, statement := range []string{
				`DELETE FROM goose_db_version WHERE version_id > 0`,
				`INSERT INTO goose_db_version (version_id, is_applied, tstamp)
				 VALUES (` + version + `, true, '2026-11-20')`,
			} {
				if _, err := o.raw.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			before := o.rows(t, "session", []string{"id"})
			s, err := o.open()
			if err == nil {
				_ = s.Close()
			}
			if !errors.Is(err, want) {
				t.Errorf("version %s: %v", version, err)
			}
			if diff := cmp.Diff(before, o.rows(t, "session", []string{"id"})); diff != "" {
				t.Error(diff)
			}
		})
	}
	const advice = "export your calls with the version that wrote it"
	if text := engine.ErrOlder.Error(); !strings.Contains(text, advice) {
		t.Errorf("%s does not say what to do", text)
	}
}

// TestMigrate_FailureChangesNothing: a database whose upgrade fails at its end stays as
// it was.
func TestMigrate_FailureChangesNothing(t *testing.T) {
	onVersion22(t, func(t *testing.T, o old) {
		_, err := o.raw.ExecContext(t.Context(), `ALTER TABLE workbench RENAME sealed TO hidden`)
		if err != nil {
			t.Fatal(err)
		}
		all := func() map[string][]string {
			list := map[string][]string{}
			for _, table := range o.names(t, o.tables) {
				columns := o.names(t, o.columns, table)
				list[table] = append(o.rows(t, table, columns), columns...)
			}
			return list
		}
		before := all()
		if s, err := o.open(); err == nil {
			_ = s.Close()
			t.Fatal("opened")
		}
		if diff := cmp.Diff(before, all()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestMigratePostgres_Killed: the connection of an upgrade is killed at its last table.
// The database stays as it was, and the next start upgrades it.
func TestMigratePostgres_Killed(t *testing.T) {
	url := newPostgres22(t)
	raw := openRaw(t, "pgx", url)
	tx, err := raw.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), `LOCK TABLE workbench IN ACCESS SHARE MODE`); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	go func() {
		s, err := OpenPostgres(context.Background(), url)
		if err == nil {
			_ = s.Close()
		}
		opened <- err
	}()
	until(func() bool {
		killed, err := engine.Texts(t.Context(), tx, `SELECT pg_terminate_backend(pid) FROM pg_locks
			WHERE relation = 'workbench'::regclass AND NOT granted`)
		if err != nil {
			t.Fatal(err)
		}
		return len(killed) > 0
	})
	if err := <-opened; !errors.Is(err, playground.ErrStorage) {
		t.Errorf("the upgrade that was killed: %v", err)
	}
	var words, sessions int
	if err := tx.QueryRow(`SELECT (SELECT count(*) FROM word), (SELECT count(*) FROM session)`).
		Scan(&words, &sessions); err != nil || words == 0 || sessions != 8 {
		t.Errorf("%d words and %d sessions, %v", words, sessions, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	s, err := OpenPostgres(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkSums(t, s, "upgraded")
	if again, err := engine.Texts(t.Context(), s.read, `SELECT id FROM session`); len(again) != sessions {
		t.Errorf("%d sessions, %v", len(again), err)
	}
}

// TestSchema_ExplainsItself: each table follows a comment, each column has one
// in its line.
func TestSchema_ExplainsItself(t *testing.T) {
	types := []string{"TEXT", "INTEGER", "BLOB", "FLAG", "timestamptz"}
	table, last := "", ""
	for line := range strings.Lines(statement("schema.sql")) {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "CREATE TABLE"):
			if table = words[2]; !strings.HasPrefix(last, "-- ") {
				t.Errorf("table %s has no comment", table)
			}
		case len(words) > 1 && slices.Contains(types, words[1]) && !strings.Contains(line, " -- "):
			t.Errorf("column %s of %s has no comment", words[0], table)
		}
		last = line
	}
	if table == "" {
		t.Error("no tables")
	}
}
