package web

import "net/http"

// FromProgram reports whether a request is that of a program, or of a script in a page. What
// a form or a link leads to, a browser would show in the name of this site: with a status of
// 401 it asks the user for a password.
func FromProgram(h http.Header) bool {
	switch h.Get("Sec-Fetch-Mode") {
	case "", "cors", "same-origin":
		return true
	}
	return false
}

// Shield adds what every answer has at an address for programs, whose bytes are a stranger's.
func Shield(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Disposition", "attachment")
	h.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
}
