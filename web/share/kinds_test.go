package share_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// checkShared opens everything that a share of a kind has, and revokes it.
func checkShared(s *sitetest.Site, token string, checks ...string) {
	s.T.Helper()
	s.Get("/s/"+token).Has(s.T, checks...)
	s.Get("/embed/"+token).Has(s.T, "[data-embed]")
	all := []string{".html", ".json", ".har", ".md", ".txt", ".png", ".qr.svg", ".badge.svg"}
	for _, path := range append(all, "") {
		if got := s.Get("/s/" + token + path); got.Status != http.StatusOK || len(got.Body) == 0 {
			s.T.Errorf("%q: %d", path, got.Status)
		}
	}
	for _, suffix := range []string{".json", ".html"} {
		file := s.Get("/s/" + token + suffix).Body
		got := s.Do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
		if got.Status != http.StatusSeeOther {
			s.T.Errorf("%s does not come back: %d %s", suffix, got.Status, sitetest.Excerpt(got.Body))
		}
	}
	forked := s.Post("/s/"+token+"/fork", "")
	if page := s.Get(forked.Header.Get("Location")); page.Status != http.StatusOK {
		s.T.Errorf("fork: %d, its page %d", forked.Status, page.Status)
	}
	s.Post("/shares/"+token+"/delete", "")
	for _, path := range append(all, "") {
		if got := s.Get("/s/" + token + path); got.Status != http.StatusNotFound {
			s.T.Errorf("%q after the link was revoked: %d", path, got.Status)
		}
	}
	dead := s.Get("/embed/" + token)
	dead.Has(s.T, `"This link has expired or was revoked."`)
}

func TestShare_Board(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	call, tried := s.Finished()
	s.Post(call+"/branches", "round=2") // another answer, which is not on the board
	board := s.Get(call + "?panel=lab")
	link := sitetest.Value(t, board.Body, `[href*="/share?kind=board"]`, "href")
	token := s.ShareAs(link)
	page := s.Get("/s/" + token)
	page.Has(t, `[data-shared="board"]`, `[data-experiment="flip-state"]`, `[data-verdict="pass"]`)
	page.HasNot(t, `[data-do="experiment"]`)
	page.Lacks(t, "run-all", "/x/", tried, call)
	wanted, _ := sitetest.BoardOf(board.Body)
	if shown, _ := sitetest.BoardOf(page.Body); !maps.Equal(shown, wanted) {
		t.Errorf("verdicts %v, on the owner's board %v", shown, wanted)
	}
	row := sitetest.Value(t, page.Body, `[href^="/s/`+token+`?"]`, "href")
	s.Get(row).Has(t, "[data-reader]", `"Results board"`)
	if got := s.Get("/s/" + token + "?x=4"); got.Status != http.StatusNotFound {
		t.Errorf("a branch that is not on the board can be opened: %d", got.Status)
	}
	s.Get("/s/"+token+".md").Contains(t, "# Report on")
	s.Get("/embed/"+token).HasNot(t, `[href^="/s/"]`, "button")
	checkShared(s, token, `"Skip an answer"`, `"Fork"`)
}

func TestShare_Compare(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	call, tried := s.Finished()
	a, b := strings.TrimPrefix(call, "/x/"), strings.TrimPrefix(tried, "/x/")
	page := s.Get("/compare?a=" + b + "&b=" + a)
	link := sitetest.Value(t, page.Body, `[href*="/share?"]`, "href")
	token := s.ShareAs(link)
	shared := s.Get("/s/" + token)
	shared.Has(t, `[data-shared="compare"]`, "[data-compare]")
	shared.Lacks(t, "/x/")
	if got, want := len(shared.HTML().Find("tr")), len(page.HTML().Find("tr")); got != want {
		t.Errorf("%d lines, on the owner's page %d", got, want)
	}
	s.Get("/embed/"+token).Has(t, "figcaption")
	checkShared(s, token, `"Comparison"`)

}

// TestShare_CompareOfTwoSessions: a link shows two calls that have nothing to do
// with each other, nothing else of their sessions, and ends with either session.
func TestShare_CompareOfTwoSessions(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	first, _ := s.Finished()
	second, _ := s.Finished()
	a, b := strings.TrimPrefix(first, "/x/"), strings.TrimPrefix(second, "/x/")
	compare := "/compare?a=" + a + "&b=" + b
	link := sitetest.Value(t, s.Get(compare).Body, `[href*="/share?"]`, "href")
	for _, gone := range []string{first, second} {
		token := s.ShareAs(link)
		s.Get("/s/"+token).Has(t, `[data-shared="compare"]`, "[data-compare]")
		checkShared(s, token, `"Comparison"`)
		s.Get("/s/"+token+".json").Lacks(t, "experiment")
		if gone == second {
			session := sitetest.Find(t, s.Get(gone).Body, `/sessions/(\w+)/share`)
			s.Post("/sessions/"+session+"/delete", "")
			if got := s.Get("/s/" + token); got.Status != http.StatusNotFound {
				t.Errorf("a link outlived a session that it shows: %d", got.Status)
			}
		}
	}
	if got := s.Get(link); got.Status != http.StatusNotFound {
		t.Errorf("a deleted call can be shared: %d", got.Status)
	}
}

func TestShare_Demo(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	stage := s.Post("/demos/azure-devops", "").Header.Get("Location")
	path, _, _ := strings.Cut(stage, "?")
	for step := 1; step < 3; step++ {
		s.Post(path, fmt.Sprintf("step=%d&do=next", step))
	}
	page := s.Get(path + "?step=2")
	token := s.ShareAs(sitetest.Value(t, page.Body, `[href*="/share?kind=demo"]`, "href"))
	opened := s.Get("/s/" + token)
	opened.Has(t, `[data-step="2"]`, `[rel="next"]`)
	opened.HasNot(t, `[data-form="stage"]`, "[data-live]")
	opened.Lacks(t, path)
	s.Get("/s/"+token+"?step=3&present=1").Has(t, `[data-step="3"]`, "[data-present]")
	if got := s.Get("/s/" + token + "?step=4"); got.Status != http.StatusNotFound {
		t.Errorf("a step that was not reached: %d", got.Status)
	}
	s.Get("/s/"+token+"?x=1").Has(t, "[data-reader]")
	checkShared(s, token, `"Fork"`)
}

// TestShare_RevokedWhereItIsSeen: a link can be revoked on the share page, on the
// page of the call and in the history, and each leads back to itself.
func TestShare_RevokedWhereItIsSeen(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	call, _ := s.Finished()
	id := strings.TrimPrefix(call, "/x/")
	session := s.SessionOf()
	sharing := "/sessions/" + session + "/share"
	for from, c := range map[string]struct{ page, form, back string }{
		"share":    {sharing, "from=share&id=" + session, sharing},
		"exchange": {call, "from=exchange&id=" + id, call},
		"history":  {"/history", "from=history", "/history"},
	} {
		token := s.Share("")
		address := "/shares/" + token + "/delete"
		s.Get(c.page).Has(t, `[action="`+address+`"], [formaction="`+address+`"]`, `button "Revoke"`)
		if got := s.Post("/shares/"+token+"/delete", c.form); got.Header.Get("Location") != c.back {
			t.Errorf("%s: leads to %q", from, got.Header.Get("Location"))
		}
		if got := s.Get("/s/" + token); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", from, got.Status)
		}
		s.Get(c.page).Lacks(t, "/shares/"+token)
	}
	token := s.Share("")
	if got := s.Post("/shares/"+token+"/delete", "from=exchange&id=%2F%2Fevil.example"); strings.Contains(
		got.Header.Get("Location"), "//") {
		t.Errorf("leads to %q", got.Header.Get("Location"))
	}
}

// TestImported_SaysSoEverywhere holds fault 98.
func TestImported_SaysSoEverywhere(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	call, _ := s.Finished()
	data := s.Get(call + ".json").Body
	imported := s.Imported(mustImport(t, data))
	id := strings.TrimPrefix(imported, "/x/")
	tried := s.Post(imported+"/branches", "round=2&experiment=flip-state").Header.Get("Location")
	session := s.SessionOf()
	x, err := s.Store.Exchange(t.Context(), "local", id)
	sitetest.Check(t, err)
	other := tried[len("/x/"):]
	pages := []string{imported, "/history", "/sessions/" + session, "/compare?a=" + id + "&b=" + other,
		"/servers/" + x.Target.ID + "/check/" + session}
	for _, suffix := range suffixes() {
		pages = append(pages, imported+suffix)
	}
	for _, suffix := range []string{".json", ".md", ".xml"} {
		pages = append(pages, "/servers/"+x.Target.ID+"/check/"+session+suffix)
	}
	for _, link := range []string{"?x=" + id, "?kind=board", "?kind=compare&x=" + id + "&x=" + other} {
		path := "/sessions/" + session + "/share" + link
		pages = append(pages, sitetest.Value(t, s.Get(path).Body, "iframe", "src"))
		token := s.ShareAs(path)
		pages = append(pages, "/s/"+token, "/embed/"+token, "/s/"+token+".json", "/s/"+token+".har",
			"/s/"+token+".md", "/s/"+token+".txt", "/s/"+token+".badge.svg")
	}
	for _, path := range pages {
		got := s.Get(path)
		if got.Status != http.StatusOK || !strings.Contains(strings.ToLower(got.Body), "imported") {
			t.Errorf("%s: %d, does not say that it was imported", path, got.Status)
		}
	}
}

func mustImport(t *testing.T, file string) session.Session {
	n, err := export.Import([]byte(file), 2<<20)
	sitetest.Check(t, err)
	return n
}

// TestShare_VerdictOfOneExperiment: the reader of a shared experiment sees the
// verdict that its owner sees, although what it was judged with is not shared.
func TestShare_VerdictOfOneExperiment(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	call := s.InMode("azure-devops", lab.Plain)
	session := sitetest.Find(t, s.Get(call).Body, `/sessions/(\w+)/share`)
	for experiment, round := range map[string]string{
		"wrong-name-header": "0", "unknown-method": "0", "no-meta": "1", "flip-state": "2",
		"skip-answer": "2", "reuse-id": "1",
	} {
		form := url.Values{"round": {round}, "experiment": {experiment}}.Encode()
		branch := s.Post(call+"/branches", form).Header.Get("Location")
		if branch == "" {
			t.Errorf("%s was not made", experiment)
			continue
		}
		pattern := `class="tried[^>]*>\s*<h2[^>]* data-verdict="(\w+)"`
		own := sitetest.Find(t, s.Get(branch).Body, pattern)
		token := s.ShareAs("/sessions/" + session + "/share?x=" + strings.TrimPrefix(branch, "/x/"))
		if got := sitetest.Find(t, s.Get("/s/"+token).Body, pattern); got != own {
			t.Errorf("%s: the reader sees %s, the owner %s", experiment, got, own)
		}
		if own == "na" {
			t.Errorf("%s has no verdict", experiment)
		}
	}
}
