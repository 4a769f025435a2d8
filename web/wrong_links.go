package web

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// linkError returns the error for a token of which err was found: the same for
// unknown, expired, deleted and malformed tokens. In public mode an address may
// try a number of them; valid links always work.
func (s *app) linkError(c echo.Context, err error) error {
	if !errors.Is(err, playground.ErrNotFound) {
		return err
	}
	if s.Mode == Public {
		if wait := s.limiters.wrongLinks.reserve(s.visitor(c).address, s.Now()); wait > 0 {
			return tooMany(wait, "too_many_links", "Too many invalid links were opened from your address.",
				"Valid links still work.")
		}
	}
	return linkNotFound()
}

// linkNotFound returns the refusal of every invalid link, whatever the reason.
func linkNotFound() *refusal {
	return refuse(http.StatusNotFound, "not_found", "This link doesn't lead to a recording.",
		"It may be mistyped, expired or revoked. Ask the person who sent it for a new one.")
}
