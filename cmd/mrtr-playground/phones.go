package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// Values of -room.
const (
	defaultRoom = ":0"
	noRoom      = "off"
)

// phonesDrain is how long requests of followers may take to end when the listener closes. A
// stream ends with its talk, so this is for the last step to arrive.
const phonesDrain = 10 * time.Second

// phones is the listener of local mode for the phones of a room. It implements app.Phones.
type phones struct {
	at         string                             // HOST:PORT of -room
	interfaces func() ([]networkInterface, error) // of this machine
	// serve returns a server for followers at an address, and the listener that it may use.
	// Its streams end with ctx.
	serve func(ctx context.Context, l net.Listener) (*http.Server, net.Listener)

	mu      sync.Mutex
	now     *openPhones // nil while it is closed
	ended   bool        // with the program
	closing sync.WaitGroup
}

// openPhones is the listener while it is open.
type openPhones struct {
	at      netip.AddrPort
	server  *http.Server
	streams context.CancelFunc // ends the streams of followers
	closed  chan struct{}
}

// newPhones returns the listener for phones, or nil in other modes than local and with -room off.
func (a *service) newPhones(o options) *phones {
	if o.mode != app.Local || o.room == noRoom {
		return nil
	}
	return &phones{at: o.room, interfaces: ownInterfaces, serve: a.servePhones}
}

// servePhones returns the server of followers at an address, with the limits of other visitors:
// phones are the devices of others.
func (a *service) servePhones(ctx context.Context, l net.Listener) (*http.Server, net.Listener) {
	a.logger.Info("phones can follow a talk", "address", l.Addr().String())
	limits := a.limits.requests
	s := newServer(endStreams(ctx, a.site.Phones(l.Addr().String())), limits)
	s.DisableGeneralOptionsHandler = true // it would answer OPTIONS * by itself
	s.ErrorLog = slog.NewLogLogger(a.logger.Handler(), slog.LevelWarn)
	crowd := newCrowdedListener(l, limits.connections, true, nil, a.metrics.refused)
	return s, writeTimeoutListener{crowd, limits.stall}
}

// Open opens the listener unless it is open at an address that this machine still has.
func (p *phones) Open() (<-chan struct{}, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil, errors.New("the program is stopping")
	}
	own, err := p.interfaces()
	if err != nil {
		return nil, err
	}
	if p.now != nil && isOwn(own, p.now.at.Addr()) {
		return p.now.closed, nil
	}
	p.close()
	at, err := phonesAddress(p.at, own)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", at)
	if err != nil {
		return nil, err
	}
	return p.open(listener).closed, nil
}

// open serves followers on a listener. p.mu must be held.
func (p *phones) open(listener net.Listener) *openPhones {
	ctx, stop := context.WithCancel(context.Background())
	at, _ := netip.ParseAddrPort(listener.Addr().String())
	o := &openPhones{at: at, streams: stop, closed: make(chan struct{})}
	o.server, listener = p.serve(ctx, listener)
	p.now = o
	p.closing.Go(func() {
		_ = o.server.Serve(listener) // returns when the listener is closed
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.now == o {
			p.close()
		}
	})
	return o
}

// URL returns the URL of the listener while it is open at an address that this machine has.
func (p *phones) URL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now == nil {
		return ""
	}
	if own, err := p.interfaces(); err == nil && !isOwn(own, p.now.at.Addr()) {
		return ""
	}
	return "http://" + p.now.at.String()
}

// Close closes the listener. What it serves has phonesDrain to end.
func (p *phones) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close()
}

// close is Close. p.mu must be held.
func (p *phones) close() {
	o := p.now
	if o == nil {
		return
	}
	p.now = nil
	close(o.closed)
	last, stop := context.WithTimeout(context.Background(), phonesDrain)
	refuses := make(chan struct{})
	o.server.RegisterOnShutdown(func() { close(refuses) })
	p.closing.Go(func() {
		defer stop()
		_ = o.server.Shutdown(last) // late requests are cut off
		o.streams()
		_ = o.server.Close()
	})
	<-refuses // new connections
}

// end closes the listener for good, and returns when nothing is served any more. Requests may
// finish until ctx ends; streams end at once.
func (p *phones) end(ctx context.Context) {
	p.mu.Lock()
	p.ended = true
	o := p.now
	p.close()
	p.mu.Unlock()
	if o != nil {
		o.streams()
		defer context.AfterFunc(ctx, func() { _ = o.server.Close() })()
	}
	p.closing.Wait()
}
