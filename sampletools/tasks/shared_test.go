package tasks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// cluster is what two processes share: the rows, and which processes are there.
type cluster struct {
	mu    sync.Mutex
	rows  map[string]*row
	gone  map[string]bool
	heard map[chan struct{}]struct{}
	away  error // of the next accesses
}

type row struct {
	data    []byte
	version int
	worker  string
}

// process is the table as one process sees it.
type process struct {
	*cluster
	name string
}

func newCluster() *cluster {
	return &cluster{rows: map[string]*row{}, gone: map[string]bool{}, heard: map[chan struct{}]struct{}{}}
}

func (p process) AddTask(
	_ context.Context, _, id, _ string, data []byte, _ time.Duration, limit, _ int,
) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.rows) >= limit {
		return false, p.away
	}
	p.rows[id] = &row{data: data, worker: p.name}
	return true, p.away
}

func (p process) Task(_ context.Context, _, id string) ([]byte, int, bool, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.rows[id]
	if r == nil || p.away != nil {
		return nil, 0, false, false, p.away
	}
	return r.data, r.version, r.worker != p.name, p.gone[r.worker], nil
}

func (p process) TaskVersion(_ context.Context, _, id string) (int, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.rows[id]
	if r == nil || p.away != nil {
		return -1, false, p.away
	}
	return r.version, p.gone[r.worker], nil
}

func (p process) SetTask(
	_ context.Context, _, id string, version int, data []byte, _, take bool,
) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.rows[id]
	if p.away != nil || r.version != version {
		return false, p.away
	}
	r.data, r.version = data, version+1
	if take {
		r.worker = p.name
	}
	return true, nil
}

func (p process) CountTasks(context.Context, string) (int, error) { return len(p.rows), p.away }

func (p process) Changed(string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.heard {
		close(c)
	}
	clear(p.heard)
}

func (p process) Changes(string) (<-chan struct{}, func()) {
	c := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard[c] = struct{}{}
	return c, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.heard, c)
	}
}

// written is the result of report when it was answered.
const written = `["\"week\"","\"plain\""]`

// report is the work of a task that asks twice.
func report(began *int) tasks.Work {
	return func(ctx context.Context, h *tasks.Handle) (any, error) {
		*began++
		var all []string
		for _, key := range []string{"period-1", "tone-2"} {
			a, err := h.Ask(ctx, map[string]json.RawMessage{key: json.RawMessage(`{}`)})
			if err != nil {
				return nil, err
			}
			all = append(all, string(a[key]))
		}
		return all, nil
	}
}

// newProcess returns the runner of a process. began counts how often it has begun
// the work.
func newProcess(c *cluster, name string, began *int) *tasks.Runner {
	n := 0
	newID := func() (string, error) { n++; return fmt.Sprint(name, n), nil }
	log := slog.New(slog.DiscardHandler)
	store := tasks.NewShared(process{c, name}, "tasks", 10, 10, time.Now, log)
	r := tasks.NewRunner(store, time.Now, newID, log)
	r.Resume(func(t tasks.Task) (tasks.Work, error) {
		if string(t.Origin) != `"report"` {
			return nil, fmt.Errorf("origin %s", t.Origin)
		}
		return report(began), nil
	})
	return r
}

func answer(t *testing.T, r *tasks.Runner, id, key, value string) {
	t.Helper()
	err := r.Update("alice", id, map[string]json.RawMessage{key: json.RawMessage(value)})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

// get is status after everything has settled.
func get(t *testing.T, r *tasks.Runner, id string) tasks.Task {
	t.Helper()
	status(t, r, id) // may take the work over
	synctest.Wait()
	return status(t, r, id)
}

// TestShared_AnyProcessServesATask: one does the work, the other is asked.
func TestShared_AnyProcessServesATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun := newCluster(), 0
		a, b := newProcess(c, "a", &begun), newProcess(c, "b", &begun)
		defer a.Close()
		defer b.Close()
		task, err := a.Start("alice", "", json.RawMessage(`"report"`), report(&begun))
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		w := b.Watch("alice", []string{task.ID})
		defer w.Close()
		answer(t, b, task.ID, "period-1", `"week"`)
		answer(t, b, task.ID, "tone-2", `"plain"`)
		if end := get(t, b, task.ID); end.Status != tasks.Completed || string(end.Result) != written {
			t.Errorf("%s: %s", end.Status, end.Result)
		}
		got := statuses(t.Context(), w)
		if len(got) == 0 || got[len(got)-1] != "completed: " {
			t.Errorf("the other process heard %q", got)
		}
		if begun != 1 {
			t.Errorf("the work began %d times", begun)
		}
	})
}

// TestShared_CancelReachesTheWork in another process.
func TestShared_CancelReachesTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun := newCluster(), 0
		a, b := newProcess(c, "a", &begun), newProcess(c, "b", &begun)
		defer a.Close()
		defer b.Close()
		stopped := make(chan struct{})
		task, err := a.Start("alice", "", json.RawMessage(`"report"`),
			func(ctx context.Context, _ *tasks.Handle) (any, error) {
				defer close(stopped)
				<-ctx.Done()
				return nil, ctx.Err()
			})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Cancel("alice", task.ID); err != nil {
			t.Fatal(err)
		}
		<-stopped
		if end := get(t, a, task.ID); end.Status != tasks.Cancelled {
			t.Errorf("%s", end.Status)
		}
	})
}

// TestShared_TaskOutlivesItsProcess: another one does the work again, with the
// answers that were given, and asks only the rest. The first, which was only
// frozen, stops.
func TestShared_TaskOutlivesItsProcess(t *testing.T) {
	for _, how := range []string{"frozen", "closed"} {
		synctest.Test(t, func(t *testing.T) {
			c, first, second := newCluster(), 0, 0
			a, b := newProcess(c, "a", &first), newProcess(c, "b", &second)
			defer a.Close()
			defer b.Close()
			task, err := a.Start("alice", "", json.RawMessage(`"report"`), report(&first))
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			answer(t, a, task.ID, "period-1", `"week"`)
			if how == "closed" {
				a.Close()
			}
			c.mu.Lock()
			c.gone["a"] = true
			c.mu.Unlock()
			asking := get(t, b, task.ID)
			if _, open := asking.InputRequests["tone-2"]; asking.Status != tasks.InputRequired || !open ||
				len(asking.InputRequests) != 1 {
				t.Errorf("%s: %s asks %v", how, asking.Status, asking.InputRequests)
			}
			answer(t, b, task.ID, "tone-2", `"plain"`)
			end := get(t, b, task.ID)
			if end.Status != tasks.Completed || string(end.Result) != written {
				t.Errorf("%s: %s: %s", how, end.Status, end.Result)
			}
			if first != 1 || second != 1 {
				t.Errorf("%s: the work began %d times and %d times", how, first, second)
			}
		})
	}
}

// TestShared_WorkThatCannotBeDoneAgain fails its task.
func TestShared_WorkThatCannotBeDoneAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun := newCluster(), 0
		a, b := newProcess(c, "a", &begun), newProcess(c, "b", &begun)
		defer a.Close()
		defer b.Close()
		task, err := a.Start("alice", "", json.RawMessage(`"other"`), report(&begun))
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		c.mu.Lock()
		c.gone["a"] = true
		c.mu.Unlock()
		if end := get(t, b, task.ID); end.Status != tasks.Failed {
			t.Errorf("%s", end.Status)
		}
	})
}

// TestShared_TableIsAway for a moment, which costs time only, and for long.
func TestShared_TableIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun := newCluster(), 0
		r := newProcess(c, "a", &begun)
		defer r.Close()
		task, err := r.Start("alice", "", nil, report(&begun))
		if err != nil {
			t.Fatal(err)
		}
		set := func(err error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.away = err
		}
		set(errors.New("the database restarts"))
		time.AfterFunc(time.Second, func() { set(nil) })
		if _, err := r.Get("alice", task.ID); err != nil {
			t.Errorf("after a second: %v", err)
		}
		set(errors.New("the database is gone"))
		if _, err := r.Get("alice", task.ID); !errors.Is(err, tasks.ErrAway) {
			t.Errorf("while it is gone: %v", err)
		}
		set(nil)
	})
}

// TestRunner_KeepsNoMoreAnswersThanItMay, so that a client cannot fill the memory.
func TestRunner_KeepsNoMoreAnswersThanItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begun := newCluster(), 0
		r := newProcess(c, "a", &begun)
		defer r.Close()
		large, _ := json.Marshal(strings.Repeat("x", 40<<10))
		task, err := r.Start("alice", "", json.RawMessage(`"report"`),
			func(ctx context.Context, h *tasks.Handle) (any, error) {
				for n := range 5 {
					key := fmt.Sprint("again-", n)
					question := map[string]json.RawMessage{key: json.RawMessage(`{}`)}
					if _, err := h.Ask(ctx, question); err != nil {
						return nil, err
					}
				}
				return "done", nil
			})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for n := range 4 {
			answer(t, r, task.ID, fmt.Sprint("again-", n), string(large))
		}
		if size := len(c.rows[task.ID].data); size > 150<<10 {
			t.Errorf("the task has %d bytes", size)
		}
		answer(t, r, task.ID, "again-4", `{}`)
		end := get(t, r, task.ID)
		if diff := cmp.Diff(tasks.Completed, end.Status); diff != "" {
			t.Error(diff)
		}
	})
}
