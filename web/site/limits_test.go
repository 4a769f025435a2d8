package site_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// clock stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Now()} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// strict is a public site with other limits, on a clock of its own.
func strict(t *testing.T, change func(*app.Limits)) (*testSite, *clock) {
	t.Helper()
	c := newClock()
	return newSiteWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Now, cfg.App.Limits = c.Now, app.DefaultLimits()
		if change != nil {
			change(&cfg.App.Limits)
		}
	}), c
}

// refused checks that an answer is a refusal with a code and the seconds to
// wait.
func refused(t *testing.T, what string, got answer, code, after string) {
	t.Helper()
	if found := codes(got.body); got.status != http.StatusTooManyRequests ||
		!slices.Equal(found, []string{code}) || got.header.Get("Retry-After") != after {
		t.Errorf(
			"%s: %d %q, Retry-After %q, want 429 %s %s", what, got.status, found,
			got.header.Get("Retry-After"), code, after,
		)
	}
}

// stranger begins a call of a sample, so that s has a workspace from then on.
func (s *testSite) stranger() {
	s.t.Helper()
	if got := s.follow("/exchanges", url.Values{"sample": {"azure-devops"}}); got.status != http.StatusOK {
		s.t.Fatalf("no workspace: %d %s", got.status, excerpt(got.body))
	}
}

func TestRate_OfPagesPerWorkspace(t *testing.T) {
	t.Parallel()
	s, clock := strict(t, nil)
	s.stranger()
	clock.pass(time.Minute)
	for i := range 30 {
		if got := s.page("/history"); got.status != http.StatusOK {
			t.Fatalf("page %d: %d", i+1, got.status)
		}
	}
	refused(t, "page 31", s.page("/history"), "too_many_pages", "1")
	for _, free := range []string{"/healthz", "/readyz", "/version"} {
		if got := s.page(free); got.status != http.StatusOK {
			t.Errorf("%s: %d", free, got.status)
		}
	}
	if got := s.get("/history"); got.status != http.StatusOK {
		t.Errorf("another visitor has to wait too: %d", got.status)
	}
	clock.pass(time.Second)
	if got := s.page("/history"); got.status != http.StatusOK {
		t.Errorf("a second later: %d", got.status)
	}
	refused(t, "and one more", s.page("/history"), "too_many_pages", "1")
}

func TestRate_OfAddressIsFiveTimesThat(t *testing.T) {
	t.Parallel()
	s, _ := strict(t, nil)
	for i := range 150 {
		if got := s.get("/glossary"); got.status != http.StatusOK {
			t.Fatalf("page %d: %d", i+1, got.status)
		}
	}
	refused(t, "page 151", s.get("/glossary"), "too_many_pages", "1")
	if got := s.do("GET", "/glossary", "", http.Header{"Hx-Request": {"true"}}); got.status != http.StatusOK {
		t.Errorf("what a page asks for by itself counts as a page: %d", got.status)
	}
}

func TestRate_OfSampleClients(t *testing.T) {
	t.Parallel()
	s, clock := strict(t, func(l *app.Limits) { l.Samples = app.Rate{N: 60, Per: time.Minute, Burst: 2} })
	for range 2 {
		if got := s.get("/mcp/azure-devops"); got.status != http.StatusBadRequest {
			t.Fatalf("status %d", got.status)
		}
	}
	got := s.do("GET", "/mcp/azure-devops", "", http.Header{"Origin": {"https://page.example"}})
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "1" ||
		strings.Contains(got.body, "<") || got.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d, %v, %s", got.status, got.header, got.body)
	}
	s.stranger() // our own client does not come this way
	clock.pass(time.Second)
	if got := s.get("/mcp/azure-devops"); got.status != http.StatusBadRequest {
		t.Errorf("a second later: %d", got.status)
	}
}

func TestRate_NoneInLocalMode(t *testing.T) {
	t.Parallel()
	least := app.Rate{N: 1, Per: time.Hour, Burst: 1}
	s := newSiteWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.Pages, cfg.App.Limits.Calls, cfg.App.Limits.Samples, cfg.App.Limits.WrongLinks = least,
			least, least, least
	})
	for range 2 {
		s.stranger()
		if page, sample, link := s.get("/").status, s.get("/mcp/azure-devops").status,
			s.get("/s/nothing").status; page != 200 || sample != 400 || link != 404 {
			t.Errorf("%d %d %d", page, sample, link)
		}
	}
}

// wrongLinksFrom is how many wrong links may be tried by requests that carry
// the header each time with another first address.
func wrongLinksFrom(t *testing.T, proxies []netip.Prefix, forwarded string) int {
	t.Helper()
	s := newSiteWith(t, app.Public, wire.Config{}, func(cfg *site.Config) { cfg.Proxies = proxies })
	for i := range 100 {
		header := http.Header{
			"X-Forwarded-For": {fmt.Sprintf(forwarded, i)}, "X-Real-Ip": {fmt.Sprintf("198.51.100.%d", i)},
			"Forwarded": {fmt.Sprintf("for=198.51.100.%d", i)},
		}
		if s.do("GET", "/s/nothing", "", header).status == http.StatusTooManyRequests {
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
	s := newSite(t, app.Local)
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
		got := s.post("/theme", test.form)
		if got.status != test.status || strings.Join(codes(got.body), " ") != test.code {
			t.Errorf("%s: %d %q, want %d %s", test.what, got.status, codes(got.body), test.status, test.code)
		}
	}
	chunked, err := http.NewRequestWithContext(
		t.Context(), "POST", s.url+"/theme", struct{ *strings.Reader }{strings.NewReader(form(513 << 10))},
	)
	check(t, err)
	chunked.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := s.client.Do(chunked)
	check(t, err)
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
	s := newSiteWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.Refused = func(code string) {
			mu.Lock()
			defer mu.Unlock()
			counted[code]++
		}
	})
	s.get("/s/nothing")
	s.post("/theme", "theme=dark&back=https://evil.example")
	s.get("/")
	if fmt.Sprint(counted) != "map[bad_redirect:1 not_found:1]" {
		t.Errorf("counted %v", counted)
	}
}

// TestChecks_OneAddressHasItsPart holds fault 95 for checks.
func TestChecks_OneAddressHasItsPart(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Settle = time.Millisecond
	})
	s.stranger()
	form := url.Values{}
	name := value(t, s.page("/servers/slow/check").body, "option", "value")
	form.Set("tool", name)
	letGo := s.hold()
	first := s.do("POST", "/servers/slow/check", form.Encode(), http.Header{"Cookie": {s.cookies}})
	if first.status != http.StatusSeeOther {
		t.Fatalf("the first check: %d %s", first.status, excerpt(first.body))
	}
	second := s.do("POST", "/servers/slow/check", form.Encode(), http.Header{"Cookie": {s.cookies}})
	letGo()
	refused(t, "a second check", second, "too_many_checks", "30")
	if !strings.Contains(second.body, "can run 1 check at once") {
		t.Errorf("the refusal does not say how many: %s", excerpt(second.body))
	}
	stop := s.do("POST", first.header.Get("Location")+"/stop", "", http.Header{"Cookie": {s.cookies}})
	if stop.status != http.StatusSeeOther {
		t.Errorf("stop: %d", stop.status)
	}
}

// TestSamples_OneAddressHasItsPart holds fault 95 for tasks: the calls of pages
// count for the visitor's address, an eighth of 500.
func TestSamples_OneAddressHasItsPart(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Settle, cfg.App.Limits = 20*time.Millisecond, app.DefaultLimits()
		cfg.App.Limits.Calls = app.Rate{N: 1000, Per: time.Minute, Burst: 1000}
		cfg.App.Limits.Pages = cfg.App.Limits.Calls
		cfg.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	s.stranger()
	s.stalled.Store(true) // no task ends before the last begins
	call := func(from string) string {
		form := url.Values{"target": {"tasks"}, "tool": {"build"}, "json": {`{}`}, "raw": {"true"}}
		header := http.Header{"Cookie": {s.cookies}, "X-Forwarded-For": {from}}
		path := s.do("POST", "/exchanges", form.Encode(), header).header.Get("Location")
		var page string
		await(t, func() string { // the response is on its way
			if page = s.do("GET", path, "",
				header).body; htmltest.Parse(page).Has(`[data-outcome="pending"]`) {
				return "the call does not end"
			}
			return ""
		})
		return page
	}
	for i := range 62 {
		if page := call("192.0.2.1"); !htmltest.Parse(page).Has(`[data-outcome^="task"]`) {
			t.Fatalf("task %d: %s", i+1, excerpt(page))
		}
	}
	if page := call("192.0.2.1"); !strings.Contains(page, "too many tasks") {
		t.Errorf("a 63rd task of one address: %s", excerpt(page))
	}
	if page := call("192.0.2.2"); !htmltest.Parse(page).Has(`[data-outcome^="task"]`) {
		t.Errorf("a task of another address: %s", excerpt(page))
	}
}
