package site_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/clients"
)

// TestRealClients: the table is found from the pages about clients, and each
// failure leads to its bytes, on an installation that has recorded nothing.
func TestRealClients(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, path := range []string{"/clients", "/learn/client", "/learn/reference/sdks"} {
		s.page(path).has(t, `a[href="/clients/real"]`)
	}
	page := s.page("/clients/real")
	for _, c := range clients.Measured().Clients {
		row := fmt.Sprintf(`[data-client="%s"] `, c.Slug)
		page.has(t, row+fmt.Sprintf(`[data-n="passed"] "%d"`, c.Passed),
			row+fmt.Sprintf(`[data-n="failed"] "%d"`, c.Failed),
			row+fmt.Sprintf(`[data-n="unjudged"] "%d"`, c.Unjudged))
		for _, f := range c.Faults {
			at := fmt.Sprintf(`[data-faults="%s"] [data-tick="%s/%s"] `, c.Slug, f.Scenario, f.Check)
			page.has(t, at+`a[href="`+c.Path(f)+`"]`, at+`a[href="`+f.Sentence().Link()+`"]`)
			s.page(c.Path(f)).has(t, fmt.Sprintf(`[data-round="%d"]`, f.Round), `[data-frame="request"]`)
		}
	}
	// Files and a fork as of any share.
	reader := s.visitor(t)
	for _, suffix := range []string{"", ".json", ".md", ".svg", ".png", ".qr.svg"} {
		if got := reader.page("/s/client-go-sdk" + suffix); got.status != http.StatusOK {
			t.Errorf("%s: %d", suffix, got.status)
		}
	}
	reader.page("/embed/client-go-sdk").has(t, "svg")
	if got := reader.follow("/s/client-go-sdk/fork", nil); !strings.HasPrefix(reader.last, "/x/") {
		t.Errorf("%d %s", got.status, reader.last)
	}
	s.noErrors()
}
