package engine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// isThere reports whether the file takes space.
func (r *reserve) isThere() bool {
	_, err := os.Stat(r.path)
	return err == nil
}

func (d *DB) keepReserve(t *testing.T) {
	t.Helper()
	if err := d.KeepReserve(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestReserve_NothingNewWithoutIt: the space that it gave up is for nothing else.
func TestReserve_NothingNewWithoutIt(t *testing.T) {
	d, path := newSQLite(t)
	d.keepReserve(t)
	place := func(path string) { // where there is room, or not
		d.file().reserve.mu.Lock()
		defer d.file().reserve.mu.Unlock()
		if err := d.file().reserve.giveUp(); err != nil {
			t.Fatal(err)
		}
		d.file().reserve.path = path
	}
	place(filepath.Join(filepath.Dir(path), "missing", "reserve"))
	if err := addEntry(t.Context(), d, 1); !errors.Is(err, playground.ErrFull) {
		t.Errorf("without a reserve: %v", err)
	}
	if err := d.Ready(t.Context()); !errors.Is(err, playground.ErrFull) {
		t.Errorf("ready: %v", err)
	}
	place(path + reserveName)
	if err := addEntry(t.Context(), d, 1); err != nil {
		t.Errorf("with room for it: %v", err)
	}
	if !d.file().reserve.isThere() {
		t.Error("the reserve was not taken again")
	}
}

// TestReserve_IsNotTriedForEachChange: a try that failed is remembered for a second of the clock
// of the store, or until something else is deleted.
func TestReserve_IsNotTriedForEachChange(t *testing.T) {
	d, path := newSQLite(t)
	d.keepReserve(t)
	d.file().stop() // what takes the reserve by itself
	d.file().wg.Wait()
	now := time.Unix(1_800_000_000, 0)
	under := func(f func(r *reserve)) {
		d.file().reserve.mu.Lock()
		defer d.file().reserve.mu.Unlock()
		f(d.file().reserve)
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
	add := func(what string, n int, want error) {
		t.Helper()
		if err := addEntry(t.Context(), d, n); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		if d.file().reserve.isThere() != (want == nil) {
			t.Errorf("%s: the reserve is there: %v", what, want != nil)
		}
	}
	givenUp()
	room(none)
	add("without room", 1, playground.ErrFull)
	room(path + reserveName)
	add("at once", 1, playground.ErrFull)
	now = now.Add(reserveRetry - 1)
	add("a little later", 1, playground.ErrFull)
	now = now.Add(1)
	add("after a second", 1, nil)
	givenUp()
	room(none)
	add("without room again", 2, playground.ErrFull)
	room(path + reserveName)
	now = now.Add(-time.Hour)
	add("the clock was set back", 2, nil)
	givenUp()
	room(none)
	add("without room once more", 3, playground.ErrFull)
	if err := deleteEntries(t.Context(), d, 2); err != nil {
		t.Fatal(err)
	}
	room(path + reserveName)
	add("after a deletion", 3, nil)
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
