package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/netip"
	"time"
)

// Resolver looks up host names; *net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Config configures a Client. The zero value is for local mode, where every
// address may be dialled.
type Config struct {
	Reach    Reach            // which servers may be called
	Limits   Limits           // zero fields mean DefaultLimits
	Now      func() time.Time // for records and certificates; nil means time.Now
	Resolver Resolver         // nil means the system's
	RootCAs  *x509.CertPool   // nil means the system's
	Ports    []uint16         // of public addresses in a limited reach; nil means 443 and 8443
	Deny     []netip.Prefix   // never dialled with any reach
	// Closed reports whether a socket is never dialled, such as the admin address; may be nil.
	Closed func(netip.AddrPort) bool
	// Ours reports whether a socket is one of this program's, or of its machine or database. A
	// limited reach has it only if it names the address alone; may be nil.
	Ours      func(netip.AddrPort) bool
	KnownOnly bool // known authorities sign certificates; WithTrust is ignored

	// InMemory returns a connection to one of our own samples if origin (as
	// in "http://127.0.0.1:2322", in lower case) names one; the connection is
	// nil if the sample is stopped. It speaks plain HTTP whatever the scheme of
	// the URL, and the guard does not apply to it.
	InMemory func(ctx context.Context, origin string) (net.Conn, bool)
}

// Client sends requests, each on its own connection. It is safe for concurrent
// use.
type Client struct {
	reach    Reach
	known    bool // trusts only known authorities
	limits   Limits
	now      func() time.Time
	resolver Resolver
	guard    *guard
	tls      *tls.Config
	inMemory func(ctx context.Context, origin string) (net.Conn, bool)
	connect  func(ctx context.Context, scheme, address string) (net.Conn, error)
}

// New returns a Client with the configuration c.
func New(c Config) *Client {
	client := &Client{
		reach:    c.Reach,
		limits:   c.Limits.or(DefaultLimits()),
		now:      c.Now,
		resolver: c.Resolver,
		known:    c.KnownOnly || c.Reach.Limited,
		guard:    newGuard(c),
		inMemory: c.InMemory,
	}
	if client.now == nil {
		client.now = time.Now
	}
	if client.resolver == nil {
		client.resolver = net.DefaultResolver
	}
	if client.inMemory == nil {
		client.inMemory = func(context.Context, string) (net.Conn, bool) { return nil, false }
	}
	client.connect = client.guard.connect
	client.tls = &tls.Config{
		RootCAs:    c.RootCAs,
		Time:       client.now,
		NextProtos: []string{"http/1.1"},
		MinVersion: tls.VersionTLS12,
	}
	return client
}

// WithLimits returns a copy of the Client with other limits. Zero fields of l
// keep their current value.
func (c *Client) WithLimits(l Limits) *Client {
	other := *c
	other.limits = l.or(c.limits)
	return &other
}
