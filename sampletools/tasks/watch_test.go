package tasks_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// statuses reads a watch to its end and returns "status: message" of each task.
func statuses(ctx context.Context, w *tasks.Watch) []string {
	var list []string
	for {
		t, ok := w.Next(ctx)
		if !ok {
			return list
		}
		list = append(list, string(t.Status)+": "+t.StatusMessage)
	}
}

func TestWatch_GetsEveryStatus(t *testing.T) {
	question := map[string]json.RawMessage{"q-1": json.RawMessage(`{"method":"elicitation/create"}`)}
	work := func(end error) tasks.Work {
		return func(ctx context.Context, h *tasks.Handle) (any, error) {
			if err := h.SetStatusMessage("collecting"); err != nil {
				return nil, err
			}
			if _, err := h.Ask(ctx, question); err != nil {
				return nil, err
			}
			return "done", end
		}
	}
	answer := func(r *tasks.Runner, id string) error {
		if err := r.Update("alice", id, nil); err != nil { // changes nothing that a client sees
			return err
		}
		return r.Update("alice", id, map[string]json.RawMessage{"q-1": json.RawMessage(`{}`)})
	}
	cancel := func(r *tasks.Runner, id string) error { return r.Cancel("alice", id) }
	asks := []string{"working: ", "working: collecting", "input_required: collecting"}
	for _, tt := range []struct {
		name string
		end  error
		act  func(*tasks.Runner, string) error
		want []string
	}{
		{"completed", nil, answer, append(asks, "working: collecting", "completed: ")},
		{"failed", &tasks.Error{Code: -32603, Message: "no figures"}, answer,
			append(asks, "working: collecting", "failed: no figures")},
		{"cancelled", nil, cancel, append(asks, "cancelled: cancelled by the client")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRunner(10)
				defer r.Close()
				begin := make(chan struct{})
				id := start(t, r, func(ctx context.Context, h *tasks.Handle) (any, error) {
					<-begin
					return work(tt.end)(ctx, h)
				})
				w := r.Watch("alice", []string{id, id, "t99"})
				defer w.Close()
				if diff := cmp.Diff([]string{id}, w.IDs()); diff != "" {
					t.Errorf("watched: %s", diff)
				}
				close(begin)
				synctest.Wait()
				if err := tt.act(r, id); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, statuses(t.Context(), w)); diff != "" {
					t.Error(diff)
				}
				late := r.Watch("alice", []string{id})
				defer late.Close()
				if diff := cmp.Diff(tt.want[len(tt.want)-1:], statuses(t.Context(), late)); diff != "" {
					t.Errorf("after the end: %s", diff)
				}
			})
		})
	}
}

func TestWatch_IsOfTheOwnerOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(10)
		defer r.Close()
		w := r.Watch("bob", []string{start(t, r, forever)})
		defer w.Close()
		if list := statuses(t.Context(), w); len(w.IDs()) != 0 || list != nil {
			t.Errorf("another user watches %v and gets %v", w.IDs(), list)
		}
	})
}

// A watch ends when its task is no longer kept, and when its reader is gone.
func TestWatch_Ends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(10)
		defer r.Close()
		id := start(t, r, forever)
		gone, leave := context.WithCancel(t.Context())
		leave()
		left := r.Watch("alice", []string{id})
		defer left.Close()
		if list := statuses(gone, left); len(list) != 1 {
			t.Errorf("a reader that is gone gets %v", list)
		}
		w := r.Watch("alice", []string{id})
		defer w.Close()
		time.Sleep(tasks.TTL) // advances the fake clock
		if diff := cmp.Diff([]string{"working: "}, statuses(t.Context(), w)); diff != "" {
			t.Error(diff)
		}
	})
}

// A slow reader of a task that asks again and again loses statuses between, not
// the last one.
func TestWatch_IsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunner(10)
		defer r.Close()
		begin := make(chan struct{})
		id := start(t, r, func(_ context.Context, h *tasks.Handle) (any, error) {
			<-begin
			for n := range 1000 {
				if err := h.SetStatusMessage(string(rune('a' + n%26))); err != nil {
					return nil, err
				}
			}
			return "done", nil
		})
		w := r.Watch("alice", []string{id})
		defer w.Close()
		close(begin)
		synctest.Wait()
		list := statuses(t.Context(), w)
		if len(list) > 100 || list[len(list)-1] != "completed: " {
			t.Errorf("%d statuses, the last is %s", len(list), list[len(list)-1])
		}
	})
}
