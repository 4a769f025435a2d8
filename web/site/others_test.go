package site_test

import (
	"database/sql"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc/oidctest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// trial is a request of one visitor with the ids of another: a path, and the
// form of a POST, in which $name is an id of the owner.
type trial struct{ method, path, form string }

// strangersTrials returns the trials of testdata/routes/strangers.txt, and for every route
// whether there is a row.
func strangersTrials(t *testing.T) (list []trial, rows map[string]bool) {
	t.Helper()
	text, err := os.ReadFile("testdata/routes/strangers.txt")
	sitetest.Check(t, err)
	rows = map[string]bool{}
	method, route, tried := "", "", true
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		try, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case indented:
			path, form, _ := strings.Cut(try, " ")
			list, tried = append(list, trial{method, path, form}), true
		default:
			if !tried {
				t.Errorf("%s: neither a trial nor a reason why there is none", route)
			}
			var why string
			route, why, tried = strings.Cut(line, ": ")
			method, _, _ = strings.Cut(route, " ")
			rows[route] = true
			tried = tried && why != ""
		}
	}
	return list, rows
}

// others are the ways to serve several people.
var others = map[string]struct {
	mode     app.Mode
	base     string
	proxies  []netip.Prefix
	postgres bool
	people   bool // people sign in
	named    bool // a proxy names them
}{
	"trusted network": {mode: app.Trusted, base: "http://lab.example:2322"},
	"base URL":        {mode: app.Public},
	"trusted proxy":   {mode: app.Public, proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
	"public":          {mode: app.Public, base: "https://playground.example:8443"},
	"PostgreSQL":      {mode: app.Public, base: "https://playground.example:8443", postgres: true},
	"people sign in":  {mode: app.Public, base: "https://playground.example:8443", people: true},
	"people by proxy": {mode: app.Public, base: "https://playground.example:8443", named: true},
}

// newShared is a site for several people, without limits of how often.
func newShared(t *testing.T, way string) *sitetest.Site {
	t.Helper()
	s, _ := newSharedAnd(t, way)
	return s
}

// newSharedAnd is newShared, and returns a function that makes a browser that of someone: of
// a person, where people sign in.
func newSharedAnd(t *testing.T, way string) (*sitetest.Site, func(browser *sitetest.Site, who string)) {
	t.Helper()
	o := others[way]
	enter := func(*sitetest.Site, string) {}
	var people func(*site.Config)
	switch {
	case o.people:
		idp := oidctest.New(t)
		people = sitetest.SignedInWith(idp)
		enter = func(b *sitetest.Site, who string) {
			as(idp, who, who)
			b.SignIn(idp, "/")
		}
	case o.named:
		people = sitetest.NamedByProxy
		enter = func(b *sitetest.Site, who string) { b.User = who }
	}
	postgres := o.postgres || os.Getenv(sitetest.Engine) == "postgres"
	s := sitetest.NewIn(t, postgres, o.mode, wire.Config{Resolver: sitetest.Names{}}, nil,
		func(c *site.Config) {
			c.App.Limits, c.Proxies = app.DefaultLimits(), o.proxies
			often := app.Rate{N: 1_000_000, Per: time.Second, Burst: 1_000_000}
			l := &c.App.Limits
			l.Pages, l.Parts, l.Calls, l.Shares = often, often, often, often
			if o.base != "" {
				c.App.BaseURL = o.base
			}
			if people != nil {
				people(c)
			}
		})
	return s, enter
}

// owns makes a visitor own one of everything, and returns the ids by name.
func owns(s *sitetest.Site) map[string]string {
	s.T.Helper()
	ids := map[string]string{}
	s.Stranger()
	ids["exchange"] = strings.TrimPrefix(s.Last, "/x/")
	ids["session"] = sitetest.Find(s.T, s.Page("/history").Body, `/sessions/(\w+)/share`)
	s.ConnectTo("https://gone.example/mcp")
	ids["server"] = strings.TrimPrefix(s.Last, "/servers/")
	s.Follow("/demos/azure-devops", nil)
	ids["stage"] = sitetest.Find(s.T, s.Last, `/demos/azure-devops/(\w+)`)
	s.Follow("/demos/azure-devops/"+ids["stage"]+"/talk", url.Values{"do": {"start"}})
	s.Follow("/servers/azure-devops/check", url.Values{
		"tool": {"update_work_item"}, "args": {`{"workItemId":4522}`},
	})
	ids["checked"] = sitetest.Find(s.T, s.Last, `/check/(\w+)`)
	s.Follow("/saved", url.Values{"exchange": {ids["exchange"]}})
	ids["saved"] = sitetest.Find(s.T, s.Last, `added=(\w+)`)
	s.Follow("/stories", url.Values{"kind": {"demo"}, "id": {"load-shedding"}})
	ids["story"] = sitetest.Find(s.T, s.Last, `/stories/(\w+)`)
	s.Follow("/flows", nil)
	ids["flow"] = sitetest.Find(s.T, s.Last, `/flows/(\w+)`)
	s.Follow("/recordings", url.Values{"exchange": {ids["exchange"]}})
	ids["recording"] = sitetest.Find(s.T, s.Last, `/recordings/(\w+)`)
	s.Follow("/gateways", nil)
	ids["gateway"] = sitetest.Find(s.T, s.Last, `/gateways/(\w+)`)
	s.Follow("/clients", url.Values{"server": {"azure-devops"}})
	ids["capture"] = sitetest.Find(s.T, s.Last, `/clients/(\w+)`)
	address, err := url.Parse(s.Page(s.Last).HTML().Texts("[data-address]")[0])
	sitetest.Check(s.T, err)
	s.SendTo(address.Path, 1, "tools/list", map[string]any{}, map[string]any{})
	s.Follow(lesson.ClientExercisePath, nil)
	ids["exercise"] = sitetest.Find(s.T, s.Last, `capture=(\w+)`)
	shares(s, ids["session"])
	ids["share"] = sitetest.Find(s.T, s.Last, `made=(\w+)`)
	s.Token()
	ids["token"] = sitetest.Find(s.T, s.Page("/settings").Body, `/settings/tokens/(\w+)/delete`)
	ids["exercised"] = ids["checked"]
	return ids
}

// shares makes a link to a session of the visitor.
func shares(s *sitetest.Site, session string) {
	s.T.Helper()
	path := "/sessions/" + session + "/share"
	seen := sitetest.Value(s.T, s.Follow(path, url.Values{"do": {"preview"}}).Body, "[name=seen]", "value")
	s.Follow(path, url.Values{"do": {"create"}, "seen": {seen}})
}

// rows returns every row of every table as text.
func rows(s *sitetest.Site) map[string][]string {
	s.T.Helper()
	driver, from := "sqlite3", "file:"+s.Data+"?mode=ro"
	names := `SELECT name FROM sqlite_schema WHERE type = 'table'`
	if engine.IsPostgresURL(s.Data) {
		driver, from = "pgx", s.Data
		names = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
	}
	raw, err := sql.Open(driver, from)
	sitetest.Check(s.T, err)
	defer raw.Close()
	tables := query(s.T, raw, names)
	if len(tables) == 0 {
		s.T.Fatal("the database has no tables")
	}
	all := map[string][]string{}
	for _, name := range tables {
		all[name] = query(s.T, raw, `SELECT * FROM `+name)
	}
	return all
}

// query returns the rows of a query, each as one text.
func query(t *testing.T, raw *sql.DB, text string) []string {
	t.Helper()
	found, err := raw.QueryContext(t.Context(), text)
	sitetest.Check(t, err)
	defer found.Close()
	columns, err := found.Columns()
	sitetest.Check(t, err)
	var list []string
	for found.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		sitetest.Check(t, found.Scan(into...))
		list = append(list, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
	}
	sitetest.Check(t, found.Err())
	return list
}

// TestOthers_EveryRouteIsTried holds the table against the router's own.
func TestOthers_EveryRouteIsTried(t *testing.T) {
	t.Parallel()
	_, rows := strangersTrials(t)
	for _, route := range sitetest.New(t, app.Local).Pages.Routes() {
		method, _, _ := strings.Cut(route, " ")
		others := method != "GET" && method != "POST" // those of e.Any are as GET and POST
		if !rows[route] && !others {
			t.Errorf("%s: add to strangers.txt what a stranger may try with another's ids", route)
		}
		delete(rows, route)
	}
	if len(rows) > 0 {
		t.Errorf("routes that are none: %v", rows)
	}
}

// TestOthers_SeeChangeAndEndNothing: wherever several people use one program, what one of
// them tries with the ids of another has the same answer as with unknown ids, at every
// route, and leaves every row of the other's as it was (faults 58 and 141). So it is for
// another browser or person, for a visitor who has done nothing, for an agent with its own
// token, and for a follower of a talk. The statuses are a table,
// testdata/routes/matrix.txt; -update writes it.
func TestOthers_SeeChangeAndEndNothing(t *testing.T) {
	t.Parallel()
	trials, _ := strangersTrials(t)
	seen := matrix{cells: map[string]map[string]int{}}
	t.Run("ways", func(t *testing.T) {
		for way := range others {
			t.Run(way, func(t *testing.T) {
				t.Parallel()
				triesAll(t, way, trials, &seen)
			})
		}
	})
	seen.compare(t, trials)
}

// triesAll makes all trials with each of the others of a way to serve several people.
func triesAll(t *testing.T, way string, trials []trial, seen *matrix) {
	t.Helper()
	s, enter := newSharedAnd(t, way)
	enter(s, "ada")
	ids := owns(s)
	unknown := map[string]string{}
	for name := range ids {
		unknown[name] = "nobodys" + name
	}
	other, nobody, agent, follower := s.Visitor(t), s.Visitor(t), s.Visitor(t), s.Visitor(t)
	before := rows(s)
	enter(other, "bob")
	other.Stranger()
	agent.Authorization = "Bearer " + other.Token()
	code := sitetest.Find(t, s.Page("/demos/azure-devops/"+ids["stage"]+"/talk").Body, `/follow/([\w-]+)`)
	if got := follower.Follow("/follow/"+code, nil); got.Status == http.StatusOK {
		t.Error("a talk takes a form")
	}
	if got := follower.Page("/follow/" + code); got.Status != http.StatusOK ||
		got.Header.Get("Set-Cookie") != "" {
		t.Errorf("a follower: %d, cookie %q", got.Status, got.Header.Get("Set-Cookie"))
	}
	known := others[way].people || others[way].named
	for _, one := range trials {
		for who, visitor := range map[string]*sitetest.Site{
			"other": other, "nobody": nobody, "agent": agent, "follower": follower,
		} {
			got, want := sends(visitor, one, ids), sends(visitor, one, unknown)
			seen.add(way, who, one, got.Status)
			if got.Status != want.Status || got.Body != want.Body {
				t.Errorf("%v by %s: %d, with unknown ids %d\n%s", one, who, got.Status, want.Status,
					difference(got.Body, want.Body))
			}
			asks := known && who != "other" && slices.Contains(askingToSignIn, got.Status)
			if strings.Contains(one.path, "$") && got.Status != http.StatusNotFound && !asks {
				t.Errorf("%v by %s: %d", one, who, got.Status)
			}
		}
	}
	delete(before, "payer") // the storage of an address, for all its users
	delete(before, "total") // and in all
	after := rows(s)
	for name, rows := range before {
		for _, row := range rows {
			if !slices.Contains(after[name], row) {
				t.Errorf("a row in %s was changed or deleted: %s", name, sitetest.Excerpt(row))
			}
		}
	}
	for _, one := range trials { // are they trials? they are if the owner may
		got := 0
		if one.method == "GET" && !strings.HasSuffix(one.path, "/events") {
			got = sends(s, one, ids).Status
			seen.add(way, "owner", one, got)
		}
		if got == http.StatusNotFound && !notThere[one.path] {
			t.Errorf("%v is not there for its owner either", one)
		}
	}
}

// askingToSignIn are the statuses for someone who has not signed in: the page of a sign-in, a
// part of a page or a stream, and a form.
var askingToSignIn = []int{http.StatusSeeOther, http.StatusUnauthorized, http.StatusConflict}

// matrix has the status of each trial, by the way in which the program serves several people
// and by who tries.
type matrix struct {
	mu    sync.Mutex
	cells map[string]map[string]int // by way and visitor, by trial
}

func (m *matrix) add(way, who string, one trial, status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	column := way + ", " + who
	if m.cells[column] == nil {
		m.cells[column] = map[string]int{}
	}
	m.cells[column][one.String()] = status
}

// String returns a trial as it is written in the table.
func (one trial) String() string {
	return strings.TrimSpace(one.method + " " + one.path + " " + one.form)
}

// compare compares the statuses with the table, or writes it.
func (m *matrix) compare(t *testing.T, trials []trial) {
	t.Helper()
	columns := slices.Sorted(maps.Keys(m.cells))
	if !slices.ContainsFunc(columns, func(c string) bool { return strings.HasPrefix(c, "PostgreSQL") }) {
		t.Skip("the table has columns of PostgreSQL, which is not installed or not wanted")
	}
	var b strings.Builder
	b.WriteString("# What each visitor gets who tries a path with the ids of someone else, by how the\n" +
		"# program serves several people: the status. 404 is what unknown ids get, too. - is not tried.\n")
	for i, column := range columns {
		fmt.Fprintf(&b, "# %2d %s\n", i+1, column)
	}
	for _, one := range trials {
		for _, column := range columns {
			cell := "  -"
			if status, tried := m.cells[column][one.String()]; tried {
				cell = fmt.Sprint(status)
			}
			b.WriteString(cell + " ")
		}
		b.WriteString(one.String() + "\n")
	}
	const path = "testdata/routes/matrix.txt"
	if *update {
		sitetest.Check(t, os.WriteFile(path, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(path)
	sitetest.Check(t, err)
	if got := b.String(); got != string(want) {
		t.Errorf("the table differs: %s", difference(got, string(want)))
	}
}

var update = flag.Bool("update", false, "write the table of statuses")

// notThere are trials of things that the owner does not have: bytes of a server
// without an address, a step of a sign-in, a check or a stage at the address of
// another, an exercise that was not checked.
var notThere = map[string]bool{
	"/servers/$server/frames/1":         true,
	"/servers/$server/sign-in/frames/1": true, "/servers/$server/check/$checked": true,
	lesson.ExercisePath + "/$exercised": true, "/demos/$story/$stage": true,
}

// sends makes the request of one visitor's trial with ids, which are ID in the
// body of the answer.
func sends(s *sitetest.Site, one trial, ids map[string]string) sitetest.Answer {
	s.T.Helper()
	into, back := []string{}, []string{}
	for name, id := range ids {
		into, back = append(into, "$"+name, id), append(back, id, "ID")
	}
	fill := strings.NewReplacer(into...)
	got := s.Do(one.method, fill.Replace(one.path), fill.Replace(one.form),
		http.Header{"Cookie": {s.Cookies}})
	got.Body = strings.NewReplacer(back...).Replace(got.Body)
	return got
}

// difference returns the first lines in which two texts differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%.300s\n%.300s", a[i], b[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(a), len(b))
}

// TestOthers_SeeNothingInLists: no list, search or suggestion has what another visitor
// owns, also after both have used the program.
func TestOthers_SeeNothingInLists(t *testing.T) {
	t.Parallel()
	for way, o := range others {
		if o.postgres {
			continue // as public
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			s, enter := newSharedAnd(t, way)
			enter(s, "ada")
			ids := owns(s)
			other := s.Visitor(t)
			enter(other, "bob")
			other.Stranger()
			for _, path := range []string{
				"/", "/history", "/history?q=gone", "/test", "/build", "/demos",
				paths.Links, paths.SavedCalls, "/settings", "/palette?q=gone.example",
				"/search?q=gone.example", "/learn", lesson.ExercisePath, lesson.ClientExercisePath,
			} {
				got := other.Page(path)
				for name, id := range ids {
					for _, way := range []string{
						`/` + id + `"`, `/` + id + `/`, `"` + id + `"`, "gone.example/mcp",
					} {
						if strings.Contains(got.Body, way) {
							t.Errorf("%s names the other's %s", path, name)
						}
					}
				}
			}
		})
	}
}

// TestLocal_RefusesWhatCameThroughAProxy: whoever comes through one is not known to be
// the person at this machine, so no route answers.
func TestLocal_RefusesWhatCameThroughAProxy(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, route := range s.Pages.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if method != "GET" && method != "POST" {
			continue
		}
		got := s.Do(method, path, "", http.Header{"X-Forwarded-For": {"192.0.2.1"}})
		if got.Status != http.StatusForbidden || !strings.Contains(got.Body, "-base-url") {
			t.Errorf("%s: %d %s", route, got.Status, sitetest.Excerpt(got.Body))
		}
	}
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip",
		"X-Original-Forwarded-For", "X-Client-Ip", "Cf-Connecting-Ip", "Cdn-Loop", "True-Client-Ip",
		"Tailscale-User-Login"} {
		got := s.Do("GET", "/history", "", http.Header{name: {"x"}})
		if !slices.Equal(sitetest.Codes(got.Body), []string{"proxied"}) {
			t.Errorf("%s: %d %q", name, got.Status, sitetest.Codes(got.Body))
		}
		if got := newShared(t, "base URL").Do("GET", "/history", "", http.Header{name: {"x"}}); got.Status !=
			http.StatusOK {
			t.Errorf("%s, behind a proxy: %d", name, got.Status)
		}
	}
	if got := s.Get("/history"); got.Status != http.StatusOK {
		t.Errorf("without: %d", got.Status)
	}
}

// TestCookies_AreKeptFromPlainHTTPOnlyWithHTTPS: a browser would not send them otherwise.
func TestCookies_AreKeptFromPlainHTTPOnlyWithHTTPS(t *testing.T) {
	t.Parallel()
	for way, o := range others {
		if o.postgres || o.people || o.named {
			continue // as public
		}
		s := newShared(t, way)
		for _, path := range []string{"/exchanges", "/learn/why", "/theme"} {
			got := s.Do("POST", path, "sample=azure-devops&do=start&theme=dark&back=/", nil)
			cookie := got.Header.Get("Set-Cookie")
			if secure := strings.HasPrefix(o.base, "https:"); cookie == "" ||
				strings.HasPrefix(cookie, "__Host-") != secure ||
				strings.Contains(cookie, "Secure") != secure {
				t.Errorf("%s, %s: %d %s", way, path, got.Status, cookie)
			}
			if policy := got.Header.Get("Referrer-Policy"); (policy == "same-origin") ==
				strings.HasPrefix(o.base, "https:") {
				t.Errorf("%s: with the policy %s, forms over plain HTTP have the origin null", way, policy)
			}
			always := got.Header.Get("Strict-Transport-Security") != ""
			if always != strings.HasPrefix(o.base, "https:") {
				t.Errorf("%s: a browser is told to use HTTPS from now on: %v", way, always)
			}
		}
	}
}
