package app

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/places"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestRate_TextRoundTrip(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Rate{
		"60/1m,30": {60, time.Minute, 30}, "20/1m": {20, time.Minute, 20}, "10/1h": {10, time.Hour, 10},
		"30/10m": {30, 10 * time.Minute, 30}, "1/90s": {1, 90 * time.Second, 1},
		"1/1h1m": {1, 61 * time.Minute, 1},
	} {
		var got Rate
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		var again Rate
		written, _ := got.MarshalText()
		if err := again.UnmarshalText(written); err != nil || again != want {
			t.Errorf("%s was written as %s", text, written)
		}
	}
	for _, text := range []string{"", "60", "60/", "/1m", "0/1m", "60/0s", "60/1m,0", "60/1m,", "-1/1m",
		"x/1m", "60/minute"} {
		if err := new(Rate).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a rate", text)
		}
	}
}

func TestBuckets_BurstThenRate(t *testing.T) {
	t.Parallel()
	b, now := newBuckets[string](Rate{N: 60, Per: time.Minute, Burst: 3}), noon
	for i := range 3 {
		if wait := b.Reserve("a", now); wait != 0 {
			t.Errorf("%d of 3 at once has to wait %v", i+1, wait)
		}
	}
	for range 5 { // a refusal costs nothing
		if wait := b.Reserve("a", now); wait != time.Second {
			t.Errorf("one beyond has to wait %v", wait)
		}
	}
	if wait := b.Reserve("b", now); wait != 0 {
		t.Errorf("another one has to wait %v", wait)
	}
	now = now.Add(time.Second)
	if wait := b.Reserve("a", now); wait != 0 {
		t.Errorf("a second later: %v", wait)
	}
	if wait := b.Reserve("a", now); wait != time.Second {
		t.Errorf("and once more: %v", wait)
	}
}

func TestBuckets_KeepKeysThatWait(t *testing.T) {
	t.Parallel()
	b, now := newBuckets[string](Rate{N: 10, Per: time.Hour, Burst: 10}), noon
	for range 10 {
		b.Reserve("a", now)
	}
	for range 20 { // asking all the time does not help
		now = now.Add(time.Minute)
		b.Reserve("b", now)
		if wait := b.Reserve("a", now); now.Sub(noon) < 6*time.Minute && wait == 0 {
			t.Fatalf("allowed again after %v", now.Sub(noon))
		}
	}
}

func TestBuckets_BoundMemory(t *testing.T) {
	t.Parallel()
	b, now := newBuckets[int](Rate{N: 1, Per: time.Minute, Burst: 1}), noon
	for i := range 3 * mostKeys {
		b.Reserve(i, now)
		if n := len(b.young) + len(b.old); n > 2*mostKeys {
			t.Fatalf("%d keys are known", n)
		}
	}
	for range 2 { // left alone for long enough
		now = now.Add(b.each.refill())
		b.Reserve(0, now)
	}
	if len(b.young) != 1 || len(b.old) != 1 { // the key that is left is in both
		t.Errorf("idle keys are still known: %d, %d", len(b.young), len(b.old))
	}
}

func TestLimiter_FastWorkspaceDoesNotUseUpItsAddress(t *testing.T) {
	t.Parallel()
	p := newLimiter(Rate{N: 2, Per: time.Minute, Burst: 2}, 5)
	home, elsewhere := AddressOf("192.0.2.1"), AddressOf("192.0.2.2")
	allowed := func(workspace string, from netip.Prefix, tries int) (n int) {
		for range tries {
			if p.Reserve(Account{workspace, from}, noon) == 0 {
				n++
			}
		}
		return n
	}
	if n := allowed("hasty", home, 100); n != 2 {
		t.Errorf("one workspace: %d", n)
	}
	if n := allowed("", home, 100); n != 8 {
		t.Errorf("what is left to the address: %d", n)
	}
	if n := allowed("new", home, 1) + allowed("newer", elsewhere, 1); n != 1 {
		t.Errorf("a used-up address allows, or another does not: %d", n)
	}
}

func TestAddressOf_CountsIPv6Networks(t *testing.T) {
	t.Parallel()
	for ip, want := range map[string]string{
		"192.0.2.1": "192.0.2.1/32", "::ffff:192.0.2.1": "192.0.2.1/32",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::9":      "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "": "invalid Prefix",
		"nonsense": "invalid Prefix",
	} {
		if got := AddressOf(ip).String(); got != want {
			t.Errorf("%s: %s, want %s", ip, got, want)
		}
	}
}

func TestAddressLimiter_NetworkHasFourTimesAnAddress(t *testing.T) {
	t.Parallel()
	p := newAddressLimiter(Rate{N: 2, Per: time.Minute, Burst: 2})
	allowed := 0
	for i := range 100 { // 100 networks of /64 in one of /48
		for range 3 {
			if p.Reserve(AddressOf(fmt.Sprintf("2001:db8:1:%x::1", i)), noon) == 0 {
				allowed++
			}
		}
	}
	if allowed != 8 {
		t.Errorf("one /48 was allowed %d events, want 8", allowed)
	}
	if p.Reserve(AddressOf("2001:db8:2::1"), noon) != 0 {
		t.Error("another /48 has to wait")
	}
}

// TestAccount_CountsAlone: who counts alone has the share of one, whatever goes on behind
// the address that it uses, and takes nothing from there.
func TestAccount_CountsAlone(t *testing.T) {
	t.Parallel()
	home, token := AddressOf("192.0.2.1"), AccountOf("w")
	p := newLimiter(Rate{N: 2, Per: time.Minute, Burst: 2}, 1)
	pool := newPool(16, 0, true) // two for one
	calls := newCalling()
	calls.limits.CallsOfAddress = 1
	for _, who := range []Account{{"", home}, token} {
		for range 2 {
			if p.Reserve(who, noon) != 0 {
				t.Errorf("%v: refused within the rate", who)
			}
			if _, err := pool.Acquire(t.Context(), who.Holder()); err != nil {
				t.Errorf("%v: %v", who, err)
			}
		}
		if p.Reserve(who, noon) == 0 {
			t.Errorf("%v: beyond the rate", who)
		}
		if _, err := pool.Acquire(t.Context(), who.Holder()); !errors.Is(err, places.ErrFull) {
			t.Errorf("%v: beyond the share of places: %v", who, err)
		}
	}
	for _, c := range []struct{ workspace, from, want string }{
		{"a", "192.0.2.1", ""}, {"b", "192.0.2.1", "calls_of_address"}, {"w", "", ""}, {"v", "", ""},
	} {
		if code := calls.call(c.workspace, c.from, "host"); code != c.want {
			t.Errorf("a call of %s: %q, want %q", c.workspace, code, c.want)
		}
	}
}
