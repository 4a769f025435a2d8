package exchange_test

import (
	"net/http/httptest"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestEra_LegacyAnswers: whatever a server of an earlier revision answers to the first
// request, the page finds its revision and its offers.
func TestEra_LegacyAnswers(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for name, answer := range mcptest.LegacyAnswers() {
		t.Run(name, func(t *testing.T) {
			old := httptest.NewServer(mcptest.Legacy(answer))
			defer old.Close()
			got := s.ConnectTo(old.URL)
			got.Has(t, `main[data-target][data-status="connected"]`, `[data-era="legacy"]`, `main "greet"`)
		})
	}
}
