package site_test

import (
	"cmp"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestAddress_IsOurOwn: no page and no file of a program at another address has the usual one.
func TestAddress_IsOurOwn(t *testing.T) {
	t.Parallel()
	const base = "http://play.test"
	s := sitetest.NewWith(t, app.Public, wire.Config{}, func(c *site.Config) {
		c.App.BaseURL, c.App.Limits = base, app.DefaultLimits()
		c.App.Limits.Pages.N, c.App.Limits.Pages.Burst = 1e6, 1e6
	})
	s = s.Visitor(t)
	s.Follow("/clients", url.Values{"server": {"azure-devops"}})
	c := s.Last
	s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	x := s.Last
	paths := []string{
		"/", "/learn", "/glossary", "/quiz", "/state", "/test", "/settings", "/field",
		"/demos", "/build", "/history", "/learn/your-turn", "/search?q=agents", "/palette?q=address", c,
		"/servers/azure-devops", "/test?url=http%3A%2F%2Flocalhost%3A1%2Fmcp", x, x + "?panel=wire",
		x + ".md", x + ".txt", x + ".json",
	}
	for _, e := range sitetest.Lessons().Entries() {
		paths = append(paths, strings.SplitN(e.Path, "#", 2)[0])
	}
	seen := map[string]bool{}
	for _, path := range paths {
		if seen[path] {
			continue
		}
		seen[path] = true
		got := s.Page(path)
		body := strings.ReplaceAll(got.Body, "<wbr>", "")
		if got.Status != http.StatusOK {
			t.Errorf("%s: %d", path, got.Status)
		}
		if i := strings.Index(body, strings.TrimPrefix(lesson.WrittenURL, "http://")); i >= 0 {
			t.Errorf("%s: …%s", path, sitetest.Excerpt(body[max(0, i-80):]))
		}
	}
	s.Get("/learn/reference/agents").Contains(t, base+web.AgentPath)
	s.Get("/learn/client").Contains(t, base+"/c/YOUR-TOKEN")
	s.Page(c).Contains(t, base+web.CapturePath)
}

// TestAddress_OfTheBrowser: a program that is reached under several names shows the one in use.
func TestAddress_OfTheBrowser(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, path := range []string{"/learn/reference/agents", "/test"} {
		s.Get(path).Contains(t, s.URL)
	}
	s.Get("/learn/client").Contains(t, s.URL+"/c/YOUR-TOKEN")
}

// TestAddress_CommandsAreThoseOfTheUser: each command that a page, a text or a resource shows
// begins with what the program was started by, and one that starts it again repeats its flags.
func TestAddress_CommandsAreThoseOfTheUser(t *testing.T) {
	t.Parallel()
	const start = "go run ./cmd/mrtr-playground"
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Program = launch.Program{Start: start, File: "/opt/mrtr/mrtr-playground", Flags: []launch.Flag{
			{Name: "data", Value: "my data"}, {Name: "addr", Value: "127.0.0.1:9000"},
		}}
	})
	for path, want := range map[string]string{
		"/learn/your-turn":        start + " check http://127.0.0.1:8080/mcp -exercise",
		lesson.ClientExercisePath: start + " client -only ",
		"/learn/build":            start + " check http://127.0.0.1:8080/mcp -tool deploy",
		"/learn/client":           start + " client -- python3 full_client.py",
		"/learn/reference/agents": start + " mcp",
		"/test":                   `"command": "/opt/mrtr/mrtr-playground"`,
		"/learn/reference/deploy": start + " check https://mcp.example.com/mcp",
	} {
		body := html.UnescapeString(tags.ReplaceAllString(s.Page(path).Body, ""))
		if !strings.Contains(body, want) {
			t.Errorf("%s: no %s", path, want)
		}
		if path != "/learn/client" && strings.Contains(body, "\nmrtr-playground ") {
			t.Errorf("%s: a command begins with mrtr-playground", path)
		}
	}
	agents := html.UnescapeString(tags.ReplaceAllString(s.Page("/learn/reference/agents").Body, ""))
	if want := `"command": "/opt/mrtr/mrtr-playground", "args": ["mcp"]`; !strings.Contains(agents, want) {
		t.Errorf("the page for agents: no %s", want)
	}
	got := s.Post("/servers", url.Values{"url": {"node server.js"}}.Encode())
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("a command as a URL: %d", got.Status)
	}
	if body := html.UnescapeString(got.Body); !strings.Contains(body,
		start+" -data 'my data' -addr 127.0.0.1:9000 -stdio 'node server.js'") {
		t.Errorf("a command as a URL: …%s", sitetest.Excerpt(body))
	}
}

// tags matches the tags of HTML.
var tags = regexp.MustCompile(`<[^>]*>`)

// TestAddress_OneAnswer: pages, links, their pictures and codes have one address of this program:
// the one that it was started with, or else the one that the browser uses.
func TestAddress_OneAnswer(t *testing.T) {
	t.Parallel()
	const base = "http://play.test:8443"
	for name, way := range map[string]struct {
		mode  app.Mode
		named bool
		want  string // else that of the browser
	}{
		"local": {mode: app.Local}, "trusted network": {mode: app.Trusted},
		"trusted network with a base URL": {app.Trusted, true, base}, "public": {app.Public, true, base},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sitetest.NewWith(t, way.mode, wire.Config{}, func(c *site.Config) {
				c.App.BaseURL, c.App.Named = base, way.named
			})
			want := cmp.Or(way.want, s.URL)
			s.Stranger()
			session := sitetest.Find(t, s.Page("/history").Body, `/sessions/(\w+)/share`)
			path := "/sessions/" + session + "/share"
			seen := sitetest.Value(t, s.Follow(path, url.Values{"do": {"preview"}}).Body, "[name=seen]",
				"value")
			made := s.Follow(path, url.Values{"do": {"create"}, "seen": {seen}}).HTML()
			link := want + "/s/" + sitetest.Find(t, s.Last, `made=(\w+)`)
			if got := made.Texts("[data-made]"); len(got) != 1 || got[0] != link {
				t.Errorf("the link is %q, want %s", got, link)
			}
			code, err := drawing.QR(link)
			sitetest.Check(t, err)
			shown := strings.TrimPrefix(link, want)
			if got := s.Page(shown + ".qr.svg").Body; got != code {
				t.Errorf("the code is not of %s", link)
			}
			if got := s.Page(shown).Body; !strings.Contains(got, `content="`+link+`.png"`) {
				t.Errorf("the page has no picture at %s", link)
			}
			s.Page("/learn/reference/agents").Contains(t, want+web.AgentPath)
			s.Follow("/clients", url.Values{"server": {"azure-devops"}})
			s.Page(s.Last).Contains(t, want+web.CapturePath)
		})
	}
}
