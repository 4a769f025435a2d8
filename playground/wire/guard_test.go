package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"
)

// canary listens on the loopback address and counts connections.
func canary(t *testing.T) (port uint16, count *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	count = new(atomic.Int64)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			count.Add(1)
			conn.Write([]byte("HTTP/1.1 204 X\r\n\r\n"))
			conn.Close()
		}
	}()
	return netip.MustParseAddrPort(l.Addr().String()).Port(), count
}

// hostileHosts returns hosts that must not be reached in public mode, by the
// number of the fault. Names that a system resolver would read as an address
// resolve to the canary.
func hostileHosts() map[string][]string {
	return map[string][]string{
		"1":  {"127.0.0.1", "127.255.255.254"},
		"2":  {"localhost", "LOCALHOST", "localhost."},
		"3":  {"127.1", "127.0.1"},
		"4":  {"2130706433"},
		"5":  {"0x7f000001", "0x7f.1"},
		"6":  {"0177.0.0.1", "017700000001"},
		"7":  {"0", "0.0.0.0", "0.1.2.3"},
		"8":  {"[::1]", "[::]"},
		"9":  {"[::ffff:127.0.0.1]", "[::127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0:127.0.0.1]"},
		"10": {"[fe80::1%25lo]", "[::1%25lo]", "[2606:4700::1111%25lo]"},
		"11": {"[fc00::1]", "[fec0::1]", "[ff02::1]", "[fe80::1]"},
		"12": {
			"[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001::1]", "[3fff::1]",
			"[5f00::1]", "[2001:db8::1]", "[100::1]",
		},
		"13": {"①②⑦.⓪.⓪.①", "127。0。0。1", "１２７.0.0.1", "127%E3%80%820.0.1"},
		"14": {
			"169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "168.63.129.16",
			"[::ffff:168.63.129.16]",
		},
		"15": {
			"10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.1", "100.64.0.1", "198.18.0.1",
			"198.19.255.254", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.0.1", "192.0.2.1",
		},
		"16": {"private.example", "mixed.example", "mapped.example", "rebinding.example"},
	}
}

// system resolves like a C library. rebinding.example resolves to another
// address each time.
type system struct{ lookups atomic.Int64 }

func (s *system) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	loopback, public := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("2606:4700::1111")
	switch host {
	case "mixed.example":
		return []netip.Addr{public, netip.MustParseAddr("::1")}, nil
	case "mapped.example":
		return []netip.Addr{netip.MustParseAddr("::ffff:127.0.0.1")}, nil
	case "rebinding.example":
		if s.lookups.Add(1)%2 == 1 {
			return []netip.Addr{public}, nil
		}
	}
	return []netip.Addr{loopback}, nil
}

func TestGuard_HostileHosts(t *testing.T) {
	port, count := canary(t)
	c := New(Config{
		Reach: PublicOnly(), Ports: []uint16{port}, Resolver: &system{},
		Deny: []netip.Prefix{netip.MustParsePrefix("2606:4700::/32")},
	})
	for fault, hosts := range hostileHosts() {
		for _, host := range hosts {
			raw := fmt.Sprintf("https://%s:%d/mcp", host, port)
			parts, _ := askAt(t.Context(), c, raw)
			if len(parts) != 1 || parts[0].Failure == nil || parts[0].Failure.Class != BlockedAddress {
				t.Errorf("fault %s: %s: %s", fault, raw, show(parts))
			}
			for _, h := range []string{host, "[" + host + "]"} {
				to := &url.URL{Scheme: "https", Host: fmt.Sprintf("%s:%d", h, port)}
				conn, err := c.dial(t.Context(), to, new(Timing))
				if err == nil {
					conn.Close()
					t.Errorf("fault %s: dial(%s) got through", fault, h)
				}
			}
		}
	}
	if n := count.Load(); n != 0 {
		t.Errorf("the canary saw %d connections", n)
	}
}

func TestGuardSeesTheSocket(t *testing.T) {
	port, count := canary(t)
	c := New(Config{Reach: PublicOnly()})
	var failure *Failure
	// Without the check after name resolution.
	_, err := c.connect(t.Context(), "https", fmt.Sprintf("127.0.0.1:%d", port))
	if !errors.As(err, &failure) || failure.Class != BlockedAddress || count.Load() != 0 {
		t.Errorf("%v, %d connections", err, count.Load())
	}
	for _, network := range []string{"udp4", "unix", "tcp"} {
		if c.guard.control("https")(t.Context(), network, "1.1.1.1:443", nil) == nil {
			t.Errorf("network %s", network)
		}
	}
	control := c.guard.control("https")
	if control(t.Context(), "tcp4", "nonsense", nil) == nil ||
		control(t.Context(), "tcp4", "1.1.1.1:443", nil) != nil {
		t.Error("control")
	}
}

// TestGuard_ClosedSockets: one socket is closed, and others of its address are not.
func TestGuard_ClosedSockets(t *testing.T) {
	closed := netip.MustParseAddrPort("127.0.0.1:9090")
	g := newGuard(Config{Closed: func(to netip.AddrPort) bool { return to == closed }})
	for address, open := range map[string]bool{
		"127.0.0.1:9090": false, "[::ffff:127.0.0.1]:9090": false, "127.0.0.1:9091": true,
	} {
		if err := g.control("http")(t.Context(), "tcp4", address, nil); (err == nil) != open {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestPublicAddressesPass(t *testing.T) {
	g := newGuard(Config{Reach: PublicOnly()})
	for _, ip := range []string{
		"1.1.1.1", "::ffff:1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450::1", "168.63.129.15",
	} {
		if failure := g.check("https", netip.AddrPortFrom(netip.MustParseAddr(ip), 443)); failure != nil {
			t.Errorf("%s: %v", ip, failure)
		}
	}
}

func TestLocalModeReachesTheLoopback(t *testing.T) {
	port, count := canary(t)
	c := New(Config{Resolver: &system{}})
	for _, host := range []string{"127.0.0.1", "[::ffff:127.0.0.1]", "localhost"} {
		if parts, _ := askAt(t.Context(), c,
			fmt.Sprintf("http://%s:%d/", host, port)); show(parts) != rec("HTTP/1.1 204 X\r\n\r\n", "") {
			t.Errorf("%s: %s", host, show(parts))
		}
	}
	if count.Load() != 3 {
		t.Errorf("%d connections", count.Load())
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if parts, _ := askAt(t.Context(), New(Config{}), "http://"+l.Addr().String()+
		"/"); show(parts) != "failed refused" {
		t.Error(show(parts))
	}
}

func TestStoppedSample(t *testing.T) {
	l := NewListener("sample")
	l.Close()
	c := New(Config{InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
		conn, err := l.Dial(ctx)
		if err == nil {
			t.Error("a closed listener was dialled")
		}
		return conn, true
	}})
	if parts, _ := ask(t.Context(), c); show(parts) != "failed refused" {
		t.Error(show(parts))
	}
}

func TestOnlyOurOwnSamplesAreInMemory(t *testing.T) {
	l := listen(t, says("HTTP/1.1 204 X\r\n\r\n"))
	ours := func(ctx context.Context, origin string) (net.Conn, bool) {
		if origin != "https://play.example:443" {
			return nil, false
		}
		conn, _ := l.Dial(ctx)
		return conn, true
	}
	c := New(Config{Reach: PublicOnly(), Resolver: &system{}, InMemory: ours})
	for url, want := range map[string]string{
		"https://play.example/mcp/x":  rec("HTTP/1.1 204 X\r\n\r\n", ""),
		"https://Play.Example/mcp/x":  rec("HTTP/1.1 204 X\r\n\r\n", ""),
		"http://play.example/mcp/x":   "failed bad_url", // another scheme
		"http://other.example/mcp/x":  "failed bad_url",
		"https://other.example/mcp/x": "failed blocked_address",
	} {
		if parts, _ := askAt(t.Context(), c, url); show(parts) != want {
			t.Errorf("%s: %s", url, show(parts))
		}
	}
}
