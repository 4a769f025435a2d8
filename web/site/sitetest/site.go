// Package sitetest starts whole sites for tests of web/site and of its rooms: a store, a
// runner, the samples and the pages, as the program connects them, behind an HTTP server.
// A test talks to it as a browser, an agent or a client does. Only tests import it.
//
// Each package that has a site calls [Main] in TestMain.
package sitetest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	probes "github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// Names is a resolver of few names.
type Names map[string]string

// LookupNetIP returns the address of the host, or an error if the name is not among these.
func (n Names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if ip, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(ip)}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// Site is the whole program without its command line, and the browser that a test uses. A
// method whose request fails ends the test.
type Site struct {
	T             *testing.T
	URL           string
	Handler       http.Handler
	Pages         *site.Site
	Config        site.Config
	Store         *db.Store
	Runner        *run.Runner
	Lines         *lines.Servers // commands that the program was started with; those that a test adds
	Client        *http.Client
	Last          string // path that the last redirect led to
	Data          string // path of the database
	Logs          *LockedBuffer
	Cookies       string                        // of the one browser of Follow and Page
	Authorization string                        // header of every request; "" for none
	User          string                        // whom the proxy names, of NamedByProxy; "" for no one
	Calls         atomic.Int64                  // tools/call requests that reached a sample
	gate          atomic.Pointer[chan struct{}] // requests to samples wait until it is closed
	Stalled       atomic.Bool                   // the work of samples begins no pause that ends
	Deleted       atomic.Int64                  // those whose record was deleted
	Flows         map[string]string             // sources by token, of flows that no visitor made
}

// LockedBuffer is a buffer for several writers.
type LockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write appends to the buffer.
func (b *LockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// Lessons returns the lessons, which are read once for all sites: nothing changes them.
var Lessons = sync.OnceValue(func() *lesson.Book {
	book, err := lesson.New()
	if err != nil {
		panic(err)
	}
	return book
})

// Base is the address that the site believes to have.
const Base = "http://127.0.0.1:2322"

// New returns a site in this mode, which ends with the test.
func New(t *testing.T, mode app.Mode) *Site {
	t.Helper()
	return NewWith(t, mode, wire.Config{})
}

// NewWith returns a site whose connections, or more, differ from the usual ones.
func NewWith(
	t *testing.T,
	mode app.Mode,
	connections wire.Config,
	changes ...func(*site.Config),
) *Site {
	t.Helper()
	return NewOn(t, mode, connections, nil, changes...)
}

// Engine is the variable that names the database that the sites of the tests use:
// postgres, or SQLite if it is not set.
const Engine = "MRTR_TEST_DB"

// emptyDatabase returns the file of a database without rows. To copy it costs less than to
// make the schema for each site.
var emptyDatabase = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sitetest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "site.db")
	store, err := db.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// openStore returns an empty database and its file or URL.
func openStore(t *testing.T, postgres bool, options []engine.Option) (string, *db.Store) {
	t.Helper()
	if !postgres {
		path := filepath.Join(t.TempDir(), "site.db")
		empty, err := emptyDatabase()
		Check(t, err)
		Check(t, os.WriteFile(path, empty, 0o600))
		store, err := db.Open(t.Context(), path, options...)
		Check(t, err)
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
	Check(t, err)
	return where, store
}

// Main runs the tests of a package that has sites, or a program that they start. It does
// not return.
//
// Temporary files lie in memory if there is room, so that no commit waits for a disk, and
// the heap may grow to five times the memory in use, because the process soon
// ends.
func Main(m *testing.M) {
	linestest.Main()
	if memory := pgtest.Memory(); memory != "" {
		_ = os.Setenv("TMPDIR", memory)
	}
	debug.SetGCPercent(400)
	os.Exit(pgtest.Run(m))
}

// NewOn is NewWith with options of the store.
func NewOn(
	t *testing.T, mode app.Mode, connections wire.Config, options []engine.Option,
	changes ...func(*site.Config),
) *Site {
	t.Helper()
	return NewIn(t, os.Getenv(Engine) == "postgres", mode, connections, options, changes...)
}

// NewIn is NewOn with PostgreSQL or SQLite.
func NewIn(
	t *testing.T, postgres bool, mode app.Mode, connections wire.Config, options []engine.Option,
	changes ...func(*site.Config),
) *Site {
	t.Helper()
	keys := seal.Generate()
	data, store := openStore(t, postgres, options)
	s := &Site{T: t, Data: data}
	samples, err := sampletools.New(sampletools.Config{
		Keys: keys, BaseURL: Base, Shared: mode.Shared(), Wait: s.pause,
		Places: func(inAll, each int) sampletools.Places {
			return places.New(places.Limits{InAll: inAll, Each: each})
		},
		Flows: s.flowsBeside(site.Flows(store, mode, time.Now)),
	})
	Check(t, err)
	assets, err := static.New()
	Check(t, err)
	memory := wire.NewListener("samples")
	inside := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gate := s.gate.Load(); gate != nil {
			<-*gate
		}
		if r.Header.Get("Mcp-Method") == playground.ToolsCall {
			s.Calls.Add(1)
		}
		samples.ServeHTTP(w, r)
	})}
	go func() { _ = inside.Serve(memory) }()
	reach := connections.Reach
	if !reach.Limited {
		reach = reachOf(mode)
	}
	connections.Reach = reach
	connections.Limits = patient(connections.Limits)
	connections.InMemory = func(ctx context.Context, origin string) (net.Conn, bool) {
		if origin != Base && origin != s.Config.App.BaseURL {
			return nil, false
		}
		conn, err := memory.Dial(ctx)
		return conn, err == nil
	}
	caller := wire.New(connections)
	me := playground.Client{Name: "mrtr-playground", Version: "test"}
	logs := &LockedBuffer{}
	logger := slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.Lines = lines.New(lines.Config{Patience: time.Hour, Grace: time.Hour})
	engine := run.Config{
		Log: store, Caller: s.Lines.Caller(caller, connections.Limits), Client: me,
		Sessions: s.Lines.Sessions(connections.Limits, wire.Limits{}), Now: time.Now, Logger: logger,
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
	s.Store, s.Runner, s.Logs = store, runner, logs
	config := parts.Config(runner, checks)
	config.Lessons, config.Assets, config.App.Mode, config.App.BaseURL = Lessons, assets, mode, Base
	config.App.Reach = reach
	config.CookieKeys = func(bool) [][]byte { return [][]byte{make([]byte, 32)} }
	config.App.NewID, config.App.Settle, config.App.Commands = counter("id"), time.Hour, s.Lines
	config.App.Times = app.Times{
		Rerun: time.Hour, Experiment: time.Hour, CheckAnswer: time.Hour, AgentRound: time.Hour,
	}
	for _, change := range changes {
		change(&config)
	}
	pages := site.New(config)
	s.Handler, s.Pages, s.Config = pages, pages, config
	server := httptest.NewServer(s.Handler)
	s.URL = server.URL
	s.Client = &http.Client{CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
	t.Cleanup(func() {
		server.Close()
		pages.Close()
		checks.Close()
		_ = runner.Close(context.Background())
		s.Lines.Close(context.Background())
		_ = inside.Close()
		samples.Close()
		_ = store.Close()
	})
	return s
}

// reachOf returns which servers the visitors of a mode call. Those of tests are on this
// machine, which a trusted network has named.
func reachOf(mode app.Mode) wire.Reach {
	r := wire.Reach{Limited: mode.Shared()}
	if mode == app.Trusted {
		r.Networks = wire.PrivateRanges()
		for _, here := range []string{"127.0.0.1/32", "::1/128"} {
			r.Networks = append(r.Networks, wire.Network{Prefix: netip.MustParsePrefix(here), Plain: true})
		}
	}
	return r
}

// flowsBeside returns how samples find the flows of the site, besides those of others.
func (s *Site) flowsBeside(
	others func(context.Context, string) (sampletools.FlowText, error),
) func(context.Context, string) (sampletools.FlowText, error) {
	return func(ctx context.Context, token string) (sampletools.FlowText, error) {
		source, known := s.Flows[token]
		if !known {
			return others(ctx, token)
		}
		return sampletools.FlowText{Digest: "1", Source: source}, nil
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

// Hold lets requests to samples wait until letGo is called.
func (s *Site) Hold() (letGo func()) {
	gate := make(chan struct{})
	s.gate.Store(&gate)
	letGo = sync.OnceFunc(func() { close(gate) })
	s.T.Cleanup(letGo)
	return letGo
}

// pause is how a sample waits: for a duration or, while the site is stalled, until it is
// closed.
func (s *Site) pause(ctx context.Context, d time.Duration) error {
	var over <-chan time.Time
	if !s.Stalled.Load() {
		over = time.After(d)
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
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

// NoErrors fails if the log has an error.
func (s *Site) NoErrors() {
	s.T.Helper()
	s.Logs.mu.Lock()
	defer s.Logs.mu.Unlock()
	if strings.Contains(s.Logs.String(), "level=ERROR") {
		s.T.Errorf("the log has errors:\n%s", s.Logs.String())
	}
}
