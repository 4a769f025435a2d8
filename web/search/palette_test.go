package search_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// fill posts a form and keeps every cookie that comes back, as a browser does.
func fill(c *sitetest.Crawler, path string, form url.Values) {
	c.T.Helper()
	res, err := c.Client.PostForm(c.URL+path, form)
	sitetest.Check(c.T, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		c.T.Fatalf("POST %s answers %d", path, res.StatusCode)
	}
	var list []string
	for _, cookie := range res.Cookies() {
		if cookie.MaxAge >= 0 {
			list = append(list, cookie.Name+"="+cookie.Value)
		}
	}
	c.Cookies = strings.Join(list, "; ")
}

func palette(c *sitetest.Crawler) []historyview.PaletteEntry {
	c.T.Helper()
	var list []historyview.PaletteEntry
	if err := json.Unmarshal([]byte(c.Page("/palette")), &list); err != nil {
		c.T.Fatal(err)
	}
	return list
}

// Everything that the palette names is there, and there is an entry of each
// kind.
func TestPalette_ReachesEveryKindOfPage(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	c.Post("/servers", url.Values{"url": {c.Site.URL + "/mcp/confirm"}})
	c.Post("/learn/rounds", url.Values{"do": {"start"}})
	c.Post("/saved", url.Values{"target": {"azure-devops"}, "tool": {"update_work_item"}, "raw": {"true"},
		"json": {`{"id": 4522}`}, "title": {"My bug"}})
	kinds, titles := map[string]int{}, map[string]string{}
	for _, e := range palette(c) {
		kinds[e.Kind]++
		titles[e.Kind+" "+e.Title] = e.Path
		if e.Kind == "Term" || e.Kind == "Rule" || e.Kind == "Specification" {
			continue // many on few pages
		}
		path, _, _ := strings.Cut(e.Path, "#")
		if status, _, _ := c.Fetch(path); status != http.StatusOK {
			t.Errorf("%s %q leads to %s, which answers %d", e.Kind, e.Title, e.Path, status)
		}
	}
	for _, kind := range []string{"Page", "Server", "Sample", "Tool", "Saved call", "Call", "Lesson",
		"Term", "Rule"} {
		if kinds[kind] == 0 {
			t.Errorf("no entry of the kind %s", kind)
		}
	}
	if kinds["Demo"] != len(demo.Stories()) {
		t.Errorf("%d demos, want %d", kinds["Demo"], len(demo.Stories()))
	}
	if path := titles["Tool count_primes"]; path != "/servers/load-shedding?tool=count_primes" {
		t.Errorf("the sample's tool leads to %q", path)
	}
	if path := titles["Saved call update_work_item · id: 4522"]; !strings.HasPrefix(path,
		"/servers/azure-devops?saved=") {
		t.Errorf("the saved call leads to %q", path)
	}
	c.Has("/search?q=update_work_item", `[href="`+titles["Saved call update_work_item · id: 4522"]+`"]`)
}

// A visitor finds nothing of another visitor.
func TestPalette_IsOfOneWorkspace(t *testing.T) {
	t.Parallel()
	one := sitetest.NewCrawler(t, app.Public)
	fill(one, "/learn/rounds", url.Values{"do": {"start"}})
	count := func(c *sitetest.Crawler) (n int) {
		for _, e := range palette(c) {
			if e.Kind == "Call" {
				n++
			}
		}
		return n
	}
	mine := count(one)
	one.Cookies = "" // another browser
	if theirs := count(one); mine != 1 || theirs != 0 {
		t.Errorf("the owner finds %d calls and a stranger %d, want 1 and 0", mine, theirs)
	}
}

// Calls of one tool differ in what the palette and the history show of them.
func TestPalette_TellsCallsOfAToolApart(t *testing.T) {
	s := sitetest.New(t, app.Local)
	call := func(answers ...string) {
		s.Post("/exchanges", "sample=azure-devops")
		x := s.Last
		for i, answer := range answers {
			s.Post(x+"/rounds", fmt.Sprintf("round=%d&a0.action=accept&a0.f0=%s", i+1, answer))
		}
	}
	call("Duplicate", "4301")
	call("Fixed")
	call()
	call()
	s.Post("/exchanges", url.Values{"target": {"azure-devops"}, "tool": {"update_work_item"}, "raw": {"true"},
		"json": {`{"workItemId": 4523, "fields": {"System.State": "Resolved"}}`}}.Encode())
	var list []historyview.PaletteEntry
	sitetest.Check(t, json.Unmarshal([]byte(s.Get("/palette").Body), &list))
	var titles []string
	for _, e := range list {
		if e.Kind == "Call" {
			titles = append(titles, e.Title)
			if !strings.HasPrefix(e.About, "just now · ") {
				t.Errorf("%s: %q does not say when", e.Title, e.About)
			}
		}
	}
	if got, want := strings.Join(titles, "\n"), `update_work_item · workItemId: 4523
update_work_item · workItemId: 4522
update_work_item · workItemId: 4522
update_work_item · workItemId: 4522, Fixed
update_work_item · workItemId: 4522, Duplicate, 4301`; got != want {
		t.Errorf("titles:\n%s", got)
	}
	page := s.Get("/history")
	page.Has(t, `.arguments "workItemId: 4523"`, `.came "Duplicate, 4301 →"`)
	page.HasNot(t, `.calls "System.State"`) // the same in all
	if n := len(htmltest.Parse(page.Body).Find("[data-repeated]")); n != 4 {
		t.Errorf("%d lines of the same tool as the one above", n)
	}
}

// The search page finds what the palette finds, so that nothing needs a script.
func TestSearch_FindsToolsAndCalls(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	c.Post("/learn/rounds", url.Values{"do": {"start"}})
	c.Has("/search?q=update_work_item", `[href="/servers/azure-devops?tool=update_work_item"]`,
		`[href^="/x/"]`)
	c.Has("/search?q=rolling", `[href="/demos/rolling-upgrade"]`)
}

func TestSettings_AreKeptInCookies(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	c.Has("/settings", `[name="keys"][value="on"][checked]`)
	fill(c, "/settings", url.Values{"theme": {"dark"}})
	if !strings.Contains(c.Cookies, "keys=off") || !strings.Contains(c.Cookies, "theme=dark") {
		t.Errorf("cookies are %q", c.Cookies)
	}
	c.Has("/learn", `[data-theme="dark"]`, `[data-keys="off"]`)
	fill(c, "/settings", url.Values{"theme": {""}, "keys": {"on"}})
	if body := c.Page("/learn"); htmltest.Parse(body).Has(`[data-keys="off"]`) {
		t.Error("single keys are still off")
	}
}

// The title of an error page is a title, not the sentence of its heading.
func TestProblem_TitleHasNoFullStop(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	_, _, body := c.Fetch("/no-such-page")
	title := strings.Join(htmltest.Parse(body).Texts("title"), "")
	if title != "Page not found · MRTR Playground" {
		t.Errorf("title is %q", title)
	}
}
