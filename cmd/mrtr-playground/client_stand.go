package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// stand is the program that a client is tested with: it serves on a free port of
// the loopback interface, and its data are deleted when it is closed.
type stand struct {
	service *service
	url     string
	dir     string
	conns   connections
	stop    context.CancelFunc
	done    chan error
	// settling is how long the record may take to be complete once a client has ended
	settling time.Duration
}

// Limits of a stand, unless -limit sets them. A record may be as large as the client test can make it.
const (
	standSession = 256 << 20
	standOpen    = 256 // requests at the same time
	standDrain   = 5 * time.Second
)

// startStand starts the program. It trusts a certificate, and prints the fingerprint of
// one that is not trusted.
func startStand(
	ctx context.Context, l limits, trust wire.Trust, stderr io.Writer,
) (_ *stand, err error) {
	s := &stand{settling: l.drain, done: make(chan error, 1)}
	if s.dir, err = os.MkdirTemp("", "mrtr-playground-client-"); err != nil {
		return nil, fmt.Errorf("make data directory: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(s.dir))
		}
	}()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	s.url = "http://" + listener.Addr().String()
	o := options{data: s.dir, baseURL: s.url, mode: app.Local, proxied: true, replicas: 1, limits: l}
	hints := &fingerprints{out: stderr}
	o.callers = func(c rounds.Caller) rounds.Caller { return hints.of(trusting{c, trust}) }
	m := newMetrics()
	noEnvironment := func(string) string { return "" }
	s.service, err = newService(ctx, o, noEnvironment, m, newLogger(o.log, o.mode, stderr, m.logged))
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s.service.public.ConnState = s.conns.note
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	go func() { s.done <- s.service.run(serving, listener) }()
	return s, nil
}

// trusting is a Caller that accepts a certificate.
type trusting struct {
	rounds.Caller
	trust wire.Trust
}

// Send implements rounds.Caller.
func (t trusting) Send(
	ctx context.Context, url string, f wire.Frame, record func(wire.Part) error,
) wire.Timing {
	return t.Caller.Send(wire.WithTrust(ctx, t.trust), url, f, record)
}

// close ends the program and deletes its data.
func (s *stand) close() error {
	s.stop()
	return errors.Join(<-s.done, os.RemoveAll(s.dir))
}

// capture makes an address in front of a server.
func (s *stand) capture(ctx context.Context, t playground.Target) (capture.Capture, error) {
	at := now()
	k := capture.Capture{
		ID: newID(), Workspace: usage.LocalWorkspace, Token: newID(), Target: t,
		Created: at, Used: at,
	}
	const most = 1 << 20 // there is one for each run
	added, err := s.service.store.AddCapture(ctx, k, most)
	if err == nil && !added {
		err = errors.New("make an address: there are too many")
	}
	return k, err
}

// address returns the URL of a capture.
func (s *stand) address(k capture.Capture) string { return s.url + web.CapturePath + k.Token }

// report returns the report of a capture about a client that has ended.
func (s *stand) report(ctx context.Context, k capture.Capture) (capture.Report, error) {
	ctx = context.WithoutCancel(ctx)
	if err := s.settle(ctx); err != nil {
		return capture.Report{}, err
	}
	n, err := s.service.store.Session(ctx, k.Workspace, k.ID)
	if err != nil {
		return capture.Report{}, err
	}
	log, err := s.service.store.CaptureEvents(ctx, k.ID)
	return capture.NewReport(n, log), err
}

// settle waits until everything is recorded that came before it: until no
// connection is open, or for some seconds. Connections are accepted in the order
// in which they came, so one of its own comes after them all.
func (s *stand) settle(ctx context.Context) error {
	last, stop := context.WithTimeout(ctx, s.settling)
	defer stop()
	req, err := http.NewRequestWithContext(last, http.MethodGet, s.url+"/healthz", nil)
	if err != nil {
		return err
	}
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("wait for the record: %w", err)
	}
	_ = res.Body.Close()
	select {
	case <-s.conns.none():
	case <-last.Done():
	}
	return nil
}

// connections counts the open connections of a server.
type connections struct {
	mu    sync.Mutex
	open  int
	empty []chan struct{} // closed when none is open
}

// note is a hook of http.Server.
func (c *connections) note(_ net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.open++
	case http.StateClosed, http.StateHijacked:
		c.open--
	}
	if c.open > 0 {
		return
	}
	for _, waits := range c.empty {
		close(waits)
	}
	c.empty = nil
}

// none returns a channel that is closed once no connection is open.
func (c *connections) none() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	waits := make(chan struct{})
	if c.open == 0 {
		close(waits)
	} else {
		c.empty = append(c.empty, waits)
	}
	return waits
}
