package site_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// fill posts a form and keeps every cookie that comes back, as a browser does.
func (c *crawler) fill(path string, form url.Values) {
	c.t.Helper()
	res, err := c.client.PostForm(c.url+path, form)
	check(c.t, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		c.t.Fatalf("POST %s answers %d", path, res.StatusCode)
	}
	var list []string
	for _, cookie := range res.Cookies() {
		if cookie.MaxAge >= 0 {
			list = append(list, cookie.Name+"="+cookie.Value)
		}
	}
	c.cookies = strings.Join(list, "; ")
}

func (c *crawler) palette() []views.PaletteEntry {
	c.t.Helper()
	var list []views.PaletteEntry
	if err := json.Unmarshal([]byte(c.page("/palette")), &list); err != nil {
		c.t.Fatal(err)
	}
	return list
}

// Everything that the palette names is there, and there is an entry of each
// kind.
func TestPalette_ReachesEveryKindOfPage(t *testing.T) {
	t.Parallel()
	c := newCrawler(t, app.Local)
	c.post("/servers", url.Values{"url": {c.testSite.url + "/mcp/confirm"}})
	c.post("/learn/rounds", url.Values{"do": {"start"}})
	c.post("/saved", url.Values{"target": {"azure-devops"}, "tool": {"update_work_item"}, "raw": {"true"},
		"json": {`{"id": 4522}`}, "title": {"My bug"}})
	kinds, titles := map[string]int{}, map[string]string{}
	for _, e := range c.palette() {
		kinds[e.Kind]++
		titles[e.Kind+" "+e.Title] = e.Path
		if e.Kind == "Term" || e.Kind == "Rule" || e.Kind == "Specification" {
			continue // many on few pages
		}
		path, _, _ := strings.Cut(e.Path, "#")
		if status, _, _ := c.fetch(path); status != http.StatusOK {
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
	c.has("/search?q=update_work_item", `[href="`+titles["Saved call update_work_item · id: 4522"]+`"]`)
}

// A visitor finds nothing of another visitor.
func TestPalette_IsOfOneWorkspace(t *testing.T) {
	t.Parallel()
	one := newCrawler(t, app.Public)
	one.fill("/learn/rounds", url.Values{"do": {"start"}})
	count := func(c *crawler) (n int) {
		for _, e := range c.palette() {
			if e.Kind == "Call" {
				n++
			}
		}
		return n
	}
	mine := count(one)
	one.cookies = "" // another browser
	if theirs := count(one); mine != 1 || theirs != 0 {
		t.Errorf("the owner finds %d calls and a stranger %d, want 1 and 0", mine, theirs)
	}
}

// Calls of one tool differ in what the palette and the history show of them.
func TestPalette_TellsCallsOfAToolApart(t *testing.T) {
	s := newSite(t, app.Local)
	call := func(answers ...string) {
		s.post("/exchanges", "sample=azure-devops")
		x := s.last
		for i, answer := range answers {
			s.post(x+"/rounds", fmt.Sprintf("round=%d&a0.action=accept&a0.f0=%s", i+1, answer))
		}
	}
	call("Duplicate", "4301")
	call("Fixed")
	call()
	call()
	s.post("/exchanges", url.Values{"target": {"azure-devops"}, "tool": {"update_work_item"}, "raw": {"true"},
		"json": {`{"workItemId": 4523, "fields": {"System.State": "Resolved"}}`}}.Encode())
	var list []views.PaletteEntry
	check(t, json.Unmarshal([]byte(s.get("/palette").body), &list))
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
	page := s.get("/history")
	page.has(t, `.arguments "workItemId: 4523"`, `.came "Duplicate, 4301 →"`)
	page.hasNot(t, `.calls "System.State"`) // the same in all
	if n := len(htmltest.Parse(page.body).Find("[data-repeated]")); n != 4 {
		t.Errorf("%d lines of the same tool as the one above", n)
	}
}

// The search page finds what the palette finds, so that nothing needs a script.
func TestSearch_FindsToolsAndCalls(t *testing.T) {
	t.Parallel()
	c := newCrawler(t, app.Local)
	c.post("/learn/rounds", url.Values{"do": {"start"}})
	c.has("/search?q=update_work_item", `[href="/servers/azure-devops?tool=update_work_item"]`,
		`[href^="/x/"]`)
	c.has("/search?q=rolling", `[href="/demos/rolling-upgrade"]`)
}

func TestSettings_AreKeptInCookies(t *testing.T) {
	t.Parallel()
	c := newCrawler(t, app.Local)
	c.has("/settings", `[name="keys"][value="on"][checked]`)
	c.fill("/settings", url.Values{"theme": {"dark"}})
	if !strings.Contains(c.cookies, "keys=off") || !strings.Contains(c.cookies, "theme=dark") {
		t.Errorf("cookies are %q", c.cookies)
	}
	c.has("/learn", `[data-theme="dark"]`, `[data-keys="off"]`)
	c.fill("/settings", url.Values{"theme": {""}, "keys": {"on"}})
	if body := c.page("/learn"); htmltest.Parse(body).Has(`[data-keys="off"]`) {
		t.Error("single keys are still off")
	}
}

// The title of an error page is a title, not the sentence of its heading.
func TestProblem_TitleHasNoFullStop(t *testing.T) {
	t.Parallel()
	c := newCrawler(t, app.Local)
	_, _, body := c.fetch("/no-such-page")
	title := strings.Join(htmltest.Parse(body).Texts("title"), "")
	if title != "Page not found · MRTR Playground" {
		t.Errorf("title is %q", title)
	}
}
