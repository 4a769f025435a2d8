package wire

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"strings"
	"time"
)

// maxAddresses bounds how many addresses of one name are tried.
const maxAddresses = 8

// DialContext is a guarded net.Dialer.DialContext for host:port, with the
// limits on time, the ports of public mode and the in-memory samples. Its
// errors are a *Failure or the context's.
func (c *Client) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	if conn, ours, err := c.sample(address); ours {
		return conn, err
	}
	var t Timing
	return c.dial(ctx, address, &t)
}

// sample connects to one of our own samples, if address is one. Names know no
// case (RFC 4343).
func (c *Client) sample(address string) (conn net.Conn, ours bool, err error) {
	conn, ours = c.inMemory(strings.ToLower(address))
	if ours && conn == nil {
		err = &Failure{Refused, "this sample is not running"}
	}
	return conn, ours, err
}

// dial connects to the first address of the host that answers. Every address
// must be allowed: a name that leads inside and outside has something in mind.
func (c *Client) dial(ctx context.Context, address string, t *Timing) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, badURL("the host has no port")
	}
	if c.public {
		if failure := checkPort(port, c.ports); failure != nil {
			return nil, failure
		}
	}
	start := c.now()
	addrs, err := c.resolve(ctx, host)
	t.DNS = c.now().Sub(start)
	if err != nil {
		return nil, err
	}
	for _, ip := range addrs {
		if err := c.guard.check(ip); err != nil {
			return nil, err
		}
	}
	start = c.now()
	conn, err := c.connectAny(ctx, addrs, port)
	t.Connect = c.now().Sub(start)
	return conn, err
}

func (c *Client) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip.Unmap()}, nil
	}
	limited, cancel := context.WithTimeout(ctx, c.limits.DNS)
	defer cancel()
	addrs, err := c.resolver.LookupNetIP(limited, "ip", host)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, &Failure{DNS, "looking up the name of the host took longer than " + c.limits.DNS.String()}
	case err != nil:
		return nil, dnsFailure(err)
	case len(addrs) == 0:
		return nil, &Failure{DNS, "the name of the host has no address"}
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap() // net.Resolver returns IPv4 as ::ffff:a.b.c.d
	}
	return addrs[:min(len(addrs), maxAddresses)], nil
}

// connectAny tries the addresses in the resolver's order, which is RFC 6724's.
// All share the limit: each gets an equal part of what is left.
func (c *Client) connectAny(ctx context.Context, addrs []netip.Addr, port string) (net.Conn, error) {
	deadline := time.Now().Add(c.limits.Connect)
	var first error
	for i, ip := range addrs {
		part := time.Until(deadline) / time.Duration(len(addrs)-i)
		limited, cancel := context.WithTimeout(ctx, part)
		conn, err := c.connect(limited, net.JoinHostPort(ip.String(), port))
		cancel()
		switch {
		case err == nil:
			return conn, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case first == nil:
			first = connectFailure(err, c.limits.Connect)
		}
	}
	return nil, first
}

// handshake makes a TLS connection for host on conn, which it closes on failure.
func (c *Client) handshake(ctx context.Context, conn net.Conn, host string, t *Timing) (net.Conn, error) {
	config := c.tls.Clone()
	config.ServerName = host
	secure := tls.Client(conn, config)
	limited, cancel := context.WithTimeout(ctx, c.limits.TLS)
	defer cancel()
	start := c.now()
	err := secure.HandshakeContext(limited)
	t.TLS = c.now().Sub(start)
	switch {
	case err == nil:
		return secure, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		err = &Failure{TimeoutConnect, "the TLS handshake took longer than " + c.limits.TLS.String()}
	default:
		err = tlsFailure(err)
	}
	conn.Close()
	return nil, err
}
