package web

import "net/http"

// headAsGet answers HEAD like GET; the server leaves the body out by itself. To
// a sample a GET may mean a stream that stays open, so it gets what was sent.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead && !forSample(r) {
			get := *r // the server remembers by the original that no body may leave
			get.Method = http.MethodGet
			r = &get
		}
		next.ServeHTTP(w, r)
	})
}
