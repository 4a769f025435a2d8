package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
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
		return &Failure{TimeoutTotal, "the response took too long"}
	case errors.As(err, &alert) && alert.Op == "remote error":
		return &Failure{TLS, "the server rejected the TLS connection: " + plain(err.Error())}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Failure{Reset, "the server closed the connection before the end of the response"}
	}
	return &Failure{Reset, "the connection failed: " + plain(rootOf(err).Error())}
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
		return &Failure{DNS, "this host name does not exist"}
	}
	// The cause is left out: it would disclose our resolver.
	return &Failure{DNS, "the host name could not be resolved"}
}

func connectFailure(err error, limit time.Duration) *Failure {
	var failure *Failure
	var timeout net.Error
	switch {
	case errors.As(err, &failure):
		return failure
	case errors.As(err, &timeout) && timeout.Timeout():
		return &Failure{TimeoutConnect, "connecting took longer than " + limit.String()}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Failure{Refused, "the host refused the connection: nothing is listening on this port"}
	case errors.Is(err, syscall.ECONNRESET):
		return &Failure{Reset, "the host reset the connection"}
	}
	return &Failure{Unreachable, "the host is unreachable: " + plain(rootOf(err).Error())}
}

func tlsFailure(err error) *Failure {
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return &Failure{TLS, "the server's certificate has expired or is not yet valid"}
	case errors.As(err, &host):
		return &Failure{TLS, "the server's certificate is for another host name: " + plain(err.Error())}
	case errors.As(err, &authority):
		return &Failure{TLS, "the authority of the server's certificate is unknown (it may be self-signed)"}
	case errors.As(err, &record):
		return &Failure{NoTLS, "the response to the TLS handshake is not TLS"}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return &Failure{NoTLS, "the server closed the connection during the TLS handshake"}
	}
	return &Failure{TLS, plain(rootOf(err).Error())}
}

func tooLarge(what string, limit int) *Failure {
	return &Failure{TooLarge, fmt.Sprintf("%s larger than %d bytes; the rest was not read", what, limit)}
}

// plain returns foreign text that is safe to show inside our sentences.
func plain(s string) string { return text.Visible(s, 300) }
