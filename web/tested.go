package web

import (
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// ClientChecks returns the observations of the client test on the record of a capture, or nil if
// another server is behind it. While the address is open, the client may go on.
func ClientChecks(k capture.Capture, open bool, r capture.Report) []rules.Observation {
	switch {
	case k.Target.Sample != sampletools.ClientTest:
		return nil
	case open:
		return capture.Observe(r.Contacts())
	}
	return capture.ObserveEnded(r.Contacts())
}
