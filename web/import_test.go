package web_test

import (
	"net/http"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/web"
)

// TestImport_ClosesAnOpenLegacyCall imports a legacy call, from a file and from
// a share, that was recorded while its question was open. Its connection is not
// here, so the call is interrupted and can be sent again.
func TestImport_ClosesAnOpenLegacyCall(t *testing.T) {
	s := newSite(t, web.Local)
	path := s.startOf("before-mrtr")
	s.get(path).has(t, `data-status="waiting"`)
	file := s.get(path + ".json").body
	token := s.share("leave=note")
	for name, got := range map[string]answer{
		"import": s.do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}}),
		"share":  s.post("/s/"+token+"/fork", ""),
	} {
		if got.status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", name, got.status, excerpt(got.body))
		}
		page := s.get(got.header.Get("Location"))
		page.has(t, `data-status="interrupted"`)
		page.hasNot(t, `data-form="answers"`)
	}
	s.get(path).has(t, `data-status="waiting"`, `data-form="answers"`)
}
