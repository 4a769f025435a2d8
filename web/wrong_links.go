package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Wrong links that one address may try, in public mode.
const (
	maxWrongLinks  = 30
	wrongLinksTime = 10 * time.Minute
	maxAddresses   = 10_000
)

// wrongLinks counts links that led nowhere, by address. Right links always
// work, whoever shares the address.
type wrongLinks struct {
	mu    sync.Mutex
	tried map[netip.Prefix][]time.Time
}

// count adds one more and reports whether that was too many.
func (w *wrongLinks) count(from netip.Prefix, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tried == nil || len(w.tried) >= maxAddresses {
		w.tried = map[netip.Prefix][]time.Time{} // forgetting is kinder than growing
	}
	var recent []time.Time
	for _, t := range w.tried[from] {
		if now.Sub(t) < wrongLinksTime {
			recent = append(recent, t)
		}
	}
	if len(recent) >= maxWrongLinks {
		w.tried[from] = recent
		return true
	}
	w.tried[from] = append(recent, now)
	return false
}

// wrongLink is the answer to every token that leads nowhere: unknown, expired,
// deleted or no token at all.
func (s *server) wrongLink(c echo.Context, err error) error {
	if !errors.Is(err, playground.ErrNotFound) {
		return err
	}
	if s.Mode == Public && s.wrong.count(origin(c.Request()), s.Now()) {
		c.Response().Header().Set("Retry-After", "600")
		return refuse(http.StatusTooManyRequests, "too_many_links", "Too many links that lead nowhere came from your address.", "Links that exist still work.")
	}
	return deadLink()
}

// deadLink is what every wrong link gets, whatever is wrong with it.
func deadLink() *refusal {
	return refuse(http.StatusNotFound, "not_found", "There is nothing here.", "The link may have ended: links work for a time, and whoever made one can end it.")
}

// origin is whom a request comes from: one address, or the network of an IPv6
// one, of which everybody has very many. Headers are not believed.
func origin(r *http.Request) netip.Prefix {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}
	}
	addr = addr.Unmap().WithZone("")
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, _ := addr.Prefix(bits)
	return p
}
