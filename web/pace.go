package web

import (
	"strings"
)

// IsUnlimited reports whether a request is exempt from rates: assets, which are
// served from memory and cached by browsers, and health checks, which must
// never get 429.
func IsUnlimited(r *Request) bool {
	switch r.Route() {
	case "/static/*", "/healthz", "/readyz", "/version":
		return true
	}
	return false
}

// IsPart reports whether a page makes a request by itself: for a part of it, or for a stream.
func IsPart(r *Request) bool { return WantsFragment(r) || strings.HasSuffix(r.Route(), "/events") }
