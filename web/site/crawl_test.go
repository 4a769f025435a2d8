package site_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// crawler follows every link of the site.
type crawler struct {
	*testSite
	seen    map[string]string // path -> where it was found
	queue   []string
	queries map[string]int      // by path without a query: how many were queued
	ids     map[string][]string // path -> its anchors
	asked   map[string][]string // path -> anchors that links want there
}

// TestCrawl_EveryLinkWorks crawls all pages from the first one, with one
// running exchange of a lesson: no link is dead, no page has no way onward,
// every page has a title that no other page of its section has, and one first
// heading.
func TestCrawl_EveryLinkWorks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it reads every page")
	}
	c := &crawler{
		testSite: newSite(t, app.Local), seen: map[string]string{}, ids: map[string][]string{},
		asked: map[string][]string{}, queries: map[string]int{},
	}
	c.post("/learn/rounds", url.Values{"do": {"start"}})
	titles := map[string]string{}
	for c.add("/", "the start"); len(c.queue) > 0; {
		path := c.queue[0]
		c.queue = c.queue[1:]
		c.visit(path, titles)
	}
	for path, wanted := range c.asked {
		for _, id := range wanted {
			if ids, isPage := c.ids[path]; isPage && !slices.Contains(ids, id) {
				t.Errorf("a link leads to %s#%s, which is not there", path, id)
			}
		}
	}
	for _, path := range []string{"/learn", "/learn/why", "/learn/build", "/learn/specification",
		"/glossary", "/quiz", "/state", "/search", "/demos", "/servers", "/history",
		"/learn/spot-the-fault", "/learn/spot-the-fault/10", "/learn/your-turn/client", "/clients/real"} {
		if c.seen[path] == "" {
			t.Errorf("nothing leads to %s", path)
		}
	}
	t.Logf("%d addresses, %d pages", len(c.seen), len(titles))
}

func (c *crawler) visit(path string, titles map[string]string) {
	status, contentType, body := c.fetch(path)
	if status == http.StatusFound {
		c.link(body, path) // where it leads
		return
	}
	if status != http.StatusOK {
		c.t.Errorf("%s, linked from %s, answers %d", path, c.seen[path], status)
		return
	}
	if !strings.HasPrefix(contentType, "text/html") {
		return
	}
	page := htmltest.Parse(body)
	title := strings.Join(page.Texts("title"), " ")
	name := section(path) + title
	if other, twice := titles[name]; twice && withoutQuery(other) != withoutQuery(path) {
		c.t.Errorf("%s and %s have the same title %q", path, other, title)
	}
	titles[name] = path
	if title == "" || len(page.Find("h1")) != 1 {
		c.t.Errorf("%s: title %q, %d first headings", path, title, len(page.Find("h1")))
	}
	c.ids[path] = append(c.ids[path], page.Values("[id]", "id")...)
	if !page.Has(`main a[href^="/"], main form`) {
		c.t.Errorf("%s has no way onward", path)
	}
	for _, attribute := range []string{"href", "src", "action"} {
		for _, address := range page.Values("["+attribute+"]", attribute) {
			c.link(address, path)
		}
	}
}

// link queues an address of this site. Addresses of forms that are posted are
// not for reading.
func (c *crawler) link(href, from string) {
	u, err := url.Parse(href)
	if err != nil {
		c.t.Errorf("%s links to %q: %v", from, href, err)
		return
	}
	if u.Host != "" || u.Scheme != "" {
		return
	}
	path := withoutFragment(from)
	if u.Path != "" {
		u.Fragment, href = "", u.Fragment
		path = u.String()
	} else {
		href = u.Fragment
	}
	if href != "" {
		c.asked[path] = append(c.asked[path], href)
	}
	if !onlyPosted(path) {
		c.add(path, from)
	}
}

// onlyPosted are the actions of forms that change something.
func onlyPosted(path string) bool {
	for _, form := range []string{
		"/theme", "/exchanges", "/import", "/stories", "/history/delete", "/history/selected",
		"/settings/roots",
	} {
		if path == form {
			return true
		}
	}
	form := regexp.MustCompile(`^/(x|s|sessions|shares|servers)/[^/]+/` +
		`(rounds|cancel|branches|rerun|run-all|check/[^/]+/stop|` +
		`fork|delete|forget|arguments|complete|secrets|settings|target)$`)
	return form.MatchString(path) ||
		strings.HasPrefix(path, "/x/") && strings.HasSuffix(path, "/events")
}

// sameQueries is how many queries of one address are read: the tools of a server and
// the messages of a recording are alike.
const sameQueries = 20

func (c *crawler) add(path, from string) {
	address := withoutQuery(path)
	if _, known := c.seen[path]; known || c.queries[address] == sameQueries {
		return
	}
	c.queries[address]++
	c.seen[path] = from
	c.queue = append(c.queue, path)
}

func (c *crawler) fetch(path string) (int, string, string) {
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.url+path, nil)
	check(c.t, err)
	req.Header.Set("Cookie", c.cookies)
	res, err := c.client.Do(req)
	check(c.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check(c.t, err)
	if to := res.Header.Get("Location"); to != "" {
		body = []byte(to)
	}
	return res.StatusCode, res.Header.Get("Content-Type"), string(body)
}

// post sends a form and keeps the cookies that come back.
func (c *crawler) post(path string, form url.Values) {
	res, err := c.client.PostForm(c.url+path, form)
	check(c.t, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		c.t.Fatalf("POST %s answers %d", path, res.StatusCode)
	}
	for _, cookie := range res.Cookies() {
		c.cookies = cookie.Name + "=" + cookie.Value
	}
}

// section is the first part of a path.
func section(path string) string { return strings.Split(path, "/")[1] }

func withoutQuery(path string) string { path, _, _ = strings.Cut(path, "?"); return path }

func withoutFragment(path string) string { path, _, _ = strings.Cut(path, "#"); return path }
