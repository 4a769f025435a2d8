package site_test

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
)

// finished makes a call of the Azure DevOps sample, drives it to its end, tries
// an experiment on Round 2 and answers Round 2 in another way. It returns the
// addresses of the call and of the experiment's branch.
func (s *testSite) finished() (call, tried string) {
	s.t.Helper()
	call = s.inMode("azure-devops", lab.Sealed)
	got := s.post(call+"/branches", url.Values{"round": {"2"}, "experiment": {"flip-state"}}.Encode())
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("experiment: %d %s", got.status, excerpt(got.body))
	}
	return call, got.header.Get("Location")
}

// checkShared opens everything that a share of a kind has, and revokes it.
func (s *testSite) checkShared(token string, checks ...string) {
	s.t.Helper()
	s.get("/s/"+token).has(s.t, checks...)
	s.get("/embed/"+token).has(s.t, "[data-embed]")
	all := []string{".json", ".har", ".md", ".txt", ".png", ".qr.svg", ".badge.svg"}
	for _, path := range append(all, "") {
		if got := s.get("/s/" + token + path); got.status != http.StatusOK || len(got.body) == 0 {
			s.t.Errorf("%q: %d", path, got.status)
		}
	}
	file := s.get("/s/" + token + ".json").body
	got := s.do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
	if got.status != http.StatusSeeOther {
		s.t.Errorf("the file does not come back: %d %s", got.status, excerpt(got.body))
	}
	forked := s.post("/s/"+token+"/fork", "")
	if page := s.get(forked.header.Get("Location")); page.status != http.StatusOK {
		s.t.Errorf("fork: %d, its page %d", forked.status, page.status)
	}
	s.post("/shares/"+token+"/delete", "")
	for _, path := range append(all, "") {
		if got := s.get("/s/" + token + path); got.status != http.StatusNotFound {
			s.t.Errorf("%q after the link was revoked: %d", path, got.status)
		}
	}
	dead := s.get("/embed/" + token)
	dead.has(s.t, `"This link has expired or was revoked."`)
}

// shareAs makes a link of a kind with the given choices, by the page that offers
// it, and returns its token.
func (s *testSite) shareAs(path string) string {
	s.t.Helper()
	form := s.get(path)
	if form.status != http.StatusOK {
		s.t.Fatalf("%s: %d", path, form.status)
	}
	s.get(value(s.t, form.body, "iframe", "src")).has(s.t, "[data-recording]")
	action, query, _ := strings.Cut(path, "?")
	seen := value(s.t, form.body, "[name=seen]", "value")
	got := s.post(action, "do=create&seen="+seen+"&"+query)
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("share: %d %s", got.status, excerpt(got.body))
	}
	return strings.TrimPrefix(got.header.Get("Location"), "/shares?made=")
}

func TestShare_Board(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	call, tried := s.finished()
	s.post(call+"/branches", "round=2") // another answer, which is not on the board
	board := s.get(call + "?panel=lab")
	link := value(t, board.body, `[href*="/share?kind=board"]`, "href")
	token := s.shareAs(link)
	page := s.get("/s/" + token)
	page.has(t, `[data-shared="board"]`, `[data-experiment="flip-state"]`, `[data-verdict="pass"]`)
	page.hasNot(t, `[data-do="experiment"]`)
	page.lacks(t, "run-all", "/x/", tried, call)
	wanted, _ := boardOf(board.body)
	if shown, _ := boardOf(page.body); !maps.Equal(shown, wanted) {
		t.Errorf("verdicts %v, on the owner's board %v", shown, wanted)
	}
	row := value(t, page.body, `[href^="/s/`+token+`?"]`, "href")
	s.get(row).has(t, "[data-reader]", `"Results board"`)
	if got := s.get("/s/" + token + "?x=4"); got.status != http.StatusNotFound {
		t.Errorf("a branch that is not on the board can be opened: %d", got.status)
	}
	s.get("/s/"+token+".md").contains(t, "# Report on")
	s.get("/embed/"+token).hasNot(t, `[href^="/s/"]`, "button")
	s.checkShared(token, `"Experiments"`, `"Fork"`)
}

func TestShare_Compare(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	call, tried := s.finished()
	a, b := strings.TrimPrefix(call, "/x/"), strings.TrimPrefix(tried, "/x/")
	page := s.get("/compare?a=" + b + "&b=" + a)
	link := value(t, page.body, `[href*="/share?"]`, "href")
	token := s.shareAs(link)
	shared := s.get("/s/" + token)
	shared.has(t, `[data-shared="compare"]`, "[data-compare]")
	shared.lacks(t, "/x/")
	if got, want := len(shared.html().Find("tr")), len(page.html().Find("tr")); got != want {
		t.Errorf("%d lines, on the owner's page %d", got, want)
	}
	s.get("/embed/"+token).has(t, "figcaption")
	s.checkShared(token, `"Comparison"`)

}

// TestShare_CompareOfTwoSessions: a link shows two calls that have nothing to do
// with each other, nothing else of their sessions, and ends with either session.
func TestShare_CompareOfTwoSessions(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	first, _ := s.finished()
	second, _ := s.finished()
	a, b := strings.TrimPrefix(first, "/x/"), strings.TrimPrefix(second, "/x/")
	compare := "/compare?a=" + a + "&b=" + b
	link := value(t, s.get(compare).body, `[href*="/share?"]`, "href")
	for _, gone := range []string{first, second} {
		token := s.shareAs(link)
		s.get("/s/"+token).has(t, `[data-shared="compare"]`, "[data-compare]")
		s.checkShared(token, `"Comparison"`)
		s.get("/s/"+token+".json").lacks(t, "experiment")
		if gone == second {
			session := find(t, s.get(gone).body, `/sessions/(\w+)/share`)
			s.post("/sessions/"+session+"/delete", "")
			if got := s.get("/s/" + token); got.status != http.StatusNotFound {
				t.Errorf("a link outlived a session that it shows: %d", got.status)
			}
		}
	}
	if got := s.get(link); got.status != http.StatusNotFound {
		t.Errorf("a deleted call can be shared: %d", got.status)
	}
}

func TestShare_Demo(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	stage := s.post("/demos/azure-devops", "").header.Get("Location")
	path, _, _ := strings.Cut(stage, "?")
	for step := 1; step < 3; step++ {
		s.post(path, fmt.Sprintf("step=%d&do=next", step))
	}
	page := s.get(path + "?step=2")
	token := s.shareAs(value(t, page.body, `[href*="/share?kind=demo"]`, "href"))
	opened := s.get("/s/" + token)
	opened.has(t, `[data-step="2"]`, `[rel="next"]`)
	opened.hasNot(t, `[data-form="stage"]`, "[data-live]")
	opened.lacks(t, path)
	s.get("/s/"+token+"?step=3&present=1").has(t, `[data-step="3"]`, "[data-present]")
	if got := s.get("/s/" + token + "?step=4"); got.status != http.StatusNotFound {
		t.Errorf("a step that was not reached: %d", got.status)
	}
	s.get("/s/"+token+"?x=1").has(t, "[data-reader]")
	s.checkShared(token, `"Fork"`)
}

// TestShare_RevokedWhereItIsSeen: a link can be revoked on the share page, on the
// page of the call and in the history, and each leads back to itself.
func TestShare_RevokedWhereItIsSeen(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	call, _ := s.finished()
	id := strings.TrimPrefix(call, "/x/")
	session := s.sessionOf()
	sharing := "/sessions/" + session + "/share"
	for from, c := range map[string]struct{ page, form, back string }{
		"share":    {sharing, "from=share&id=" + session, sharing},
		"exchange": {call, "from=exchange&id=" + id, call},
		"history":  {"/history", "from=history", "/history"},
	} {
		token := s.share("")
		address := "/shares/" + token + "/delete"
		s.get(c.page).has(t, `[action="`+address+`"], [formaction="`+address+`"]`, `button "Revoke"`)
		if got := s.post("/shares/"+token+"/delete", c.form); got.header.Get("Location") != c.back {
			t.Errorf("%s: leads to %q", from, got.header.Get("Location"))
		}
		if got := s.get("/s/" + token); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", from, got.status)
		}
		s.get(c.page).lacks(t, "/shares/"+token)
	}
	token := s.share("")
	if got := s.post("/shares/"+token+"/delete", "from=exchange&id=%2F%2Fevil.example"); strings.Contains(
		got.header.Get("Location"), "//") {
		t.Errorf("leads to %q", got.header.Get("Location"))
	}
}

// TestImported_SaysSoEverywhere holds fault 98.
func TestImported_SaysSoEverywhere(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	call, _ := s.finished()
	data := s.get(call + ".json").body
	imported := s.imported(mustImport(t, data))
	id := strings.TrimPrefix(imported, "/x/")
	tried := s.post(imported+"/branches", "round=2&experiment=flip-state").header.Get("Location")
	session := s.sessionOf()
	x, err := s.store.Exchange(t.Context(), "local", id)
	check(t, err)
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
		pages = append(pages, value(t, s.get(path).body, "iframe", "src"))
		token := s.shareAs(path)
		pages = append(pages, "/s/"+token, "/embed/"+token, "/s/"+token+".json", "/s/"+token+".har",
			"/s/"+token+".md", "/s/"+token+".txt", "/s/"+token+".badge.svg")
	}
	for _, path := range pages {
		got := s.get(path)
		if got.status != http.StatusOK || !strings.Contains(strings.ToLower(got.body), "imported") {
			t.Errorf("%s: %d, does not say that it was imported", path, got.status)
		}
	}
}

func mustImport(t *testing.T, file string) session.Session {
	n, err := export.Import([]byte(file), 2<<20)
	check(t, err)
	return n
}

// TestShare_VerdictOfOneExperiment: the reader of a shared experiment sees the
// verdict that its owner sees, although what it was judged with is not shared.
func TestShare_VerdictOfOneExperiment(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	call := s.inMode("azure-devops", lab.Plain)
	session := find(t, s.get(call).body, `/sessions/(\w+)/share`)
	for experiment, round := range map[string]string{
		"wrong-name-header": "0", "unknown-method": "0", "no-meta": "1", "flip-state": "2",
		"skip-answer": "2", "reuse-id": "1",
	} {
		form := url.Values{"round": {round}, "experiment": {experiment}}.Encode()
		branch := s.post(call+"/branches", form).header.Get("Location")
		if branch == "" {
			t.Errorf("%s was not made", experiment)
			continue
		}
		pattern := `class="tried[^>]*>\s*<h2[^>]* data-verdict="(\w+)"`
		own := find(t, s.get(branch).body, pattern)
		token := s.shareAs("/sessions/" + session + "/share?x=" + strings.TrimPrefix(branch, "/x/"))
		if got := find(t, s.get("/s/"+token).body, pattern); got != own {
			t.Errorf("%s: the reader sees %s, the owner %s", experiment, got, own)
		}
		if own == "na" {
			t.Errorf("%s has no verdict", experiment)
		}
	}
}
