package site_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
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
		"lines":          strings.Repeat(`a line of log text\n`, size/20),
		"other alphabet": strings.Repeat("世界", size/6),
	} {
		t.Run(name, func(t *testing.T) {
			old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var m struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.NewDecoder(r.Body).Decode(&m)
				result := map[string]string{
					"server/discover": `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}`,
					"tools/list":      `"tools":[{"name":"greet","inputSchema":{"type":"object"}}]`,
					"tools/call":      `"content":[{"type":"text","text":"` + text + `"}]`,
				}[m.Method]
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",%s}}`,
					m.ID, result)
			}))
			defer old.Close()
			s := sitetest.NewWith(t, app.Local, wire.Config{Limits: wire.Limits{Body: 8 << 20,
				Event: 8 << 20}},
				func(c *site.Config) {
					c.App.Limits = app.DefaultLimits()
					c.App.Limits.Session = 64 << 20
				})
			s.ConnectTo(old.URL)
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
