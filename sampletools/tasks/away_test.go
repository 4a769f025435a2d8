package tasks_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// setAway makes the next accesses to the table fail, or work again.
func (c *cluster) setAway(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = err
}

// lose ends a process as its machine would.
func (c *cluster) lose(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone[name] = true
}

var errGone = errors.New("the database is gone")

// begin starts the report in a process.
func begin(t *testing.T, r *tasks.Runner, begun *int) tasks.Task {
	t.Helper()
	task, err := r.Start("alice", "", json.RawMessage(`"report"`), report(begun))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return task
}

// TestShared_WaitingTaskOutlivesAnOutage: it still waits for its answer.
func TestShared_WaitingTaskOutlivesAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun := newCluster(), 0
		r := newProcess(c, "a", &begun)
		defer r.Close()
		task := begin(t, r, &begun)
		c.setAway(errGone)
		time.Sleep(30 * time.Second)
		c.setAway(nil)
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if now := status(t, r, task.ID); now.Status != tasks.InputRequired {
			t.Errorf("%s %v", now.Status, now.Error)
		}
	})
}

// TestShared_EndDuringAnOutage is stored when that is over.
func TestShared_EndDuringAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun := newCluster(), 0
		r := newProcess(c, "a", &begun)
		defer r.Close()
		task, err := r.Start("alice", "", json.RawMessage(`"report"`),
			func(context.Context, *tasks.Handle) (any, error) {
				time.Sleep(3 * time.Second)
				return "done", nil
			})
		if err != nil {
			t.Fatal(err)
		}
		c.setAway(errGone)
		time.Sleep(30 * time.Second)
		c.setAway(nil)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if end := get(t, r, task.ID); end.Status != tasks.Completed {
			t.Errorf("%s", end.Status)
		}
	})
}

// forgetful loses the reply to the first take.
type forgetful struct {
	process
	lost *bool
}

func (p forgetful) SetTask(
	ctx context.Context, sample, id string, version int, data []byte, over, take bool,
) (bool, error) {
	ok, err := p.process.SetTask(ctx, sample, id, version, data, over, take)
	if take && !*p.lost {
		*p.lost = true
		return false, errGone
	}
	return ok, err
}

// TestShared_AdoptsThoughTheReplyIsLost once.
func TestShared_AdoptsThoughTheReplyIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, first, second, lost := newCluster(), 0, 0, false
		a := newProcess(c, "a", &first)
		log := slog.New(slog.DiscardHandler)
		store := tasks.NewShared(forgetful{process{c, "b"}, &lost}, "tasks", 10, 10, time.Now, log)
		b := tasks.NewRunner(store, time.Now, func() (string, error) { return "b1", nil }, log)
		b.Resume(func(tasks.Task) (tasks.Work, error) { return report(&second), nil })
		defer b.Close()
		task := begin(t, a, &first)
		a.Close()
		c.lose("a")
		for range 10 {
			get(t, b, task.ID)
			time.Sleep(5 * time.Second)
		}
		if second != 1 {
			t.Errorf("the work was begun again %d times", second)
		}
	})
}

// TestShared_ListenerIsEnough to make another process go on.
func TestShared_ListenerIsEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, first, second := newCluster(), 0, 0
		a, b := newProcess(c, "a", &first), newProcess(c, "b", &second)
		defer b.Close()
		task := begin(t, a, &first)
		w := b.Watch("alice", []string{task.ID})
		defer w.Close()
		a.Close()
		c.lose("a")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if second != 1 {
			t.Errorf("the work was begun again %d times", second)
		}
	})
}

// counting counts the reads of whole tasks.
type counting struct {
	process
	reads *int
}

func (p counting) Task(ctx context.Context, sample, id string) ([]byte, int, bool, bool, error) {
	p.mu.Lock()
	*p.reads++
	p.mu.Unlock()
	return p.process.Task(ctx, sample, id)
}

// TestShared_ReadsWhatHasChanged and nothing else, however many listen.
func TestShared_ReadsWhatHasChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun, reads, n := newCluster(), 0, 0, 0
		log := slog.New(slog.DiscardHandler)
		newID := func() (string, error) { n++; return string(rune('A' + n)), nil }
		store := tasks.NewShared(counting{process{c, "b"}, &reads}, "tasks", 100, 100, time.Now, log)
		r := tasks.NewRunner(store, time.Now, newID, log)
		defer r.Close()
		var ids []string
		for range 20 {
			ids = append(ids, begin(t, r, &begun).ID)
		}
		for range 12 {
			w := r.Watch("alice", ids)
			defer w.Close()
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		before := reads
		time.Sleep(time.Minute)
		synctest.Wait()
		if reads != before {
			t.Errorf("%d reads in a minute without a change", reads-before)
		}
	})
}

// TestShared_ClosesDuringAnOutage at once: another process does the work that
// is not written.
func TestShared_ClosesDuringAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun := newCluster(), 0
		r := newProcess(c, "a", &begun)
		for range 3 {
			begin(t, r, &begun)
		}
		c.setAway(errGone)
		began := time.Now()
		r.Close()
		if took := time.Since(began); took > time.Second { // of the fake clock
			t.Errorf("it took %v", took)
		}
	})
}
