package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// RefusalOf returns the message for an error, of the domain or of HTTP.
func RefusalOf(err error) *app.Refusal {
	var r *app.Refusal
	var h *echo.HTTPError
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &r):
		return r
	case errors.As(err, &tooBig):
		return app.Refuse(http.StatusRequestEntityTooLarge, "body_too_large", "The request is too large.",
			"The limit is "+text.Size(int(tooBig.Limit))+". Nothing was saved.")
	case !errors.As(err, &h):
		return app.RefusalOf(err)
	case h.Code == http.StatusMethodNotAllowed:
		return app.Refuse(http.StatusMethodNotAllowed, "method_not_allowed",
			"This address doesn't support that request method.",
			"Pages are read with GET. Changes are made with the forms on the pages.")
	case h.Code == http.StatusNotFound:
		return app.NotFound()
	case h.Code < http.StatusInternalServerError:
		return app.Refuse(app.Kind(h.Code), "bad_request", "The request is malformed.",
			"Go back, reload the page and try again.")
	}
	return app.RefusalOf(err)
}

// SentenceOf returns the words of a refusal as pages show them.
func SentenceOf(r *app.Refusal) *prose.Sentence {
	s := prose.SentenceCode(r.Code, r.What, r.Try)
	return &s
}

// StatusLeft is the status for the log of a request whose browser has left, as nginx
// has it. Without one, net/http would send an empty page with 200.
const StatusLeft = 499

// HasLeft reports whether an error only says that the browser has closed the
// connection.
func HasLeft(r *Request, err error) bool {
	return r.Context().Err() != nil && errors.Is(err, context.Canceled)
}

// CountRefusal counts a refusal and sets Retry-After.
func (s *App) CountRefusal(r *Request, refused *app.Refusal) {
	s.Refused(refused.Code)
	if after := refused.After(); after > 0 {
		r.Writer.Header().Set("Retry-After", strconv.Itoa(after))
	}
}

// NoIndex keeps search engines from indexing shares.
func NoIndex(next Handler) Handler {
	return func(r *Request) error {
		r.Writer.Header().Set("X-Robots-Tag", "noindex, nofollow, noarchive")
		return next(r)
	}
}

// IsReader reports whether a path belongs to a share or a talk.
func IsReader(path string) bool {
	return strings.HasPrefix(path, "/s/") || strings.HasPrefix(path, "/embed/") ||
		strings.HasPrefix(path, FollowPath)
}
