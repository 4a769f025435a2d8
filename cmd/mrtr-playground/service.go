package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/admin"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// now is the clock of serve. Tests shift it: the clocks of several processes
// differ.
var now = time.Now

// settleTime is how long a page waits for a request before it shows it as
// running.
const settleTime = 2 * time.Second

func client() playground.Client {
	return playground.Client{Name: "mrtr-playground", Version: version}
}

// service is the wired program.
type service struct {
	store    *db.Store
	replica  *db.Replica      // nil if the store serves this process only
	now      func() time.Time // of all replicas
	samples  *sampletools.Catalog
	memory   *wire.Listener // connects the runner to the samples without a port
	runner   *rounds.Runner
	checks   *check.Jobs
	sender   *wire.Client
	lines    *lines.Servers
	metrics  *metrics
	site     *site.Site
	public   *http.Server // for the pages
	phones   *phones      // for the phones of a room; nil if there is none
	inside   *http.Server // for the samples, on memory
	mode     app.Mode
	limits   limits
	proxies  networks
	draining atomic.Bool                     // set when the program begins to stop
	crowd    atomic.Pointer[crowdedListener] // of public; nil before it serves
	log      logSettings
	logger   *slog.Logger
	steps    steps // of the start
}

// keys are the secrets of the program.
type keys struct {
	seals   *seal.Keys
	cookies *cookieKeys
}

// loadKeys returns the keys. Key files in the data directory are readable by
// their user only; one that others could read is no longer afterwards.
func loadKeys(getenv func(string) string, dir string) (keys, error) {
	for _, name := range []string{seal.FileName, cookieKeysName} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = os.Chmod(path, 0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return keys{}, fmt.Errorf("make %s private: %w", path, err)
		}
	}
	seals, err := seal.Load(getenv, dir)
	if err != nil {
		return keys{}, err
	}
	cookies, err := loadCookieKeys(getenv, dir)
	return keys{seals, cookies}, err
}

// newService opens and connects the parts of the program, and brings the logs of an
// earlier process to an end. On an error it closes the opened parts.
func newService(
	ctx context.Context, o options, getenv func(string) string, m *metrics, logger *slog.Logger,
) (_ *service, err error) {
	a := &service{
		memory: wire.NewListener("samples"), metrics: m, mode: o.mode, limits: o.limits,
		proxies: o.proxies, log: o.log, logger: logger, steps: steps{last: time.Now()}, now: now,
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.abort())
		}
	}()
	k, err := loadKeys(getenv, o.data)
	if err != nil {
		return nil, err
	}
	a.steps.done("keys")
	if a.store, err = openStore(ctx, o, m, logger); err != nil {
		return nil, err
	}
	a.steps.done("database")
	if err := a.tellOfClaim(ctx, o.program()); err != nil {
		return nil, err
	}
	a.phones = a.newPhones(o)
	a.lines = newLines(o.stdio, o.limits, a.localRoots, nil)
	samples := sampletools.Config{
		Keys: k.seals, Log: logger, BaseURL: o.baseURL, Shared: o.mode.Shared(),
		Limits: o.limits.samples, Refuse: a.metrics.refused, Now: now, Process: o.replicaName,
		Places: func(inAll, each int) sampletools.Places {
			return places.New(places.Limits{InAll: inAll, Each: each})
		},
	}
	if engine.IsPostgresURL(o.db) {
		if a.replica, err = a.store.Join(ctx, now); err != nil {
			return nil, err
		}
		a.now, samples.Now = a.replica.Now, a.replica.Now
		samples.Table = a.replica
	}
	samples.Flows = site.Flows(a.store, o.mode, samples.Now)
	if a.samples, err = sampletools.New(samples); err != nil {
		return nil, err
	}
	a.steps.done("samples")
	engine := a.engine(o)
	a.runner = rounds.New(engine)
	if a.replica == nil {
		if err := a.recover(ctx, o.baseURL); err != nil {
			return nil, err
		}
	}
	if err := a.store.KeepReserve(ctx); err != nil {
		return nil, err
	}
	a.steps.done("unfinished")
	if err := a.addCommands(ctx); err != nil {
		return nil, err
	}
	parts := site.Parts{
		Store: a.store, Engine: engine, Sender: a.sender, Samples: a.samples, Seals: k.seals,
	}
	a.checks = check.NewJobs(a.checkConfig(parts), o.limits.pages.Checks, o.limits.checkTime, logger)
	a.site, err = a.pages(o, k.cookies, parts)
	if err != nil {
		return nil, err
	}
	m.set.RegisterMetricsWriter(gauges{a}.write)
	a.together(o.baseURL)
	a.public, a.inside = newServer(a.site, o.limits.requests), newServer(a.samples, o.limits.requests)
	a.steps.done("pages")
	return a, nil
}

// tellOfClaim says where the work of local mode is, if several people use the program now
// and no browser has claimed it.
func (a *service) tellOfClaim(ctx context.Context, p launch.Program) error {
	if !a.mode.Shared() {
		return nil
	}
	bytes, err := a.store.Unclaimed(ctx)
	if err == nil && bytes > 0 {
		a.logger.Info("the workspace of local mode is in this database",
			"open", p.Only("claim", namesOf("claim")...), "bytes", bytes)
	}
	return err
}

// openStore opens the database that the options name.
func openStore(ctx context.Context, o options, m *metrics, logger *slog.Logger) (*db.Store, error) {
	settings := []engine.Option{engine.WithLogger(logger), engine.WithObserver(m.changed)}
	if engine.IsPostgresURL(o.db) {
		return db.OpenPostgres(ctx, o.db, settings...)
	}
	return db.Open(ctx, cmp.Or(o.db, filepath.Join(o.data, databaseName)), settings...)
}

// engine returns the settings of the runner: the client that it sends with, and
// the store that it records in.
func (a *service) engine(o options) rounds.Config {
	own := newOwn(o)
	a.sender = wire.New(wire.Config{
		Reach: own.reach, KnownOnly: o.mode.Shared(), Limits: o.limits.answers,
		Deny: o.denied, Closed: own.closed, Ours: own.ours,
		InMemory: a.dialSamples(o.baseURL), Now: a.now,
	})
	open := o.limits.answers.For(legacy.Limits())
	c := rounds.Config{
		Log: a.store, Caller: a.lines.Caller(a.sender, o.limits.answers), Patient: a.patient,
		Open:     a.lines.Caller(a.sender.WithLimits(open), open),
		Sessions: a.lines.Sessions(o.limits.answers, open),
		Client:   client(), Now: a.now, Logger: a.logger,
		Limits: o.limits.polling(o.mode), Size: a.store.SessionSize, Looked: a.store.Looked,
		Roots:   a.store.RootsOf,
		Stopped: func(why playground.StopReason) { a.metrics.refused("poll_" + string(why)) },
		Ended:   a.metrics.ended,
	}
	if o.callers != nil {
		c.Caller, c.Open = o.callers(c.Caller), o.callers(c.Open)
	}
	if a.replica != nil {
		c.Log, c.Replicas = a.replica, a.replica
	}
	return c
}

// patient returns a caller that waits longer than usual for an answer.
func (a *service) patient(wait time.Duration) rounds.Caller {
	l := a.limits.answers.For(wire.Limits{FirstByte: wait, Total: wait})
	return a.lines.Caller(a.sender.WithLimits(l), l)
}

// dialSamples returns a dialer that connects requests to baseURL to the samples
// in this process.
func (a *service) dialSamples(baseURL string) func(context.Context, string) (net.Conn, bool) {
	own := origin(baseURL)
	return func(ctx context.Context, to string) (net.Conn, bool) {
		if to != own {
			return nil, false
		}
		conn, err := a.memory.Dial(ctx)
		return conn, err == nil
	}
}

// checkConfig returns the parts that checks need.
func (a *service) checkConfig(parts site.Parts) check.Config {
	c := check.Config{
		Runner: a.runner, Begin: a.beginExchange, Client: client(), Now: a.now, Wait: drive.Pause,
		NewID: newID, Expiry: parts.Expiry,
	}
	if a.replica != nil {
		c.Replicas = a.replica
	}
	return c
}

// beginExchange stores a further exchange of a check, or returns an error once too much
// is stored: in public mode also by the owner of the check.
func (a *service) beginExchange(ctx context.Context, x playground.Exchange) error {
	u, err := a.store.SessionStorage(ctx, x.Session)
	if err != nil {
		return err
	}
	if err := a.limits.pages.CheckStorage(a.mode, u, a.now()); err != nil {
		return fmt.Errorf("%w: %w", playground.ErrFull, err)
	}
	return a.store.Begin(ctx, x)
}

// admin returns the handler of the admin address.
func (a *service) admin() http.Handler {
	return a.site.Admin(admin.Config{
		Store: a.store, Metrics: a.metrics.handler(), Refusals: a.metrics.refusalCounts, Pools: a.taskPools,
	})
}

// taskPools returns the places for tasks of the samples. Their tasks have no
// visitors, only demo identities.
func (a *service) taskPools() []usage.Pool {
	var list []usage.Pool
	for _, n := range a.samples.TaskCounts() {
		list = append(list, usage.Pool{Name: "tasks of the sample " + n.Sample, Held: n.Held, Limit: n.Limit})
	}
	return list
}

// pages returns the handler of the pages.
func (a *service) pages(o options, cookies *cookieKeys, parts site.Parts) (*site.Site, error) {
	assets, err := static.New()
	if err != nil {
		return nil, err
	}
	c := parts.Config(a.runner, a.checks)
	c.Lessons, c.Assets = sync.OnceValue(renderLessons), assets
	c.CookieKeys, c.Proxied, c.Proxies = cookies.current, o.proxied, o.proxies
	if !o.mode.Shared() { // others start a program of their own
		c.App.Program, c.App.LookupEnv = o.program(), os.LookupEnv
	}
	c.App.Mode, c.App.Reach = o.mode, o.reach()
	c.App.People = o.people()
	c.App.BaseURL, c.App.Named, c.App.Hosts = o.baseURL, o.named, o.hosts
	c.App.Times, c.App.Limits = o.limits.times, o.limitsOfPages()
	c.App.Exclusive = a.exclusive()
	if a.phones != nil {
		c.App.Phones = a.phones
	}
	if a.replica != nil {
		c.App.Notices, c.Agent.Table = a.replica, a.replica
	}
	c.Agent.Process = o.replicaName
	c.Refused, c.Served, c.Draining = a.metrics.refused, a.served(), a.draining.Load
	c.Build = web.Build{Revision: revision(), Go: runtime.Version()}
	c.App.NewID, c.App.Settle, c.App.Commands = newID, settleTime, a.lines
	return site.New(c), nil
}

// served returns the function that counts and logs the requests of visitors.
func (a *service) served() func(web.Served) {
	log := a.log.logRequest(a.logger)
	return func(r web.Served) {
		a.metrics.served(r)
		log(r)
	}
}

// connections returns how many connections of visitors are open.
func (a *service) connections() usage.Places {
	if l := a.crowd.Load(); l != nil {
		return app.PlacesOf("connections", l.open)
	}
	return usage.Places{Pool: "connections", Limit: a.limits.requests.connections}
}

// renderLessons returns the lessons, which takes longer than everything else at the
// start would. Their texts are part of the program, and its tests render them all.
func renderLessons() *lesson.Book {
	book, err := lesson.New()
	if err != nil {
		panic(err)
	}
	return book
}

// close stops the parts of the program in the order in which they depend on
// each other, and closes the store last. Requests may finish until ctx ends.
// Parts that were never opened are left out.
func (a *service) close(ctx context.Context) error {
	var err error
	if a.phones != nil {
		a.phones.end(ctx)
	}
	if a.public != nil {
		err = a.public.Shutdown(ctx)
	}
	if a.checks != nil {
		a.checks.Close()
	}
	if a.runner != nil {
		if late := a.runner.Close(ctx); late != nil {
			a.logger.Warn("close runner", "err", late)
		}
	}
	if a.lines != nil {
		a.lines.Close(ctx)
	}
	if a.site != nil {
		a.site.Close()
	}
	if a.inside != nil {
		_ = a.inside.Close()
	}
	_ = a.memory.Close()
	if a.samples != nil {
		a.samples.Close()
	}
	if a.replica != nil {
		if late := a.replica.Leave(context.WithoutCancel(ctx)); late != nil {
			a.logger.Warn("leave the other processes", "err", late)
		}
	}
	if a.store != nil {
		err = errors.Join(err, a.store.Close())
	}
	return err
}

// abort is close without waiting for requests.
func (a *service) abort() error {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	return a.close(ctx)
}
