package main

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestReach_OfFlags(t *testing.T) {
	private := wire.PrivateRanges()
	tens := wire.Network{Prefix: netip.MustParsePrefix("10.0.0.0/8")}
	one := wire.Network{Prefix: netip.MustParsePrefix("192.0.2.7/32"), Plain: true}
	for flags, want := range map[string]wire.Reach{
		"":                                 {},
		"-public -base-url https://p.test": {Limited: true},
		"-base-url https://p.test -allow-network 10.9.9.9/8 -allow-network http:192.0.2.7": {
			Limited: true, Networks: []wire.Network{tens, one},
		},
		"-public -base-url https://p.test -allow-network http://192.0.2.7": {
			Limited: true, Networks: []wire.Network{one},
		},
		"-trusted-network": {Limited: true, Networks: private},
		"-trusted-network -allow-network 10.0.0.0/8": {
			Limited: true, Networks: append([]wire.Network{tens}, private...),
		},
	} {
		o, err := parseOptions(strings.Fields(flags), noEnv, io.Discard)
		got := o.reach()
		if err != nil || got.Limited != want.Limited || !slices.Equal(got.Networks, want.Networks) {
			t.Errorf("%q: %+v, %v", flags, got, err)
		}
	}
}

// TestOwn: which sockets belong to the program, on a machine with the addresses 10.0.0.5 and
// 198.51.100.5, and a database at 10.0.0.9.
func TestOwn(t *testing.T) {
	o, err := parseOptions([]string{
		"-public", "-addr", ":2322", "-base-url", "https://p.test", "-admin", "10.0.0.5:9090",
		"-db", "postgres://u:p@db.test:5432/n", "-allow-network", "10.0.0.0/8",
	}, noEnv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	w := newOwn(o)
	w.addresses = func() (networks, error) {
		return networks{netip.MustParsePrefix("10.0.0.5/32"), netip.MustParsePrefix("198.51.100.5/32")}, nil
	}
	w.resolve = func(_ context.Context, _, host string) ([]netip.Addr, error) {
		if host != "db.test" {
			return nil, errors.New("unknown name " + host)
		}
		return []netip.Addr{netip.MustParseAddr("::ffff:10.0.0.9")}, nil
	}
	for to, want := range map[string]struct{ ours, closed bool }{
		"10.0.0.5:2322":     {ours: true},
		"10.0.0.5:443":      {ours: true}, // of -base-url
		"10.0.0.5:9090":     {closed: true},
		"127.0.0.1:9090":    {ours: true, closed: true},
		"10.0.0.5:8080":     {},
		"198.51.100.5:8080": {ours: true}, // in no network
		"10.0.0.9:5432":     {ours: true},
		"10.0.0.9:443":      {},
		"10.0.0.8:5432":     {},
		"192.0.2.1:2322":    {},
	} {
		at := netip.MustParseAddrPort(to)
		if ours, closed := w.ours(at), w.closed(at); ours != want.ours || closed != want.closed {
			t.Errorf("%s: ours %t, closed %t", to, ours, closed)
		}
	}
	w.resolve = func(context.Context, string, string) ([]netip.Addr, error) { return nil, errors.New("away") }
	if !w.ours(netip.MustParseAddrPort("10.0.0.8:5432")) {
		t.Error("a socket that may be the database's is called while its name does not resolve")
	}
}
