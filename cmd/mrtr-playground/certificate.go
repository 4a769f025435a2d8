package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// readTrust reads the value of -trust-certificate for the server at a URL; it is
// empty for no trust.
func readTrust(url, fingerprint string) (wire.Trust, error) {
	if fingerprint == "" {
		return wire.Trust{}, nil
	}
	trust, err := wire.NewTrust(url, fingerprint)
	if err != nil {
		return trust, &usageError{"-trust-certificate: " + err.Error()}
	}
	return trust, nil
}

// fingerprints prints, once, the fingerprint of a certificate that is not
// trusted, and how to trust it.
type fingerprints struct {
	out  io.Writer
	once sync.Once
}

// of returns a Caller that does so for the requests of sender.
func (f *fingerprints) of(sender rounds.Caller) rounds.Caller { return hinting{sender, f} }

type hinting struct {
	rounds.Caller
	hints *fingerprints
}

// Send implements rounds.Caller.
func (h hinting) Send(
	ctx context.Context, url string, f wire.Frame, record func(wire.Part) error,
) wire.Timing {
	return h.Caller.Send(ctx, url, f, func(p wire.Part) error {
		if p.Failure != nil && p.Failure.Certificate != nil {
			h.hints.once.Do(func() { h.hints.print(*p.Failure) })
		}
		return record(p)
	})
}

func (f *fingerprints) print(failure wire.Failure) {
	fingerprint := wire.Fingerprint(failure.Certificate)
	if failure.Class == wire.TLSChanged {
		fmt.Fprintf(f.out,
			"The server sent the certificate %s, which is not the one of -trust-certificate. "+
				"If you did not replace it, someone may be intercepting the connection.\n",
			fingerprint)
		return
	}
	fmt.Fprintf(f.out, "No known authority signed the server's certificate. "+
		"If it is the certificate of your server, try again with\n  -trust-certificate %s\n", fingerprint)
}
