package site_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestCrawl_EveryLinkWorks crawls all pages from the first one, with one
// running exchange of a lesson: no link is dead, no page has no way onward,
// every page has a title that no other page of its section has, and one first
// heading.
func TestCrawl_EveryLinkWorks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it reads every page")
	}
	c := &sitetest.Crawler{
		Site: sitetest.New(t, app.Local), Seen: map[string]string{}, IDs: map[string][]string{},
		Asked: map[string][]string{}, Queries: map[string]int{},
	}
	c.Post("/learn/rounds", url.Values{"do": {"start"}})
	titles := map[string]string{}
	for add(c, "/", "the start"); len(c.Queue) > 0; {
		path := c.Queue[0]
		c.Queue = c.Queue[1:]
		visit(c, path, titles)
	}
	for path, wanted := range c.Asked {
		for _, id := range wanted {
			if ids, isPage := c.IDs[path]; isPage && !slices.Contains(ids, id) {
				t.Errorf("a link leads to %s#%s, which is not there", path, id)
			}
		}
	}
	for _, path := range []string{"/learn", "/learn/why", "/learn/build", "/learn/specification",
		"/glossary", "/quiz", "/state", "/search", "/demos", "/test", "/build", "/history",
		"/learn/spot-the-fault", "/learn/spot-the-fault/10", "/learn/your-turn/client", "/field"} {
		if c.Seen[path] == "" {
			t.Errorf("nothing leads to %s", path)
		}
	}
	t.Logf("%d addresses, %d pages", len(c.Seen), len(titles))
}

func visit(c *sitetest.Crawler, path string, titles map[string]string) {
	status, contentType, body := c.Fetch(path)
	if status == http.StatusFound {
		link(c, body, path) // where it leads
		return
	}
	if status != http.StatusOK {
		c.T.Errorf("%s, linked from %s, answers %d", path, c.Seen[path], status)
		return
	}
	if !strings.HasPrefix(contentType, "text/html") || strings.HasSuffix(withoutQuery(path), ".html") {
		return // the latter is a file, whose links are tested where it is made
	}
	page := htmltest.Parse(body)
	title := strings.Join(page.Texts("title"), " ")
	name := section(path) + title
	if other, twice := titles[name]; twice && withoutQuery(other) != withoutQuery(path) {
		c.T.Errorf("%s and %s have the same title %q", path, other, title)
	}
	titles[name] = path
	if title == "" || len(page.Find("h1")) != 1 {
		c.T.Errorf("%s: title %q, %d first headings", path, title, len(page.Find("h1")))
	}
	c.IDs[path] = append(c.IDs[path], page.Values("[id]", "id")...)
	if !page.Has(`main a[href^="/"], main form`) {
		c.T.Errorf("%s has no way onward", path)
	}
	for _, attribute := range []string{"href", "src", "action"} {
		for _, address := range page.Values("["+attribute+"]", attribute) {
			link(c, address, path)
		}
	}
}

// link queues an address of this site. Addresses of forms that are posted are
// not for reading.
func link(c *sitetest.Crawler, href, from string) {
	u, err := url.Parse(href)
	if err != nil {
		c.T.Errorf("%s links to %q: %v", from, href, err)
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
		c.Asked[path] = append(c.Asked[path], href)
	}
	if !onlyPosted(path) {
		add(c, path, from)
	}
}

// onlyPosted are the actions of forms that change something.
func onlyPosted(path string) bool {
	for _, form := range []string{
		"/theme", "/exchanges", "/gateways", "/recordings", "/import", "/stories", "/history/delete",
		"/history/selected",
		"/settings/roots",
	} {
		if path == form {
			return true
		}
	}
	form := regexp.MustCompile(`^/(x|s|sessions|shares|servers)/[^/]+/` +
		`(rounds|cancel|branches|rerun|run-all|check/[^/]+/stop|` +
		`fork|delete|forget|arguments|complete|secrets|settings|target|watch/events)$`)
	return form.MatchString(path) ||
		strings.HasPrefix(path, "/x/") && strings.HasSuffix(path, "/events")
}

// sameQueries is how many queries of one address are read: the tools of a server and
// the messages of a recording are alike.
const sameQueries = 20

func add(c *sitetest.Crawler, path, from string) {
	address := withoutQuery(path)
	if _, known := c.Seen[path]; known || c.Queries[address] == sameQueries {
		return
	}
	c.Queries[address]++
	c.Seen[path] = from
	c.Queue = append(c.Queue, path)
}

// section is the first part of a path.
func section(path string) string { return strings.Split(path, "/")[1] }

func withoutQuery(path string) string { path, _, _ = strings.Cut(path, "?"); return path }

func withoutFragment(path string) string { path, _, _ = strings.Cut(path, "#"); return path }
