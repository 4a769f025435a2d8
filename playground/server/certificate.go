package server

import (
	"crypto/x509"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Certificate describes the certificate of a server for people. Texts in it
// come from the server and have no hidden characters.
type Certificate struct {
	Fingerprint     string   // as wire.Fingerprint returns it
	Subject         string   // empty if it has none
	Issuer          string   // empty if it is self-signed
	Names           []string // host names and IP addresses that it is for, at most 20
	NotBefore, Ends time.Time
}

// maxNames is how many names of a certificate are shown.
const maxNames = 20

// ReadCertificate reads a certificate in DER form. It returns false if der is
// none.
func ReadCertificate(der []byte) (Certificate, bool) {
	x, err := x509.ParseCertificate(der)
	if err != nil {
		return Certificate{}, false
	}
	c := Certificate{
		Fingerprint: wire.Fingerprint(der), Subject: text.Visible(x.Subject.String(), 200),
		NotBefore: x.NotBefore, Ends: x.NotAfter,
	}
	if string(x.RawIssuer) != string(x.RawSubject) {
		c.Issuer = text.Visible(x.Issuer.String(), 200)
	}
	for _, name := range x.DNSNames {
		c.Names = append(c.Names, text.Visible(name, 100))
	}
	for _, ip := range x.IPAddresses {
		c.Names = append(c.Names, ip.String())
	}
	c.Names = c.Names[:min(len(c.Names), maxNames)]
	return c, true
}

// FingerprintOf returns the fingerprint that the storage keeps of a certificate
// in DER form.
func FingerprintOf(der []byte) string { return wire.Fingerprint(der) }

// ParseTrust reads the fingerprint of a certificate and, after a space, the
// origin that it is accepted from. Anything else is no trust.
func ParseTrust(s string) wire.Trust {
	fingerprint, origin, _ := strings.Cut(s, " ")
	t, err := wire.NewTrust(origin, fingerprint)
	if err != nil {
		return wire.Trust{}
	}
	return t
}
