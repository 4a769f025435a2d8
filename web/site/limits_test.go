package site_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestRate_OfPagesPerWorkspace(t *testing.T) {
	t.Parallel()
	s, clock := sitetest.Strict(t, nil)
	s.Stranger()
	clock.Pass(time.Minute)
	for i := range 30 {
		if got := s.Page("/history"); got.Status != http.StatusOK {
			t.Fatalf("page %d: %d", i+1, got.Status)
		}
	}
	sitetest.Refused(t, "page 31", s.Page("/history"), "too_many_pages", "1")
	for _, free := range []string{"/healthz", "/readyz", "/version"} {
		if got := s.Page(free); got.Status != http.StatusOK {
			t.Errorf("%s: %d", free, got.Status)
		}
	}
	if got := s.Get("/history"); got.Status != http.StatusOK {
		t.Errorf("another visitor has to wait too: %d", got.Status)
	}
	clock.Pass(time.Second)
	if got := s.Page("/history"); got.Status != http.StatusOK {
		t.Errorf("a second later: %d", got.Status)
	}
	sitetest.Refused(t, "and one more", s.Page("/history"), "too_many_pages", "1")
}

func TestRate_OfAddressIsFiveTimesThat(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.Strict(t, nil)
	for i := range 150 {
		if got := s.Get("/glossary"); got.Status != http.StatusOK {
			t.Fatalf("page %d: %d", i+1, got.Status)
		}
	}
	sitetest.Refused(t, "page 151", s.Get("/glossary"), "too_many_pages", "1")
	if got := s.Do("GET", "/glossary", "", http.Header{"Hx-Request": {"true"}}); got.Status != http.StatusOK {
		t.Errorf("what a page asks for by itself counts as a page: %d", got.Status)
	}
}

func TestRate_OfSampleClients(t *testing.T) {
	t.Parallel()
	s, clock := sitetest.Strict(t, func(l *app.Limits) {
		l.Samples = app.Rate{N: 60, Per: time.Minute, Burst: 2}
	})
	for range 2 {
		if got := s.Get("/mcp/azure-devops"); got.Status != http.StatusBadRequest {
			t.Fatalf("status %d", got.Status)
		}
	}
	got := s.Do("GET", "/mcp/azure-devops", "", http.Header{"Origin": {"https://page.example"}})
	if got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") != "1" ||
		strings.Contains(got.Body, "<") || got.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d, %v, %s", got.Status, got.Header, got.Body)
	}
	s.Stranger() // our own client does not come this way
	clock.Pass(time.Second)
	if got := s.Get("/mcp/azure-devops"); got.Status != http.StatusBadRequest {
		t.Errorf("a second later: %d", got.Status)
	}
}

func TestRate_NoneInLocalMode(t *testing.T) {
	t.Parallel()
	least := app.Rate{N: 1, Per: time.Hour, Burst: 1}
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.Pages, cfg.App.Limits.Calls, cfg.App.Limits.Samples, cfg.App.Limits.WrongLinks = least,
			least, least, least
	})
	for range 2 {
		s.Stranger()
		if page, sample, link := s.Get("/").Status, s.Get("/mcp/azure-devops").Status,
			s.Get("/s/nothing").Status; page != 200 || sample != 400 || link != 404 {
			t.Errorf("%d %d %d", page, sample, link)
		}
	}
}

// wrongLinksFrom is how many wrong links may be tried by requests that carry
// the header each time with another first address.
func wrongLinksFrom(t *testing.T, proxies []netip.Prefix, forwarded string) int {
	t.Helper()
	s := sitetest.NewWith(t, app.Public, wire.Config{}, func(cfg *site.Config) { cfg.Proxies = proxies })
	for i := range 100 {
		header := http.Header{
			"X-Forwarded-For": {fmt.Sprintf(forwarded, i)}, "X-Real-Ip": {fmt.Sprintf("198.51.100.%d", i)},
			"Forwarded": {fmt.Sprintf("for=198.51.100.%d", i)},
		}
		if s.Do("GET", "/s/nothing", "", header).Status == http.StatusTooManyRequests {
			return i
		}
	}
	return 100
}

// TestForwardedFor_OnlyFromTrustedProxies: what they did not write themselves
// could be anybody's.
func TestForwardedFor_OnlyFromTrustedProxies(t *testing.T) {
	t.Parallel()
	here, lan := netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")
	for _, test := range []struct {
		name      string
		proxies   []netip.Prefix
		forwarded string
		want      int
	}{
		{"none is trusted", nil, "192.0.2.%d", 30},
		{"another one is trusted", []netip.Prefix{lan}, "192.0.2.%d", 30},
		{"it is trusted", []netip.Prefix{here}, "192.0.2.%d", 100},
		{
			"it is trusted, and the client made something up", []netip.Prefix{here},
			"192.0.2.%d, 203.0.113.7", 30,
		},
		{"two in a row are trusted", []netip.Prefix{here, lan}, "192.0.2.%d, 10.1.2.3", 100},
		{"it is trusted, and the client wrote nonsense", []netip.Prefix{here}, "x%d", 30},
	} {
		if got := wrongLinksFrom(t, test.proxies, test.forwarded); got != test.want {
			t.Errorf("%s: %d links could be tried, want %d", test.name, got, test.want)
		}
	}
}

// TestForms_HaveLimits: at the limit and one beyond (fault 86).
func TestForms_HaveLimits(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	form := func(size int) string { return "back=/&theme=" + strings.Repeat("x", size-len("back=/&theme=")) }
	fields := func(n int) string { return "back=/&theme=dark" + strings.Repeat("&x=", n-2) }
	for _, test := range []struct {
		what, form string
		status     int
		code       string
	}{
		{"512 KiB", form(512 << 10), http.StatusBadRequest, "bad_theme"},
		{"a byte beyond", form(512<<10 + 1), http.StatusRequestEntityTooLarge, "body_too_large"},
		{"513 KiB", form(513 << 10), http.StatusRequestEntityTooLarge, "body_too_large"},
		{"999 fields", fields(999), http.StatusSeeOther, ""},
		{"1000 fields", fields(1000), http.StatusUnprocessableEntity, "too_many_fields"},
	} {
		got := s.Post("/theme", test.form)
		if got.Status != test.status || strings.Join(sitetest.Codes(got.Body), " ") != test.code {
			t.Errorf("%s: %d %q, want %d %s", test.what, got.Status, sitetest.Codes(got.Body), test.status,
				test.code)
		}
	}
	chunked, err := http.NewRequestWithContext(
		t.Context(), "POST", s.URL+"/theme", struct{ *strings.Reader }{strings.NewReader(form(513 << 10))},
	)
	sitetest.Check(t, err)
	chunked.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := s.Client.Do(chunked)
	sitetest.Check(t, err)
	_ = res.Body.Close()
	if res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("513 KiB whose length is not announced: %d", res.StatusCode)
	}
}

// TestRefusals_AreCounted by their code, which is one of few.
func TestRefusals_AreCounted(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	counted := map[string]int{}
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.Refused = func(code string) {
			mu.Lock()
			defer mu.Unlock()
			counted[code]++
		}
	})
	s.Get("/s/nothing")
	s.Post("/theme", "theme=dark&back=https://evil.example")
	s.Get("/")
	if fmt.Sprint(counted) != "map[bad_redirect:1 not_found:1]" {
		t.Errorf("counted %v", counted)
	}
}

// TestChecks_OneAddressHasItsPart holds fault 95 for checks.
func TestChecks_OneAddressHasItsPart(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Settle = time.Millisecond
	})
	s.Stranger()
	form := url.Values{}
	name := sitetest.Value(t, s.Page("/servers/slow/check").Body, "option", "value")
	form.Set("tool", name)
	letGo := s.Hold()
	first := s.Do("POST", "/servers/slow/check", form.Encode(), http.Header{"Cookie": {s.Cookies}})
	if first.Status != http.StatusSeeOther {
		t.Fatalf("the first check: %d %s", first.Status, sitetest.Excerpt(first.Body))
	}
	second := s.Do("POST", "/servers/slow/check", form.Encode(), http.Header{"Cookie": {s.Cookies}})
	letGo()
	sitetest.Refused(t, "a second check", second, "too_many_checks", "30")
	if !strings.Contains(second.Body, "can run 1 check at once") {
		t.Errorf("the refusal does not say how many: %s", sitetest.Excerpt(second.Body))
	}
	stop := s.Do("POST", first.Header.Get("Location")+"/stop", "", http.Header{"Cookie": {s.Cookies}})
	if stop.Status != http.StatusSeeOther {
		t.Errorf("stop: %d", stop.Status)
	}
}

// TestSamples_OneAddressHasItsPart holds fault 95 for tasks: the calls of pages
// count for the visitor's address, an eighth of 500.
func TestSamples_OneAddressHasItsPart(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Settle, cfg.App.Limits = 20*time.Millisecond, app.DefaultLimits()
		cfg.App.Limits.Calls = app.Rate{N: 1000, Per: time.Minute, Burst: 1000}
		cfg.App.Limits.Pages = cfg.App.Limits.Calls
		cfg.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	s.Stranger()
	s.Stalled.Store(true) // no task ends before the last begins
	call := func(from string) string {
		form := url.Values{"target": {"tasks"}, "tool": {"build"}, "json": {`{}`}, "raw": {"true"}}
		header := http.Header{"Cookie": {s.Cookies}, "X-Forwarded-For": {from}}
		path := s.Do("POST", "/exchanges", form.Encode(), header).Header.Get("Location")
		var page string
		sitetest.Await(t, func() string { // the response is on its way
			if page = s.Do("GET", path, "",
				header).Body; htmltest.Parse(page).Has(`[data-outcome="pending"]`) {
				return "the call does not end"
			}
			return ""
		})
		return page
	}
	for i := range 62 {
		if page := call("192.0.2.1"); !htmltest.Parse(page).Has(`[data-outcome^="task"]`) {
			t.Fatalf("task %d: %s", i+1, sitetest.Excerpt(page))
		}
	}
	if page := call("192.0.2.1"); !strings.Contains(page, "too many tasks") {
		t.Errorf("a 63rd task of one address: %s", sitetest.Excerpt(page))
	}
	if page := call("192.0.2.2"); !htmltest.Parse(page).Has(`[data-outcome^="task"]`) {
		t.Errorf("a task of another address: %s", sitetest.Excerpt(page))
	}
}
