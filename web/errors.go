package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// Refusal is an error with a message for the user.
type Refusal struct {
	Status   int
	Sentence views.Sentence
	after    int // seconds for Retry-After; 0 for none
	cause    error
}

func (r *Refusal) Error() string {
	if r.cause == nil {
		return r.Sentence.Code
	}
	return fmt.Sprintf("%s: %v", r.Sentence.Code, r.cause)
}

func (r *Refusal) Unwrap() error { return r.cause }

// Refuse returns a refusal. what says what happened, try what the visitor can do.
func Refuse(status int, code, what, try string) *Refusal {
	return &Refusal{Status: status, Sentence: views.SentenceCode(code, what, try)}
}

// After returns the seconds of Retry-After; 0 for none.
func (r *Refusal) After() int { return r.after }

// NotFound returns the refusal for what does not exist, or belongs to someone else.
func NotFound() *Refusal {
	return Refuse(http.StatusNotFound, "not_found", "Page not found.",
		"Check the address. The page may have been deleted, or you may not have access.")
}

// RefusalOf returns the status and the message for an error.
func RefusalOf(err error) *Refusal {
	var r *Refusal
	var h *echo.HTTPError
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &r):
		return r
	case errors.As(err, &tooBig):
		return Refuse(http.StatusRequestEntityTooLarge, "body_too_large", "The request is too large.",
			"The limit is "+text.Size(int(tooBig.Limit))+". Nothing was saved.")
	case errors.Is(err, playground.ErrNotFound):
		return NotFound()
	case errors.Is(err, playground.ErrForeign):
		return Refuse(http.StatusConflict, "foreign_client", "This call belongs to a foreign client.",
			"Only that client can continue it. Nothing was sent.")
	case errors.Is(err, playground.ErrFull):
		return withCause(err, http.StatusInsufficientStorage, "disk_full",
			"The disk is full, so nothing new can be saved.",
			"Nothing was sent, because it could not be recorded. Saved recordings can still be read, "+
				"downloaded and deleted. Delete some in the history, or free space on the disk, "+
				"then try again.")
	case errors.Is(err, playground.ErrStorage):
		return withCause(err, http.StatusServiceUnavailable, "storage", "The database is not available.",
			"It may be locked, read-only or moved. Saved recordings are not lost. "+
				"Reload this page in a minute.")
	case errors.As(err, &h) && h.Code == http.StatusMethodNotAllowed:
		return Refuse(h.Code, "method_not_allowed", "This address doesn't support that request method.",
			"Pages are read with GET. Changes are made with the forms on the pages.")
	case errors.As(err, &h) && h.Code == http.StatusNotFound:
		return NotFound()
	case errors.As(err, &h) && h.Code < 500:
		return Refuse(
			h.Code, "bad_request", "The request is malformed.", "Go back, reload the page and try again.",
		)
	}
	return withCause(err, http.StatusInternalServerError, "internal", "Internal error.",
		"The error was logged. Saved recordings are not affected. Try again.")
}

// withCause returns a refusal with an error for the log.
func withCause(err error, status int, code, what, try string) *Refusal {
	r := Refuse(status, code, what, try)
	r.cause = err
	return r
}

// StatusLeft is the status for the log of a request whose browser has left, as nginx
// has it. Without one, net/http would send an empty page with 200.
const StatusLeft = 499

// HasLeft reports whether an error only says that the browser has closed the
// connection.
func HasLeft(c echo.Context, err error) bool {
	return c.Request().Context().Err() != nil && errors.Is(err, context.Canceled)
}

// logError logs an error that the page does not show, unless the browser has
// left.
func (s *App) logError(c echo.Context, what string, err error) {
	if !HasLeft(c, err) {
		s.Logger.Error(what, "err", err)
	}
}

// CountRefusal counts a refusal and sets Retry-After. The visit of an agent has no response
// to set it on.
func (s *App) CountRefusal(c echo.Context, r *Refusal) {
	s.Refused(r.Sentence.Code)
	if r.after > 0 && c.Response().Writer != nil {
		c.Response().Header().Set("Retry-After", strconv.Itoa(r.after))
	}
}

// NoIndex keeps search engines from indexing shares.
func NoIndex(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("X-Robots-Tag", "noindex, nofollow, noarchive")
		return next(c)
	}
}

// LinkNotFound returns the refusal of every invalid link, whatever the reason.
func LinkNotFound() *Refusal {
	return Refuse(http.StatusNotFound, "not_found", "This link has expired or was revoked.",
		"It may also be mistyped. Ask the person who sent it for a new one.")
}

// LinkError returns the error for the token of a share, or the code of a talk, of
// which err was found: the same for unknown, expired, deleted and malformed ones. In
// every mode but local an address may try a number of them; valid links of shares always work.
func (s *App) LinkError(c echo.Context, err error) error {
	if !errors.Is(err, playground.ErrNotFound) {
		return err
	}
	if s.Mode.Shared() {
		if wait := s.Limiters.WrongLinks.Reserve(s.Visitor(c).Address, s.Now()); wait > 0 {
			return TooMany(wait, "too_many_links",
				"Too many invalid links were opened from your address.",
				"Valid links still work.")
		}
	}
	return LinkNotFound()
}

// IsReader reports whether a path belongs to a share or a talk.
func IsReader(path string) bool {
	return strings.HasPrefix(path, "/s/") || strings.HasPrefix(path, "/embed/") ||
		strings.HasPrefix(path, FollowPath)
}
