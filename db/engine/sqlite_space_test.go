package engine

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/engine/tap"
)

// TestDelete_GivesSpaceBackAfterAReader: what was read from the file while it was to
// shrink delays that, and a small deletion meanwhile does not make it forgotten.
func TestDelete_GivesSpaceBackAfterAReader(t *testing.T) {
	var tries atomic.Int64 // to copy the log
	d, path := newSQLite(t, WithConnector(tap.Statements(
		func(_ context.Context, query string, _ []driver.NamedValue) {
			if query == `PRAGMA wal_checkpoint(PASSIVE)` {
				tries.Add(1)
			}
		})))
	entries := func(ctx context.Context, tx *Tx) error {
		for n := range 403 {
			_, err := tx.ExecContext(ctx,
				`INSERT INTO entry (n, name, data) VALUES (?, '', zeroblob(20000))`, n)
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := d.Change(t.Context(), Change{Do: entries}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.write.ExecContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	full := d.file().size()
	reader, err := d.read.QueryContext(t.Context(), `SELECT n, data FROM entry ORDER BY data, n`)
	if err != nil || !reader.Next() {
		t.Fatal(err)
	}
	if err := deleteEntries(t.Context(), d, 400); err != nil {
		t.Fatal(err)
	}
	d.file().noticeFree()
	until(func() bool {
		var free int
		if err := d.read.QueryRowContext(t.Context(), `PRAGMA freelist_count`).Scan(&free); err != nil {
			t.Fatal(err)
		}
		return free == 0
	})
	for range 3 { // nothing is free any more when it looks again
		before := tries.Load()
		d.file().noticeFree()
		until(func() bool { return tries.Load() > before })
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	until(func() bool {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size() < full/4
	})
}

// TestResidue_IsRemovedAfterAKill: what a program that was killed has deleted is in no
// file after the next clean stop, wherever it lay. With the sizes of some seeds SQLite
// leaves copies of rows in the unused parts of pages.
func TestResidue_IsRemovedAfterAKill(t *testing.T) {
	const marker = "Markierung7Xq"
	for _, seed := range []uint64{1, 2, 16} {
		d, path := newSQLite(t)
		sizes := rand.New(rand.NewPCG(seed, 0))
		err := d.Change(t.Context(), Change{Do: func(ctx context.Context, tx *Tx) error {
			for n := range 400 { // those that go lie beside those that stay
				text := []string{marker, "stays"}[n%2]
				_, err := tx.ExecContext(ctx, `INSERT INTO entry (n, name, data) VALUES (?, ?, ?)`,
					sizes.IntN(1<<30), text, bytes.Repeat([]byte(text), sizes.IntN(300)))
				if err != nil {
					return err
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		err = d.Change(t.Context(), Change{Removes: true, Do: func(ctx context.Context, tx *Tx) error {
			_, err := tx.ExecContext(ctx, `DELETE FROM entry WHERE name = ?`, marker)
			return err
		}})
		d.file().residue.Store(false) // so that Close does not know, as if there were none
		if err := errors.Join(err, d.Close()); err != nil {
			t.Fatal(err)
		}
		again, err := Open(t.Context(), path, testSchema)
		if err != nil {
			t.Fatal(err)
		}
		if !again.file().residue.Load() {
			t.Error("the deletion is not noted")
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil || bytes.Contains(data, []byte(marker)) {
			t.Errorf("seed %d: the marker is still there, %v", seed, err)
		}
	}
}

// TestSQLite_Below: what is not in the file yet counts, and a file that cannot be seen is
// not small.
func TestSQLite_Below(t *testing.T) {
	d, _ := newSQLite(t)
	var used int64
	if err := d.Reader().QueryRowContext(t.Context(), `SELECT `+d.Used()).Scan(&used); err != nil {
		t.Fatal(err)
	}
	if d.Below(used) || !d.Below(1<<40) {
		t.Errorf("%d bytes are used: below that %v, below a terabyte %v", used, d.Below(used), d.Below(1<<40))
	}
	d.file().path += ".gone"
	if d.Below(1 << 40) {
		t.Error("a file that is gone is taken for small")
	}
}
