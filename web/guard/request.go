package guard

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/web"
)

// TrimSlash redirects a path with a trailing slash to the path without it. The
// path is rebuilt, so that it cannot name another host.
func TrimSlash(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		path := "/" + strings.Trim(r.URL.Path, "/")
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		if !reads || web.IsSample(r) || path == "/" || !strings.HasSuffix(r.URL.Path, "/") {
			return next(r)
		}
		to := url.URL{Path: path, RawQuery: r.URL.RawQuery}
		return r.Redirect(http.StatusPermanentRedirect, to.String())
	}
}

// HeadAsGet handles HEAD as GET; net/http leaves the body out. Requests to
// samples are passed on unchanged, because their GET may be a stream that stays
// open.
func HeadAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead && !web.ForSample(r) {
			get := *r // net/http knows from the original that the response has no body
			get.Method = http.MethodGet
			r = &get
		}
		next.ServeHTTP(w, r)
	})
}
