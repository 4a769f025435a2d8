package server

import "github.com/mrtr-playground/mrtr-playground/playground/server"

// Certificate is the part of the page of a server about its TLS certificate.
type Certificate struct {
	Target   string              // id of the server
	Trusted  string              // fingerprint of the certificate that the user trusts; empty for none
	Shown    *server.Certificate // that connecting failed for; nil if it did not
	CanTrust bool                // Shown can be trusted
}

// validity says when a certificate is valid.
func validity(c server.Certificate) string {
	const day = "2 January 2006"
	return c.NotBefore.UTC().Format(day) + " to " + c.Ends.UTC().Format(day)
}
