package web

import (
	"net/http"
	"strings"
)

// Ages of cookies, in seconds.
const (
	Year = 365 * 24 * 3600
	Past = -1 // deletes the cookie
)

// secure reports whether browsers reach the program over HTTPS, so that its cookies can
// be kept from plain HTTP and from other hosts of its domain.
func (c Config) secure() bool { return strings.HasPrefix(c.App.BaseURL, "https://") }

// cookieName returns the name of a cookie of this site.
func (c Config) cookieName(name string) string {
	if c.secure() {
		return "__Host-" + name
	}
	return name
}

// Cookie returns the value of a cookie of KeepCookie, or "" if the browser has none.
func (s *App) Cookie(r *Request, name string) string {
	cookie, err := r.Cookie(s.cookieName(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// KeepCookie stores a value that is not secret and needs no workspace, for that many
// seconds.
func (s *App) KeepCookie(r *Request, name, value string, seconds int) {
	r.SetCookie(&http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		Secure: s.secure(), SameSite: http.SameSiteLaxMode,
	})
}
