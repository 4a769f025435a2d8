package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// trimSlash leads an address that was typed with a slash at its end to the page
// without it. The path is written anew, so that it cannot name another host.
func trimSlash(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		path := "/" + strings.Trim(r.URL.Path, "/")
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		if !reads || isSample(c) || path == "/" || !strings.HasSuffix(r.URL.Path, "/") {
			return next(c)
		}
		to := url.URL{Path: path, RawQuery: r.URL.RawQuery}
		return c.Redirect(http.StatusPermanentRedirect, to.String())
	}
}
