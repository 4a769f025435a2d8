package site_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/admin"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// from sends a request of an address, as a trusted proxy passes it on.
func from(s *sitetest.Site, address, method, path, body string, more http.Header) sitetest.Answer {
	s.T.Helper()
	header := http.Header{"X-Forwarded-For": {address}}
	for name, values := range more {
		header[name] = values
	}
	return s.Do(method, path, body, header)
}

// proxied is a public site behind a proxy, with other limits, on a clock of its
// own.
func proxied(t *testing.T, change func(*app.Limits)) (*sitetest.Site, *sitetest.Clock) {
	t.Helper()
	c := sitetest.NewClock()
	now := c.Now()
	c.Pass(now.Truncate(24 * time.Hour).Add(12 * time.Hour).Sub(now))
	return sitetest.NewWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Now, cfg.App.Limits = c.Now, app.DefaultLimits()
		cfg.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		change(&cfg.App.Limits)
	}), c
}

var asJSON = http.Header{"Content-Type": {"application/json"}}

// fileOf returns a file that imports, of at least size bytes.
func fileOf(t *testing.T, size int) string {
	t.Helper()
	local := sitetest.New(t, app.Local)
	file := local.Get(local.StartOf("azure-devops") + ".json").Body
	return strings.Replace(file, `"note": ""`, `"note": "`+strings.Repeat("n", 100)+`"`, 1) +
		strings.Repeat(" ", max(0, size-len(file)))
}

// report returns the storage, as the operator sees it.
func report(s *sitetest.Site, t *testing.T, now time.Time) usage.Report {
	t.Helper()
	r, err := s.Store.StorageReport(context.Background(), usage.Day(now), 50)
	sitetest.Check(t, err)
	return r
}

// TestStorage_OfAddress: a stranger who throws the cookie away each time is
// stopped by the address, and others are not (fault 90). The day after, it may
// store again, and no hash of the day before is left.
func TestStorage_OfAddress(t *testing.T) {
	t.Parallel()
	file := fileOf(t, 0)
	s, clock := proxied(t, func(l *app.Limits) { l.StorageAddress = 40_000 })
	n := 0
	var got sitetest.Answer
	for ; n < 99; n++ {
		if got = from(s, "192.0.2.7", "POST", "/import", file, asJSON); got.Status != http.StatusSeeOther {
			break
		}
	}
	day := report(s, t, clock.Now())
	if n == 0 || len(day.Addresses) != 1 || day.Addresses[0].Bytes > 40_000 {
		t.Fatalf("%d imports, %+v", n, day.Addresses)
	}
	sitetest.IsRefusal(t, "one more", got, http.StatusTooManyRequests, "storage_address")
	if got.Header.Get("Retry-After") != "43200" {
		t.Errorf("Retry-After %s", got.Header.Get("Retry-After"))
	}
	got.Has(t, `"of 39.1 KiB today"`, `"Try again in 12 hours"`)
	if strings.Contains(fmt.Sprint(day), "192.0.2") {
		t.Error("the address is in the report in clear")
	}
	if got := from(s, "192.0.2.8", "POST", "/import", file, asJSON); got.Status != http.StatusSeeOther {
		t.Errorf("another address: %d", got.Status)
	}
	clock.Pass(12 * time.Hour)
	if got := from(s, "192.0.2.7", "POST", "/import", file, asJSON); got.Status != http.StatusSeeOther {
		t.Errorf("the next day: %d", got.Status)
	}
	if left := report(s, t, clock.Now().Add(-12*time.Hour)); len(left.Addresses) != 0 {
		t.Errorf("the day before is still there: %+v", left.Addresses)
	}
}

// TestStorage_OfNetwork: the addresses of one IPv6 network store together no
// more than four times what one may (fault 90). Another network is not stopped,
// and IPv4 addresses have no network.
func TestStorage_OfNetwork(t *testing.T) {
	t.Parallel()
	file := fileOf(t, 0)
	s, clock := proxied(t, func(l *app.Limits) { l.StorageAddress = 40_000 })
	// fill imports for an address until it is refused.
	fill := func(address string) (imports int, last sitetest.Answer) {
		for ; imports < 99; imports++ {
			last = from(s, address, "POST", "/import", file, asJSON)
			if last.Status != http.StatusSeeOther {
				return imports, last
			}
		}
		return imports, last
	}
	most := 0
	for i := range 4 {
		n, got := fill(fmt.Sprintf("2001:db8:1:%d::7", i))
		sitetest.IsRefusal(t, fmt.Sprintf("address %d", i+1), got, http.StatusTooManyRequests,
			"storage_address")
		most = max(most, n)
	}
	n, got := fill("2001:db8:1:4::7") // what four left free, since an import is not divided
	sitetest.IsRefusal(t, "address 5", got, http.StatusTooManyRequests, "storage_network")
	got.Has(t, `"of 156.2 KiB today"`, `"all visitors in that network"`, `"Try again in 12 hours"`)
	day := report(s, t, clock.Now())
	if most == 0 || n >= most || len(day.Networks) != 1 || day.Networks[0].Bytes > 160_000 {
		t.Errorf("%d imports of one address, %d of the fifth, networks %+v", most, n, day.Networks)
	}
	if n, _ := fill("2001:db8:2:4::7"); n != most {
		t.Errorf("another network: %d imports, want %d", n, most)
	}
	for i := range 6 {
		if n, _ := fill(fmt.Sprintf("192.0.2.%d", i)); n != most {
			t.Errorf("IPv4 address %d: %d imports, want %d", i, n, most)
		}
	}
	if day := report(s, t, clock.Now()); len(day.Networks) != 2 {
		t.Errorf("networks %+v", day.Networks)
	}
	if st := state(operator(t, s)); st.Limits.Network != 160_000 || len(st.Storage.Networks) != 2 {
		t.Errorf("the operator sees %+v, %+v", st.Limits, st.Storage.Networks)
	}
}

// TestStorage_OfWorkspace: whatever stores is refused, reading and deleting are
// not, and deleting frees space.
func TestStorage_OfWorkspace(t *testing.T) {
	t.Parallel()
	file := fileOf(t, 0)
	limit := 0
	s, _ := proxied(t, func(l *app.Limits) {
		l.StorageWorkspace = 60_000
		l.Imports = app.Rate{N: 99, Per: time.Minute, Burst: 99}
		limit = l.StorageWorkspace
	})
	s.Stranger()
	call := s.Last
	own := http.Header{"Cookie": {s.Cookies}}
	cookie := http.Header{"Cookie": {s.Cookies}, "Content-Type": {"application/json"}}
	imported := 0
	for ; imported < 50; imported++ {
		if s.Do("POST", "/import", file, cookie).Status != http.StatusSeeOther {
			break
		}
	}
	if imported == 0 || imported == 50 {
		t.Fatalf("%d imports", imported)
	}
	got := s.Do("POST", "/import", file, cookie)
	sitetest.IsRefusal(t, "import", got, http.StatusInsufficientStorage, "storage_workspace")
	got.Has(t, `"of 58.6 KiB"`, `"Delete recordings"`)
	if used := report(s, t, time.Now()).Workspaces[0].Bytes; used > int64(limit) {
		t.Errorf("%d bytes stored, the limit is %d", used, limit)
	}
	for i := 0; i < 30; i++ { // calls fill the rest: the last may go a bit beyond
		if got = s.Do("POST", "/exchanges", "sample=azure-devops", own); got.Status != http.StatusSeeOther {
			break
		}
	}
	for what, form := range map[string][2]string{
		"call":    {"/exchanges", "sample=azure-devops"},
		"answer":  {call + "/rounds", "round=1&a0.action=accept&a0.f0=Duplicate"},
		"demo":    {"/demos/azure-devops", ""},
		"connect": {"/servers", "url=https%3A%2F%2Fexample.com%2Fmcp"},
		"check": {"/servers/azure-devops/check", url.Values{"tool": {"update_work_item"},
			"args": {`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`}}.Encode()},
	} {
		got := s.Do("POST", form[0], form[1], own)
		sitetest.IsRefusal(t, what, got, http.StatusInsufficientStorage, "storage_workspace")
	}
	if got := s.Do("GET", call, "", own); got.Status != http.StatusOK {
		t.Errorf("reading: %d", got.Status)
	}
	if got := s.Do("POST", "/history/delete", "", own); got.Status != http.StatusSeeOther {
		t.Fatalf("deleting: %d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	if got := s.Do("POST", "/import", file, cookie); got.Status != http.StatusSeeOther {
		t.Errorf("after deleting: %d %q", got.Status, sitetest.Codes(got.Body))
	}
}

// TestStorage_InAll: at 90 % of the total strangers are refused; reading,
// deleting and what runs locally go on.
func TestStorage_InAll(t *testing.T) {
	t.Parallel()
	file := fileOf(t, 0)
	s, _ := proxied(t, func(l *app.Limits) { l.Storage = 10 })
	dbtest.AddSessions(t, s.Store, "another", 1)
	sitetest.IsRefusal(t, "import", from(s, "192.0.2.7", "POST", "/import", file, asJSON),
		http.StatusInsufficientStorage, "storage")
	sitetest.IsRefusal(t, "call", from(s, "192.0.2.7", "POST", "/exchanges", "sample=azure-devops", nil),
		http.StatusInsufficientStorage, "storage")
	for _, path := range []string{"/", "/history", "/test"} {
		if got := s.Get(path); got.Status != http.StatusOK {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	local := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.Storage, cfg.App.Limits.StorageWorkspace, cfg.App.Limits.StorageAddress = 10, 10, 10
	})
	local.StartOf("azure-devops")
}

// TestStorage_AtTheLimit: a tenth of the total is out of reach, and not a byte
// more.
func TestStorage_AtTheLimit(t *testing.T) {
	t.Parallel()
	l := app.DefaultLimits()
	l.Storage, l.StorageWorkspace, l.StorageAddress = 1000, 500, 300
	for _, c := range []struct {
		u    usage.Storage
		want string
	}{
		{usage.Storage{Total: 900, Workspace: 500, Address: 300, Network: 1200}, ""},
		{usage.Storage{Total: 901}, "storage"},
		{usage.Storage{Total: 900, Workspace: 501}, "storage_workspace"},
		{usage.Storage{Total: 900, Address: 301}, "storage_address"},
		{usage.Storage{Total: 900, Address: 300, Network: 1201}, "storage_network"},
	} {
		err := l.CheckStorage(app.Public, c.u, time.Now())
		if got := fmt.Sprint(err); (err == nil) != (c.want == "") || err != nil && got != c.want {
			t.Errorf("%+v: %v, want %s", c.u, err, c.want)
		}
	}
}

// TestRate_OfImportsAndLinks: both count per workspace and per address.
func TestRate_OfImportsAndLinks(t *testing.T) {
	t.Parallel()
	file := fileOf(t, 0)
	s, clock := proxied(t, func(l *app.Limits) {
		l.Imports = app.Rate{N: 2, Per: time.Hour, Burst: 2}
		l.Shares, l.Crowd = app.Rate{N: 1, Per: time.Hour, Burst: 1}, 2
		l.Pages = app.Rate{N: 1000, Per: time.Minute, Burst: 1000}
	})
	for i := range 4 {
		if got := from(s, "192.0.2.7", "POST", "/import", file, asJSON); got.Status != http.StatusSeeOther {
			t.Fatalf("import %d: %d", i, got.Status)
		}
	}
	sitetest.Refused(t, "import 5 of an address", from(s, "192.0.2.7", "POST", "/import", file, asJSON),
		"too_many_imports", "900")
	clock.Pass(15 * time.Minute)
	if got := from(s, "192.0.2.7", "POST", "/import", file, asJSON); got.Status != http.StatusSeeOther {
		t.Errorf("after waiting: %d", got.Status)
	}

	link := func() sitetest.Answer { // of a browser of its own
		v := s.Visitor(t)
		v.Stranger()
		page := v.Page(v.Last)
		id := sessionOf.FindStringSubmatch(page.Body)[1]
		seen := sitetest.Value(t, v.Page("/sessions/"+id+"/share").Body, "[name=seen]", "value")
		return v.Do("POST", "/sessions/"+id+"/share",
			url.Values{"do": {"create"}, "seen": {seen}, "expires": {"1d"}, "leave": {"note"}}.Encode(),
			http.Header{"Cookie": {v.Cookies}})
	}
	var token string
	for range 2 {
		got := link()
		if got.Status != http.StatusSeeOther {
			t.Fatalf("link: %d %q", got.Status, sitetest.Codes(got.Body))
		}
		_, token, _ = strings.Cut(got.Header.Get("Location"), "made=")
	}
	sitetest.Refused(t, "link 3 of an address", link(), "too_many_shares", "1800")
	fork := func() sitetest.Answer { return from(s, "192.0.2.9", "POST", "/s/"+token+"/fork", "", nil) }
	for i := range 4 {
		if got := fork(); got.Status != http.StatusSeeOther {
			t.Fatalf("fork %d: %d", i, got.Status)
		}
	}
	sitetest.Refused(t, "fork 5", fork(), "too_many_imports", "900")
}

// operator is the admin address of a site.
func operator(t *testing.T, s *sitetest.Site) *sitetest.Site {
	t.Helper()
	h := s.Pages.Admin(admin.Config{
		Store: s.Store, Metrics: http.NotFoundHandler(),
		Refusals: func() []usage.Refusal { return []usage.Refusal{{Code: "storage", Count: 3}} },
		Pools:    func() []usage.Pool { return []usage.Pool{{Name: "tasks", Held: 2, Limit: 500}} },
	})
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return &sitetest.Site{T: t, URL: server.URL, Client: s.Client}
}

// state reads the JSON twin.
func state(s *sitetest.Site) usage.State {
	s.T.Helper()
	got := s.Get("/status.json")
	var st usage.State
	if err := json.Unmarshal([]byte(got.Body), &st); err != nil || got.Status != http.StatusOK {
		s.T.Fatalf("%d %v %s", got.Status, err, got.Body)
	}
	return st
}

func TestAdmin_ShowsWhoUsesHowMuch(t *testing.T) {
	t.Parallel()
	s, _ := proxied(t, func(*app.Limits) {})
	s.Stranger()
	o := operator(t, s)
	page := o.Get("/")
	st := state(o)
	if len(st.Storage.Workspaces) != 1 || len(st.Storage.Addresses) != 1 || st.Storage.Total == 0 ||
		st.Storage.Workspaces[0].Bytes == 0 || st.Limits.Total != 5<<30 || len(st.Rates) == 0 {
		t.Fatalf("%+v", st)
	}
	w, a := st.Storage.Workspaces[0], st.Storage.Addresses[0]
	page.Has(t, `h1 "Operator"`, `[data-workspace="`+w.ID+`"]`, `[data-address="`+a.ID+`"]`,
		`[data-pool="tasks"]`, `"2 of 500"`, `[data-refusal="storage"]`, `"5 GiB"`, `"imports and forks"`,
		`[data-pool="event streams, by address"]`)
	page.HasNot(t, "script")
	page.Lacks(t, "127.0.0.1")
	for _, bad := range []string{"evil.example", "evil.example:80", "mrtr.internal"} {
		for _, path := range []string{"/", "/metrics", "/status.json"} {
			got := o.Do("GET", path, "", http.Header{"Host": {bad}})
			if got.Status != http.StatusForbidden || strings.Contains(got.Body, w.ID) {
				t.Errorf("%s as %s: %d", path, bad, got.Status)
			}
		}
	}
	for _, good := range []string{"localhost:9", "[::1]:9", "10.0.0.1"} {
		if got := o.Do("GET", "/", "", http.Header{"Host": {good}}); got.Status != http.StatusOK {
			t.Errorf("as %s: %d", good, got.Status)
		}
	}
}

func TestAdmin_RefusesOtherSites(t *testing.T) {
	t.Parallel()
	s, _ := proxied(t, func(*app.Limits) {})
	s.Stranger()
	o := operator(t, s)
	id := state(o).Storage.Workspaces[0].ID
	for _, path := range []string{"/purge", "/block", "/unblock"} {
		for _, h := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}}, {"Origin": {"https://evil.example"}},
		} {
			got := o.Do("POST", path, "workspace="+id+"&kind=workspace&id="+id, h)
			if got.Status != http.StatusForbidden {
				t.Errorf("%s with %v: %d", path, h, got.Status)
			}
		}
		if got := o.Get(path); got.Status != http.StatusMethodNotAllowed {
			t.Errorf("GET %s: %d", path, got.Status)
		}
	}
	if st := state(o); len(st.Blocks) != 0 || len(st.Storage.Workspaces) != 1 {
		t.Errorf("something was done: %+v", st)
	}
}

func TestAdmin_BlocksAndPurges(t *testing.T) {
	t.Parallel()
	s, clock := proxied(t, func(*app.Limits) {})
	s.Stranger()
	call := s.Last
	o := operator(t, s)
	w, a := state(o).Storage.Workspaces[0].ID, state(o).Storage.Addresses[0].ID
	day := fmt.Sprint(state(o).Storage.Day)
	post := func(path string, status int, form ...string) {
		t.Helper()
		values := url.Values{}
		for i := 0; i+1 < len(form); i += 2 {
			values.Set(form[i], form[i+1])
		}
		if got := o.Post(path, values.Encode()); got.Status != status {
			t.Errorf("%s %v: %d %s, want %d", path, form, got.Status, got.Body, status)
		}
	}
	post("/block", http.StatusSeeOther, "kind", "workspace", "id", w)
	sitetest.IsRefusal(t, "blocked workspace", s.Page("/history"), http.StatusForbidden, "blocked")
	if got := s.Get("/history"); got.Status != http.StatusOK {
		t.Errorf("another visitor: %d", got.Status)
	}
	post("/unblock", http.StatusSeeOther, "kind", "workspace", "id", w)
	if got := s.Page(call); got.Status != http.StatusOK {
		t.Errorf("unblocked: %d", got.Status)
	}
	post("/block", http.StatusSeeOther, "kind", "address", "id", a, "day", day)
	sitetest.IsRefusal(t, "blocked address", s.Get("/"), http.StatusForbidden, "blocked")
	if got := s.Get("/healthz"); got.Status != http.StatusOK {
		t.Errorf("health check: %d", got.Status)
	}
	clock.Pass(48 * time.Hour)
	sitetest.IsRefusal(t, "two days later", s.Get("/"), http.StatusForbidden, "blocked")
	if got := from(s, "192.0.2.7", "GET", "/", "", nil); got.Status != http.StatusOK {
		t.Errorf("another address: %d", got.Status)
	}
	again := site.New(s.Config) // blocks are in the database
	rec := httptest.NewRecorder()
	req := httptest.NewRequest("GET", "/", nil)
	req.RemoteAddr = "127.0.0.1:1"
	again.ServeHTTP(rec, req)
	if rec.Code != http.StatusForbidden {
		t.Errorf("after a restart: %d", rec.Code)
	}
	post("/unblock", http.StatusSeeOther, "kind", "address", "id", a)
	post("/unblock", http.StatusNotFound, "kind", "address", "id", a)
	post("/block", http.StatusUnprocessableEntity, "kind", "planet", "id", "x")
	post("/block", http.StatusNotFound, "kind", "address", "id", a, "day", "1")
	post("/purge", http.StatusSeeOther, "workspace", w)
	sitetest.IsRefusal(t, "purged", s.Page(call), http.StatusNotFound, "not_found")
	post("/purge", http.StatusNotFound, "workspace", w)
	s.Stranger() // the cookie still works
}

// TestAdmin_PurgesWhatRuns: a call that is in progress ends, and nothing of it
// comes back.
func TestAdmin_PurgesWhatRuns(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Settle = time.Millisecond
	})
	o := operator(t, s)
	s.ConnectTo("http://" + sitetest.Listener(t, sitetest.Silent) + "/mcp")
	if st := state(o); len(st.Storage.Running) != 1 || st.Storage.Running[0].Workspace != "local" {
		t.Fatalf("running: %+v", st.Storage.Running)
	}
	id := state(o).Storage.Running[0].Log
	if got := o.Post("/purge", "workspace=local"); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	s.Runner.Wait(t.Context(), id)
	if st := state(o); len(st.Storage.Workspaces) != 0 || len(st.Storage.Running) != 0 {
		t.Errorf("left: %+v", st.Storage)
	}
}

// TestStorage_OfLocalMode: on the user's own machine only the sum counts. At the limit
// nothing new begins, and deleting makes room.
func TestStorage_OfLocalMode(t *testing.T) {
	t.Parallel()
	file := fileOf(t, 0)
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.StorageLocal = 1 << 20
	})
	var got sitetest.Answer
	for got.Status = http.StatusSeeOther; got.Status == http.StatusSeeOther; {
		got = s.Do("POST", "/import", file, asJSON)
	}
	sitetest.IsRefusal(t, "one more", got, http.StatusInsufficientStorage, "storage")
	got.Has(t, `"of 1 MiB are in use"`, `"-limit storage-local=BYTES"`)
	full := http.StatusSeeOther
	for n := 0; n < 100 && full == http.StatusSeeOther; n++ {
		full = s.Post("/exchanges", "sample=azure-devops").Status
	}
	if full != http.StatusInsufficientStorage {
		t.Errorf("a call beyond the limit: %d", full)
	}
	if got := s.Post("/history/delete", ""); got.Status != http.StatusSeeOther {
		t.Errorf("delete: %d", got.Status)
	}
	if got := s.Post("/exchanges", "sample=azure-devops"); got.Status != http.StatusSeeOther {
		t.Errorf("a call after that: %d", got.Status)
	}
}
