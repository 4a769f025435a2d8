package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Metadata shows where tokens come from for the sample behind a capture, as the sample
// says it of the capture's URL. It is read without a token, and recorded nowhere.
func (s *Pages) Metadata(c echo.Context) error {
	k, err := s.find(c)
	if err != nil {
		return s.refuse(c, err)
	}
	u, err := url.Parse(k.Target.URL)
	if err != nil || k.Target.Sample == "" {
		return s.refuse(c, app.Refuse(http.StatusNotFound, "capture_metadata",
			"This address has no metadata of a protected resource.",
			"Read the metadata of the server behind it."))
	}
	self := wire.Address(s.address(c, k))
	r := c.Request().Clone(context.WithValue(c.Request().Context(), http.LocalAddrContextKey, self))
	r.URL = &url.URL{Path: web.ResourcePath + u.Path, RawQuery: u.RawQuery}
	shield(c.Response().Header())
	s.SampleMCP.ServeHTTP(c.Response(), r)
	return nil
}
