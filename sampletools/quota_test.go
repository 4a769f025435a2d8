package sampletools

import (
	"testing"
	"time"
)

func TestCallerOf(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.1:4711": "192.0.2.1", "[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64",
		"[::ffff:192.0.2.1]:80": "::ffff:192.0.2.1", "[fe80::1%eth0]:80": "fe80::/64", "": "",
		"192.0.2.1": "192.0.2.1", "2001:db8:1:2::": "2001:db8:1:2::/64",
	} {
		if got := callerOf(remote); got != want {
			t.Errorf("%q: %q, want %q", remote, got, want)
		}
	}
}

func TestQuota_OneCallerHasItsPart(t *testing.T) {
	q := newQuota(16, true)
	first, ok := q.enter("a")
	_, ok2 := q.enter("a")
	if _, third := q.enter("a"); !ok || !ok2 || third {
		t.Error("one caller may have two of sixteen")
	}
	first()
	first() // a second time changes nothing
	if _, ok := q.enter("a"); !ok {
		t.Error("what was left is not free")
	}
	if _, ok := q.enter("b"); !ok {
		t.Error("another caller has no part")
	}
	n := q.all
	for {
		if _, ok := q.enter(""); !ok { // not known: no part of its own
			break
		}
		n++
	}
	if n != 16 {
		t.Errorf("%d are open, want 16", n)
	}
}

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
