package history_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestImport_ClosesAnOpenLegacyCall imports a legacy call, from a file and from
// a share, that was recorded while its question was open. Its connection is not
// here, so the call is interrupted and can be sent again.
func TestImport_ClosesAnOpenLegacyCall(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.StartOf("before-mrtr")
	s.Get(path).Has(t, `[data-status="waiting"]`)
	file := s.Get(path + ".json").Body
	token := s.Share("leave=note")
	for name, got := range map[string]sitetest.Answer{
		"import": s.Do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}}),
		"share":  s.Post("/s/"+token+"/fork", ""),
	} {
		if got.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", name, got.Status, sitetest.Excerpt(got.Body))
		}
		page := s.Get(got.Header.Get("Location"))
		page.Has(t, `[data-status="interrupted"]`)
		page.HasNot(t, `[data-form="answers"]`)
	}
	s.Get(path).Has(t, `[data-status="waiting"]`, `[data-form="answers"]`)
}

// Every page of an imported call says that it is imported.
func TestImport_EveryPageSaysSo(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	file := s.Get(s.StartOf("azure-devops") + ".json").Body
	got := s.Do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
	path := got.Header.Get("Location")
	page := s.Get(path)
	session, _, _ := strings.Cut(sitetest.Value(t, page.Body, `[href^="/sessions/"]`, "href"), "/share")
	for _, address := range []string{
		path, path + "?round=1&panel=rules", path + "/edit?round=0", path + "/edit?round=1",
		session, session + "/share",
	} {
		if page := s.Get(address); page.Status != http.StatusNotFound {
			page.Has(t, "[data-imported]")
		} else if !strings.Contains(address, "round=1") {
			t.Errorf("%s: no such page", address)
		}
	}
}
