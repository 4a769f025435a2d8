package site_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// TestAddress_IsOurOwn: no page and no file of a program at another address has the usual one.
func TestAddress_IsOurOwn(t *testing.T) {
	t.Parallel()
	const base = "http://play.test"
	s := newSiteWith(t, web.Public, wire.Config{}, func(c *site.Config) {
		c.BaseURL, c.Limits = base, web.DefaultLimits()
		c.Limits.Pages.N, c.Limits.Pages.Burst = 1e6, 1e6
	})
	s = s.visitor(t)
	s.follow("/clients", url.Values{"server": {"azure-devops"}})
	c := s.last
	s.follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	x := s.last
	paths := []string{
		"/", "/learn", "/glossary", "/quiz", "/state", "/servers", "/settings", "/clients", "/clients/real",
		"/demos", "/flows", "/history", "/learn/your-turn", "/search?q=agents", "/palette?q=address", c,
		"/servers/azure-devops", "/servers?url=http%3A%2F%2Flocalhost%3A1%2Fmcp", x, x + "?panel=wire",
		x + ".md", x + ".txt", x + ".json",
	}
	for _, e := range lessons().Entries() {
		paths = append(paths, strings.SplitN(e.Path, "#", 2)[0])
	}
	seen := map[string]bool{}
	for _, path := range paths {
		if seen[path] {
			continue
		}
		seen[path] = true
		got := s.page(path)
		body := strings.ReplaceAll(got.body, "<wbr>", "")
		if got.status != http.StatusOK {
			t.Errorf("%s: %d", path, got.status)
		}
		if i := strings.Index(body, strings.TrimPrefix(lesson.WrittenURL, "http://")); i >= 0 {
			t.Errorf("%s: …%s", path, excerpt(body[max(0, i-80):]))
		}
	}
	s.get("/learn/reference/agents").contains(t, base+web.AgentPath)
	s.get("/learn/client").contains(t, base+"/c/YOUR-TOKEN")
	s.page(c).contains(t, base+web.CapturePath)
}

// TestAddress_OfTheBrowser: a program that is reached under several names shows the one in use.
func TestAddress_OfTheBrowser(t *testing.T) {
	t.Parallel()
	s := newSite(t, web.Local)
	for _, path := range []string{"/learn/reference/agents", "/settings", "/servers"} {
		s.get(path).contains(t, s.url)
	}
	s.get("/learn/client").contains(t, s.url+"/c/YOUR-TOKEN")
}
