package guard

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// RefuseBlocked refuses visitors whom the operator has blocked. If the list
// cannot be read, the last one counts.
func (s *Pages) RefuseBlocked(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		if !s.App.Mode.Shared() || web.IsUnlimited(r) {
			return next(r)
		}
		blocked, err := s.App.IsBlocked(r.Visit)
		if err != nil {
			s.App.Logger.Warn("read blocked visitors", "err", err)
		}
		if blocked {
			return app.Refuse(http.StatusForbidden, "blocked", "The operator of this site has blocked you.",
				"The block is for your workspace or for your network. "+
					"If you think it is a mistake, ask the operator. "+
					"Your recordings are not deleted by it.")
		}
		return next(r)
	}
}
