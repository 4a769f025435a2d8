package db_test

import (
	"context"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
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
