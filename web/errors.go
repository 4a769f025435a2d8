package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// refusal is an error that the user is told about, in our words.
type refusal struct {
	status   int
	sentence views.Sentence
	after    int // seconds until it is worth trying again; 0 when that is not known
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
	return refuse(http.StatusNotFound, "not_found", "There is nothing here.", "The address may be mistyped, or what was there was deleted or belongs to somebody else.")
}

// refusalOf is the one table from errors to statuses and words.
func refusalOf(err error) *refusal {
	var r *refusal
	var h *echo.HTTPError
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &r):
		return r
	case errors.As(err, &tooBig):
		return refuse(http.StatusRequestEntityTooLarge, "body_too_large", "That is more than this page takes.", "It takes up to "+views.SizeWords(int(tooBig.Limit))+".")
	case errors.Is(err, playground.ErrNotFound):
		return notFound()
	case errors.Is(err, playground.ErrFull):
		return withCause(err, http.StatusInsufficientStorage, "disk_full", "The disk is full, so nothing new can be kept.",
			"What is kept can be read as before. Nothing was sent, because it would not be on record. Once there is room, do it again.")
	case errors.Is(err, playground.ErrStorage):
		return withCause(err, http.StatusServiceUnavailable, "storage", "The database cannot be used at the moment.",
			"It may be locked, read-only or moved away. What was kept is not lost; reload in a while.")
	case errors.As(err, &h) && h.Code == http.StatusMethodNotAllowed:
		return refuse(h.Code, "method_not_allowed", "This URL does not accept that method.", "Pages are read with GET; every change is a form that is sent with POST.")
	case errors.As(err, &h) && h.Code == http.StatusNotFound:
		return notFound()
	case errors.As(err, &h) && h.Code < 500:
		return refuse(h.Code, "bad_request", "This request makes no sense to the server.", "Go back, reload the page and try again.")
	}
	return withCause(err, http.StatusInternalServerError, "internal", "Something broke on our side.", "It has been written to the log. Your record is safe; try again.")
}

// withCause is a refusal whose error is for the log.
func withCause(err error, status int, code, what, try string) *refusal {
	r := refuse(status, code, what, try)
	r.cause = err
	return r
}

// problem shows an error; it is the only place that does.
func (s *app) problem(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	r := refusalOf(err)
	if r.status >= 500 {
		s.Logger.Error("request failed", "method", c.Request().Method, "path", c.Path(), "err", err)
	}
	s.note(c, r)
	if isReader(c.Request().URL.Path) && r.status == http.StatusNotFound {
		r = deadLink()
	}
	if err := s.showProblem(c, r); err != nil {
		s.Logger.Error("show problem", "err", err)
	}
}

// note counts a refusal and says for how long it holds.
func (s *app) note(c echo.Context, r *refusal) {
	s.Refused(r.sentence.Code)
	if r.after > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(r.after))
	}
}

// showProblem tells programs that talk to the samples in a line of text, htmx in
// a part of the page, and everybody else in a page.
func (s *app) showProblem(c echo.Context, r *refusal) error {
	if isSample(c) {
		return c.String(r.status, r.sentence.What+" "+r.sentence.Try+"\n")
	}
	problem := views.Problem{Sentence: r.sentence, Status: fmt.Sprintf("%d %s", r.status, http.StatusText(r.status))}
	if r.status == http.StatusMethodNotAllowed {
		problem.Back = callOf(c.Request().URL.Path)
	}
	if wantsFragment(c) {
		return s.render(c, r.status, views.ProblemMain(problem))
	}
	page := s.page(c, r.sentence.What, "")
	page.Here = "/" // a refused address is not repeated: it may hold a secret, and wrong links must look alike
	return s.render(c, r.status, views.ProblemPage(page, problem))
}

// callOf is the page of the call to which an address of its forms belongs; empty
// for other addresses.
func callOf(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) < 4 || parts[1] != "x" {
		return ""
	}
	return "/x/" + url.PathEscape(parts[2])
}

// recovered turns a panic into our own failure page.
func (s *app) recovered(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				s.Logger.Error("panic", "path", c.Path(), "panic", p, "stack", string(debug.Stack()))
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return next(c)
	}
}
