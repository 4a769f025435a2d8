package db

import (
	"context"
	"database/sql"
	_ "embed"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
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
	raw      *sql.DB
	openWith func(engine.Schema) (*engine.DB, error)

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
			func(s engine.Schema) (*engine.DB, error) { return engine.Open(context.Background(), path, s) },
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
			func(s engine.Schema) (*engine.DB, error) {
				return engine.OpenPostgres(context.Background(), url, s)
			},
			`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`,
			columns, columns + ` AND is_nullable = 'YES'`,
			`quote_nullable`, postgresSchemaOf,
		})
	})
}

// open opens it as Open and OpenPostgres do.
func (o old) open() (*Store, error) { return storeOn(o.openWith(schema)) }

// names returns what a query of one column selects, in order.
func (o old) names(t *testing.T, query string, args ...any) []string {
	t.Helper()
	list, err := engine.Texts(t.Context(), o.raw, query, args...)
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

// schemaOf returns what a file has, without the table of goose: every column
// with its type, default and key, every reference, and the statements of indexes
// and triggers. A column that a migration added has no other statement, and is the
// last of its table.
func schemaOf(t *testing.T, s *Store) []string {
	t.Helper()
	list, err := engine.Texts(t.Context(), s.db.Writer(),
		`SELECT 'column ' || m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' ||
		   coalesce(c.dflt_value, '') || ' ' || c.pk || ' ' || c.hidden
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
	list, err := engine.Texts(context.Background(), s.read,
		`SELECT 'column ' || table_name || '.' || column_name || ' ' ||
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
