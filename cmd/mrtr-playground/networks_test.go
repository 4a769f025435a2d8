package main

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

func TestDeniedNetworks_IncludeThisMachine(t *testing.T) {
	denied := netip.MustParsePrefix("198.51.100.0/24")
	loopback := netip.MustParsePrefix("127.0.0.1/32") // the address that every machine has
	metadata := netip.MustParsePrefix("169.254.0.0/16")
	for mode, itself := range map[app.Mode]bool{app.Local: false, app.Trusted: false, app.Public: true} {
		got, err := options{mode: mode, denied: networks{denied}}.deniedNetworks()
		if err != nil || !slices.Contains(got, denied) || slices.Contains(got, loopback) != itself ||
			slices.Contains(got, metadata) != (mode == app.Trusted) {
			t.Errorf("%s: %v, %v", mode, got, err)
		}
	}
}
