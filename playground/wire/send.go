package wire

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"net/url"
	"time"
)

// errStopped ends a call without a further Part, because record returned an
// error.
var errStopped = errors.New("record refused")

// Send sends f on a new connection to the URL target and passes every Part of
// the response to record as it arrives, in the order that PartKind documents.
// It returns when the response has ended, a limit is reached, ctx is cancelled
// or record returns an error. By then the connection is closed and no goroutine
// of the call is left. Only the address is taken from target; the request is f,
// byte for byte. Of an httptrace.ClientTrace in ctx, WroteRequest is called.
func (c *Client) Send(ctx context.Context, target string, f Frame, record func(Part) error) Timing {
	x := &call{c: c, record: record, tee: teeOf(ctx), started: c.now(),
		deadline: time.Now().Add(c.limits.Total)}
	err := x.run(ctx, target, f)
	x.timing.Total = c.now().Sub(x.started)
	switch {
	case err == nil || errors.Is(err, errStopped):
	case ctx.Err() != nil, errors.As(err, new(teeError)):
		_ = record(Part{Kind: Cancelled, At: c.now(), Timing: x.timing})
	default:
		_ = record(Part{Kind: Failed, At: c.now(), Failure: FailureOf(err), Timing: x.timing})
	}
	return x.timing
}

// call is one Send.
type call struct {
	c        *Client
	record   func(Part) error
	tee      Tee       // may be nil
	started  time.Time // by the clock of records
	deadline time.Time // by the clock of connections
	timing   Timing
	in       *input
	buffered *bufio.Reader // over in
}

func (x *call) run(ctx context.Context, target string, f Frame) error {
	u, failure := parseURL(target, x.c.reach.Limited)
	if failure != nil {
		return failure
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	conn, raw, err := x.open(ctx, u)
	if err != nil {
		return err
	}
	// Close below TLS: a close_notify to a server that does not read would
	// block. Closing also ends the writer.
	stop := context.AfterFunc(ctx, func() { raw.Close() })
	written := make(chan struct{})
	defer func() {
		stop()
		raw.Close()
		<-written
	}()
	_ = conn.SetWriteDeadline(x.deadline)
	x.in = &input{conn: conn, limits: x.c.limits, deadline: x.deadline, now: x.c.now}
	x.in.sent = x.c.now()
	x.in.left = x.c.limits.Header + 8*x.c.limits.Body
	x.buffered = bufio.NewReader(x.in)
	// A server may respond and close without reading the whole request (413,
	// 401). So reading does not wait for writing, and write errors are
	// ignored: without a response, reading fails too.
	go func() {
		defer close(written)
		_, err := conn.Write(f.Bytes())
		if trace := httptrace.ContextClientTrace(ctx); trace != nil && trace.WroteRequest != nil {
			trace.WroteRequest(httptrace.WroteRequestInfo{Err: err})
		}
	}()
	err = x.receive()
	x.timing.FirstByte = x.in.firstByte
	return err
}

// open connects. conn carries HTTP; raw is the connection below TLS.
func (x *call) open(ctx context.Context, u *url.URL) (conn, raw net.Conn, err error) {
	if conn, ours, err := x.c.sample(ctx, u); ours {
		return conn, conn, err
	}
	if failure := x.c.reach.checkURL(u, x.c.guard.ports); failure != nil {
		return nil, nil, failure
	}
	limited, cancel := context.WithDeadline(ctx, x.deadline)
	defer cancel()
	raw, err = x.c.dial(limited, u, &x.timing)
	if err != nil || u.Scheme == "http" {
		return raw, raw, err
	}
	conn, err = x.c.handshake(limited, raw, u, &x.timing)
	return conn, raw, err
}

func (x *call) put(kind PartKind, b []byte) error { return x.putPart(Part{Kind: kind, Bytes: b}) }

func (x *call) putPart(part Part) error {
	part.At = x.c.now()
	if part.Kind == Received {
		x.timing.FirstByte = x.in.firstByte
		part.Timing = x.timing
		part.Timing.Total = part.At.Sub(x.started)
	}
	if err := x.record(part); err != nil {
		return errStopped
	}
	return nil
}
