package capture_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// BenchmarkObserve observes a capture of a few hundred requests, as often as a live page does.
func BenchmarkObserve(b *testing.B) {
	c := newClient(b, fault{quirk: "never ends"})
	for _, s := range rules.Scenarios() {
		if s.ID != "parallel_calls" && s.ID != "link_accept" {
			c.drive(s)
		}
	}

	for b.Loop() {
		capture.Observe(c.contacts)
	}
	b.ReportMetric(float64(len(c.contacts)), "contacts")
}
