package history_test

import (
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestImport_RecordingOfAnotherProgram imports our own HAR file and lines of JSON-RPC: each
// is a capture that has ended, read-only, and no address of it answers.
func TestImport_RecordingOfAnotherProgram(t *testing.T) {
	t.Parallel()
	for _, mode := range []app.Mode{app.Local, app.Public} {
		s := sitetest.New(t, mode)
		s.Follow("/exchanges", map[string][]string{"sample": {"azure-devops"}})
		call := s.Last
		const lines = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"<b>o</b>"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","arguments":{}}}
{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`
		for name, file := range map[string]string{"har": s.Page(call + ".har").Body, "lines": lines} {
			got := s.Do("POST", "/import", file, http.Header{"Content-Type": {"application/json"},
				"Cookie": {s.Cookies}})
			page := got.Header.Get("Location")
			if got.Status != http.StatusSeeOther || !strings.HasPrefix(page, "/clients/") {
				t.Fatalf("%s: %d %s", name, got.Status, sitetest.Excerpt(got.Body))
			}
			shown := s.Page(page)
			shown.Has(t, "[data-imported]", "[data-import-note]")
			shown.HasNot(t, "#address", "#changes", "main[data-live]")
			if strings.Contains(shown.Body, "<b>o</b>") {
				t.Error("markup of a server is markup here")
			}
			if name == "har" {
				x := sitetest.Find(t, shown.Body, `href="(/x/[\w-]+)`)
				recorded := s.Page(x)
				recorded.Has(t, "[data-imported]", `[data-status="interrupted"], [data-status="waiting"]`)
				recorded.HasNot(t, `[data-form="answers"]`, `[data-do="again"]`)
			}
			s.Page("/history").Has(t, `[data-session="`+path.Base(page)+`"]`)
		}
		s.NoErrors()
	}
}
