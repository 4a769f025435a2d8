package serve

import "testing"

func TestCallerOf(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.1:4711": "192.0.2.1", "[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64",
		"[::ffff:192.0.2.1]:80": "::ffff:192.0.2.1", "[fe80::1%eth0]:80": "fe80::/64", "": "",
		"192.0.2.1": "192.0.2.1", "2001:db8:1:2::": "2001:db8:1:2::/64",
	} {
		if got := CallerOf(remote); got != want {
			t.Errorf("%q: %q, want %q", remote, got, want)
		}
	}
}

func TestQuota_OneCallerHasItsPart(t *testing.T) {
	q := NewQuota(16, true)
	first, ok := q.Enter("a")
	_, ok2 := q.Enter("a")
	if _, third := q.Enter("a"); !ok || !ok2 || third {
		t.Error("one caller may have two of sixteen")
	}
	first()
	first() // a second time changes nothing
	if _, ok := q.Enter("a"); !ok {
		t.Error("what was left is not free")
	}
	if _, ok := q.Enter("b"); !ok {
		t.Error("another caller has no part")
	}
	n := q.all
	for {
		if _, ok := q.Enter(""); !ok { // not known: no part of its own
			break
		}
		n++
	}
	if n != 16 {
		t.Errorf("%d are open, want 16", n)
	}
}
