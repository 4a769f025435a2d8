package wire

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

// reach returns the reach of a list such as "10.0.0.0/8 http:127.0.0.1/32".
func reach(networks string) Reach {
	r := PublicOnly()
	for text := range strings.FieldsSeq(networks) {
		rest, plain := strings.CutPrefix(text, "http:")
		r.Networks = append(r.Networks, Network{netip.MustParsePrefix(rest), plain})
	}
	return r
}

// TestGuard_Networks: what a list of networks lets through, and what not (fault 145).
func TestGuard_Networks(t *testing.T) {
	const all = "0.0.0.0/0 ::/0"
	own := netip.MustParseAddrPort("10.0.0.5:2322") // where this program listens
	for _, tt := range []struct {
		networks, scheme, to string
		want                 Class // "" if it may be called
	}{
		{"", "https", "1.1.1.1:443", ""},
		{"", "https", "1.1.1.1:9000", BlockedAddress},
		{"", "http", "1.1.1.1:80", BadURL},
		{"", "https", "10.0.0.1:443", BlockedAddress},
		{"10.0.0.0/8", "https", "10.0.0.1:9000", ""},
		{"10.0.0.0/8", "https", "[::ffff:10.0.0.1]:9000", ""},
		{"10.0.0.0/8", "http", "10.0.0.1:9000", BadURL},
		{"10.0.0.0/8", "https", "11.0.0.1:9000", BlockedAddress},
		{"10.0.0.0/8", "https", "192.168.0.1:443", BlockedAddress},
		{"10.0.0.0/8", "https", "[64:ff9b::a00:1]:443", BlockedAddress},
		{"10.0.0.0/8", "https", "[2002:a00:1::]:443", BlockedAddress},
		{"http:10.0.0.0/8", "http", "10.0.0.1:9000", ""},
		{"http:10.0.0.0/8", "https", "10.0.0.1:9000", ""},
		{"http:10.0.0.0/8", "http", "1.1.1.1:80", BadURL},
		{"http:10.0.0.0/8 192.168.0.0/16", "http", "192.168.0.1:80", BadURL},
		{"fd00::/8", "https", "[fd12::1]:443", ""},
		{"fd00::/8", "https", "[fd00:ec2::254]:443", BlockedAddress},
		{"100.64.0.0/10", "https", "100.100.100.200:443", BlockedAddress},
		{"100.100.100.200/32", "https", "100.100.100.200:443", ""},
		{"10.0.0.0/8", "https", own.String(), BlockedAddress},
		{"10.0.0.0/8", "https", "10.0.0.5:443", ""},
		{"10.0.0.5/32", "https", own.String(), ""},
		{all, "https", "127.0.0.1:443", BlockedAddress},
		{all, "https", "[::1]:443", BlockedAddress},
		{all, "https", "[::ffff:127.0.0.1]:443", BlockedAddress},
		{all, "https", "0.0.0.0:443", BlockedAddress},
		{all, "https", "[::]:443", BlockedAddress},
		{all, "https", "169.254.169.254:80", BlockedAddress},
		{all, "https", "[fe80::1]:443", BlockedAddress},
		{all, "https", "[fe80::1%eth0]:443", BlockedAddress},
		{all, "https", "168.63.129.16:443", BlockedAddress},
		{all, "https", "224.0.0.1:443", BlockedAddress},
		{"127.0.0.0/8", "https", "127.0.0.1:443", BlockedAddress},
		{"127.0.0.1/32", "https", "127.0.0.1:9000", ""},
		{"127.0.0.1/32", "https", "127.0.0.2:9000", BlockedAddress},
		{"::1/128", "https", "[::1]:9000", ""},
		{"169.254.169.254/32", "http", "169.254.169.254:80", BadURL},
		{"http:169.254.169.254/32", "http", "169.254.169.254:80", ""},
	} {
		g := newGuard(Config{Reach: reach(tt.networks),
			Ours: func(to netip.AddrPort) bool { return to == own }})
		failure := g.check(tt.scheme, netip.MustParseAddrPort(tt.to))
		if got := classOf(failure); got != tt.want {
			t.Errorf("-allow-network %q, %s to %s: %q, want %q", tt.networks, tt.scheme, tt.to, got, tt.want)
		}
	}
}

func classOf(failure *Failure) Class {
	if failure == nil {
		return ""
	}
	return failure.Class
}

// TestGuard_Deny: what the operator denies is called with no reach, and neither is the
// operator's own address.
func TestGuard_Deny(t *testing.T) {
	denied := []netip.Prefix{netip.MustParsePrefix("1.1.1.0/24"), netip.MustParsePrefix("127.0.0.0/8")}
	admin := netip.MustParseAddrPort("10.0.0.1:9090")
	for _, r := range []Reach{{}, PublicOnly(), reach("http:127.0.0.1/32 http:10.0.0.1/32")} {
		g := newGuard(Config{Reach: r, Deny: denied,
			Closed: func(to netip.AddrPort) bool { return to == admin }})
		for _, to := range []string{"1.1.1.1:443", "[::ffff:1.1.1.1]:443", "127.0.0.1:443", admin.String()} {
			if got := classOf(g.check("https", netip.MustParseAddrPort(to))); got != BlockedAddress {
				t.Errorf("%+v: %s: %q", r, to, got)
			}
		}
	}
}

// names resolves each name to the next of its addresses, and then to the last.
type names map[string][]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	list := n[host]
	if len(list) > 1 {
		n[host] = list[1:]
	}
	var addrs []netip.Addr
	for one := range strings.SplitSeq(list[0], ",") {
		addrs = append(addrs, netip.MustParseAddr(one))
	}
	return addrs, nil
}

// TestReach_Canary: a server of this machine hears the calls to a network that is named, by
// address and by name, and nothing of any other, whatever a name resolves to (fault 145).
func TestReach_Canary(t *testing.T) {
	port, count := canary(t)
	for _, tt := range []struct {
		networks, scheme, host string
		hears                  bool
	}{
		{"http:127.0.0.1/32", "http", "127.0.0.1", true},
		{"http:127.0.0.1/32", "http", "inside.example", true},
		{"http:127.0.0.1/32", "http", "both.example", false},
		{"http:127.0.0.1/32", "http", "turns.example", true},
		{"127.0.0.1/32", "http", "127.0.0.1", false},
		{"http:127.0.0.0/8", "http", "127.0.0.1", false},
		{"http:127.0.0.0/8", "http", "inside.example", false},
		{"http:127.0.0.2/32", "http", "inside.example", false},
		{"http:10.0.0.0/8", "http", "inside.example", false},
		{"http:10.0.0.0/8", "http", "127.1", false},
		{"http:127.0.0.1/32", "http", "127.1", false},
		{"", "http", "inside.example", false},
		{"", "https", "inside.example", false},
	} {
		before := count.Load()
		c := New(Config{
			Reach: reach(tt.networks), Ports: []uint16{port},
			Resolver: names{
				"inside.example": {"127.0.0.1"}, "both.example": {"127.0.0.1,192.168.0.1"},
				"turns.example": {"127.0.0.1", "192.168.0.1"},
			},
		})
		askAt(t.Context(), c, fmt.Sprintf("%s://%s:%d/mcp", tt.scheme, tt.host, port))
		if hears := count.Load() > before; hears != tt.hears {
			t.Errorf("-allow-network %q, %s://%s: heard %t", tt.networks, tt.scheme, tt.host, hears)
		}
	}
}

// TestReach_NameThatTurns: a name that was inside the network, and then is not, is blocked
// by the second call.
func TestReach_NameThatTurns(t *testing.T) {
	port, count := canary(t)
	c := New(Config{
		Reach:    reach("http:127.0.0.1/32"),
		Resolver: names{"in.example": {"127.0.0.1", "127.0.0.2"}, "out.example": {"127.0.0.2", "127.0.0.1"}},
	})
	for _, tt := range []struct {
		host  string
		hears bool
	}{{"in.example", true}, {"in.example", false}, {"out.example", false}, {"out.example", true}} {
		before := count.Load()
		askAt(t.Context(), c, fmt.Sprintf("http://%s:%d/mcp", tt.host, port))
		if hears := count.Load() > before; hears != tt.hears {
			t.Errorf("%s: heard %t", tt.host, hears)
		}
	}
}
