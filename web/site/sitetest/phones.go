package sitetest

import (
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// Phones is the listener for phones of a site in local mode, on a loopback address.
type Phones struct {
	pages  *site.Site
	mu     sync.Mutex
	err    error            // of Open
	server *httptest.Server // nil while it is closed
	closed chan struct{}
}

// NewLocal returns a site in local mode with its listener for phones, which is closed.
func NewLocal(t *testing.T, changes ...func(*site.Config)) (*Site, *Phones) {
	t.Helper()
	p := &Phones{}
	s := NewWith(t, app.Local, wire.Config{}, append(changes, func(c *site.Config) { c.App.Phones = p })...)
	p.pages = s.Pages
	t.Cleanup(p.Close)
	return s, p
}

// Fail sets the error of Open; nil for none.
func (p *Phones) Fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
}

// Open opens the listener unless it is open.
func (p *Phones) Open() (<-chan struct{}, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil || p.server != nil {
		return p.closed, p.err
	}
	p.server, p.closed = httptest.NewUnstartedServer(nil), make(chan struct{})
	p.server.Config.Handler = p.pages.Phones(p.server.Listener.Addr().String())
	p.server.Config.DisableGeneralOptionsHandler = true
	p.server.Start()
	return p.closed, nil
}

// URL returns the URL of the listener while it is open, else "".
func (p *Phones) URL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return ""
	}
	return p.server.URL
}

// Close closes the listener, and returns when its requests have ended.
func (p *Phones) Close() {
	p.mu.Lock()
	server := p.server
	p.server = nil
	if server != nil {
		close(p.closed)
	}
	p.mu.Unlock()
	if server != nil {
		server.Close()
	}
}
