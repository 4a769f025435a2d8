package db_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// TestObserver_HearsOfEveryChange: also of one that fails, once for all its
// attempts.
func TestObserver_HearsOfEveryChange(t *testing.T) {
	var fails error
	var heard []error
	s, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "file.db"),
		engine.WithCommit(func() error { return fails }),
		engine.WithObserver(func(_ time.Duration, err error) { heard = append(heard, err) }))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.AddExchange(t.Context(), "w", "title", dbtest.Exchange("x")); err != nil {
		t.Fatal(err)
	}
	if len(heard) == 0 || errors.Join(heard...) != nil {
		t.Errorf("heard %v", heard)
	}
	heard, fails = nil, playground.ErrFull
	_ = s.AddExchange(t.Context(), "w", "title", dbtest.Exchange("y"))
	if len(heard) != 1 || !errors.Is(heard[0], playground.ErrFull) {
		t.Errorf("heard %v", heard)
	}
}
