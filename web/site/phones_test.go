package site_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// asked is an answer of the listener for phones.
type asked struct {
	status int
	header http.Header
	body   string
}

// askRaw sends the lines of a request as they are, and returns the answer.
func askRaw(t *testing.T, host string, lines ...string) asked {
	t.Helper()
	conn, err := net.Dial("tcp", host)
	sitetest.Check(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, strings.Join(lines, "\r\n"))
	sitetest.Check(t, err)
	method, _, _ := strings.Cut(lines[0], " ")
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	sitetest.Check(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	sitetest.Check(t, err)
	return asked{res.StatusCode, res.Header, string(body)}
}

// ask sends a request without a body.
func ask(t *testing.T, host, method, target string, header ...string) asked {
	t.Helper()
	lines := append([]string{method + " " + target + " HTTP/1.1", "Host: " + host}, header...)
	return askRaw(t, host, append(lines, "Connection: close", "", "")...)
}

// talkOf starts a talk, and returns the address of the listener for phones, the path of the
// followers and that of the stage.
func talkOf(t *testing.T, s *sitetest.Site) (host, path, stage string) {
	t.Helper()
	invitation := s.Follow("/demos/azure-devops", url.Values{"do": {"talk"}})
	u, err := url.Parse(sitetest.Value(t, invitation.Body, ".talk-url a", "href"))
	sitetest.Check(t, err)
	return u.Host, u.Path, strings.TrimSuffix(s.Last, "/talk")
}

// bare fails unless an answer is the one that all requests get which do not follow: 404, no
// cookie, and nothing that names or leads to another page.
func bare(t *testing.T, what string, got asked, want string) {
	t.Helper()
	if got.status != http.StatusNotFound || want != "" && got.body != want {
		t.Errorf("%s: %d %s", what, got.status, sitetest.Excerpt(got.body))
	}
	if cookie := got.header.Get("Set-Cookie") + got.header.Get("Location"); cookie != "" {
		t.Errorf("%s: %q", what, cookie)
	}
	for _, word := range []string{"href", "src", "<a", "<form", "mrtr", "playground", "/demos", "/static"} {
		if strings.Contains(strings.ToLower(got.body), word) {
			t.Errorf("%s: the page has %s: %s", what, word, got.body)
		}
	}
}

// TestPhones_ServeFollowersAlone asks the listener for phones for every route of the site,
// with the ids of what exists, and in every spelling that a path may have (fault 144).
func TestPhones_ServeFollowersAlone(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.NewLocal(t)
	s.Follow("/clients", url.Values{"server": {"azure-devops"}})
	host, path, stage := talkOf(t, s)
	session := stage[strings.LastIndexByte(stage, '/')+1:]
	own := sitetest.ShownBy(sitetest.OwnShown, s.Page(stage).Body)
	missing := ask(t, host, "GET", "/").body
	fill := strings.NewReplacer(":slug", "azure-devops", ":session", session, "/x/:id", "/x/"+own,
		"/sessions/:id", "/sessions/"+session, "/servers/:id", "/servers/azure-devops", ":id", "id1",
		":n", "1", ":seq", "1", "*", "azure-devops", ":token", "id2", ":code", "0000-0000")
	routes := s.Pages.Routes()
	if len(routes) < 100 {
		t.Fatalf("the site has %d routes", len(routes))
	}
	for _, route := range routes {
		method, pattern, _ := strings.Cut(route, " ")
		got := ask(t, host, method, fill.Replace(pattern), "Cookie: "+s.Cookies)
		bare(t, route, got, pageOf(method, missing))
	}
	for _, target := range []string{
		stage, stage + "/talk", stage + "/events", "/demos?present=1", "/favicon.ico", "/static/",
		"/static/app.js", s.Config.Assets.URL("app.css"), s.Config.Assets.URL("more.js"), "*",
		"/" + path, path + "/", path + "//events", path + "/events/", path + "/../../history",
		"/follow/../history", "/follow/..", "/follow/", "/follow", "/x/.." + path, "/FOLLOW" + path[7:],
		"/follow%2f" + path[8:], "/follow/%2e%2e/history", "/%66ollow" + path[7:], path + "%2fevents",
		path + "%00", "/follow/" + strings.Repeat("a", 4000), path + ";x", path + "\\events",
		"http://" + host + path, "http://" + host + "/history", "http://127.0.0.1:2322/",
		"/static/..%2f" + path[1:], "/static/../history", s.Config.Assets.URL("follow.js") + "/",
	} {
		bare(t, target, ask(t, host, "GET", target, "Cookie: "+s.Cookies), missing)
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOLLOW"} {
		for _, target := range []string{path, path + "/events", "/", "*"} {
			bare(t, method+" "+target, ask(t, host, method, target), missing)
		}
	}
	bare(t, "CONNECT", ask(t, host, "CONNECT", host), missing)
	bare(t, "a body", askRaw(t, host, "GET "+path+" HTTP/1.1", "Host: "+host, "Content-Length: 4",
		"Connection: close", "", "do=x"), missing)
	bare(t, "a chunked body", askRaw(t, host, "GET "+path+" HTTP/1.1", "Host: "+host,
		"Transfer-Encoding: chunked", "Connection: close", "", "0", "", ""), missing)
	_, port, _ := net.SplitHostPort(host)
	for _, name := range []string{
		"localhost:" + port, "evil.example", "evil.example:" + port, "127.0.0.1", "[::1]:" + port,
		"127.0.0.1.:" + port, "127.0.0.1:2322", "0.0.0.0:" + port, "",
	} {
		bare(t, "Host "+name, askRaw(t, host, "GET "+path+" HTTP/1.1", "Host: "+name, "Connection: close",
			"", ""), missing)
	}
	s.Page(stage).Has(t, `main[data-step="1"]`, "[data-talk]")
	s.NoErrors()
}

// pageOf returns the body of an answer to a method.
func pageOf(method, page string) string {
	if method == http.MethodHead {
		return ""
	}
	return page
}

// TestPhones_ServeThePageOfAFollower: the page of a follower has all that it names, with the
// policies of every page, and without a cookie, also for a browser that has one.
func TestPhones_ServeThePageOfAFollower(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.NewLocal(t)
	host, path, _ := talkOf(t, s)
	for _, target := range []string{path, "/follow/" + strings.ToUpper(path[8:]), path + "?x=1"} {
		got := ask(t, host, "GET", target, "Cookie: "+s.Cookies, "X-Forwarded-For: 192.0.2.1")
		page := sitetest.Answer{Status: got.status, Header: got.header, Body: got.body}
		page.Has(t, `main[data-step="1"]`)
		if got.status != http.StatusOK || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %d, cookies %q", target, got.status, got.header.Values("Set-Cookie"))
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff",
			"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex",
			"Cache-Control": "no-store",
		} {
			if !strings.Contains(got.header.Get(name), want) {
				t.Errorf("%s: %s is %q", target, name, got.header.Get(name))
			}
		}
		// browsers ignore it over plain HTTP, and complain
		if opener := got.header.Get("Cross-Origin-Opener-Policy"); opener != "" {
			t.Errorf("%s: Cross-Origin-Opener-Policy %s", target, opener)
		}
		html := page.HTML()
		files := append(html.Values("link[href]", "href"), html.Values("script[src]", "src")...)
		if len(files) != 3 {
			t.Errorf("the page has the files %q", files)
		}
		for _, file := range files {
			if got := ask(t, host, "GET", file); got.status != http.StatusOK || got.body == "" ||
				got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %d", file, got.status)
			}
		}
	}
	if got := ask(t, host, "HEAD", path); got.status != http.StatusOK || got.body != "" {
		t.Errorf("HEAD: %d %s", got.status, got.body)
	}
}

// TestPhones_WrongCodes: an address may guess as few codes as in the other modes.
func TestPhones_WrongCodes(t *testing.T) {
	t.Parallel()
	const most = 5
	s, _ := sitetest.NewLocal(t, func(c *site.Config) {
		clock := sitetest.NewClock()
		c.App.Now, c.App.Limits = clock.Now, app.DefaultLimits()
		c.App.Limits.WrongLinks.Burst = most
	})
	host, path, _ := talkOf(t, s)
	missing := ask(t, host, "GET", "/").body
	for n := range most {
		bare(t, "a wrong code", ask(t, host, "GET", fmt.Sprintf("/follow/0000-000%d", n)), missing)
	}
	for _, target := range []string{"/follow/0000-1000", "/follow/0000-1000/events", path} {
		got := ask(t, host, "GET", target)
		if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q", target, got.status, got.header.Get("Retry-After"))
		}
		got.status = http.StatusNotFound
		bare(t, target, got, "")
	}
}
