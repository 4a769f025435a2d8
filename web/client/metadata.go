package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Metadata shows where tokens come from for the sample behind a capture, as the sample
// says it of the capture's URL. It is read without a token, and recorded nowhere.
func (s *Pages) Metadata(r *web.Request) error {
	k, err := s.App.OpenCapture(r.Visit, r.Param("token"))
	if err != nil {
		return s.refuse(r, err)
	}
	u, err := url.Parse(k.Target.URL)
	if err != nil || k.Target.Sample == "" {
		return s.refuse(r, app.Refuse(http.StatusNotFound, "capture_metadata",
			"This address has no metadata of a protected resource.",
			"Read the metadata of the server behind it."))
	}
	self := wire.Address(s.address(r, k))
	to := r.Clone(context.WithValue(r.Context(), http.LocalAddrContextKey, self))
	to.URL = &url.URL{Path: web.ResourcePath + u.Path, RawQuery: u.RawQuery}
	shield(r.Writer.Header())
	s.App.SampleMCP.ServeHTTP(r.Writer, to)
	return nil
}
