package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mattn/go-sqlite3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// crowd is a database whose writer is busy until it is let go, and the changes
// that wait for it.
type crowd struct {
	t       *testing.T
	d       *DB
	commits atomic.Int64
	letGo   chan struct{}
	all     sync.WaitGroup
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	d, _ := newSQLite(t)
	c := &crowd{t: t, d: d, letGo: make(chan struct{})}
	conn, err := d.write.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = conn.Raw(func(driver any) error {
		driver.(watchedConn).RegisterCommitHook(func() int { c.commits.Add(1); return 0 })
		return nil
	})
	if err := errors.Join(err, conn.Close()); err != nil {
		t.Fatal(err)
	}
	running := make(chan struct{})
	c.all.Go(func() {
		if err := c.change(t.Context(), func(context.Context, *Tx) error {
			close(running)
			<-c.letGo
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
	<-running
	return c
}

func (c *crowd) change(ctx context.Context, f func(context.Context, *Tx) error) error {
	return c.d.Change(ctx, Change{Do: f})
}

// wait adds a change to those that wait, and returns where its end will be.
func (c *crowd) wait(ctx context.Context, f func(context.Context, *Tx) error) <-chan error {
	c.d.file().group.mu.Lock()
	before := len(c.d.file().group.queue)
	c.d.file().group.mu.Unlock()
	end := make(chan error, 1)
	c.all.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				end <- fmt.Errorf("panic: %v", r)
			}
		}()
		end <- c.change(ctx, f)
	})
	until(func() bool {
		c.d.file().group.mu.Lock()
		defer c.d.file().group.mu.Unlock()
		return len(c.d.file().group.queue) != before
	})
	return end
}

func (c *crowd) goOn() {
	close(c.letGo)
	c.all.Wait()
}

func addEmpty(n int) func(context.Context, *Tx) error {
	return func(ctx context.Context, tx *Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO entry (n, name, data) VALUES (?, '', x'00')`, n)
		return Failed("add entry", err)
	}
}

func (c *crowd) entries() []string {
	c.t.Helper()
	list, err := Texts(c.t.Context(), c.d.read, `SELECT n FROM entry ORDER BY n`)
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

func (c *crowd) want(commits int64, entries string) {
	c.t.Helper()
	if got := fmt.Sprint(c.entries()); got != entries {
		c.t.Errorf("stored %s, want %s", got, entries)
	}
	if got := c.commits.Load(); got != commits {
		c.t.Errorf("%d commits, want %d", got, commits)
	}
}

func panicking(ctx context.Context, tx *Tx) error {
	_ = addEmpty(101)(ctx, tx)
	panic("broken")
}

// dangling makes the commit fail.
func dangling(ctx context.Context, tx *Tx) error {
	if _, err := tx.ExecContext(ctx, `PRAGMA defer_foreign_keys = on`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO part (entry) VALUES (77)`)
	return err
}

// TestGroup_SharesACommit: what waits for the writer is committed at once, and a
// change that fails leaves nothing behind and harms no other.
func TestGroup_SharesACommit(t *testing.T) {
	c := newCrowd(t)
	var ends []<-chan error
	for n := range 10 {
		ends = append(ends, c.wait(t.Context(), addEmpty(n)))
	}
	refused := c.wait(t.Context(), func(ctx context.Context, tx *Tx) error {
		if err := addEmpty(100)(ctx, tx); err != nil {
			return err
		}
		return playground.ErrNotOpen
	})
	panics := c.wait(t.Context(), panicking)
	ends = append(ends, c.wait(t.Context(), addEmpty(10)))
	c.goOn()
	for n, end := range ends {
		if err := <-end; err != nil {
			t.Errorf("change %d: %v", n, err)
		}
	}
	if err := <-refused; !errors.Is(err, playground.ErrNotOpen) {
		t.Errorf("the refused change: %v", err)
	}
	if err := <-panics; err == nil || !strings.HasPrefix(err.Error(), "panic: broken") ||
		!strings.Contains(err.Error(), "engine.panicking(") {
		t.Errorf("the change that panics, with the place: %v", err)
	}
	c.want(2, "[0 1 2 3 4 5 6 7 8 9 10]") // the change that all waited for, and theirs
}

// TestGroup_LeaderIsGone: a goroutine that ends in the middle of a change, as a test
// that fails does, keeps no other change waiting.
func TestGroup_LeaderIsGone(t *testing.T) {
	c := newCrowd(t)
	gone := make(chan struct{})
	c.wait(t.Context(), func(ctx context.Context, tx *Tx) error {
		defer close(gone)
		_ = addEmpty(1)(ctx, tx)
		runtime.Goexit()
		return nil
	})
	after := c.wait(t.Context(), addEmpty(2))
	close(c.letGo)
	<-gone
	if err := <-after; err != nil {
		t.Error(err)
	}
	c.all.Wait()
	c.want(2, "[2]")
	if err := c.change(t.Context(), addEmpty(3)); err != nil {
		t.Error(err)
	}
	c.want(3, "[2 3]")
}

// TestGroup_FailsAlone: when the commit of all fails, each runs again, and only the
// one that made it fail gets the error.
func TestGroup_FailsAlone(t *testing.T) {
	c := newCrowd(t)
	first := c.wait(t.Context(), addEmpty(1))
	refused := c.wait(t.Context(), dangling)
	last := c.wait(t.Context(), addEmpty(2))
	c.goOn()
	if err := errors.Join(<-first, <-last); err != nil {
		t.Error(err)
	}
	if err := <-refused; !IsMissing(err) {
		t.Errorf("a reference to no row: %v", err)
	}
	c.want(3, "[1 2]")
}

// TestGroup_FailsAloneAndAtOnce: after the commit of all has failed, each gets its
// end as soon as it has one, and may still leave.
func TestGroup_FailsAloneAndAtOnce(t *testing.T) {
	c := newCrowd(t)
	first := c.wait(t.Context(), addEmpty(1))
	refused := c.wait(t.Context(), dangling)
	early := c.wait(t.Context(), addEmpty(2))
	runs, again, release := 0, make(chan struct{}), make(chan struct{})
	slow := c.wait(t.Context(), func(context.Context, *Tx) error {
		if runs++; runs != 2 {
			return nil
		}
		close(again)
		// Those before it are committed by now, or would wait for it.
		if n := c.commits.Load(); n != 3 {
			return fmt.Errorf("runs again with others, after %d commits", n)
		}
		<-release
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	gone := c.wait(ctx, addEmpty(100))
	close(c.letGo)
	<-again
	cancel()
	if err := errors.Join(<-first, <-early); err != nil {
		t.Error(err)
	}
	if err := <-refused; err == nil {
		t.Error("a reference to no row was stored")
	}
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the change that has left: %v", err)
	}
	close(release)
	if err := <-slow; err != nil {
		t.Error(err)
	}
	c.all.Wait()
	c.want(4, "[1 2]")
}

// TestGroup_Damage: what shares a transaction with a change that finds damage is not
// stored.
func TestGroup_Damage(t *testing.T) {
	c := newCrowd(t)
	broken := c.wait(t.Context(), func(context.Context, *Tx) error {
		err := sqlite3.Error{Code: sqlite3.ErrCorrupt}
		c.d.file().noticeDamage(err)
		return Failed("read", err)
	})
	after := c.wait(t.Context(), addEmpty(2))
	c.goOn()
	for name, end := range map[string]<-chan error{"found": broken, "after": after} {
		if err := <-end; !errors.Is(err, playground.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := c.entries(); len(got) > 0 {
		t.Errorf("written to a damaged file: %v", got)
	}
}

// TestRead_WaitsForNoWriter: not even to connect.
func TestRead_WaitsForNoWriter(t *testing.T) {
	c := newCrowd(t) // its first change holds the writer
	for range c.d.read.Stats().MaxOpenConnections {
		conn, err := c.d.read.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.ExecContext(t.Context(), `SELECT count(*) FROM entry`); err != nil {
			t.Error(err)
		}
	}
	c.goOn()
}

// TestGroup_LostTransaction: a change that ends the transaction of all, as a fault
// of the disk does, harms no other.
func TestGroup_LostTransaction(t *testing.T) {
	c := newCrowd(t)
	first := c.wait(t.Context(), addEmpty(1))
	broken := c.wait(t.Context(), func(ctx context.Context, tx *Tx) error {
		_, _ = tx.ExecContext(ctx, `ROLLBACK`)
		return playground.ErrFull
	})
	last := c.wait(t.Context(), addEmpty(2))
	c.goOn()
	if err := errors.Join(<-first, <-last); err != nil {
		t.Error(err)
	}
	if err := <-broken; !errors.Is(err, playground.ErrFull) {
		t.Errorf("the broken change: %v", err)
	}
	c.want(3, "[1 2]")
}

// TestGroup_ContextEnds: a change is not made if its context ends while it waits,
// whether it would have run with others or for them.
func TestGroup_ContextEnds(t *testing.T) {
	for _, position := range []int{0, 1} {
		c := newCrowd(t)
		ctx, cancel := context.WithCancel(t.Context())
		var ends []<-chan error
		for n := range 3 {
			if n == position {
				ends = append(ends, c.wait(ctx, addEmpty(100)))
				continue
			}
			ends = append(ends, c.wait(t.Context(), addEmpty(n)))
		}
		cancel()
		if err := <-ends[position]; !errors.Is(err, context.Canceled) {
			t.Errorf("change %d: %v", position, err)
		}
		c.goOn()
		if got := len(c.entries()); got != 2 {
			t.Errorf("%d changes were made, want 2", got)
		}
	}
}

// TestGroup_ReadsWhatItsCallerStored: changes of many callers at once, each of which
// finds what it stored as soon as its change has returned.
func TestGroup_ReadsWhatItsCallerStored(t *testing.T) {
	c := newCrowd(t)
	close(c.letGo)
	var many sync.WaitGroup
	for caller := range 8 {
		many.Go(func() {
			for i := range 20 {
				n := 1 + caller*100 + i
				if err := c.change(t.Context(), addEmpty(n)); err != nil {
					t.Error(err)
				}
				var found int
				if err := c.d.read.QueryRowContext(t.Context(), `SELECT n FROM entry WHERE n = ?`, n).
					Scan(&found); err != nil {
					t.Errorf("entry %d: %v", n, err)
				}
			}
		})
	}
	many.Wait()
	c.all.Wait()
	if got := len(c.entries()); got != 160 {
		t.Errorf("%d changes were made, want 160", got)
	}
	var empty sql.NullInt64
	if err := c.d.write.QueryRowContext(t.Context(), `SELECT 1`).Scan(&empty); err != nil {
		t.Errorf("the writer is not free: %v", err)
	}
}

// TestGroup_EachAloneAfterALostTransaction: changes whose transaction was lost run once
// more, each in one of its own, and not with others again.
func TestGroup_EachAloneAfterALostTransaction(t *testing.T) {
	c := newCrowd(t)
	lost := c.wait(t.Context(), func(ctx context.Context, tx *Tx) error {
		_, err := tx.ExecContext(ctx, `ROLLBACK`)
		return err
	})
	var runs [2]int
	var ends []<-chan error
	for i := range runs {
		ends = append(ends, c.wait(t.Context(), func(ctx context.Context, tx *Tx) error {
			runs[i]++
			return addEmpty(i+1)(ctx, tx)
		}))
	}
	again := c.wait(t.Context(), func(ctx context.Context, tx *Tx) error {
		_, err := tx.ExecContext(ctx, `ROLLBACK`)
		return err
	})
	c.goOn()
	for _, end := range ends {
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
	<-lost
	<-again
	if stored := fmt.Sprint(c.entries()); stored != "[1 2]" || runs[0] > 1 || runs[1] > 1 {
		t.Errorf("stored %s, ran %v times", stored, runs)
	}
}
