package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// How long things may take that nobody needs to choose.
const (
	settle     = 2 * time.Second
	probeLimit = 10 * time.Second // for the first byte of one answer
)

func client() playground.Client {
	return playground.Client{Name: "mrtr-playground", Version: version}
}

// serve runs until ctx ends, then lets requests under way finish.
func serve(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.data, 0o700); err != nil {
		return fmt.Errorf("make data directory: %w", err)
	}
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer listener.Close()
	o.baseURL = or(o.baseURL, "http://"+listener.Addr().String())
	a, err := newApp(ctx, o, getenv, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	if o.admin != "" {
		if _, err := a.metrics.serve(ctx, o.admin, a.logger); err != nil {
			return errors.Join(err, a.store.Close())
		}
	}
	if _, err := fmt.Fprintf(stdout, "listening on http://%s\n", listener.Addr()); err != nil {
		return fmt.Errorf("announce address: %w", err)
	}
	return a.run(ctx, listener)
}

// app is the wired program.
type app struct {
	store   *db.Store
	runner  *rounds.Runner
	checks  *check.Jobs
	samples *sampletools.Catalog
	memory  *wire.Listener
	metrics *metrics
	handler http.Handler
	mode    web.Mode
	limits  limits
	leaving atomic.Bool // nothing new should come any more
	logger  *slog.Logger
}

func newApp(ctx context.Context, o options, getenv func(string) string, logger *slog.Logger) (*app, error) {
	theLessons := beside(lesson.New) // takes longest
	keys, err := seal.Load(getenv, o.data)
	if err != nil {
		return nil, err
	}
	cookieKey, err := loadKey(filepath.Join(o.data, "cookie-key"), getenv("MRTR_COOKIE_KEY"))
	if err != nil {
		return nil, err
	}
	a := &app{logger: logger, memory: wire.NewListener("samples"), metrics: newMetrics(), mode: o.mode, limits: o.limits}
	a.samples, err = sampletools.New(sampletools.Config{Keys: keys, Log: logger, BaseURL: o.baseURL})
	if err != nil {
		return nil, err
	}
	if a.store, err = db.Open(ctx, o.db); err != nil {
		return nil, err
	}
	never, err := o.neverCalled()
	if err != nil {
		return nil, errors.Join(err, a.store.Close())
	}
	caller := wire.New(wire.Config{Public: o.mode == web.Public, Limits: o.limits.answers, Deny: never, InMemory: a.toSamples(o.baseURL)})
	engine := rounds.Config{
		Log: a.store, Caller: caller, Patient: patient(caller), Open: caller.WithLimits(legacy.Limits()),
		Client: client(), Now: time.Now, Logger: logger,
	}
	a.runner = rounds.New(engine)
	if err := a.recover(ctx, o.baseURL); err != nil {
		return nil, errors.Join(err, a.store.Close())
	}
	assets, err := static.New()
	lessons, wrong := theLessons()
	if err := errors.Join(err, wrong); err != nil {
		return nil, errors.Join(err, a.store.Close())
	}
	a.checks = check.NewJobs(checking(a.store, a.runner, keys), o.limits.checks, o.limits.checkTime, logger)
	a.handler = web.New(web.Config{
		Store: a.store, Runner: a.runner, Checker: a.checks, Client: client(), Samples: a.samples.Samples(), SampleMCP: a.samples, Lessons: lessons,
		Explain: func(s string) seal.Explanation { return seal.Explain(s, keys, time.Now()) },
		Discover: func(ctx context.Context, t playground.Target) server.Connection {
			return drive.Discover(ctx, engine, t)
		},
		Ask: func(ctx context.Context, t playground.Target, method string, params json.RawMessage) (playground.Round, error) {
			return drive.Ask(ctx, engine, t, method, params)
		},
		Assets: assets, Mode: o.mode, BaseURL: o.baseURL, CookieKey: cookieKey,
		Limits: o.limits.pages, Proxies: o.proxies, Refused: a.metrics.refused, Leaving: a.leaving.Load,
		Now: time.Now, NewID: newID, Settle: settle, Logger: logger,
	})
	return a, nil
}

// beside starts f and returns what waits for its result.
func beside[T any](f func() (T, error)) func() (T, error) {
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		value, err = f()
	}()
	return func() (T, error) { <-done; return value, err }
}

// checking returns what checks need. A sample's own state tells when it
// expires; of others only what can be seen from outside.
func checking(store *db.Store, runner *rounds.Runner, keys *seal.Keys) check.Config {
	return check.Config{
		Runner: runner, Begin: store.Begin, Client: client(), Now: time.Now, Wait: waitFor, NewID: newID,
		Expiry: func(t playground.Target, r playground.Round) time.Time {
			if own := seal.Explain(r.StateText(), keys, time.Now()).Expires; !own.IsZero() {
				return own
			}
			return check.Expiry(t, r)
		},
	}
}

// patient callers wait longer than usual for an answer.
func patient(c *wire.Client) func(time.Duration) rounds.Caller {
	return func(wait time.Duration) rounds.Caller {
		return c.WithLimits(wire.Limits{FirstByte: wait, Total: wait})
	}
}

// toSamples connects requests for our own address to the samples without a port.
func (a *app) toSamples(baseURL string) func(string) (net.Conn, bool) {
	own := hostPort(baseURL)
	return func(hostport string) (net.Conn, bool) {
		if hostport != own {
			return nil, false
		}
		conn, err := a.memory.Dial()
		return conn, err == nil
	}
}

// recover goes on with what an earlier process left under way, or closes it.
func (a *app) recover(ctx context.Context, baseURL string) error {
	ids, err := a.store.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		x, err := a.store.ExchangeByID(ctx, id)
		switch {
		case err == nil:
			x.Target = x.Target.At(baseURL)
			err = a.runner.Resume(ctx, x)
		case errors.Is(err, playground.ErrNotFound):
			err = a.disconnect(ctx, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// disconnect closes the log of a target that was being connected to.
func (a *app) disconnect(ctx context.Context, id string) error {
	log, err := a.store.Log(ctx, id)
	if err != nil {
		return err
	}
	return a.runner.Disconnect(ctx, playground.Target{ID: id}, log)
}

// run serves until ctx ends.
func (a *app) run(ctx context.Context, listener net.Listener) error {
	streams, endStreams := context.WithCancel(context.Background())
	defer endStreams()
	server := newServer(a.handler, a.limits.requests)
	server.ErrorLog = slog.NewLogLogger(a.logger.Handler(), slog.LevelWarn)
	server.BaseContext = func(net.Listener) context.Context { return streams }
	server.RegisterOnShutdown(endStreams)
	inside := newServer(a.samples, a.limits.requests)
	go a.sweeper().run(streams)
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(unstalled{listener, a.limits.requests.stall}) }()
	go func() { failed <- inside.Serve(a.memory) }()
	select {
	case err := <-failed:
		return errors.Join(fmt.Errorf("serve: %w", err), a.close(context.Background(), server, inside))
	case <-ctx.Done():
	}
	last, stop := context.WithTimeout(context.Background(), a.limits.drain)
	defer stop()
	a.sayGoodbye(last)
	return a.close(last, server, inside)
}

// sayGoodbye says "not ready" for a while before nothing new is taken any more,
// so that a balancer sends nothing new here either. Nobody else asks.
func (a *app) sayGoodbye(ctx context.Context) {
	a.leaving.Store(true)
	if a.mode == web.Public {
		_ = waitFor(ctx, a.limits.farewell) // or as long as there is time
	}
}

// sweeper keeps everything that belongs to the one user of a local program.
func (a *app) sweeper() sweeper {
	s := sweeper{store: a.store, now: time.Now, logger: a.logger}
	if a.mode == web.Public {
		s.idle = a.limits.idle
	}
	return s
}

// close ends in the order in which things depend on each other.
func (a *app) close(ctx context.Context, server, inside *http.Server) error {
	err := server.Shutdown(ctx)
	a.checks.Close()
	if late := a.runner.Close(ctx); late != nil {
		a.logger.Warn("closing", "err", late)
	}
	_ = inside.Close()
	a.samples.Close()
	return errors.Join(err, a.store.Close())
}
