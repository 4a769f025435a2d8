package db

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

// TestHandOver_KnowsEveryTable: each table with a workspace is handed over, deleted, or that of
// people, so that a new one is not forgotten.
func TestHandOver_KnowsEveryTable(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir()+"/playground.db")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tables, err := engine.Texts(t.Context(), s.read,
		`SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'workspace'
		 WHERE m.type = 'table'`)
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Concat(ownedTables, credentialTables, []string{"person"})
	slices.Sort(tables)
	slices.Sort(known)
	if !slices.Equal(tables, known) {
		t.Errorf("the schema has %q, HandOver knows %q", tables, known)
	}
}
