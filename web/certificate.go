package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// certificateStore keeps the certificates that the user trusts.
type certificateStore interface {
	TrustCertificate(ctx context.Context, workspace, target, origin string, der []byte, at time.Time) error
	DistrustCertificate(ctx context.Context, workspace, target string) error
	TrustedCertificates(ctx context.Context, workspace string) ([]server.TrustedCertificate, error)
}

// trust trusts the certificate that connecting to a server failed for, and
// connects again. The form repeats the fingerprint that the page showed, so
// that no other certificate is trusted than the one that the user saw.
func (s *app) trust(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	ctx, workspace, id := c.Request().Context(), s.owners.reading(c), c.Param("id")
	t, log, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return err
	}
	if s.Mode == Public {
		return refuse(http.StatusForbidden, "no_trust", "This site trusts known authorities only.",
			"To test a server with a self-signed certificate, run the playground on your own machine.")
	}
	conn, origin := server.FoldConnection(log), wire.Origin(t.URL)
	if !canTrust(conn) || origin == "" || wire.Fingerprint(conn.Certificate) != first(values["fingerprint"]) {
		return refuse(http.StatusConflict, "stale_certificate",
			"The server's certificate is no longer the one on that page.",
			"Nothing was trusted. Open the server's page again and compare the fingerprint.")
	}
	if err := s.Store.TrustCertificate(ctx, workspace, id, origin, conn.Certificate, s.Now()); err != nil {
		return err
	}
	again := playground.Target{Name: t.Name, URL: t.URL}
	return s.connectAgain(c, workspace, id, again)
}

// canTrust reports whether connecting failed only because no known authority
// signed the certificate.
func canTrust(c server.Connection) bool {
	return c.Status == server.ConnectFailed && c.Class == wire.TLSUntrusted && len(c.Certificate) > 0
}

// distrust removes the trusted certificate of a server.
func (s *app) distrust(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	ctx, workspace, id := c.Request().Context(), s.owners.reading(c), c.Param("id")
	if _, _, err := s.Store.Target(ctx, workspace, id); err != nil {
		return err
	}
	err = s.Store.DistrustCertificate(ctx, workspace, id)
	if err != nil && !errors.Is(err, playground.ErrNotFound) { // it may be removed already
		return err
	}
	if first(values["back"]) == "settings" {
		return seeOther(c, "/settings#certificates")
	}
	return seeOther(c, "/servers/"+id)
}

// certificate returns what the page of a server says of its certificate; nil if
// there is nothing to say.
func (s *app) certificate(k knownServer) *views.Certificate {
	if s.Mode == Public || k.sample != nil {
		return nil
	}
	out := views.Certificate{Target: k.target.ID}
	if !k.target.Trust.IsZero() {
		out.Trusted = k.target.Trust.Fingerprint()
	}
	if len(k.connection.Certificate) > 0 {
		if shown, ok := server.ReadCertificate(k.connection.Certificate); ok {
			out.Shown, out.CanTrust = &shown, canTrust(k.connection) && out.Trusted == ""
		}
	}
	if out.Trusted == "" && out.Shown == nil {
		return nil
	}
	return &out
}

// certificates returns the list of the settings page.
func (s *app) certificates(c echo.Context) ([]views.TrustedRow, error) {
	if s.Mode == Public {
		return nil, nil
	}
	list, err := s.Store.TrustedCertificates(c.Request().Context(), s.owners.reading(c))
	if err != nil {
		return nil, err
	}
	var rows []views.TrustedRow
	for _, one := range list {
		row := views.TrustedRow{Target: one.Target, Name: one.Name, Origin: one.Origin, Added: one.Added}
		if cert, ok := server.ReadCertificate(one.DER); ok {
			row.Certificate = cert
		}
		rows = append(rows, row)
	}
	return rows, nil
}
