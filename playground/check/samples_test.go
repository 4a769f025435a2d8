package check_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver/authtest"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// clock stands until a test advances it, or is that of the bubble.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	moves bool
}

// began is when every test begins.
var began = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func newClock() *clock { return &clock{now: began} }

func (c *clock) Now() time.Time {
	if c.moves {
		return time.Now()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Wait(ctx context.Context, d time.Duration) error {
	if c.moves {
		return drive.Pause(ctx, d)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return nil
}

// bench is the samples in memory, and a check of them.
type bench struct {
	url     string
	catalog *sampletools.Catalog
	config  check.Config
}

// memory is a server in memory. In a bubble of synctest nothing waits for it:
// polls and automatic retries come at once, in the order of their times.
type memory struct{ listener *wire.Listener }

// inMemory serves h until the test ends.
func inMemory(t *testing.T, h http.Handler) memory {
	t.Helper()
	m := memory{wire.NewListener("memory")}
	site := &http.Server{Handler: h}
	go func() { _ = site.Serve(m.listener) }()
	t.Cleanup(func() { _ = site.Close() })
	return m
}

func (memory) url() string { return "http://memory" }

func (m memory) dial(ctx context.Context, _ string) (net.Conn, bool) {
	conn, err := m.listener.Dial(ctx)
	return conn, err == nil
}

// newBench returns the samples with the config, whose keys and clock are set. By
// default their work takes no time.
func newBench(t *testing.T, c ...sampletools.Config) bench {
	t.Helper()
	keys := seal.Generate()
	clock := newClock()
	config := sampletools.Config{Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	if len(c) > 0 {
		config = c[0]
	}
	config.Keys, config.Now = keys, clock.Now
	catalog, err := sampletools.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(catalog.Close)
	server := inMemory(t, catalog)
	cfg := checkConfig(t, clock, run.NewMemory(), server)
	cfg.Expiry = func(_ playground.Target, r playground.Round) time.Time {
		return seal.Explain(r.StateText(), keys, clock.Now()).Expires
	}
	return bench{server.url(), catalog, cfg}
}

func checkConfig(t *testing.T, c *clock, log run.Log, m memory) check.Config {
	t.Helper()
	return configOf(t, c, log, func(l wire.Limits) run.Caller {
		l.Grace = time.Millisecond
		return wire.New(wire.Config{InMemory: m.dial, Limits: l})
	})
}

// configOf is the config whose requests are sent by a Caller with some limits.
func configOf(t *testing.T, c *clock, log run.Log, caller func(wire.Limits) run.Caller) check.Config {
	t.Helper()
	me := playground.Client{Name: "check", Version: "1"}
	runner := run.New(run.Config{
		Patient: func(wait time.Duration) run.Caller {
			return caller(wire.Limits{FirstByte: wait, Total: 3 * wait})
		},
		Log: log, Client: me, Now: c.Now, Logger: slog.New(slog.DiscardHandler),
		Caller: caller(wire.Limits{}),
	})
	t.Cleanup(func() { _ = runner.Close(context.Background()) })
	n := 0
	cfg := check.Config{
		Runner: runner, Client: me, Now: c.Now, Wait: c.Wait, NewID: func() string {
			n++
			return "x" +
				strconv.Itoa(n)
		},
		Begin: func(context.Context, playground.Exchange) error { return nil }, Expiry: check.Expiry,
	}
	if record, ok := log.(*shelf); ok {
		cfg.Begin = record.Begin
	}
	return cfg
}

// token returns an access token of the protected sample.
func (b bench) token(t *testing.T, person string) string {
	t.Helper()
	token, err := authtest.Token(t.Context(), b.catalog, person, "notes:read")
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (b bench) plan(t *testing.T, slug, query string) check.Plan {
	t.Helper()
	sample, ok := b.catalog.Lookup(slug)
	if !ok {
		t.Fatalf("no sample %s", slug)
	}
	alice, bob := "demo-alice", "demo-bob"
	if slug == "protected" {
		alice, bob = b.token(t, "alice"), b.token(t, "bob")
		query += "&ttl=2m" // the state expires before the token
	}
	var answers map[string]json.RawMessage
	if text := sample.Start.Answers; len(text) > 0 {
		if err := json.Unmarshal(text, &answers); err != nil {
			t.Fatal(err)
		}
	}
	return check.Plan{
		Answers: answers,
		Target: playground.Target{ID: slug, Sample: slug, URL: b.url + sample.Path() + "?" + query,
			Capabilities: []byte(`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},` +
				`"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`),
			Header: []wire.Field{{Name: "Authorization", Value: "Bearer " + alice}}},
		Call:   playground.Call{Method: sample.Start.Method, Params: sample.Start.Params},
		Person: []wire.Field{{Name: "Authorization", Value: "Bearer " + bob}},
		Other: &playground.Call{Method: "tools/call",
			Params: []byte(`{"name":"list_work_items","arguments":{}}`)},
		MaxWait: 2 * time.Hour,
	}
}

func checkOf(t *testing.T, cfg check.Config, p check.Plan) lab.Report {
	t.Helper()
	exchanges, err := check.Run(t.Context(), cfg, p)
	if err != nil {
		t.Fatal(err)
	}
	return lab.NewReport(exchanges, server.Connection{}, false)
}

func show(t *testing.T, r lab.Report) {
	t.Helper()
	t.Logf("%s %s %+v", r.Status, r.Detail, r.Experiments().Counts())
	for _, p := range r.Results {
		t.Logf("  %-5s %-24s %s", p.Verdict, p.ID, p.Text)
	}
	for _, f := range r.Findings {
		t.Logf("  %-5s %-24s %s (%s, round %d)", f.Verdict, f.Rule, f.Text, f.Experiment, f.Round)
	}
}

// TestRun_SamplesHaveNoFailure: every sample that is no bad example.
func TestRun_SamplesHaveNoFailure(t *testing.T) {
	for _, sample := range samples(t) {
		if sample.Era == sampletools.Legacy || sample.Slug == "naughty" {
			continue
		}
		for _, mode := range []string{"sealed&stream=0", "signed&stream=1"} {
			parallel(t, sample.Slug+"/"+mode, func(t *testing.T) {
				b := newBench(t)
				r := checkOf(t, b.config, b.plan(t, sample.Slug, sample.Start.Query+"&state="+mode))
				show(t, r)
				// a call may fail for want of a real answer, but not its server
				if r.Verdict().OK() != r.Worked || r.Status != lab.Complete ||
					r.Verdict().Counts().Failed+r.Verdict().Counts().Advisory > 0 {
					t.Errorf("%s: %+v %s", r.Status, r.Verdict().Counts(), r.Detail)
				}
			})
		}
	}
}

// TestRun_VersionsTakeTurns: in a rolling upgrade an answer reaches a version that did
// not ask for it, which is no fault.
func TestRun_VersionsTakeTurns(t *testing.T) {
	for _, query := range []string{"instances=a:v1,b:v2", "instances=a:v2,b:v1,c:v1&stream=1"} {
		parallel(t, query, func(t *testing.T) {
			b := newBench(t)
			r := checkOf(t, b.config, b.plan(t, "rolling-upgrade", query))
			if !r.Verdict().OK() || r.Verdict().Counts().Advisory > 0 {
				show(t, r)
				t.Errorf("%s: %+v %s", r.Status, r.Verdict().Counts(), r.Detail)
			}
		})
	}
}

// parallel runs a subtest in a bubble of its own, beside the others.
func parallel(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(began)) // a bubble begins in 2000
			test(t)
		})
	})
}

// samples returns the catalog's description of every sample.
func samples(t *testing.T) (list []sampletools.Sample) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { list = newBench(t).catalog.Samples() })
	return list
}

// TestRun_FollowsOnlyTheRightCall: a check of a tool that works for a minute
// waits for it in the right calls alone. What its experiments cause is cancelled.
func TestRun_FollowsOnlyTheRightCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, sampletools.Config{})
		p := b.plan(t, "tasks", "")
		p.Call.Params = []byte(`{"name":"build","arguments":{"seconds":60}}`)
		exchanges, err := check.Run(t.Context(), b.config, p)
		if err != nil {
			t.Fatal(err)
		}
		if r := lab.NewReport(exchanges, server.Connection{}, false); !r.Verdict().OK() {
			show(t, r)
			t.Error(r.Status)
		}
		for _, x := range exchanges {
			f := x.Fold()
			polls := 0
			for _, r := range f.Rounds {
				polls += r.Polls
			}
			if x.Experiment() != "" && (polls > 2 || f.Status == playground.StatusRunning) {
				t.Errorf("%s: %s after %d polls", x.Experiment(), f.Status, polls)
			}
			if x.Experiment() == "" && f.Status != playground.StatusComplete &&
				f.Status != playground.StatusCancelled {
				t.Errorf("the right call is %s", f.Status)
			}
		}
	})
}

// TestRun_PlainStateFails: tampering works, and the check says so.
func TestRun_PlainStateFails(t *testing.T) {
	for _, slug := range []string{"azure-devops", "load-shedding", "wizard", "voucher"} {
		parallel(t, slug, func(t *testing.T) {
			b := newBench(t)
			sample, _ := b.catalog.Lookup(slug)
			r := checkOf(t, b.config, b.plan(t, slug, sample.Start.Query+"&state=plain"))
			show(t, r)
			for _, p := range r.Results {
				if (p.ID == "flip-state") != (p.Verdict == verdict.Failed) {
					t.Errorf("%s: %s: %s", p.ID, p.Verdict, p.Text)
				}
			}
		})
	}
}

// TestExpected_MatchesTheSamples holds the table of experiments, which the Lab
// shows too, against what samples do in each of the three protections.
func TestExpected_MatchesTheSamples(t *testing.T) {
	for _, mode := range []lab.Protection{lab.Plain, lab.Signed, lab.Sealed} {
		// experiments without a place
		for slug, unfit := range map[string]int{"azure-devops": 7, "voucher": 7} {
			parallel(t, string(mode)+"/"+slug, func(t *testing.T) { expected(t, mode, slug, unfit) })
		}
	}
}

func expected(t *testing.T, mode lab.Protection, slug string, unfit int) {
	t.Helper()
	b := newBench(t)
	p := b.plan(t, slug, "state="+string(mode))
	if slug == "azure-devops" {
		p.Answers = map[string]json.RawMessage{
			"resolution":   []byte(`{"resolution":"Duplicate"}`),
			"duplicate_of": []byte(`{"duplicateOfId":4301}`),
		}
	}
	made := 0
	for _, probe := range checkOf(t, b.config, p).Results {
		if len(probe.Exchanges) == 0 {
			t.Logf("%s: %s", probe.ID, probe.Text)
			continue
		}
		made++
		rounds := playground.Fold(probe.Exchanges[0].Log).Rounds
		got := lab.React(rounds[len(rounds)-1], rounds[:len(rounds)-1])
		if probe.ID == "no-token" {
			continue // these samples need none
		}
		if want := probe.Expected(mode, slug == "voucher"); got != want {
			t.Errorf("%s: %s, want %s", probe.ID, got, want)
		}
	}
	want := -unfit
	for _, e := range lab.Experiments() {
		if e.Group != lab.GroupTask {
			want++
		}
	}
	if slug == "voucher" && mode == lab.Plain {
		want-- // its Base64 has no unused bits
	}
	if made != want {
		t.Errorf("%d experiments made, want %d", made, want)
	}
}
