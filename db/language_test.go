package db

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTranslate(t *testing.T) {
	for _, c := range []struct{ name, text, sqlite, postgres string }{
		{
			"types",
			"CREATE TABLE t (\n  id  INTEGER PRIMARY KEY AUTOINCREMENT, -- TEXT\n  a   TEXT    NOT NULL,\n" +
				"  on_ FLAG    NOT NULL,\n  b   BLOB\n) STRICT;\n",
			"CREATE TABLE t (\n  id  INTEGER PRIMARY KEY AUTOINCREMENT, -- TEXT\n  a   TEXT    NOT NULL,\n" +
				"  on_ INTEGER NOT NULL,\n  b   BLOB\n) STRICT;\n",
			"CREATE TABLE t (\n  id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- TEXT\n" +
				"  a   text COLLATE \"C\"    NOT NULL,\n  on_ smallint NOT NULL,\n  b   bytea\n) ;\n",
		},
		{
			"a column",
			"ALTER TABLE t ADD COLUMN c FLAG NOT NULL DEFAULT 0;\n",
			"ALTER TABLE t ADD COLUMN c INTEGER NOT NULL DEFAULT 0;\n",
			"ALTER TABLE t ADD COLUMN c smallint NOT NULL DEFAULT 0;\n",
		},
		{
			"a table without row ids",
			"CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;\n",
			"CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;\n",
			"CREATE TABLE t (n bigint PRIMARY KEY) ;\n",
		},
		{
			"parts of one engine",
			"a;\n--- SQLite\nb;\n--- PostgreSQL\nc INTEGER;\n--- both\nd;\n",
			"a;\nb;\nd;\n",
			"a;\nc bigint;\nd;\n",
		},
	} {
		sqlite, postgres := translate(c.text)
		if diff := cmp.Diff([]string{c.sqlite, c.postgres}, []string{sqlite, postgres}); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// TestTranslate_Count: a row of a log goes with the log, any other is subtracted.
func TestTranslate_Count(t *testing.T) {
	for sum, triggers := range map[string]int{"log": 2, "workspace": 3} {
		sqlite, postgres := translate("COUNT t IN " + sum + " AS\n  (64 + octet_length(a)\n   + 1);\nrest;\n")
		for _, text := range []string{sqlite, postgres} {
			if n := strings.Count(text, "CREATE TRIGGER t_"); n != triggers {
				t.Errorf("%d triggers in\n%s", n, text)
			}
			if !strings.HasPrefix(text, "ALTER TABLE t ADD COLUMN bytes ") ||
				!strings.Contains(text, "(64 + octet_length(a)\n   + 1) ") ||
				!strings.HasSuffix(text, "\nrest;\n") {
				t.Errorf("\n%s", text)
			}
			if strings.ContainsAny(text, "{}") {
				t.Errorf("a word is left in\n%s", text)
			}
		}
	}
}

// TestSteps_DoNotChange: a step of a version that was released is never edited, because
// databases have had it, and what COUNT makes in it stays as well. A later change is a step
// of its own.
func TestSteps_DoNotChange(t *testing.T) {
	released := map[int]string{
		23: "945f2981ee076f16", 24: "4853411b1f2c82f2", 25: "158a517b21fa5e28", 26: "c03883e682083d25",
	}
	for _, s := range schema.Steps {
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(s.SQLite+s.Postgres)))[:16]
		if want, ok := released[s.Version]; ok && want != sum {
			t.Errorf("step %d has the sum %s, want %s: write step_%d.sql instead",
				s.Version, sum, want, newest+1)
		}
	}
}
