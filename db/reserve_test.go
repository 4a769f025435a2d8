package db

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// fullStore is a store whose disk can be filled: then there is room only for what the
// reserve gives up.
func fullStore(t *testing.T) (s *Store, path string, full *atomic.Bool) {
	t.Helper()
	full = &atomic.Bool{}
	s, path = newStore(t, engine.WithCommit(func() error {
		if full.Load() && hasReserve(path) {
			return playground.ErrFull
		}
		return nil
	}))
	return s, path, full
}

// reserveName is the file of the reserve, behind the path of the database.
const reserveName = "-reserve"

// hasReserve reports whether the reserve of a database takes space.
func hasReserve(path string) bool {
	_, err := os.Stat(path + reserveName)
	return err == nil
}

func (s *Store) keepReserve(t *testing.T) {
	t.Helper()
	if err := s.KeepReserve(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestReserve_IsGivenUpToDelete: on a full disk nothing new is stored, but everything can
// be deleted and ended.
func TestReserve_IsGivenUpToDelete(t *testing.T) {
	for name, free := range map[string]func(s *Store) error{
		"session":  func(s *Store) error { return s.DeleteSession(t.Context(), "w", "sa") },
		"sessions": func(s *Store) error { return s.DeleteSessions(t.Context(), "w") },
		"workspace": func(s *Store) error {
			return s.PurgeWorkspace(t.Context(), "w")
		},
		"call that is cancelled": func(s *Store) error {
			return s.Append(t.Context(), "a", playground.Summary{Status: "cancelled"},
				playground.Event{Seq: 1, At: time.Unix(1, 0), Conn: 1, Kind: playground.Cancelled})
		},
		"block": func(s *Store) error { return s.BlockWorkspace(t.Context(), "w", time.Unix(1, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			s, path, full := fullStore(t)
			for _, id := range []string{"a", "b"} {
				if err := addOne(t.Context(), s, id); err != nil {
					t.Fatal(err)
				}
			}
			s.keepReserve(t)
			full.Store(true)
			if err := addOne(t.Context(), s, "c"); !errors.Is(err, playground.ErrFull) {
				t.Errorf("adding: %v", err)
			}
			if err := free(s); err != nil {
				t.Error(err)
			}
			full.Store(false)
			if err := addOne(t.Context(), s, "c"); err != nil {
				t.Errorf("adding with room again: %v", err)
			}
			if !hasReserve(path) {
				t.Error("the reserve was not taken again")
			}
		})
	}
}

// TestReserve_Size is at least 4 MiB, and twice the largest session. It stays between two
// runs of the program and is free for the start.
func TestReserve_Size(t *testing.T) {
	s, path := newStore(t)
	want := func(s *Store, least int64) {
		t.Helper()
		s.keepReserve(t)
		info, err := os.Stat(path + reserveName)
		if err != nil || info.Size() < least || info.Size() > least+1<<20 || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v, want at least %d bytes", info, err, least)
		}
	}
	want(s, 4<<20)
	if err := addOne(t.Context(), s, "a"); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		e := playground.Event{Seq: n + 1, At: time.Unix(1, 0), Conn: 1, Kind: playground.Received,
			Data: make([]byte, 1<<20)}
		if err := s.Append(t.Context(), "a", playground.Summary{}, e); err != nil {
			t.Fatal(err)
		}
	}
	want(s, 6<<20)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + reserveName); err != nil {
		t.Errorf("after the end: %v", err)
	}
	again := openFile(t, path)
	if _, err := os.Stat(path + reserveName); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("at the start: %v", err)
	}
	want(again, 6<<20)
}

// TestFull_DeletesInPieces: if a full disk has no room to delete all of a workspace at once,
// although the reserve was given up, its sessions are deleted one by one.
func TestFull_DeletesInPieces(t *testing.T) {
	later := time.Unix(1000, 0)
	for name, free := range map[string]func(s *Store) error{
		"sessions":  func(s *Store) error { return s.DeleteSessions(t.Context(), "w") },
		"workspace": func(s *Store) error { return s.PurgeWorkspace(t.Context(), "w") },
		"idle workspace": func(s *Store) error {
			n, err := s.DeleteIdleWorkspaces(t.Context(), later)
			if n != 1 {
				t.Errorf("%d workspaces deleted", n)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			refusals := 0
			s, _ := newStore(t, engine.WithCommit(func() error {
				if refusals == 0 {
					return nil
				}
				refusals--
				return playground.ErrFull
			}))
			for _, id := range []string{"a", "b"} {
				if err := addOne(t.Context(), s, id); err != nil {
					t.Fatal(err)
				}
				if err := s.Append(t.Context(), id, playground.Summary{Status: "complete"}); err != nil {
					t.Fatal(err)
				}
			}
			s.keepReserve(t)
			refusals = 2 // at first, and without the reserve
			if err := free(s); err != nil {
				t.Error(err)
			}
			left, err := engine.Texts(t.Context(), s.read,
				`SELECT id FROM session UNION ALL SELECT id FROM log`)
			if err != nil || len(left) > 0 || refusals > 0 {
				t.Errorf("left %q, %v, %d refusals", left, err, refusals)
			}
		})
	}
}
