package db

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

//go:embed testdata/version22.sql
var version22 string

//go:embed testdata/postgres22.sql
var postgres22 string

// newVersion22 makes a file as version 22 left it, with every kind of row.
func newVersion22(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "version22.db")
	execFile(t, path, version22)
	return path
}

// newPostgres22 makes a database as version 22 left it, with every kind of row, and
// returns its URL.
func newPostgres22(t *testing.T) string {
	t.Helper()
	url := pgtest.Empty(t)
	if _, err := openRaw(t, "pgx", url).ExecContext(t.Context(), postgres22); err != nil {
		t.Fatal(err)
	}
	return url
}

func execFile(t *testing.T, path, script string) {
	t.Helper()
	if _, err := openRaw(t, "sqlite3", path).ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
	}
}

// openRaw opens a database without a Store.
func openRaw(t *testing.T, driver, name string) *sql.DB {
	t.Helper()
	raw, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	raw.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = raw.Close() })
	return raw
}

func openFile(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// old is a database of version 22.
type old struct {
	raw  *sql.DB
	open func() (*Store, error)

	tables, columns string // queries for the names of tables, and of the columns of one
	optional        string // a query for the columns of a table that may be NULL
	quote           string // a function that turns a column into a literal
	schema          func(*testing.T, *Store) []string
}

// onVersion22 runs a test on a database of version 22 of each engine.
func onVersion22(t *testing.T, f func(t *testing.T, o old)) {
	t.Run("SQLite", func(t *testing.T) {
		path := newVersion22(t)
		f(t, old{
			openRaw(t, "sqlite3", path),
			func() (*Store, error) { return Open(context.Background(), path) },
			`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
			`SELECT name FROM pragma_table_info(?)`,
			`SELECT name FROM pragma_table_info(?) WHERE "notnull" = 0 AND pk = 0 AND dflt_value IS NULL`,
			`quote`, schemaOf,
		})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		url := newPostgres22(t)
		const columns = `SELECT column_name FROM information_schema.columns
			WHERE table_schema = 'public' AND table_name = $1`
		f(t, old{
			openRaw(t, "pgx", url),
			func() (*Store, error) { return OpenPostgres(context.Background(), url) },
			`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`,
			columns, columns + ` AND is_nullable = 'YES'`,
			`quote_nullable`, postgresSchemaOf,
		})
	})
}

// names returns what a query of one column selects, in order.
func (o old) names(t *testing.T, query string, args ...any) []string {
	t.Helper()
	list, err := queryTexts(t.Context(), o.raw, query, args...)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// rows returns some columns of the rows of a table as literals, so that bytes, NULL
// and numbers differ.
func (o old) rows(t *testing.T, table string, columns []string) []string {
	t.Helper()
	return o.names(t, `SELECT `+o.quote+`(`+strings.Join(columns, `) || ' ' || `+o.quote+`(`)+`) FROM `+table)
}

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
	"session": {"indexed"}, "workspace": {"bytes"}, "total": {"*"}, // without words
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
		if s.dialect == postgres {
			all := o.names(t, `SELECT '' FROM workspace HAVING sum(bytes) = (SELECT sum(bytes) FROM total)`)
			if len(all) != 1 {
				t.Error("the sum of all is another one")
			}
		}
	})
}

// schemaOf returns what a file has, without the table of goose: every column
// with its type, default and key, every reference, and the statements of indexes
// and triggers. A column that a migration added has no other statement.
func schemaOf(t *testing.T, s *Store) []string {
	t.Helper()
	list, err := queryTexts(t.Context(), s.write,
		`SELECT 'column ' || m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' ||
		   coalesce(c.dflt_value, '') || ' ' || c.pk || ' ' || c.cid || ' ' || c.hidden
		 FROM sqlite_schema m, pragma_table_xinfo(m.name) c
		 WHERE m.type = 'table' AND m.name NOT LIKE 'goose%'
		 UNION ALL SELECT 'reference ' || m.name || '.' || f."from" || ' ' || f."table" || ' ' || f.on_delete
		 FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.name NOT LIKE 'goose%'
		 UNION ALL SELECT type || ' ' || name || ' of ' || tbl_name || ': ' || coalesce(sql, '')
		 FROM sqlite_schema WHERE type <> 'table' AND name NOT LIKE 'goose%' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// postgresSchemaOf returns the columns, indexes and triggers of a database.
func postgresSchemaOf(t *testing.T, s *Store) []string {
	t.Helper()
	list, err := queryTexts(context.Background(), s.read,
		`SELECT 'column ' || table_name || '.' || column_name || ' ' ||
		   row_number() OVER (PARTITION BY table_name ORDER BY ordinal_position) || ' ' ||
		   data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') || ' ' ||
		   coalesce(collation_name, '') || ' ' || coalesce(identity_generation, '') || ' ' ||
		   coalesce(generation_expression, '')
		 FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'goose%'
		 UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
		   AND tablename NOT LIKE 'goose%'
		 UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid)
		 FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
		   AND conrelid::regclass::text NOT LIKE 'goose%'
		 UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
		 UNION ALL SELECT 'options ' || relname || ' ' || reloptions::text FROM pg_class
		 WHERE reloptions IS NOT NULL AND relnamespace = 'public'::regnamespace
		 UNION ALL SELECT 'function ' || proname || ' ' || prosrc FROM pg_proc
		 WHERE pronamespace = 'public'::regnamespace ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	return list
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
		if s.dialect == postgres {
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

// TestMigrate_UpgradedIsUsed does with the rows of version 22 what is done with any.
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
			Marks: []demo.Mark{{Instances: "Übungmark"}, {Instances: "Übungmark2"}},
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
		"9999": ErrNewer, "21": ErrOlder, "10": ErrOlder, "1": ErrOlder,
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
	if text := ErrOlder.Error(); !strings.Contains(text, "export your calls with the version that wrote it") {
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

// TestSchema_ExplainsItself: each table follows a comment, each column has one
// in its line.
func TestSchema_ExplainsItself(t *testing.T) {
	types := []string{"TEXT", "INTEGER", "BLOB"}
	table, last := "", ""
	for line := range strings.Lines(schema) {
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
