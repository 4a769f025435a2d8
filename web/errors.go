package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// refusal is an error with a message for the user.
type refusal struct {
	status   int
	sentence views.Sentence
	after    int // seconds for Retry-After; 0 for none
	cause    error
}

func (r *refusal) Error() string {
	if r.cause == nil {
		return r.sentence.Code
	}
	return fmt.Sprintf("%s: %v", r.sentence.Code, r.cause)
}

func (r *refusal) Unwrap() error { return r.cause }

func refuse(status int, code, what, try string) *refusal {
	return &refusal{status: status, sentence: views.SentenceCode(code, what, try)}
}

func notFound() *refusal {
	return refuse(http.StatusNotFound, "not_found", "Page not found.",
		"Check the address. The page may have been deleted, or you may not have access.")
}

// refusalOf returns the status and the message for an error.
func refusalOf(err error) *refusal {
	var r *refusal
	var h *echo.HTTPError
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &r):
		return r
	case errors.As(err, &tooBig):
		return refuse(http.StatusRequestEntityTooLarge, "body_too_large", "The request is too large.",
			"The limit is "+text.Size(int(tooBig.Limit))+". Nothing was saved.")
	case errors.Is(err, playground.ErrNotFound):
		return notFound()
	case errors.Is(err, playground.ErrFull):
		return withCause(err, http.StatusInsufficientStorage, "disk_full",
			"The disk is full, so nothing new can be saved.",
			"Nothing was sent, because it could not be recorded. Saved recordings can still be read. "+
				"Free some space on the disk, then try again.")
	case errors.Is(err, playground.ErrStorage):
		return withCause(err, http.StatusServiceUnavailable, "storage", "The database is not available.",
			"It may be locked, read-only or moved. Saved recordings are not lost. "+
				"Reload this page in a minute.")
	case errors.As(err, &h) && h.Code == http.StatusMethodNotAllowed:
		return refuse(h.Code, "method_not_allowed", "This address doesn't support that request method.",
			"Pages are read with GET. Changes are made with the forms on the pages.")
	case errors.As(err, &h) && h.Code == http.StatusNotFound:
		return notFound()
	case errors.As(err, &h) && h.Code < 500:
		return refuse(
			h.Code, "bad_request", "The request is malformed.", "Go back, reload the page and try again.",
		)
	}
	return withCause(err, http.StatusInternalServerError, "internal", "Internal error.",
		"The error was logged. Saved recordings are not affected. Try again.")
}

// withCause returns a refusal with an error for the log.
func withCause(err error, status int, code, what, try string) *refusal {
	r := refuse(status, code, what, try)
	r.cause = err
	return r
}

// statusLeft is the status for the log of a request whose browser has left, as nginx
// has it. Without one, net/http would send an empty page with 200.
const statusLeft = 499

// problem writes the page of an error. All errors of handlers end here. An error
// because the browser has left is none: there is no one to write to.
func (s *app) problem(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	if hasLeft(c, err) {
		s.Logger.Debug("the browser has left", "method", knownMethod(c.Request().Method),
			"route", s.routeOf(c))
		c.Response().WriteHeader(statusLeft)
		return
	}
	r := refusalOf(err)
	if r.status >= 500 {
		s.Logger.Error("request failed", "request", c.Response().Header().Get(requestID),
			"method", knownMethod(c.Request().Method), "route", s.routeOf(c), "err", err)
	}
	s.countRefusal(c, r)
	if isReader(c.Request().URL.Path) && r.status == http.StatusNotFound {
		r = linkNotFound()
	}
	if err := s.showProblem(c, r); err != nil {
		s.Logger.Error("show problem", "err", err)
	}
}

// hasLeft reports whether an error only says that the browser has closed the
// connection.
func hasLeft(c echo.Context, err error) bool {
	return c.Request().Context().Err() != nil && errors.Is(err, context.Canceled)
}

// logError logs an error that the page does not show, unless the browser has
// left.
func (s *app) logError(c echo.Context, what string, err error) {
	if !hasLeft(c, err) {
		s.Logger.Error(what, "err", err)
	}
}

// countRefusal counts a refusal and sets Retry-After.
func (s *app) countRefusal(c echo.Context, r *refusal) {
	s.Refused(r.sentence.Code)
	if r.after > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(r.after))
	}
}

// showProblem writes a refusal: for clients of the samples as a line of text,
// for htmx as a fragment, for others as a page.
func (s *app) showProblem(c echo.Context, r *refusal) error {
	if isSample(c) {
		return c.String(r.status, r.sentence.What+" "+r.sentence.Try+"\n")
	}
	problem := views.Problem{
		Sentence: r.sentence, Status: fmt.Sprintf("%d %s", r.status, http.StatusText(r.status)),
	}
	if r.status == http.StatusMethodNotAllowed {
		problem.Back = callOf(c.Request().URL.Path)
	}
	if wantsFragment(c) {
		c.Response().Header().Set("HX-Retarget", "main") // a problem is a page, whatever part was asked for
		return s.render(c, r.status, views.ProblemMain(problem))
	}
	page := s.page(c, strings.TrimSuffix(r.sentence.What, "."), "")
	page.Here = "/" // the address may hold a secret, and invalid links must look alike
	return s.render(c, r.status, views.ProblemPage(page, problem))
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

// recoverPanics turns a panic into an internal error.
func (s *app) recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				s.Logger.Error("panic", "route", s.routeOf(c), "panic", p, "stack", string(debug.Stack()))
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return next(c)
	}
}
