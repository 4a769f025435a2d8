package db

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

//go:embed testdata/version10.sql
var version10 string

// newVersion10 makes a file as the program left it that had ten migrations.
func newVersion10(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "version10.db")
	execFile(t, path, version10)
	return path
}

func execFile(t *testing.T, path, script string) {
	t.Helper()
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
	}
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

//go:embed testdata/version11.sql
var version11 string

// newVersion11 makes a file as the program left it that upgraded that of
// newVersion10.
func newVersion11(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "version11.db")
	execFile(t, path, version11)
	return path
}

//go:embed testdata/version12.sql
var version12 string

// newVersion12 makes a file as the program left it that upgraded that of
// newVersion11 and then charged two addresses.
func newVersion12(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "version12.db")
	execFile(t, path, version12)
	return path
}

//go:embed testdata/version13.sql
var version13 string

// newVersion13 makes a file as the program left it that upgraded that of
// newVersion12.
func newVersion13(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "version13.db")
	execFile(t, path, version13)
	return path
}

//go:embed testdata/version14.sql
var version14 string

// newVersion14 makes a file as the program left it that upgraded that of
// newVersion13.
func newVersion14(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "version14.db")
	execFile(t, path, version14)
	return path
}

// schemaOf returns what a file has, without the table of goose: every column
// with its type, default and key, every reference, and the statements of indexes
// and triggers. A column that a migration added has no other statement.
func schemaOf(t *testing.T, s *Store) []string {
	t.Helper()
	list, err := queryTexts(t.Context(), s.write,
		`SELECT 'column ' || m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' ||
		   coalesce(c.dflt_value, '') || ' ' || c.pk || ' ' || c.cid
		 FROM sqlite_master m, pragma_table_xinfo(m.name) c
		 WHERE m.type = 'table' AND m.name NOT LIKE 'goose%'
		 UNION ALL SELECT 'reference ' || m.name || '.' || f."from" || ' ' || f."table" || ' ' || f.on_delete
		 FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.name NOT LIKE 'goose%'
		 UNION ALL SELECT type || ' ' || name || ' of ' || tbl_name || ': ' || coalesce(sql, '')
		 FROM sqlite_master WHERE type <> 'table' AND name NOT LIKE 'goose%' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestMigrate_SchemasAreIdentical(t *testing.T) {
	fresh, _ := newStore(t)
	for name, s := range map[string]*Store{
		"new": fresh, "10": openFile(t, newVersion10(t)), "11": openFile(t, newVersion11(t)),
		"12": openFile(t, newVersion12(t)), "13": openFile(t, newVersion13(t)),
		"14": openFile(t, newVersion14(t)),
	} {
		if diff := cmp.Diff(schemaOf(t, fresh), schemaOf(t, s)); diff != "" {
			t.Errorf("new file (-), file of version %s (+):\n%s", name, diff)
		}
		var version, broken int
		err := s.read.QueryRow(`SELECT max(version_id) FROM goose_db_version`).Scan(&version)
		if err != nil || version != newest {
			t.Errorf("%s: version %d, %v", name, version, err)
		}
		err = s.write.QueryRow(`SELECT count(*) FROM pragma_foreign_key_check`).Scan(&broken)
		if err != nil || broken != 0 {
			t.Errorf("%s: %d broken references, %v", name, broken, err)
		}
	}
}

// TestMigrate_CountsWhatIsStored: the sums of an upgraded file are those of its
// rows.
func TestMigrate_CountsWhatIsStored(t *testing.T) {
	for name, path := range map[string]string{
		"10": newVersion10(t), "11": newVersion11(t), "12": newVersion12(t), "13": newVersion13(t),
		"14": newVersion14(t),
	} {
		s := openFile(t, path)
		checkSums(t, s, "version "+name)
		var workspaces, empty, lost int
		err := s.read.QueryRow(`SELECT count(*), count(*) FILTER (WHERE bytes < 256),
			(SELECT count(*) FROM log WHERE workspace NOT IN (SELECT id FROM workspace)) FROM workspace`).
			Scan(&workspaces, &empty, &lost)
		if err != nil || workspaces == 0 || empty != 0 || lost != 0 {
			t.Errorf("version %s: %d of %d workspaces store nothing, %d logs have no workspace, %v",
				name, empty, workspaces, lost, err)
		}
	}
}

// TestMigrate_ChargesNetworks: what an address stored before the upgrade is
// charged to its network once the address stores more, and only once.
func TestMigrate_ChargesNetworks(t *testing.T) {
	s := openFile(t, newVersion12(t))
	const day = 20770
	salt, err := s.Salt(t.Context(), day)
	if err != nil {
		t.Fatal(err)
	}
	p := usage.Payer{
		Day: day, Hash: usage.Hash(salt, "2001:db8:0:1::/64"), Network: usage.Hash(salt, "2001:db8::/48"),
	}
	for i, want := range []usage.Storage{
		{Address: 1064}, {Address: 1074, Network: 1074}, {Address: 1084, Network: 1084},
	} {
		u, err := s.Storage(t.Context(), "", p)
		if err != nil || u.Address != want.Address || u.Network != want.Network {
			t.Errorf("after %d: %+v, %v, want %+v", i, u, err, want)
		}
		err = s.change(t.Context(), owner{}, func(ctx context.Context, tx *txn) error {
			return charge(usage.WithPayer(ctx, p), tx, 10)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// dump returns the rows of a query, a column per entry as SQLite quotes it.
func dump(t *testing.T, path, query string) [][]string {
	t.Helper()
	raw, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	rows, err := raw.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var list [][]string
	for rows.Next() {
		row, into := make([]string, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		list = append(list, row)
	}
	return list
}

// quoted selects columns as SQL literals, so that blobs, NULL and numbers
// differ.
func quoted(table string, columns ...string) string {
	return "SELECT quote(" + strings.Join(columns, "), quote(") + ") FROM " + table + " ORDER BY 1, 2"
}

// TestMigrate_FromVersion10 compares every column of every row. Nothing but the
// word copies changes, and no row is lost.
func TestMigrate_FromVersion10(t *testing.T) {
	old, path := newVersion10(t), newVersion10(t)
	openFile(t, path)
	for _, c := range []struct {
		table   string
		same    string      // columns that are as they were
		changed [][2]string // columns as they were and as they are
	}{
		{"workspace", "id created seen roots", nil},
		{"log", "id id", nil},
		{"event", "log seq at conn kind round data timing sealed", nil},
		{"target", "id workspace name header capabilities sealed mine status created", [][2]string{
			{"says", "server_name"},
			{"replace(url, 'plain&copies=', 'plain&instances=')", "url"},
		}},
		{"session", "id workspace kind title note pinned imported created changed", nil},
		{"exchange", "id session created parent parent_round status rounds held tool_error target sample " +
			"name header capabilities method params tool wait sealed", [][2]string{
			{"replace(url, 'azure-devops?copies=', 'azure-devops?instances=')", "url"},
		}},
		{"share", "digest token workspace session title created expires views data image", nil},
		{"stage", "session story own", [][2]string{{"nullif(past, '')", "legacy"}}},
		{"mark", "session step next rounds", [][2]string{{"copies", "instances"}}},
	} {
		before, after := strings.Fields(c.same), strings.Fields(c.same)
		for _, names := range c.changed {
			before, after = append(before, names[0]), append(after, names[1])
		}
		want, got := dump(t, old, quoted(c.table, before...)), dump(t, path, quoted(c.table, after...))
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("%s: %d rows, before (-), after (+):\n%s", c.table, len(got), diff)
		}
	}
}

// TestMigrate_FillsSummaries: what was worked out at every read stands in
// columns.
func TestMigrate_FillsSummaries(t *testing.T) {
	ctx := t.Context()
	s := openFile(t, newVersion10(t))
	page, err := s.Sessions(ctx, "w-1", session.Search{Limit: 9, Words: []string{"übung"}})
	rows := page.Rows
	if err != nil || len(rows) != 1 || len(rows[0].Exchanges) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	first, branch := rows[0].Exchanges[0], rows[0].Exchanges[1]
	if first.Summary != "workItemId: 4522, title: Übergabe" || first.Experiment != "" ||
		branch.Experiment != "flip-byte" {
		t.Errorf("%+v\n%+v", first, branch)
	}
	for _, word := range strings.Fields("LÖSUNG lösung ÜBERGABE update_work_item GEPRÜFT 100% failed") {
		page, err := s.Sessions(ctx, "w-1", session.Search{Limit: 9, Words: []string{word}})
		if err != nil || len(page.Rows) != 1 {
			t.Errorf("%s: %d found, %v", word, len(page.Rows), err)
		}
	}
	n, err := s.Session(ctx, "w-1", "s-first")
	if err != nil || len(n.Exchanges) != 2 || n.Exchanges[1].Origin.Parent == nil {
		t.Fatalf("%+v, %v", n, err)
	}
	f := n.Exchanges[1].Fold()
	if len(f.Rounds) != 2 || f.Rounds[0].Decision.Instance != "a" || f.Rounds[1].Decision.Instance != "b" {
		t.Errorf("decisions of version 10 are read otherwise: %+v", f.Rounds)
	}
}

// TestMigrate_FillsResults: what was answered and what came of it stands in
// columns, also for what was stored before there were any.
func TestMigrate_FillsResults(t *testing.T) {
	path := newVersion13(t)
	execFile(t, path, `INSERT INTO event (log, seq, at, conn, kind, round, data) VALUES
		('x-alone', 1, 1, 0, 'decision', 1, CAST('{"action":"start","round":1}' AS BLOB)),
		('x-alone', 2, 2, 0, 'decision', 2, CAST('{"action":"answer","round":2,'||
		  '"answers":[{"key":"reason","value":'||
		  '{"action":"accept","content":{"why":"Doppelt","id":4301}}}]}' AS BLOB)),
		('x-alone', 3, 3, 1, 'received', NULL, CAST('HTTP/1.1 200 OK'||char(13,10,13,10)||
		  '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Erledigt."}]}}' AS BLOB))`)
	s := openFile(t, path)
	var answers, result string
	err := s.read.QueryRow(`SELECT answers, result FROM exchange WHERE id = 'x-alone'`).
		Scan(&answers, &result)
	if err != nil || answers != "Doppelt, 4301" || result != "Erledigt." {
		t.Errorf("%q, %q, %v", answers, result, err)
	}
}

// TestMigrate_FindsLastCalls: the last call of a tool is found among those that
// were made before the upgrade.
func TestMigrate_FindsLastCalls(t *testing.T) {
	for name, path := range map[string]string{"10": newVersion10(t), "14": newVersion14(t)} {
		s := openFile(t, path)
		x, err := s.Exchange(t.Context(), "w-1", "x-first")
		if err != nil {
			t.Fatal(err)
		}
		id, err := s.LastCall(t.Context(), "w-1", session.CalledKey(x.Target.ID, x.Call))
		if err != nil || id != "x-first" {
			t.Errorf("version %s: %q, %v", name, id, err)
		}
	}
}

// TestMigrate_UpgradedFileIsUsed does with the rows of version 10 what is done
// with any.
func TestMigrate_UpgradedFileIsUsed(t *testing.T) {
	ctx, now := t.Context(), time.Now()
	path := newVersion10(t)
	s := openFile(t, path)
	st, err := s.Stage(ctx, "w-2", "s-demo")
	want := demo.Stage{
		Session: "s-demo", Story: "azure-devops", Own: "x-own", Legacy: "x-legacy",
		Marks: []demo.Mark{
			{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:v1,b:dead", Next: "b", Rounds: 2},
		},
	}
	if diff := cmp.Diff(want, st); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	start := playground.Decision{Action: playground.ActionStart, Round: 1}.Event(now)
	for _, err := range []error{
		s.Append(ctx, "x-own", playground.Summary{Status: "running", Changed: now}, start),
		s.AddMark(ctx, "s-alone", 2, demo.Mark{Instances: "a:v1"}, now),
		s.DeleteSession(ctx, "w-2", "s-demo"),
		s.DeleteSessions(ctx, "w-1"),
		s.ForgetTarget(ctx, "w-1", "t-foreign"),
		s.Close(),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	again := openFile(t, path)
	if _, err := again.Stage(ctx, "w-2", "s-alone"); err != nil {
		t.Errorf("opened once more: %v", err)
	}
}

func TestMigrate_RefusesOtherVersions(t *testing.T) {
	for version, want := range map[string]error{"9999": ErrNewer, "9": ErrOlder, "1": ErrOlder} {
		path := newVersion10(t)
		execFile(t, path, `DELETE FROM goose_db_version WHERE version_id > 0;
			INSERT INTO goose_db_version (version_id, is_applied) VALUES (`+version+`, 1)`)
		if _, err := Open(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("version %s: %v", version, err)
		}
	}
}

// TestMigrate_FailureChangesNothing: a file that cannot be upgraded stays as it
// was.
func TestMigrate_FailureChangesNothing(t *testing.T) {
	path := newVersion10(t)
	execFile(t, path, `DROP TABLE mark`)
	const all = `SELECT name, coalesce(sql, '') FROM sqlite_master ORDER BY 1`
	before := dump(t, path, all)
	if s, err := Open(t.Context(), path); err == nil {
		_ = s.Close()
		t.Fatal("opened")
	}
	if diff := cmp.Diff(before, dump(t, path, all)); diff != "" {
		t.Error(diff)
	}
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
