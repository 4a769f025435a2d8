package wire

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
)

// Trust is a certificate that a user accepts from one server although no known
// authority signed it. The zero value trusts nothing.
type Trust struct {
	Origin string            // that it is accepted from, as Origin returns it
	SHA256 [sha256.Size]byte // of the DER form of the server's own certificate
}

// IsZero reports whether t trusts nothing.
func (t Trust) IsZero() bool { return t.Origin == "" }

// Fingerprint returns the SHA-256 of a certificate in DER form as
// "sha256:" and 64 hexadecimal digits.
func Fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	return fingerprintPrefix + hex.EncodeToString(sum[:])
}

const fingerprintPrefix = "sha256:"

// Fingerprint returns the fingerprint of the trusted certificate.
func (t Trust) Fingerprint() string { return fingerprintPrefix + hex.EncodeToString(t.SHA256[:]) }

// NewTrust returns the Trust in the certificate with a fingerprint, for the
// server at an https URL. The digits may be separated by colons.
func NewTrust(rawURL, fingerprint string) (Trust, error) {
	t := Trust{Origin: Origin(rawURL)}
	if t.IsZero() {
		return t, errors.New("only a server at an https URL has a certificate")
	}
	digits, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(fingerprint)), fingerprintPrefix)
	sum, err := hex.DecodeString(strings.ReplaceAll(digits, ":", ""))
	if !ok || err != nil || len(sum) != len(t.SHA256) {
		return Trust{}, errors.New("a fingerprint is sha256: and 64 hexadecimal digits")
	}
	copy(t.SHA256[:], sum)
	return t, nil
}

// Origin returns "https://host:port" in lower case for an https URL, and "" for
// others.
func Origin(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	return "https://" + strings.ToLower(hostport(u))
}

// WithTrust returns a context in which Send accepts the certificate of t from
// the origin of t, and no other certificate from there. Other origins are not
// affected. A Client that trusts only known authorities ignores it.
func WithTrust(ctx context.Context, t Trust) context.Context {
	if t.IsZero() {
		return ctx
	}
	return context.WithValue(ctx, trustKey{}, t)
}

type trustKey struct{}

// trusted returns the Trust that holds for a URL, and whether there is one.
func (c *Client) trusted(ctx context.Context, u *url.URL) (Trust, bool) {
	t, ok := ctx.Value(trustKey{}).(Trust)
	return t, ok && !c.known && t.Origin == Origin(u.String())
}

// errChanged is for a certificate that is not the trusted one.
var errChanged = errors.New("the certificate is not the trusted one")

// only makes config accept the trusted certificate and no other. Its names and
// dates must be right all the same.
func (t Trust) only(config *tls.Config) {
	config.InsecureSkipVerify = true // of the authority; VerifyConnection does the rest
	config.VerifyConnection = func(s tls.ConnectionState) error {
		leaf := s.PeerCertificates[0] // TLS has at least one
		if sha256.Sum256(leaf.Raw) != t.SHA256 {
			return &tls.CertificateVerificationError{
				UnverifiedCertificates: s.PeerCertificates, Err: errChanged,
			}
		}
		itself := x509.NewCertPool()
		itself.AddCert(leaf)
		_, err := leaf.Verify(x509.VerifyOptions{
			DNSName: config.ServerName, Roots: itself, CurrentTime: config.Time(),
		})
		return err
	}
}

// maxCertificate is the largest certificate that a Failure keeps, in bytes.
const maxCertificate = 16 << 10

// certificateOf returns the server's own certificate in DER form, if err is
// about that, else nil.
func certificateOf(err error) []byte {
	var refused *tls.CertificateVerificationError
	if !errors.As(err, &refused) || len(refused.UnverifiedCertificates) == 0 {
		return nil
	}
	if der := refused.UnverifiedCertificates[0].Raw; len(der) <= maxCertificate {
		return der
	}
	return nil
}
