package capture_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
)

func TestMerge(t *testing.T) {
	start := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	event := func(seconds, conn int) playground.Event {
		return playground.Event{At: start.Add(time.Duration(seconds) * time.Second), Conn: conn}
	}
	a := []playground.Event{event(1, 1), event(5, 1), event(6, 2)}
	b := []playground.Event{event(2, 1), event(5, 1), event(5, 2)}
	if got := capture.Merge(a); !slices.EqualFunc(got, a, func(x, y playground.Event) bool {
		return x.Conn == y.Conn && x.Seq == y.Seq
	}) {
		t.Errorf("one log is changed: %v", got)
	}
	var conns []int
	for i, e := range capture.Merge(a, b) {
		if e.Seq != i+1 {
			t.Errorf("event %d has the number %d", i+1, e.Seq)
		}
		conns = append(conns, e.Conn)
	}
	if want := []int{1, 2, 1, 2, 3, 4}; !slices.Equal(conns, want) {
		t.Errorf("connections %v, want %v", conns, want)
	}
	if got := capture.Merge(); got != nil {
		t.Error(got)
	}
}
