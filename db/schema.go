package db

import (
	"cmp"
	"embed"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

//go:embed schema.sql step_*.sql
var statements embed.FS

// schema is what the engines have to know of the nouns.
var schema = newSchema()

func newSchema() engine.Schema {
	s := engine.Schema{
		Steps:  steps(),
		Tables: []string{"workspace", "log", "event", "exchange"},
		// A session, or a capture, is deleted at once.
		Largest: `SELECT coalesce(max(bytes), 0) FROM (
			SELECT sum(l.bytes) AS bytes FROM exchange x JOIN log l ON l.id = x.id GROUP BY x.session
			UNION ALL
			SELECT sum(l.bytes) FROM capture_log k JOIN log l ON l.id = k.id GROUP BY k.capture)`,
		// The sum of what the workspaces store.
		Total: `(SELECT coalesce(sum(bytes), 0) FROM total)`,
		Touch: `INSERT INTO total (shard, bytes) VALUES (0, 0)
			ON CONFLICT (shard) DO UPDATE SET bytes = total.bytes`,
		Sweep: []string{
			`DELETE FROM sample_task WHERE expires <= clock_timestamp()`,
			`DELETE FROM sample_ticket WHERE expires <= clock_timestamp()`,
		},
	}
	s.SQLite, s.Postgres = translate(statement("schema.sql"))
	return s
}

// baseline is the oldest version that is read: the last development version before the
// first release.
const baseline = 22

// steps returns the versions of the schema as goose counts them, the same on both
// engines, so that one number stands for one schema: the baseline, and each step_NN.sql,
// which brings a database from the version before to NN.
//
// A new database gets schema.sql at once. So every change of that file is also a new step,
// which makes the same change to the databases that exist. A step is never edited
// afterwards: those databases have had it.
func steps() []engine.Step {
	list := []engine.Step{{Version: baseline}}
	names, err := fs.Glob(statements, "step_*.sql")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range names {
		number, _ := strings.CutPrefix(strings.TrimSuffix(name, ".sql"), "step_")
		version, err := strconv.Atoi(number)
		if err != nil {
			panic(err) // a file that is no step
		}
		step := engine.Step{Version: version}
		step.SQLite, step.Postgres = translate(statement(name))
		list = append(list, step)
	}
	slices.SortFunc(list, func(a, b engine.Step) int { return cmp.Compare(a.Version, b.Version) })
	return list
}

// statement returns an embedded file.
func statement(name string) string {
	text, err := statements.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}
