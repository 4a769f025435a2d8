package web

import (
	"compress/gzip"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/labstack/echo/v4"
)

// policy lets a page use its own files and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"media-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

func (s *app) headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if !isSample(c) {
			h.Set("Content-Security-Policy", policy)
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Cross-Origin-Resource-Policy", "same-origin")
			h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
			h.Set("X-Frame-Options", "DENY")
		}
		if s.Mode == Public {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		return next(c)
	}
}

// isSample reports whether a request is for a sample server, which other
// origins and other programs may talk to by rules of its own.
func isSample(c echo.Context) bool { return forSample(c.Request()) }

// sampleRoutes are the routes that the samples serve.
var sampleRoutes = []string{
	"/mcp/*", "/samples/*", "/.well-known/oauth-*", "/.well-known/openid-configuration/*",
}

func forSample(r *http.Request) bool {
	return slices.ContainsFunc(sampleRoutes, func(route string) bool {
		return strings.HasPrefix(r.URL.Path, strings.TrimSuffix(route, "*"))
	})
}

// knownHost refuses names that are not ours, except in public mode: a page of
// another site could otherwise reach this program by DNS rebinding.
func (s *app) knownHost(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !s.isOwnHost(c.Request().Host) {
			return s.foreignHost()
		}
		return next(c)
	}
}

// isOwnHost reports whether a Host header may name this program.
func (s *app) isOwnHost(hostport string) bool {
	switch s.Mode {
	case Public: // any name: everyone may read what strangers can
		return true
	case Local:
		return isLoopbackHost(hostport)
	}
	host := hostName(hostport)
	_, notIP := netip.ParseAddr(host)
	own := func(name string) bool { return strings.EqualFold(name, host) }
	return notIP == nil || isLoopbackHost(hostport) || own(hostOf(s.BaseURL)) ||
		slices.ContainsFunc(s.Hosts, own)
}

func (s *app) foreignHost() error {
	if s.Mode == Local {
		return refuse(http.StatusForbidden, "foreign_host", "This program answers to loopback names only.",
			"Open it as http://localhost or http://127.0.0.1. To serve other machines, start it "+
				"with -trusted-network.")
	}
	return refuse(http.StatusForbidden, "foreign_host", "This program does not know the name in the URL.",
		"Open it by its IP address, or start it with -allow-host and this name.")
}

// hostName returns the host of a Host header, without the port and brackets.
func hostName(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		hostport = host
	}
	return strings.Trim(hostport, "[]")
}

func isLoopbackHost(hostport string) bool {
	host := hostName(hostport)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// sameOrigin refuses forms posted by other sites.
func (s *app) sameOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	protection := http.NewCrossOriginProtection()
	return func(c echo.Context) error {
		if !isSample(c) && protection.Check(c.Request()) != nil {
			return refuse(http.StatusForbidden, "cross_site", "Another site tried to send this form.",
				"Open the page here and send it yourself.")
		}
		return next(c)
	}
}

func (s *app) limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		most := int64(s.Limits.Body)
		if r.URL.Path == "/import" { // what can be exported must come back
			most = maxImport
		}
		if r.ContentLength > most {
			return &http.MaxBytesError{Limit: most}
		}
		r.Body = http.MaxBytesReader(c.Response(), r.Body, most)
		return next(c)
	}
}

// compress zips pages. Static files are zipped already, streams must not wait,
// a sample's bytes are to be seen as they are, a form leads to another page
// with no bytes to zip, and a fragment for a browser on the same machine takes
// longer to zip than to send. What zips is taken when there is something to zip:
// it is large, and most of a crowd waits for the database.
func compress(mode Mode) echo.MiddlewareFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the options are constant
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) (err error) {
			path, fragment := c.Request().URL.Path, wantsFragment(c)
			if isSample(c) || strings.HasPrefix(path, "/static/") || strings.HasSuffix(path, "/events") ||
				c.Request().Method == http.MethodPost && !fragment || mode == Local && fragment {
				return next(c)
			}
			res := c.Response()
			plain := res.Writer
			wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				res.Writer = w
				defer func() { res.Writer = plain }()
				err = next(c)
			})).ServeHTTP(plain, c.Request())
			return err
		}
	}
}

// formValues returns the values of the form that a page sent. The body of
// another program may be no form.
func (s *app) formValues(c echo.Context) (url.Values, error) {
	r := c.Request()
	if err := r.ParseForm(); err != nil {
		return nil, formError(err)
	}
	n := 0
	for _, values := range r.PostForm {
		n += len(values)
	}
	if n > s.Limits.Fields {
		return nil, refuse(http.StatusUnprocessableEntity, "too_many_fields",
			"This form has too many fields.", "No page here sends as many.")
	}
	return r.PostForm, nil
}

// formError returns the refusal of a body or a query that is not encoded as a
// form. A body that is too large keeps its own error.
func formError(err error) error {
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return err
	}
	return withCause(err, http.StatusBadRequest, "bad_request", "This form can't be read.",
		"Its body or its URL is not encoded as application/x-www-form-urlencoded. Reload the page and "+
			"send it again.")
}
