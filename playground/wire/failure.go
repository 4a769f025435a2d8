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

// FailureOf names the class of an error of a connection: a *Failure inside it,
// else what the error tells. It is for callers that use DialContext or
// RoundTripper; nil stays nil.
func FailureOf(err error) *Failure {
	var failure *Failure
	var alert *net.OpError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failure):
		return failure
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return &Failure{TimeoutTotal, "the answer took too long"}
	case errors.As(err, &alert) && alert.Op == "remote error":
		return &Failure{TLS, "the server broke the TLS connection off: " + plain(err.Error())}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Failure{Reset, "the server closed the connection before the answer ended"}
	}
	return &Failure{Reset, "the connection broke: " + plain(rootOf(err).Error())}
}

// rootOf leaves out the addresses that net.OpError adds.
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
		return &Failure{DNS, "there is no host of this name"}
	}
	// The cause names our name server; that is nobody's business.
	return &Failure{DNS, "the name of the host could not be looked up"}
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
		return &Failure{Refused, "the host is there, but nothing listens on this port"}
	case errors.Is(err, syscall.ECONNRESET):
		return &Failure{Reset, "the host broke the connection off"}
	}
	return &Failure{Unreachable, "no way to the host: " + plain(rootOf(err).Error())}
}

func tlsFailure(err error) *Failure {
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return &Failure{TLS, "the server's certificate has expired or is not valid yet"}
	case errors.As(err, &host):
		return &Failure{TLS, "the server's certificate is for another name: " + plain(err.Error())}
	case errors.As(err, &authority):
		return &Failure{TLS, "the server's certificate is signed by an unknown authority (perhaps by itself)"}
	case errors.As(err, &record):
		return &Failure{TLS, "the server does not speak TLS on this port; is it http?"}
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return &Failure{TLS, "the server closed the connection during the TLS handshake"}
	}
	return &Failure{TLS, plain(rootOf(err).Error())}
}

func tooLarge(what string, limit int) *Failure {
	return &Failure{TooLarge, fmt.Sprintf("%s larger than %d bytes; the rest was not read", what, limit)}
}

// plain returns foreign text fit for a sentence of ours.
func plain(s string) string { return text.Visible(s, 300) }
