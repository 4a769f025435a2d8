package web

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// linkError is the answer to every token that leads nowhere: unknown, expired,
// deleted or no token at all. Strangers may try a number of them; right links
// always work, whoever shares the address.
func (s *app) linkError(c echo.Context, err error) error {
	if !errors.Is(err, playground.ErrNotFound) {
		return err
	}
	if s.Mode == Public {
		if wait := s.limiters.wrongLinks.reserve(s.visitor(c).address, s.Now()); wait > 0 {
			return tooMany(wait, "too_many_links", "Too many links that lead nowhere came from your address.", "Links that exist still work.")
		}
	}
	return linkNotFound()
}

// linkNotFound is what every wrong link gets, whatever is wrong with it.
func linkNotFound() *refusal {
	return refuse(http.StatusNotFound, "not_found", "There is nothing here.", "The link may have ended: links work for a time, and whoever made one can end it.")
}
