package db

import (
	"regexp"
	"strings"
)

// The schema and its steps are written once, as SQLite takes them but for FLAG, COUNT and
// the lines with the name of an engine; schema.sql describes them. Here is what each engine
// makes of the words.

// words are those of the language, and what they are on PostgreSQL. Longer ones come before
// those that they begin with.
var words = []struct{ word, sqlite, postgres string }{
	{"INTEGER PRIMARY KEY AUTOINCREMENT", "", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"},
	{"INTEGER", "", "bigint"},
	{"TEXT", "", `text COLLATE "C"`},
	{"BLOB", "", "bytea"},
	{"FLAG   ", "INTEGER", "smallint"}, // in a table, where columns are aligned
	{"FLAG", "INTEGER", "smallint"},
	{" STRICT, WITHOUT ROWID", "", " "},
	{" STRICT", "", " "},
	{"VIRTUAL", "", "STORED"}, // of generated columns: PostgreSQL's triggers read them
}

var sqliteWords, postgresWords = replacers()

func replacers() (sqlite, postgres *strings.Replacer) {
	var s, p []string
	for _, w := range words {
		if w.sqlite != "" {
			s = append(s, w.word, w.sqlite)
		}
		p = append(p, w.word, w.postgres)
	}
	return strings.NewReplacer(s...), strings.NewReplacer(p...)
}

// translate returns what a text of the language is on each engine.
func translate(text string) (sqlite, postgres string) {
	var s, p strings.Builder
	onSQLite, onPostgres := true, true
	for line := range strings.Lines(expandCounts(text)) {
		if engine, ok := strings.CutPrefix(line, "--- "); ok {
			engine = strings.TrimSpace(engine)
			onSQLite, onPostgres = engine != "PostgreSQL", engine != "SQLite"
			continue
		}
		code, comment, commented := strings.Cut(line, "--")
		if commented {
			comment = "--" + comment
		}
		if onSQLite {
			s.WriteString(sqliteWords.Replace(code) + comment)
		}
		if onPostgres {
			p.WriteString(postgresWords.Replace(code) + comment)
		}
	}
	return s.String(), p.String()
}

// countStatement is COUNT, with the table of the rows, that of the sum, and the bytes of
// a row.
var countStatement = regexp.MustCompile(`(?ms)^COUNT (\w+) IN (\w+) AS\s(.*?);$`)

// expandCounts replaces each COUNT of a text by a column and the triggers that keep a sum
// true. What is in a log is deleted with it, and need not be subtracted. A COUNT stands
// where both engines read: what follows it is for both.
func expandCounts(text string) string {
	return countStatement.ReplaceAllStringFunc(text, func(statement string) string {
		m := countStatement.FindStringSubmatch(statement)
		sum := counters[m[2]]
		return strings.NewReplacer("{table}", m[1], "{sum}", m[2], "{key}", sum.key, "{weight}", m[3],
			"{function}", sum.function).Replace(countAdded + sum.deleted + "--- both")
	})
}

// counters are the tables that rows count in, with the column of a row that names it, the
// function of PostgreSQL that adds, and the trigger for rows that are deleted.
var counters = map[string]struct{ key, function, deleted string }{
	"log":       {"id", "count_head", ""},
	"workspace": {"workspace", "count_row", countDeleted},
}

const (
	countAdded = `ALTER TABLE {table} ADD COLUMN bytes INTEGER GENERATED ALWAYS AS
{weight} VIRTUAL;
--- SQLite
CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN
  UPDATE {sum} SET bytes = bytes + new.bytes WHERE id = new.{key};
END;
CREATE TRIGGER {table}_changed AFTER UPDATE ON {table} WHEN new.bytes <> old.bytes BEGIN
  UPDATE {sum} SET bytes = bytes + new.bytes - old.bytes WHERE id = new.{key};
END;
--- PostgreSQL
CREATE TRIGGER {table}_added AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {function}();
CREATE TRIGGER {table}_changed AFTER UPDATE ON {table}
  FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION {function}();
`
	countDeleted = `--- SQLite
CREATE TRIGGER {table}_deleted AFTER DELETE ON {table} BEGIN
  UPDATE {sum} SET bytes = bytes - old.bytes WHERE id = old.{key};
END;
--- PostgreSQL
CREATE TRIGGER {table}_deleted AFTER DELETE ON {table} REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();
`
)
