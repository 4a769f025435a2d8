package tasks_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// TestMemory_OneCallerHasItsPart holds fault 95 for tasks: a caller that makes
// many takes no place from others, and tasks that are over make room.
func TestMemory_OneCallerHasItsPart(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	m := tasks.NewMemory(func() time.Time { return now }, 8, 2)
	create := func(id, caller string, status tasks.Status) error {
		now = now.Add(time.Second)
		return m.Create(tasks.Task{
			ID: id, Caller: caller, Status: status, CreatedAt: now, LastUpdatedAt: now,
			TTLMs: time.Hour.Milliseconds(),
		})
	}
	for i := range 2 {
		if err := create(fmt.Sprint("a", i), "a", tasks.Working); err != nil {
			t.Fatal(err)
		}
	}
	if err := create("a2", "a", tasks.Working); !errors.Is(err, tasks.ErrFull) {
		t.Errorf("a third of one caller: %v", err)
	}
	if err := create("b0", "b", tasks.Working); err != nil {
		t.Errorf("another caller: %v", err)
	}
	if _, err := m.Change("a1", func(t *tasks.Task) { t.Status = tasks.Completed }); err != nil {
		t.Fatal(err)
	}
	if err := create("a3", "a", tasks.Working); err != nil {
		t.Errorf("with one that is over: %v", err)
	}
	if _, err := m.Get("a1"); !errors.Is(err, tasks.ErrUnknown) {
		t.Errorf("the task that is over was kept: %v", err)
	}
	for i := range 5 {
		if err := create(fmt.Sprint("u", i), "", tasks.Completed); err != nil {
			t.Fatal(err)
		}
	}
	if err := create("c0", "c", tasks.Working); err != nil {
		t.Errorf("a full store with tasks that are over: %v", err)
	}
	if _, err := m.Get("u0"); !errors.Is(err, tasks.ErrUnknown) {
		t.Errorf("the oldest one was kept: %v", err)
	}
	if _, err := m.Get("u1"); err != nil {
		t.Errorf("more than the oldest one is gone: %v", err)
	}
}
