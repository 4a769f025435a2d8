package client_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/clients"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestRealClients: the table is found from the pages about clients, and each
// failure leads to its bytes, on an installation that has recorded nothing.
func TestRealClients(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, path := range []string{"/test", "/learn/client", "/learn/reference/sdks"} {
		s.Page(path).Has(t, `a[href="/clients/real"]`)
	}
	page := s.Page("/clients/real")
	for _, c := range clients.Measured().Clients {
		row := fmt.Sprintf(`[data-client="%s"] `, c.Slug)
		page.Has(t, row+fmt.Sprintf(`[data-n="pass"] "%d"`, c.Passed),
			row+fmt.Sprintf(`[data-n="fail"] "%d"`, c.Failed),
			row+fmt.Sprintf(`[data-n="unjudged"] "%d"`, c.Unjudged))
		if c.Failed > 0 {
			page.Has(t, row+`[data-n="fail"] .outcome-fail .glyph "✕"`)
		} else {
			page.HasNot(t, row+`.outcome-fail`)
		}
		for _, f := range c.Faults {
			at := fmt.Sprintf(`[data-faults="%s"] [data-tick="%s/%s"] `, c.Slug, f.Scenario, f.Check)
			page.Has(t, at+`a[href="`+c.Path(f)+`"]`, at+`a[href="`+f.Sentence().Link()+`"]`)
			s.Page(c.Path(f)).Has(t, fmt.Sprintf(`[data-round="%d"]`, f.Round), `[data-frame="request"]`)
		}
	}
	// Files and a fork as of any share.
	reader := s.Visitor(t)
	for _, suffix := range []string{"", ".json", ".md", ".svg", ".png", ".qr.svg"} {
		if got := reader.Page("/s/client-go-sdk" + suffix); got.Status != http.StatusOK {
			t.Errorf("%s: %d", suffix, got.Status)
		}
	}
	reader.Page("/embed/client-go-sdk").Has(t, "svg")
	if got := reader.Follow("/s/client-go-sdk/fork", nil); !strings.HasPrefix(reader.Last, "/x/") {
		t.Errorf("%d %s", got.Status, reader.Last)
	}
	s.NoErrors()
}
