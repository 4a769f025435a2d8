package web

import (
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
)

// Certificate returns the part of the page of a server about its certificate;
// nil if there is nothing to say.
func (s *App) Certificate(k app.KnownServer) *serverview.Certificate {
	if s.Mode.Shared() || k.Sample != nil {
		return nil
	}
	out := serverview.Certificate{Target: k.Target.ID}
	if !k.Target.Trust.IsZero() {
		out.Trusted = k.Target.Trust.Fingerprint()
	}
	if len(k.Connection.Certificate) > 0 {
		if shown, ok := server.ReadCertificate(k.Connection.Certificate); ok {
			out.Shown, out.CanTrust = &shown, app.CanTrust(k.Connection) && out.Trusted == ""
		}
	}
	if out.Trusted == "" && out.Shown == nil {
		return nil
	}
	return &out
}
