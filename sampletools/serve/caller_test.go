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
