package gateway_test

import (
	"crypto/rand"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// test is a test of a gateway in a browser.
type test struct {
	*sitetest.Site
	Page     string // path
	Upstream string // path of the address
}

// begin makes the upstream of a test.
func begin(t *testing.T, s *sitetest.Site, server string) *test {
	t.Helper()
	s.Follow("/gateways", url.Values{"server": {server}})
	g := &test{Site: s, Page: s.Last}
	address := s.Page(g.Page).HTML().Texts("[data-address]")
	if len(address) != 1 {
		t.Fatal("no address")
	}
	u, err := url.Parse(address[0])
	sitetest.Check(t, err)
	g.Upstream = u.Path
	return g
}

// proxy starts a reverse proxy in front of the upstream, and returns its address. change may be
// nil.
func (g *test) proxy(t *testing.T, change func(r *http.Request)) string {
	t.Helper()
	to, err := url.Parse(g.URL)
	sitetest.Check(t, err)
	p := &httputil.ReverseProxy{
		ErrorLog: log.New(io.Discard, "", 0), // a client that is gone is no error
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.URL.Path = g.Upstream
			if change != nil {
				change(r.Out)
			}
		},
	}
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	return front.URL + "/mcp"
}

// run tests a gateway at an address and returns the report.
func (g *test) run(address string, more ...string) sitetest.Answer {
	form := url.Values{"do": {"test"}, "url": {address}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return g.Follow(g.Page, form)
}

// failed returns the ids of the lines that failed on a page.
func failed(got sitetest.Answer) string {
	return strings.Join(got.HTML().Values(`[data-line][data-verdict="fail"]`, "data-line"), " ")
}

// random makes ids of which none is a part of another, as those of the program.
func random(c *site.Config) { c.App.NewID = rand.Text }

// quick waits for a gateway for less than a visitor does.
func quick(c *site.Config) {
	random(c)
	c.App.Times.Gateway = 5 * time.Second
}

// local returns a site of local mode.
func local(t *testing.T) *sitetest.Site { return sitetest.NewWith(t, app.Local, wire.Config{}, random) }

// TestReport_PlainProxy: nothing fails and everything is judged; the report is on the page, in
// three files, in the list of what was tested and in the history. A second test has the same result.
func TestReport_PlainProxy(t *testing.T) {
	t.Parallel()
	g := begin(t, local(t), "")
	got := g.run(g.proxy(t, nil))
	got.Has(t, `[data-headline="pass"]`)
	got.HasNot(t, `[data-verdict="unreached"]`, `[data-verdict="fail"]`)
	if n := len(got.HTML().Find("tr[data-request]")); n < 50 {
		t.Fatalf("%d requests", n)
	}
	g.Site.Page(g.Page+"?request=9").Has(t, `#both[data-request="9"]`, `[data-changes="there"][data-n="0"]`,
		`[data-changes="back"][data-n="0"]`)
	g.Site.Page(g.Page+".json").Contains(t, `"gateway": `, `"ok": true`, `"upstream": [`)
	g.Site.Page(g.Page+".xml").Contains(t, `<testsuites name="mrtr-playground gateway"`, `failures="0"`)
	g.Site.Page(g.Page+".md").Contains(t, "passes everything on as it must")
	if got := g.Site.Page(g.Page + ".txt"); got.Status != http.StatusNotFound {
		t.Error(got.Status)
	}
	id := strings.TrimPrefix(g.Page, "/gateways/")
	g.Site.Page("/test").Has(t, `#mine [data-kind="gateway"][data-id="`+id+`"] .outcome-pass`)
	g.Site.Page("/history?kind=gateway").Has(t, `a[href="`+g.Page+`"]`)

	again := g.Follow(g.Page, url.Values{"do": {"again"}})
	if g.Last == g.Page {
		t.Fatal("the test is the same")
	}
	again.Has(t, `[data-headline="pass"]`, `[data-compared="0"]`)
	g.NoErrors()
}

// TestUpstream_ThroughAProxy: of what came through a proxy, local mode answers the upstream of a
// gateway alone.
func TestUpstream_ThroughAProxy(t *testing.T) {
	t.Parallel()
	s := local(t)
	g, other := begin(t, s, ""), s.Capture("client-test", "")
	for path, want := range map[string]int{
		g.Upstream: 200, other.Path: 403, "/c/unknown": 403, g.Page: 403, "/mcp/client-test": 403,
	} {
		got := s.SendTo(path, 1, "tools/list", map[string]any{}, map[string]any{},
			"X-Forwarded-For", "192.0.2.1", "Via", "1.1 Caddy")
		if got.Status != want {
			t.Errorf("%s: %d, want %d: %s", path, got.Status, want, sitetest.Excerpt(got.Body))
		}
	}
	metadata := "/.well-known/oauth-protected-resource" + g.Upstream
	got := s.Do("GET", metadata, "", http.Header{"X-Forwarded-For": {"192.0.2.1"}})
	if got.Contains(t, `"resource":"`+s.URL+g.Upstream+`"`); got.Status != http.StatusOK {
		t.Errorf("%d %s", got.Status, sitetest.Excerpt(got.Body))
	}
}

// TestReport_NamesTheFault: a proxy with one fault fails its line, and the request that shows it is
// on the page, with what differs.
func TestReport_NamesTheFault(t *testing.T) {
	t.Parallel()
	g := begin(t, local(t), "client-test")
	got := g.run(g.proxy(t, func(r *http.Request) { r.Header.Del("Mcp-Name") }))
	if got := failed(got); got != "header-name" {
		t.Error(got)
	}
	got.Has(t, `[data-headline="fail"]`, `#both td "Mcp-Name"`, `#both td "missing"`)
}

// TestReport_OfASample: the call of a sample goes through the gateway, and what it has no case of is
// not judged.
func TestReport_OfASample(t *testing.T) {
	t.Parallel()
	g := begin(t, local(t), "azure-devops")
	got := g.run(g.proxy(t, nil))
	got.Has(t, `[data-headline="pass"]`, `[data-line="state"][data-verdict="pass"]`,
		`[data-line="tasks"][data-verdict="unreached"]`)

	g = begin(t, g.Site, "azure-devops")
	got = g.run(g.proxy(t, func(r *http.Request) { r.Header.Set("Mcp-Method", "tools/list") }))
	if got := failed(got); !strings.Contains(got, "header-method") {
		t.Error(got)
	}
}

// TestReport_OfAnOwnServer: the user chooses the call at a server of their own.
func TestReport_OfAnOwnServer(t *testing.T) {
	t.Parallel()
	s := local(t)
	s.ConnectTo(sitetest.Base + "/mcp/confirm")
	g := begin(t, s, strings.TrimPrefix(s.Last, "/servers/"))
	address := g.proxy(t, nil)
	s.Page(g.Page).Has(t, `#tool option[value="delete_records"]`)
	for problem, form := range map[string][]string{
		"must be a JSON object": {"tool", "delete_records", "args", "[]"},
		"Choose a tool":         {"tool", "none", "args", "{}"},
		"one member per key":    {"tool", "delete_records", "args", "{}", "answers", "[]"},
		`data-error="bad_url"`:  {"url", "http://[", "tool", "delete_records", "args", "{}"},
		"bad_header":            {"headers", "no header", "tool", "delete_records", "args", "{}"},
	} {
		got := g.run(address, form...)
		if got.Contains(t, problem); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", problem, got.Status)
		}
	}
	got := g.run(address, "tool", "delete_records", "args", `{"table":"orders","before":"2020-01-01"}`)
	got.Has(t, `[data-headline="pass"]`, `[data-line="questions"][data-verdict="pass"]`)
	if again := g.Follow(g.Page, url.Values{"do": {"again"}}); again.Status != http.StatusOK {
		t.Error(again.Status)
	}
	s.Page(s.Last).Has(t, "[data-address]") // its call is chosen first
}

// TestReport_NothingCame: a gateway that does not answer, or is pointed elsewhere, is not judged.
func TestReport_NothingCame(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, quick)
	g := begin(t, s, "")
	got := g.run("http://127.0.0.1:1/mcp")
	got.Has(t, `[data-headline="unjudged"]`, `[data-do="doctor"]`)
	got.HasNot(t, `[data-verdict="fail"]`, `[data-verdict="pass"]`)

	g = begin(t, s, "")
	got = g.run(sitetest.Base + "/mcp/client-test?for=gateway")
	got.Contains(t, "No call reached the upstream")
	got.HasNot(t, `[data-verdict="fail"]`, `[data-verdict="pass"]`)
}

// TestReport_UpstreamDeleted: without the record of the upstream, the gateway is accused of nothing.
func TestReport_UpstreamDeleted(t *testing.T) {
	t.Parallel()
	g := begin(t, local(t), "")
	got := g.run(g.proxy(t, nil))
	record := got.HTML().Value(`.small a "All that it recorded"`, "href")
	g.Follow("/sessions/"+strings.TrimPrefix(record, "/clients/")+"/delete", url.Values{})
	got = g.Site.Page(g.Page)
	got.Contains(t, "The record of the upstream was deleted")
	got.HasNot(t, `[data-verdict="fail"]`, `[data-verdict="pass"]`)
}

// TestChange_AnotherAddress: a test can be made again with another address, at the same upstream.
func TestChange_AnotherAddress(t *testing.T) {
	t.Parallel()
	g := begin(t, sitetest.NewWith(t, app.Local, wire.Config{}, quick), "")
	g.run("http://127.0.0.1:1/mcp").Has(t, `[data-headline="unjudged"]`)
	got := g.Follow(g.Page, url.Values{"do": {"change"}, "url": {"http://127.0.0.1:1/mcp"}})
	got.Has(t, `#url[value="http://127.0.0.1:1/mcp"]`, `[data-address]`)
	got.Contains(t, g.Upstream)
	page, _, _ := strings.Cut(g.Last, "?")
	own := g.Follow(page, url.Values{"do": {"test"}, "url": {sitetest.Base + g.Upstream}})
	if own.Contains(t, "This is the address of the upstream."); own.Status != http.StatusUnprocessableEntity {
		t.Error(own.Status)
	}
	g.Follow(page, url.Values{"do": {"test"}, "url": {g.proxy(t, nil)}}).Has(t, `[data-headline="pass"]`)
}

// TestBegin_Ended: no test begins at an upstream that has ended.
func TestBegin_Ended(t *testing.T) {
	t.Parallel()
	g := begin(t, local(t), "")
	address := g.proxy(t, nil)
	record := g.Site.Page("/history?kind=capture").HTML().Value(`a[href^="/clients/"]`, "href")
	g.Follow(record+"/end", url.Values{})
	if got := g.run(address); got.Status != http.StatusConflict {
		t.Error(got.Status, sitetest.Excerpt(got.Body))
	}
	g.Site.Page(g.Page).HasNot(t, `[data-form="gateway"]`)
}

// TestBegin_Once: a test that has begun does not begin again, and is that of its owner.
func TestBegin_Once(t *testing.T) {
	t.Parallel()
	g := begin(t, sitetest.NewWith(t, app.Local, wire.Config{}, quick), "")
	g.run("http://127.0.0.1:1/mcp")
	if got := g.run("http://127.0.0.1:1/mcp"); got.Status != http.StatusConflict {
		t.Error(got.Status)
	}
	for _, do := range []string{"", "other"} {
		if got := g.Follow(g.Page, url.Values{"do": {do}}); got.Status != http.StatusNotFound {
			t.Error(do, got.Status)
		}
	}
	if got := g.Follow("/gateways", url.Values{"server": {"nothing"}}); got.Status != http.StatusNotFound {
		t.Error(got.Status)
	}
	if got := g.Follow("/gateways", url.Values{"server": {"confirm"}, "query": {"%"}}); got.Status != 422 {
		t.Error(got.Status)
	}
}
