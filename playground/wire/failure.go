package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// FailureOf returns the Failure for an error of a connection: the *Failure that
// err wraps, or one derived from err. It returns nil for nil.
func FailureOf(err error) *Failure {
	var failure *Failure
	var alert *net.OpError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failure):
		return failure
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return fail(TimeoutTotal, "the response took too long")
	case errors.As(err, &alert) && alert.Op == "remote error":
		return fail(TLS, "the server rejected the TLS connection: "+plain(err.Error()))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fail(Reset, "the server closed the connection before the end of the response")
	}
	return fail(Reset, "the connection failed: "+plain(rootOf(err).Error()))
}

// rootOf unwraps net.OpError, whose text names addresses.
func rootOf(err error) error {
	var op *net.OpError
	for errors.As(err, &op) && op.Err != nil {
		err = op.Err
	}
	return err
}

func dnsFailure(err error) *Failure {
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return fail(DNS, "this host name does not exist")
	}
	// The cause is left out: it would disclose our resolver.
	return fail(DNS, "the host name could not be resolved")
}

func connectFailure(err error, limit time.Duration) *Failure {
	var failure *Failure
	var timeout net.Error
	switch {
	case errors.As(err, &failure):
		return failure
	case errors.As(err, &timeout) && timeout.Timeout():
		return fail(TimeoutConnect, "connecting took longer than "+limit.String())
	case errors.Is(err, syscall.ECONNREFUSED):
		return fail(Refused, "the host refused the connection")
	case errors.Is(err, syscall.ECONNRESET):
		return fail(Reset, "the host reset the connection")
	}
	return fail(Unreachable, "the host is unreachable: "+plain(rootOf(err).Error()))
}

func tlsFailure(err error, now time.Time) *Failure {
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, errChanged):
		return &Failure{TLSChanged, "it is not the certificate that you trusted for this server",
			certificateOf(err)}
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fail(TLSExpired, dates(invalid.Cert, now))
	case errors.As(err, &host):
		return fail(TLSName, subjects(host.Certificate, host.Host))
	case errors.As(err, &authority):
		return &Failure{TLSUntrusted, issuer(authority.Cert), certificateOf(err)}
	case errors.As(err, &record):
		return fail(NoTLS, "the response to the TLS handshake is not TLS")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return fail(NoTLS, "the server closed the connection during the TLS handshake")
	}
	return fail(TLS, plain(rootOf(err).Error()))
}

// tooLarge returns the failure of a text that is larger than a limit, whose
// name is that of the option -limit.
func tooLarge(what, limit string, bytes int) *Failure {
	return fail(TooLarge, fmt.Sprintf(
		"%s larger than %d bytes; the rest was not read (-limit %s=BYTES sets this limit)",
		what, bytes, limit))
}

// plain returns foreign text that is safe to show inside our sentences.
func plain(s string) string { return text.Visible(s, 300) }

// fail returns a Failure without a certificate.
func fail(class Class, detail string) *Failure { return &Failure{Class: class, Detail: detail} }

// dates says whether a certificate is not valid yet or has expired, and when it is valid.
func dates(c *x509.Certificate, now time.Time) string {
	what, is := "it has expired", "was"
	if now.Before(c.NotBefore) {
		what, is = "it is not valid yet", "is"
	}
	return fmt.Sprintf("%s: it %s valid from %s to %s, and the clock of this machine says %s", what, is,
		c.NotBefore.UTC().Format(time.DateOnly), c.NotAfter.UTC().Format(time.DateOnly),
		now.UTC().Format("2006-01-02 15:04 UTC"))
}

// maxNames is how many names of a certificate a sentence lists.
const maxNames = 5

// subjects says which names a certificate has in place of a host.
func subjects(c *x509.Certificate, host string) string {
	list := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		list = append(list, ip.String())
	}
	if len(list) > maxNames {
		list = append(list[:maxNames], "…")
	}
	if len(list) == 0 {
		return "it has no name, and the URL has " + plain(host)
	}
	return "it is for " + plain(strings.Join(list, ", ")) + ", and not for " + plain(host)
}

// issuer says who signed a certificate.
func issuer(c *x509.Certificate) string {
	if c == nil || bytes.Equal(c.RawIssuer, c.RawSubject) {
		return "it is self-signed"
	}
	return "its issuer is not known here: " + plain(c.Issuer.String())
}
