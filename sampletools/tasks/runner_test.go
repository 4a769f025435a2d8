package tasks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// newRunner names its tasks t1, t2 and so on.
func newRunner(limit int) *tasks.Runner {
	n := 0
	newID := func() (string, error) { n++; return fmt.Sprintf("t%d", n), nil }
	store := tasks.NewMemory(time.Now, limit, limit)
	return tasks.NewRunner(store, time.Now, newID, slog.New(slog.DiscardHandler))
}

func status(t *testing.T, r *tasks.Runner, id string) tasks.Task {
	t.Helper()
	task, err := r.Get("alice", id)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func start(t *testing.T, r *tasks.Runner, w tasks.Work) string {
	t.Helper()
	task, err := r.Start("alice", "", nil, w)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get("alice", task.ID); err != nil {
		t.Fatalf("tasks/get right after creation: %v", err)
	}
	return task.ID
}

func forever(ctx context.Context, _ *tasks.Handle) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestRunner_TaskEndsAsItsWorkDoes(t *testing.T) {
	tests := []struct {
		name string
		work tasks.Work
		want tasks.Status
	}{
		{"a result", func(context.Context, *tasks.Handle) (any, error) { return "done", nil },
			tasks.Completed},
		{"a protocol error", func(context.Context, *tasks.Handle) (any, error) {
			return nil, &tasks.Error{Code: -32021, Message: "no"}
		}, tasks.Failed},
		{"any other error", func(context.Context, *tasks.Handle) (any, error) {
			return nil,
				errors.New("secret path /x")
		}, tasks.Failed},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			r := newRunner(10)
			defer r.Close()
			id := start(t, r, tt.work)
			synctest.Wait()
			task := status(t, r, id)
			if task.Status != tt.want || (task.Error != nil) != (tt.want == tasks.Failed) ||
				(task.Result != nil) != (tt.want == tasks.Completed) {
				t.Errorf("%s: %+v", tt.name, task)
			}
			if (task.StatusMessage != "") != (tt.want == tasks.Failed) {
				t.Errorf("%s: statusMessage %q", tt.name, task.StatusMessage)
			}
			if task.Error != nil && task.Error.Message == "secret path /x" {
				t.Error("an inner error is shown to the client")
			}
		})
	}
}

func TestRunner_TaskAsksAndContinues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(10)
		defer r.Close()
		question := json.RawMessage(`{"method":"elicitation/create"}`)
		id := start(t, r, func(ctx context.Context, h *tasks.Handle) (any, error) {
			return h.Ask(ctx, map[string]json.RawMessage{"one-1": question, "two-1": question})
		})
		synctest.Wait()
		if task := status(t, r, id); task.Status != tasks.InputRequired || len(task.InputRequests) != 2 {
			t.Fatalf("asking: %+v", task)
		}
		answer := func(key string) {
			if err := r.Update("alice", id,
				map[string]json.RawMessage{key: json.RawMessage(`{"action":"accept"}`)}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		answer("unexpected")
		answer("one-1")
		if task := status(t, r, id); task.Status != tasks.InputRequired || len(task.InputRequests) != 1 {
			t.Fatalf("half answered: %+v", task)
		}
		answer("one-1") // answered keys are ignored
		answer("two-1")
		if task := status(t, r, id); task.Status != tasks.Completed {
			t.Errorf("answered: %+v", task)
		}
	})
}

func TestRunner_CancelledTaskStaysCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(10)
		defer r.Close()
		id := start(t, r, func(ctx context.Context, h *tasks.Handle) (any, error) {
			<-ctx.Done()
			return "finished all the same", h.SetStatusMessage("finishing")
		})
		for range 2 { // a second cancel is acknowledged too
			if err := r.Cancel("alice", id); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if task := status(t, r, id); task.Status != tasks.Cancelled || task.Result != nil ||
				task.StatusMessage != "cancelled by the client" {
				t.Errorf("cancelled: %+v", task)
			}
		}
	})
}

func TestRunner_TaskBelongsToItsOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(10)
		defer r.Close()
		id := start(t, r, forever)
		_, err := r.Get("bob", id)
		for _, err := range []error{err, r.Update("bob", id, nil), r.Cancel("bob", id),
			r.Cancel("alice", "t99")} {
			if !errors.Is(err, tasks.ErrUnknown) {
				t.Errorf("for another user: %v", err)
			}
		}
	})
}

func TestRunner_TasksAreBoundedInNumberAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(2)
		defer r.Close()
		first := start(t, r, forever)
		start(t, r, forever)
		if _, err := r.Start("alice", "", nil, forever); !errors.Is(err, tasks.ErrFull) {
			t.Errorf("third task of two: %v", err)
		}
		time.Sleep(tasks.TTL) // advances the fake clock
		synctest.Wait()
		if _, err := r.Get("alice", first); !errors.Is(err, tasks.ErrUnknown) {
			t.Errorf("after its time: %v", err)
		}
		start(t, r, forever)
	})
}

func TestRunner_CloseWaitsForTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(10)
		ended := false
		start(t, r, func(ctx context.Context, _ *tasks.Handle) (any, error) {
			<-ctx.Done()
			ended = true
			return nil, ctx.Err()
		})
		r.Close()
		if !ended {
			t.Error("work continues after Close")
		}
	})
}
