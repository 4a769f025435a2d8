package guard

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// OnlyFollowers lets requests pass that read the page of a follower, its events or one of its
// files, without a body, from the address host (HOST:PORT). All others are refused, as is a
// name of that address: a page of another site could use it by DNS rebinding.
func OnlyFollowers(host string, files ...string) func(next web.Handler) web.Handler {
	return func(next web.Handler) web.Handler {
		return func(r *web.Request) error {
			known := slices.Contains(files, r.URL.Path) || isFollowing(r.URL.Path)
			plain := r.URL.Host == "" && r.URL.RawPath == "" && r.ContentLength == 0
			if !known || !plain || !web.IsRead(r.Request) || r.Host != strings.TrimSuffix(host, ":80") {
				return app.NotFound()
			}
			return next(r)
		}
	}
}

// isFollowing reports whether a path is that of a follower's page or of its events.
func isFollowing(path string) bool {
	code, ok := strings.CutPrefix(path, web.FollowPath)
	code = strings.TrimSuffix(code, "/events")
	return ok && code != "" && !strings.Contains(code, "/")
}

// Following begins the visit of a follower, who has no cookie, and counts it.
func (s *Pages) Following(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v := s.App.BeginFollowing(c)
		defer v.EndTurn()
		if !isFollowing(c.Request().URL.Path) {
			return next(c)
		}
		if wait := s.App.Delay(v, false); wait > 0 {
			return app.TooMany(wait, "too_many_pages", "Too many pages in a short time.",
				"Your address has a limit.")
		}
		return next(c)
	}
}

// WithoutOpener leaves out the header of Headers that browsers ignore over plain HTTP with a
// warning.
func WithoutOpener(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		r.Writer.Header().Del("Cross-Origin-Opener-Policy")
		return next(r)
	}
}

// BareProblems writes errors as pages that say nothing about this program. What is not
// served is the same page everywhere, with 404.
func (s *Pages) BareProblems(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		r := web.RequestOf(c)
		switch {
		case err == nil || c.Response().Committed:
			return nil
		case web.HasLeft(r, err):
			return r.NoContent(web.StatusLeft)
		}
		refused := web.RefusalOf(err)
		if refused.Kind >= app.Internal {
			s.App.Logger.Error("request of a follower failed", "route", s.routeOf(c), "err", err)
		}
		status, page := bareProblem(refused)
		s.App.CountRefusal(r, refused)
		return s.App.Render(r, status, stageview.FollowProblem(page))
	}
}

// bareProblem returns the status and the page for a refusal.
func bareProblem(refused *app.Refusal) (status int, p stageview.Problem) {
	switch {
	case refused.Kind == app.TooOften:
		p = stageview.Problem{Code: refused.Code, Title: refused.What, Text: refused.Try}
	case refused.Kind >= app.Internal:
		p = stageview.Problem{
			Code: "internal", Title: "Something went wrong.", Text: "Reload this page in a moment.",
		}
	default:
		return http.StatusNotFound, stageview.Problem{
			Code: "not_found", Title: "There is no talk at this address.",
			Text: "It has ended, or the address is mistyped.",
		}
	}
	return int(refused.Kind), p
}
