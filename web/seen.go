package web

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// workspaceStore keeps what belongs to a workspace but to no session.
type workspaceStore interface {
	SetSeen(ctx context.Context, workspace string, at time.Time) error
	Roots(ctx context.Context, workspace string) ([]question.Root, error)
	SetRoots(ctx context.Context, workspace string, roots []question.Root) error
}

// visitRate is how often the last use of a workspace is stored.
var visitRate = Rate{N: 1, Per: 24 * time.Hour, Burst: 1}

// touchWorkspace stores that a workspace is in use in public mode, because idle
// ones are deleted, and renews its cookie. A cookie that an earlier key signed
// is renewed in every mode, so that the key can be retired. Like a log line this is no change by
// the visitor, so a GET may do it, and no page fails if it fails. Readers of
// shares get no cookie.
func (s *app) touchWorkspace(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if isUnlimited(c) || isSample(c) || isReader(c.Request().URL.Path) {
			return next(c)
		}
		if s.owners.signedBefore(c) {
			s.renewCookie(c)
		}
		id := s.owners.reading(c)
		if s.Mode != Public || id == "" || s.limiters.visits.reserve(id, s.Now()) > 0 {
			return next(c)
		}
		if err := s.Store.SetSeen(c.Request().Context(), id, s.Now()); err != nil {
			s.Logger.Warn("store visit", "err", err)
		}
		s.renewCookie(c)
		return next(c)
	}
}

func (s *app) renewCookie(c echo.Context) {
	if err := s.owners.renew(c); err != nil {
		s.Logger.Warn("renew cookie", "err", err)
	}
}
