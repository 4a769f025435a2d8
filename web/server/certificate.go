package server

import (
	"errors"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Trust trusts the certificate that connecting to a server failed for, and
// connects again. The form repeats the fingerprint that the page showed, so
// that no other certificate is trusted than the one that the user saw.
func (s *Pages) Trust(r *web.Request) error {
	v := r.Visit
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	ctx, workspace, id := v.Context(), v.Workspace(), r.Param("id")
	t, log, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return err
	}
	if s.App.Mode.Shared() {
		return app.Refuse(http.StatusForbidden, "no_trust", "This site trusts known authorities only.",
			"To test a server with a self-signed certificate, run the playground on your own machine.")
	}
	conn, origin := server.FoldConnection(log), wire.Origin(t.URL)
	if !app.CanTrust(conn) || origin == "" ||
		wire.Fingerprint(conn.Certificate) != web.First(values["fingerprint"]) {
		return app.Refuse(http.StatusConflict, "stale_certificate",
			"The server's certificate is no longer the one on that page.",
			"Nothing was trusted. Open the server's page again and compare the fingerprint.")
	}
	if err := s.Store.TrustCertificate(ctx, workspace, id, origin, conn.Certificate, s.App.Now()); err != nil {
		return err
	}
	again := playground.Target{Name: t.Name, URL: t.URL}
	if err := s.App.ConnectAgain(v, workspace, id, again); err != nil {
		return err
	}
	return web.SeeOther(r, "/servers/"+id)
}

// Distrust removes the trusted certificate of a server.
func (s *Pages) Distrust(r *web.Request) error {
	ctx, workspace, id := r.Context(), r.Visit.Workspace(), r.Param("id")
	if _, _, err := s.Store.Target(ctx, workspace, id); err != nil {
		return err
	}
	err := s.Store.DistrustCertificate(ctx, workspace, id)
	if err != nil && !errors.Is(err, playground.ErrNotFound) { // it may be removed already
		return err
	}
	return web.SeeOther(r, "/servers/"+id)
}
