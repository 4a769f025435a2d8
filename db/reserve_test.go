package db

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// fullStore is a store whose disk can be filled: then there is room only for what the
// reserve gives up.
func fullStore(t *testing.T) (s *Store, path string, full *atomic.Bool) {
	t.Helper()
	full = &atomic.Bool{}
	s, path = newStore(t, WithCommit(func() error {
		if full.Load() && s.reserve.isThere() {
			return playground.ErrFull
		}
		return nil
	}))
	return s, path, full
}

// isThere reports whether the file takes space.
func (r *reserve) isThere() bool {
	_, err := os.Stat(r.path)
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
			s, _, full := fullStore(t)
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
			if !s.reserve.isThere() {
				t.Error("the reserve was not taken again")
			}
		})
	}
}

// TestReserve_NothingNewWithoutIt: the space that it gave up is for nothing else.
func TestReserve_NothingNewWithoutIt(t *testing.T) {
	s, path := newStore(t)
	s.keepReserve(t)
	place := func(path string) { // where there is room, or not
		s.reserve.mu.Lock()
		defer s.reserve.mu.Unlock()
		if err := s.reserve.giveUp(); err != nil {
			t.Fatal(err)
		}
		s.reserve.path = path
	}
	place(filepath.Join(filepath.Dir(path), "missing", "reserve"))
	if err := addOne(t.Context(), s, "a"); !errors.Is(err, playground.ErrFull) {
		t.Errorf("without a reserve: %v", err)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, playground.ErrFull) {
		t.Errorf("ready: %v", err)
	}
	place(path + reserveName)
	if err := addOne(t.Context(), s, "a"); err != nil {
		t.Errorf("with room for it: %v", err)
	}
	if !s.reserve.isThere() {
		t.Error("the reserve was not taken again")
	}
}

// TestReserve_IsNotTriedForEachChange: a try that failed is remembered for a second of the clock
// of the store, or until something else is deleted.
func TestReserve_IsNotTriedForEachChange(t *testing.T) {
	s, path := newStore(t)
	s.keepReserve(t)
	s.stop() // what takes the reserve by itself
	s.wg.Wait()
	now := time.Unix(1_800_000_000, 0)
	under := func(f func(r *reserve)) {
		s.reserve.mu.Lock()
		defer s.reserve.mu.Unlock()
		f(s.reserve)
	}
	room := func(path string) { under(func(r *reserve) { r.path = path }) }
	givenUp := func() {
		under(func(r *reserve) {
			if err := r.giveUp(); err != nil {
				t.Fatal(err)
			}
			r.now = func() time.Time { return now }
		})
	}
	none := filepath.Join(filepath.Dir(path), "missing", "reserve")
	add := func(what, id string, want error) {
		t.Helper()
		if err := addOne(t.Context(), s, id); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		if s.reserve.isThere() != (want == nil) {
			t.Errorf("%s: the reserve is there: %v", what, want != nil)
		}
	}
	givenUp()
	room(none)
	add("without room", "a", playground.ErrFull)
	room(path + reserveName)
	add("at once", "a", playground.ErrFull)
	now = now.Add(reserveRetry - 1)
	add("a little later", "a", playground.ErrFull)
	now = now.Add(1)
	add("after a second", "a", nil)
	givenUp()
	room(none)
	add("without room again", "b", playground.ErrFull)
	room(path + reserveName)
	now = now.Add(-time.Hour)
	add("the clock was set back", "b", nil)
	givenUp()
	room(none)
	add("without room once more", "c", playground.ErrFull)
	if err := s.DeleteSession(t.Context(), "w", "sa"); err != nil {
		t.Fatal(err)
	}
	room(path + reserveName)
	add("after a deletion", "c", nil)
}

// TestReserve_Size is at least 4 MiB, and twice the largest session. It stays between two
// runs of the program and is free for the start.
func TestReserve_Size(t *testing.T) {
	s, path := newStore(t)
	want := func(s *Store, least int64) {
		t.Helper()
		s.keepReserve(t)
		info, err := os.Stat(path + reserveName)
		if err != nil || info.Size() < least || info.Size() > least+1<<20 || info.Mode().Perm() != private {
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

// TestReserve_IsNoLargerThanTheRoom: what could not be taken takes nothing.
func TestReserve_IsNoLargerThanTheRoom(t *testing.T) {
	r := &reserve{path: filepath.Join(t.TempDir(), "missing", "reserve")}
	if err := r.take(10); !errors.Is(err, playground.ErrFull) || r.size != 0 {
		t.Errorf("%v, %d bytes", err, r.size)
	}
	r.path = filepath.Join(t.TempDir(), "reserve")
	if err := errors.Join(r.take(10), r.take(5), r.take(30)); err != nil || r.size != 30 {
		t.Errorf("%v, %d bytes", err, r.size)
	}
	info, err := os.Stat(r.path)
	if err != nil || info.Size() != 30 {
		t.Errorf("%v, %v", info, err)
	}
}
