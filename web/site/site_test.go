package site_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	probes "github.com/mrtr-playground/mrtr-playground/playground/check"
	written "github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// testSite is the whole program without its command line.
type testSite struct {
	t       *testing.T
	url     string
	handler http.Handler
	pages   *site.Site
	config  site.Config
	store   *db.Store
	runner  *run.Runner
	lines   *lines.Servers // commands that the program was started with; none but those that a test adds
	client  *http.Client
	last    string // path that the last redirect led to
	data    string // path of the database
	logs    *lockedBuffer
	cookies string                        // of the one browser of follow
	calls   atomic.Int64                  // tools/call requests that reached a sample
	gate    atomic.Pointer[chan struct{}] // requests to samples wait until it is closed
	stalled atomic.Bool                   // the work of samples begins no pause that ends
	deleted atomic.Int64                  // those whose record was deleted
	flows   map[string]string             // sources by token, of flows that no visitor made
}

// lockedBuffer is a buffer for several writers.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// lessons reads the lessons once for all sites: nothing changes them.
var lessons = sync.OnceValue(func() *lesson.Book {
	book, err := lesson.New()
	if err != nil {
		panic(err)
	}
	return book
})

const siteBase = "http://127.0.0.1:2322"

func newSite(t *testing.T, mode app.Mode) *testSite {
	t.Helper()
	return newSiteWith(t, mode, wire.Config{})
}

// newSiteWith is a site whose connections, or more, differ from the usual ones.
func newSiteWith(
	t *testing.T,
	mode app.Mode,
	connections wire.Config,
	changes ...func(*site.Config),
) *testSite {
	t.Helper()
	return newSiteOn(t, mode, connections, nil, changes...)
}

// engine is the variable that names the database that the sites of the tests use:
// postgres, or SQLite if it is not set.
const engine = "MRTR_TEST_DB"

// openStore returns an empty database and its file or URL.
func openStore(t *testing.T, postgres bool, options []db.Option) (string, *db.Store) {
	t.Helper()
	if !postgres {
		path := filepath.Join(t.TempDir(), "site.db")
		store, err := db.Open(t.Context(), path, options...)
		check(t, err)
		return path, store
	}
	where := pgtest.Database(t, func(ctx context.Context, where string) error {
		s, err := db.OpenPostgres(ctx, where)
		if err != nil {
			return err
		}
		return s.Close()
	})
	store, err := db.OpenPostgres(t.Context(), where, options...)
	check(t, err)
	return where, store
}

// runTests runs the tests of a package that has sites, or a program that they start.
func runTests(m *testing.M) {
	linestest.Main()
	os.Exit(pgtest.Run(m))
}

func TestMain(m *testing.M) {
	serveTable()
	runTests(m)
}

// newSiteOn is newSiteWith with options of the store.
func newSiteOn(
	t *testing.T, mode app.Mode, connections wire.Config, options []db.Option, changes ...func(*site.Config),
) *testSite {
	t.Helper()
	return newSiteIn(t, os.Getenv(engine) == "postgres", mode, connections, options, changes...)
}

// newSiteIn is newSiteOn with PostgreSQL or SQLite.
func newSiteIn(
	t *testing.T, postgres bool, mode app.Mode, connections wire.Config, options []db.Option,
	changes ...func(*site.Config),
) *testSite {
	t.Helper()
	keys := seal.Generate()
	data, store := openStore(t, postgres, options)
	s := &testSite{t: t, data: data}
	samples, err := sampletools.New(sampletools.Config{
		Keys: keys, BaseURL: siteBase, Shared: mode == app.Public, Wait: s.pause,
		Places: func(inAll, each int) sampletools.Places {
			return places.New(places.Limits{InAll: inAll, Each: each})
		},
		Flows: s.flowsBeside(site.Flows(store, mode, time.Now)),
	})
	check(t, err)
	assets, err := static.New()
	check(t, err)
	memory := wire.NewListener("samples")
	inside := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gate := s.gate.Load(); gate != nil {
			<-*gate
		}
		if r.Header.Get("Mcp-Method") == playground.ToolsCall {
			s.calls.Add(1)
		}
		samples.ServeHTTP(w, r)
	})}
	go func() { _ = inside.Serve(memory) }()
	connections.Public = mode == app.Public
	connections.Limits = patient(connections.Limits)
	connections.InMemory = func(ctx context.Context, origin string) (net.Conn, bool) {
		if origin != siteBase && origin != s.config.App.BaseURL {
			return nil, false
		}
		conn, err := memory.Dial(ctx)
		return conn, err == nil
	}
	caller := wire.New(connections)
	me := playground.Client{Name: "mrtr-playground", Version: "test"}
	logs := &lockedBuffer{}
	logger := slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.lines = lines.New(lines.Config{Patience: time.Hour, Grace: time.Hour})
	engine := run.Config{
		Log: store, Caller: s.lines.Caller(caller, connections.Limits), Client: me,
		Sessions: s.lines.Sessions(connections.Limits, wire.Limits{}), Now: time.Now, Logger: logger,
		Limits: run.Limits{Session: app.DefaultLimits().Session, Polls: 1000, Unwatched: 10 * time.Minute},
		Size:   store.SessionSize, Looked: store.Looked,
	}
	runner := run.New(engine)
	parts := site.Parts{Store: store, Engine: engine, Sender: caller, Samples: samples, Seals: keys}
	checks := probes.NewJobs(probes.Config{
		Runner: runner, Begin: store.Begin, Client: me, Now: time.Now, NewID: counter("probe"),
		Expiry: parts.Expiry,
		Wait: func(ctx context.Context, d time.Duration) error {
			if d > 5*time.Second { // tests do not wait for longer
				return nil
			}
			select {
			case <-time.After(d):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	}, 1, time.Hour, logger)
	s.store, s.runner, s.logs = store, runner, logs
	config := parts.Config(runner, checks)
	config.Lessons, config.Assets, config.App.Mode, config.App.BaseURL = lessons, assets, mode, siteBase
	config.CookieKeys = func(bool) [][]byte { return [][]byte{make([]byte, 32)} }
	config.App.NewID, config.App.Settle, config.App.Commands = counter("id"), time.Hour, s.lines
	config.App.Times = app.Times{
		Rerun: time.Hour, Experiment: time.Hour, CheckAnswer: time.Hour, AgentRound: time.Hour,
	}
	for _, change := range changes {
		change(&config)
	}
	pages := site.New(config)
	s.handler, s.pages, s.config = pages, pages, config
	server := httptest.NewServer(s.handler)
	s.url = server.URL
	s.client = &http.Client{CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
	t.Cleanup(func() {
		server.Close()
		pages.Close()
		checks.Close()
		_ = runner.Close(context.Background())
		s.lines.Close(context.Background())
		_ = inside.Close()
		samples.Close()
		_ = store.Close()
	})
	return s
}

// flowsBeside returns how samples find the flows of the site, besides those of others.
func (s *testSite) flowsBeside(
	others func(context.Context, string) (sampletools.FlowText, error),
) func(context.Context, string) (sampletools.FlowText, error) {
	return func(ctx context.Context, token string) (sampletools.FlowText, error) {
		source, known := s.flows[token]
		if !known {
			return others(ctx, token)
		}
		return sampletools.FlowText{Digest: "1", JSON: func() ([]byte, error) {
			f, _ := written.Parse([]byte(source))
			return f.JSON(), nil
		}}, nil
	}
}

// patient returns the limits with an hour for each time that is not set, so that no test
// depends on how fast the machine is.
func patient(l wire.Limits) wire.Limits {
	for _, d := range []*time.Duration{&l.DNS, &l.Connect, &l.TLS, &l.FirstByte, &l.Total, &l.Idle} {
		*d = cmp.Or(*d, time.Hour)
	}
	return l
}

// hold lets requests to samples wait until letGo is called.
func (s *testSite) hold() (letGo func()) {
	gate := make(chan struct{})
	s.gate.Store(&gate)
	letGo = sync.OnceFunc(func() { close(gate) })
	s.t.Cleanup(letGo)
	return letGo
}

// pause is how a sample waits: for a duration or, while the site is stalled, until it is
// closed.
func (s *testSite) pause(ctx context.Context, d time.Duration) error {
	var over <-chan time.Time
	if !s.stalled.Load() {
		over = time.After(d)
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// await waits until a test has no problem any more, however long that takes. The last
// problem is shown just before go test ends the test.
func await(t *testing.T, problem func() string) {
	t.Helper()
	deadline, limited := t.Deadline()
	for last := problem(); last != ""; last = problem() {
		if limited && time.Until(deadline) < 10*time.Second {
			t.Fatal(last)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func counter(prefix string) func() string {
	var mu sync.Mutex
	n := 0
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprintf("%s%d", prefix, n)
	}
}

// answer is what a request got.
type answer struct {
	status int
	header http.Header
	body   string
}

func (s *testSite) do(method, path, body string, header http.Header) answer {
	s.t.Helper()
	path = strings.ReplaceAll(path, "$LAST", s.last)
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	check(s.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range header {
		req.Header[name] = values
		if name == "Host" {
			req.Host = values[0]
		}
	}
	res, err := s.client.Do(req)
	check(s.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	check(s.t, err)
	if to := res.Header.Get("Location"); to != "" {
		s.last = to
	}
	return answer{res.StatusCode, res.Header, string(text)}
}

func (s *testSite) get(path string) answer { s.t.Helper(); return s.do("GET", path, "", nil) }

func (s *testSite) post(path, form string) answer { s.t.Helper(); return s.do("POST", path, form, nil) }

// html returns the body as HTML.
func (a answer) html() htmltest.Page { return htmltest.Parse(a.body) }

// value returns an attribute of the first element of a page that matches a check.
func value(t *testing.T, page, check, attribute string) string {
	t.Helper()
	found := htmltest.Parse(page).Values(check, attribute)
	if len(found) == 0 {
		t.Fatalf("no %s of %s in %s", attribute, check, excerpt(page))
	}
	return found[0]
}

// liveExchange returns the path of the exchange that a lesson has on its page.
func liveExchange(t *testing.T, page string) string {
	t.Helper()
	path, _, _ := strings.Cut(value(t, page, `#live [href^="/x/"]`, "href"), "?")
	return path
}

// has fails unless the page has what every check says.
func (a answer) has(t *testing.T, checks ...string) {
	t.Helper()
	page := a.html()
	for _, check := range checks {
		if !page.Has(check) {
			t.Errorf("no %s in %s", check, excerpt(a.body))
		}
	}
}

// hasNot fails if the page has what one of the checks says.
func (a answer) hasNot(t *testing.T, checks ...string) {
	t.Helper()
	page := a.html()
	for _, check := range checks {
		if page.Has(check) {
			t.Errorf("%s in %s", check, excerpt(a.body))
		}
	}
}

// contains fails unless the body has every text, byte for byte.
func (a answer) contains(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			t.Errorf("no %s in %s", text, excerpt(a.body))
		}
	}
}

// lacks fails if the body has one of the texts anywhere.
func (a answer) lacks(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(a.body, text) {
			t.Errorf("%s in %s", text, excerpt(a.body))
		}
	}
}

// startOf starts a sample's call and returns the path of its page.
func (s *testSite) startOf(sample string) string {
	s.t.Helper()
	got := s.post("/exchanges", "sample="+sample)
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("start %s: %d", sample, got.status)
	}
	return got.header.Get("Location")
}

// noErrors fails if the log has an error.
func (s *testSite) noErrors() {
	s.t.Helper()
	s.logs.mu.Lock()
	defer s.logs.mu.Unlock()
	if strings.Contains(s.logs.String(), "level=ERROR") {
		s.t.Errorf("the log has errors:\n%s", s.logs.String())
	}
}

// TestScripts runs testdata/*.txt. A script is a list of requests, each with
// what must hold of its answer:
//
//	GET /path            or POST /path, whose form follows as "form a=b&c=d"
//	header Name: value   sent with the request
//	status 303           the status of the answer
//	to /x/               the start of where it redirects to; $LAST is that path from then on
//	has check            an element of the page, see package htmltest; no check is the opposite
//	count selector n     as many elements
//	contains text        somewhere in the bytes of the answer; lacks text is the opposite
//	answers Name: text   a header of the answer that contains the text
//	without Name         no such header
//
// Lines that begin with # are prose. "mode public" at the top chooses the mode.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	check(t, err)
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			check(t, err)
			runScript(t, string(text))
		})
	}
}

type step struct {
	line               int
	method, path, form string
	header             http.Header
	checks             [][2]string
}

func runScript(t *testing.T, text string) {
	t.Helper()
	mode := app.Local
	if strings.HasPrefix(text, "mode public\n") {
		mode = app.Public
	}
	s := newSite(t, mode)
	for _, st := range steps(t, text) {
		got := s.do(st.method, st.path, st.form, st.header)
		for _, c := range st.checks {
			if problem := verify(c, got); problem != "" {
				t.Errorf("line %d: %s %s: %s", st.line, st.method, st.path, problem)
			}
		}
	}
}

func steps(t *testing.T, text string) []step {
	t.Helper()
	var list []step
	for n, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "", "#", "mode":
			continue
		case "GET", "POST", "HEAD", "PUT", "DELETE":
			list = append(list, step{line: n + 1, method: word, path: rest, header: http.Header{}})
			continue
		}
		if len(list) == 0 {
			t.Fatalf("line %d: %q before the first request", n+1, word)
		}
		last := &list[len(list)-1]
		switch word {
		case "form":
			last.form = rest
		case "header":
			name, value, _ := strings.Cut(rest, ": ")
			last.header.Add(name, value)
		default:
			last.checks = append(last.checks, [2]string{word, rest})
		}
	}
	return list
}

// verify returns what is wrong, or "".
func verify(c [2]string, got answer) string {
	what, want := c[0], c[1]
	ok, saw := false, ""
	switch what {
	case "status":
		saw = fmt.Sprint(got.status)
		ok = saw == want
	case "to":
		saw = got.header.Get("Location")
		ok = strings.HasPrefix(saw, want)
	case "has", "no":
		saw = excerpt(got.body)
		ok = got.html().Has(want) == (what == "has")
	case "count":
		i := strings.LastIndex(want, " ")
		n := len(got.html().Find(want[:max(i, 0)]))
		saw = fmt.Sprint(n)
		ok = saw == want[i+1:]
	case "contains", "lacks":
		saw = excerpt(got.body)
		ok = strings.Contains(got.body, want) == (what == "contains")
	case "without":
		saw = strings.Join(got.header.Values(want), ", ")
		ok = saw == ""
	case "answers":
		name, value, _ := strings.Cut(want, ": ")
		saw = strings.Join(got.header.Values(name), ", ")
		ok = strings.Contains(saw, value)
	default:
		return fmt.Sprintf("no such check %q", what)
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("want %s %q, got %s", what, want, saw)
}

func excerpt(body string) string {
	if i := strings.Index(body, "<main"); i > 0 {
		body = body[i:]
	}
	return body[:min(len(body), 3000)]
}
