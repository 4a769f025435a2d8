package sampletools

import (
	"testing"
	"time"
)

func TestLedger_OneCallerHasItsPart(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	c := Config{Now: func() time.Time { return now }, Limits: Limits{Tickets: 8}, Shared: true}
	l := newBook(c, "s").(*ledger)
	if ok, err := l.Put("n1", "", "a", time.Minute); !ok || err != nil {
		t.Fatal(err)
	}
	if _, err := l.Put("n2", "", "a", time.Minute); err == nil {
		t.Error("a second of eight for one caller")
	}
	if ok, err := l.Put("n2", "", "b", time.Minute); !ok || err != nil {
		t.Errorf("another caller: %v", err)
	}
	now = now.Add(time.Minute)
	if ok, err := l.Put("n3", "", "a", time.Minute); !ok || err != nil || len(l.held) != 1 {
		t.Errorf("after the time is over: %v, %v", err, l.held)
	}
}
