package guard

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Charge makes what a form, or the return from a sign-in, stores in public mode
// count for the address that it came from, and for its network. Without room for
// the first row of a day nothing is charged, so that deleting works on a full
// disk.
func (s *Pages) Charge(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		stores := r.Method == http.MethodPost || r.URL.Path == app.CallbackPath
		if !s.App.Mode.Shared() || !stores || web.IsSample(r) {
			return next(r)
		}
		v := r.Visit
		p, err := s.App.Payer(v)
		if err != nil {
			s.App.Logger.Warn("charge an address", "err", err)
			return next(r)
		}
		v.Charge(p)
		r.SetContext(v.Context())
		return next(r)
	}
}
