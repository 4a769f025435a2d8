package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// maxAddresses is how many addresses of one name are tried.
const maxAddresses = 8

// sample connects to one of our own samples if u names one. Host names are not
// case-sensitive (RFC 4343). The scheme counts: a port that speaks http does not
// speak https.
func (c *Client) sample(ctx context.Context, u *url.URL) (conn net.Conn, ours bool, err error) {
	conn, ours = c.inMemory(ctx, u.Scheme+"://"+strings.ToLower(hostport(u)))
	if ours && conn == nil {
		err = fail(Refused, "this sample is not running")
	}
	return conn, ours, err
}

// dial connects to the first address of the host that accepts. A name that
// resolves to both allowed and blocked addresses is rejected (DNS rebinding).
// The errors are a *Failure or the context's.
func (c *Client) dial(ctx context.Context, u *url.URL, t *Timing) (net.Conn, error) {
	port, failure := portNumber(u)
	if failure != nil {
		return nil, failure
	}
	start := c.now()
	addrs, err := c.resolve(ctx, u.Hostname())
	t.DNS = c.now().Sub(start)
	if err != nil {
		return nil, err
	}
	if !c.reach.Limited {
		t.Peer.Addresses = joined(addrs)
	}
	for _, ip := range addrs {
		if failure := c.guard.check(u.Scheme, netip.AddrPortFrom(ip, port)); failure != nil {
			return nil, failure
		}
	}
	start = c.now()
	conn, err := c.connectAny(ctx, u.Scheme, addrs, port)
	t.Connect = c.now().Sub(start)
	if err == nil && !c.reach.Limited {
		t.Peer.Address = conn.RemoteAddr().String()
	}
	return conn, err
}

// joined returns addresses in one text.
func joined(addrs []netip.Addr) string {
	var list []string
	for _, ip := range addrs {
		list = append(list, ip.String())
	}
	return strings.Join(list, ", ")
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
		return nil, fail(DNS, "resolving the host name took longer than "+c.limits.DNS.String())
	case err != nil:
		return nil, dnsFailure(err)
	case len(addrs) == 0:
		return nil, fail(DNS, "the host name has no address")
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap() // net.Resolver returns IPv4 as ::ffff:a.b.c.d
	}
	return addrs[:min(len(addrs), maxAddresses)], nil
}

// connectAny tries the addresses in the resolver's order, which is that of RFC
// 6724. They share the time limit: each gets an equal part of the rest.
func (c *Client) connectAny(
	ctx context.Context, scheme string, addrs []netip.Addr, port uint16,
) (net.Conn, error) {
	deadline := time.Now().Add(c.limits.Connect)
	var first error
	for i, ip := range addrs {
		part := time.Until(deadline) / time.Duration(len(addrs)-i)
		limited, cancel := context.WithTimeout(ctx, part)
		conn, err := c.connect(limited, scheme, netip.AddrPortFrom(ip, port).String())
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

// handshake starts TLS for the host of u on conn. It closes conn on failure.
func (c *Client) handshake(ctx context.Context, conn net.Conn, u *url.URL, t *Timing) (net.Conn, error) {
	config := c.tls.Clone()
	config.ServerName = u.Hostname()
	if trust, ok := c.trusted(ctx, u); ok {
		trust.only(config)
	}
	secure := tls.Client(conn, config)
	limited, cancel := context.WithTimeout(ctx, c.limits.TLS)
	defer cancel()
	start := c.now()
	err := secure.HandshakeContext(limited)
	t.TLS = c.now().Sub(start)
	switch {
	case err == nil:
		t.Peer.setTLS(secure.ConnectionState())
		return secure, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		err = fail(TimeoutConnect, "the TLS handshake took longer than "+c.limits.TLS.String())
	default:
		err = tlsFailure(err, c.now())
	}
	conn.Close()
	return nil, err
}

// setTLS describes the TLS connection.
func (p *Peer) setTLS(state tls.ConnectionState) {
	p.TLS = tls.VersionName(state.Version)
	if len(state.PeerCertificates) == 0 {
		return
	}
	leaf := state.PeerCertificates[0]
	by := "self-signed"
	if string(leaf.RawIssuer) != string(leaf.RawSubject) {
		by = "issued by " + plain(cmp.Or(leaf.Issuer.CommonName, leaf.Issuer.String()))
	}
	p.Certificate = by + ", valid until " + leaf.NotAfter.UTC().Format(time.DateOnly)
}
