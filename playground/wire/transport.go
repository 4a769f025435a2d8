package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// RoundTripper returns a guarded http.RoundTripper for clients that speak HTTP
// themselves: the same addresses, limits of time for connecting and for the
// head, and a limit on every body. It keeps no connection, unzips nothing and
// uses no proxy; not following redirects is up to the http.Client. Its errors
// wrap a *Failure where this package found one; FailureOf names the others.
func (c *Client) RoundTripper() http.RoundTripper {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &guarded{c, &http.Transport{
		DialContext:            c.dialPlain,
		DialTLSContext:         c.dialTLS,
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: int64(c.limits.Header),
		ResponseHeaderTimeout:  c.limits.FirstByte,
		Protocols:              protocols,
	}}
}

// dialPlain is DialContext for http URLs, which strangers may use for our own
// samples only.
func (c *Client) dialPlain(ctx context.Context, network, address string) (net.Conn, error) {
	if conn, ours, err := c.sample(address); ours {
		return conn, err
	}
	if c.public {
		return nil, httpsOnly()
	}
	return c.DialContext(ctx, network, address)
}

// dialTLS is DialContext with the handshake; our own samples have none.
func (c *Client) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	if conn, ours, err := c.sample(address); ours {
		return conn, err
	}
	conn, err := c.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(address)
	var t Timing
	return c.handshake(ctx, conn, host, &t)
}

type guarded struct {
	c    *Client
	next http.RoundTripper
}

func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, failure := parseURL(r.URL.String(), g.c.public); failure != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, failure
	}
	response, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, named(r.Context(), err)
	}
	response.Body = &capped{response.Body, g.c.limits.Body, g.c.limits.Body}
	return response, nil
}

// named gives net/http's errors about the head a class. Two of them are known
// by their words only.
func named(ctx context.Context, err error) error {
	var failure *Failure
	var timeout net.Error
	switch {
	case errors.As(err, &failure), ctx.Err() != nil:
		return err
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("%w (%w)", silence(), err)
	case strings.Contains(err.Error(), "response headers exceeded"):
		return fmt.Errorf("%w (%w)", &Failure{TooLarge, "the head of the answer is too large"}, err)
	case strings.Contains(err.Error(), "malformed HTTP"):
		return fmt.Errorf("%w (%w)", notHTTP("what came is not an HTTP/1.1 answer"), err)
	}
	return err
}

// capped fails, rather than ends, beyond the limit.
type capped struct {
	io.ReadCloser
	left, limit int
}

func (b *capped) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if n > b.left {
		return b.left, tooLarge("the body of the answer is", b.limit)
	}
	b.left -= n
	return n, err
}
