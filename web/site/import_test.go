package site_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// TestImport_ClosesAnOpenLegacyCall imports a legacy call, from a file and from
// a share, that was recorded while its question was open. Its connection is not
// here, so the call is interrupted and can be sent again.
func TestImport_ClosesAnOpenLegacyCall(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	path := s.startOf("before-mrtr")
	s.get(path).has(t, `[data-status="waiting"]`)
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
		page.has(t, `[data-status="interrupted"]`)
		page.hasNot(t, `[data-form="answers"]`)
	}
	s.get(path).has(t, `[data-status="waiting"]`, `[data-form="answers"]`)
}

// Every page of an imported call says that it is imported.
func TestImport_EveryPageSaysSo(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	file := s.get(s.startOf("azure-devops") + ".json").body
	got := s.do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
	path := got.header.Get("Location")
	page := s.get(path)
	session, _, _ := strings.Cut(value(t, page.body, `[href^="/sessions/"]`, "href"), "/share")
	for _, address := range []string{
		path, path + "?round=1&panel=rules", path + "/edit?round=0", path + "/edit?round=1",
		session, session + "/share",
	} {
		if page := s.get(address); page.status != http.StatusNotFound {
			page.has(t, "[data-imported]")
		} else if !strings.Contains(address, "round=1") {
			t.Errorf("%s: no such page", address)
		}
	}
}
