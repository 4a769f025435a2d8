package web

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// workspaceStore keeps what belongs to a workspace and to no session.
type workspaceStore interface {
	SetSeen(ctx context.Context, workspace string, at time.Time) error
	Roots(ctx context.Context, workspace string) ([]question.Root, error)
	SetRoots(ctx context.Context, workspace string, roots []question.Root) error
}

// visit is how often a workspace is noted as in use.
func visit() Rate { return Rate{N: 1, Per: 24 * time.Hour, Burst: 1} }

// touchWorkspace notes that a workspace of a stranger is in use, because idle ones are
// deleted, and lets its cookie live on as long. Like a line in a log that is
// nothing the visitor did, so a GET may do it, and no page fails with it. A
// reader of a link is nobody's owner there and gets no cookie.
func (s *app) touchWorkspace(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.Mode != Public || isUnlimited(c) || isSample(c) || isReader(c.Request().URL.Path) {
			return next(c)
		}
		id := s.owners.reading(c)
		if id == "" || s.limiters.visits.reserve(id, s.Now()) > 0 {
			return next(c)
		}
		if err := s.Store.SetSeen(c.Request().Context(), id, s.Now()); err != nil {
			s.Logger.Warn("note visit", "err", err)
		}
		if err := s.owners.renew(c); err != nil {
			s.Logger.Warn("renew cookie", "err", err)
		}
		return next(c)
	}
}
