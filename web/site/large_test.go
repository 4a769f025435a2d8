package site_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestLargeBody_PagesStaySmall: local mode reads a response of several MiB, of which pages
// show a part, whatever it is made of; and its file is imported again.
func TestLargeBody_PagesStaySmall(t *testing.T) {
	t.Parallel()
	const size, most = 7 << 20, 1 << 20
	for name, text := range map[string]string{
		"lines":          strings.Repeat("a line of log text\n", size/20),
		"other alphabet": strings.Repeat("世界", size/6),
	} {
		t.Run(name, func(t *testing.T) {
			address := mcptest.Start(t, mcptest.Tools(func(mcptest.Message, *http.Request) mcptest.Answer {
				return mcptest.Text(text)
			}, "greet"))
			s := sitetest.NewWith(t, app.Local, wire.Config{Limits: wire.Limits{Body: 8 << 20,
				Event: 8 << 20}},
				func(c *site.Config) {
					c.App.Limits = app.DefaultLimits()
					c.App.Limits.Session = 64 << 20
				})
			s.ConnectTo(address)
			s.Runner.Wait(t.Context(), strings.TrimPrefix(s.Last, "/servers/"))
			page := s.CallTool(s.Last, "greet")
			page.Has(t, `[data-status="complete"]`)
			call := s.Last
			for _, query := range []string{
				"", "?panel=rules", "?message=response&round=1&view=exact", "?panel=picture",
			} {
				got := s.Page(call + query)
				if got.Status != http.StatusOK || len(got.Body) > most {
					t.Errorf("%s: %d, %d bytes", query, got.Status, len(got.Body))
				}
			}
			file := s.Page(call + ".json")
			if file.Status != http.StatusOK || len(file.Body) < size/2 {
				t.Errorf("file: %d, %d bytes", file.Status, len(file.Body))
			}
			back := s.Do("POST", "/import", file.Body, http.Header{"Content-Type": {"application/json"}})
			if back.Status != http.StatusSeeOther {
				t.Errorf("import: %d %s", back.Status, sitetest.Excerpt(back.Body))
			}
		})
	}
}
