package guard

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Problem writes the page of an error. All errors of handlers end here. An error
// because the browser has left is none: there is no one to write to.
func (s *Pages) Problem(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	r := web.RequestOf(c)
	if web.HasLeft(r, err) {
		s.App.Logger.Debug("the browser has left", "method", knownMethod(r.Method), "route", s.routeOf(c))
		r.Writer.WriteHeader(web.StatusLeft)
		return
	}
	refused := web.RefusalOf(err)
	if refused.Kind >= app.Internal {
		s.App.Logger.Error("request failed", "request", r.Writer.Header().Get(web.RequestID),
			"method", knownMethod(r.Method), "route", s.routeOf(c), "err", err)
	}
	s.App.CountRefusal(r, refused)
	if web.IsReader(r.URL.Path) && refused.Kind == app.Missing {
		refused = app.LinkNotFound()
	}
	if err := s.showProblem(r, refused); err != nil {
		s.App.Logger.Error("show problem", "err", err)
	}
}

// showProblem writes a refusal: for clients of the samples as a line of text,
// for htmx as a fragment, for others as a page.
func (s *Pages) showProblem(r *web.Request, refused *app.Refusal) error {
	if web.IsSample(r) {
		return r.Text(int(refused.Kind), refused.What+" "+refused.Try+"\n")
	}
	problem := layout.Problem{
		Sentence: *web.SentenceOf(refused),
		Status:   fmt.Sprintf("%d %s", refused.Kind, http.StatusText(int(refused.Kind))),
	}
	if refused.Kind == http.StatusMethodNotAllowed {
		problem.Back = callOf(r.URL.Path)
	}
	if web.WantsFragment(r) {
		r.Writer.Header().Set("HX-Retarget", "main") // a problem is a page, whatever part was asked for
		return s.App.Render(r, int(refused.Kind), layout.ProblemMain(problem))
	}
	page := s.App.Page(r, strings.TrimSuffix(refused.What, "."), "")
	page.Here = "/" // the address may hold a secret, and invalid links must look alike
	return s.App.Render(r, int(refused.Kind), layout.ProblemPage(page, problem))
}

// callOf returns the path of the exchange that a form's path belongs to, or ""
// for other paths.
func callOf(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) < 4 || parts[1] != "x" {
		return ""
	}
	return "/x/" + url.PathEscape(parts[2])
}

// RecoverPanics turns a panic into an internal error.
func (s *Pages) RecoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				s.App.Logger.Error("panic", "route", s.routeOf(c), "panic", p, "stack", string(debug.Stack()))
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return next(c)
	}
}
