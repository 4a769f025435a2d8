package guard

import (
	"compress/gzip"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Headers sets what every response has: policies, and that nothing is cached.
func (s *Pages) Headers(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		h := r.Writer.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", s.referrers())
		if !web.IsSample(r) {
			h.Set("Content-Security-Policy", web.Policy)
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Cross-Origin-Resource-Policy", "same-origin")
			h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
			h.Set("X-Frame-Options", "DENY")
		}
		if s.App.Mode == app.Public && strings.HasPrefix(s.App.BaseURL, "https://") {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		return next(r)
	}
}

// referrers returns the policy for Referer. A program for several people that has no
// HTTPS URL may be opened over plain HTTP at an address that is not of this machine. There
// browsers send no Sec-Fetch-Site, and with no-referrer a form has the origin "null",
// which SameOrigin refuses.
func (s *Pages) referrers() string {
	if s.App.Mode.Shared() && !strings.HasPrefix(s.App.BaseURL, "https://") {
		return "same-origin"
	}
	return "no-referrer"
}

// Direct refuses, in local mode, requests that came through a proxy: they may be of
// others than the person at this machine, to whom all work belongs. A capture of this
// program is no such proxy for the samples, and the upstream of a gateway is made to be behind one.
func (s *Pages) Direct(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		h := r.Header
		if s.App.Mode.Shared() || s.App.Proxied || !web.IsProxied(h) || web.IsSample(r) && web.IsCaptured(h) ||
			s.isUpstream(r) {
			return next(r)
		}
		return app.Refuse(http.StatusForbidden, "proxied",
			"This request came through a proxy or tunnel, "+
				"and this program is for one person on this machine.",
			"To let others in, restart it with -base-url and the URL that they open. "+
				"Each browser then has a workspace of its own. "+
				"To call servers of your network too, add -allow-network.")
	}
}

// isUpstream reports whether a request is for the upstream of a gateway, or for its metadata.
func (s *Pages) isUpstream(r *web.Request) bool {
	path := strings.TrimPrefix(r.URL.Path, web.ResourcePath)
	token, ok := strings.CutPrefix(path, web.CapturePath)
	if !ok {
		return false
	}
	is, err := s.Store.IsUpstream(r.Context(), token)
	return err == nil && is
}

// KnownHost refuses names that are not ours, except in public mode: a page of
// another site could otherwise reach this program by DNS rebinding.
func (s *Pages) KnownHost(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		if !s.isOwnHost(r.Host) {
			return s.foreignHost()
		}
		return next(r)
	}
}

// isOwnHost reports whether a Host header may name this program.
func (s *Pages) isOwnHost(hostport string) bool {
	switch s.App.Mode {
	case app.Public: // any name: everyone may read what strangers can
		return true
	case app.Local:
		return app.IsLoopbackHost(hostport)
	}
	host := app.HostName(hostport)
	_, notIP := netip.ParseAddr(host)
	own := func(name string) bool { return strings.EqualFold(name, host) }
	return notIP == nil || app.IsLoopbackHost(hostport) || own(app.HostOf(s.App.BaseURL)) ||
		slices.ContainsFunc(s.App.Hosts, own)
}

func (s *Pages) foreignHost() error {
	if s.App.Mode == app.Local {
		return app.Refuse(http.StatusForbidden, "foreign_host",
			"This program answers to loopback names only.",
			"Open it as http://localhost or http://127.0.0.1. "+
				"To serve other machines, start it with -trusted-network.")
	}
	return app.Refuse(http.StatusForbidden, "foreign_host",
		"This program does not know the name in the URL.",
		"Open it by its IP address, or start it with -allow-host and this name.")
}

// SameOrigin refuses forms posted by other sites.
func (s *Pages) SameOrigin(next web.Handler) web.Handler {
	protection := http.NewCrossOriginProtection()
	return func(r *web.Request) error {
		if !web.IsSample(r) && protection.Check(r.Request) != nil {
			return app.Refuse(http.StatusForbidden, "cross_site", "Another site tried to send this form.",
				"Open the page here and send it yourself.")
		}
		return next(r)
	}
}

// LimitBody refuses a form that is too large. A file to import may be larger.
func (s *Pages) LimitBody(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		most := int64(s.App.Limits.Body)
		if r.URL.Path == "/import" { // what can be exported must come back
			const form = 64 << 10 // the form around the file
			most = int64(s.App.Limits.Import() + form)
		}
		if r.ContentLength > most {
			return &http.MaxBytesError{Limit: most}
		}
		r.Body = http.MaxBytesReader(r.Writer, r.Body, most)
		return next(r)
	}
}

// Compress zips pages. Static files are zipped already, streams must not wait,
// a sample's bytes are to be seen as they are, a form leads to another page
// with no bytes to zip, and a fragment for a browser on the same machine takes
// longer to zip than to send. What zips is taken when there is something to zip:
// it is large, and most of a crowd waits for the database.
func Compress(mode app.Mode) echo.MiddlewareFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the options are constant
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) (err error) {
			r := web.RequestOf(c)
			path, fragment := r.URL.Path, web.WantsFragment(r)
			if web.IsSample(r) || strings.HasPrefix(path, "/static/") || strings.HasSuffix(path, "/events") ||
				r.Method == http.MethodPost && !fragment || mode == app.Local && fragment {
				return next(c)
			}
			res := c.Response()
			plain := res.Writer
			wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				res.Writer = w
				defer func() { res.Writer = plain }()
				err = next(c)
			})).ServeHTTP(plain, r.Request)
			return err
		}
	}
}
