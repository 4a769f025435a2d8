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
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// How long things may take.
const (
	drain      = 20 * time.Second
	sweepEvery = 10 * time.Minute
	settle     = 2 * time.Second
	readHeader = 5 * time.Second
	idle       = 60 * time.Second
	probeLimit = 10 * time.Second // for the first byte of one answer
	checkLimit = 15 * time.Minute
	maxHeader  = 32 << 10
)

// checksAtOnce is how many checks are made at the same time.
const checksAtOnce = 4

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
		if _, err := serveAdmin(ctx, o.admin, a.logger); err != nil {
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
	handler http.Handler
	logger  *slog.Logger
}

func newApp(ctx context.Context, o options, getenv func(string) string, logger *slog.Logger) (*app, error) {
	// What is made of embedded files takes longest, so it is made beside the rest.
	theAssets, theLessons := beside(static.New), beside(lesson.New)
	keys, err := seal.Load(getenv, o.data)
	if err != nil {
		return nil, err
	}
	cookieKey, err := loadKey(filepath.Join(o.data, "cookie-key"), getenv("MRTR_COOKIE_KEY"))
	if err != nil {
		return nil, err
	}
	a := &app{logger: logger, memory: wire.NewListener("samples")}
	a.samples, err = sampletools.New(sampletools.Config{Keys: keys, Log: logger, BaseURL: o.baseURL})
	if err != nil {
		return nil, err
	}
	if a.store, err = db.Open(ctx, o.db); err != nil {
		return nil, err
	}
	caller := wire.New(wire.Config{Public: o.mode == web.Public, InMemory: a.toSamples(o.baseURL)})
	a.runner = rounds.New(rounds.Config{Log: a.store, Caller: caller, Patient: patient(caller), Open: caller.WithLimits(legacy.Limits()), Client: client(), Now: time.Now, Logger: logger})
	if err := a.recover(ctx, o.baseURL); err != nil {
		return nil, errors.Join(err, a.store.Close())
	}
	assets, err := theAssets()
	lessons, wrong := theLessons()
	if err := errors.Join(err, wrong); err != nil {
		return nil, errors.Join(err, a.store.Close())
	}
	a.checks = check.NewJobs(checking(a.store, caller, keys), checksAtOnce, checkLimit, logger)
	a.handler = web.New(web.Config{
		Store: a.store, Runner: a.runner, Checker: a.checks, Client: client(), Samples: a.samples.Samples(), SampleMCP: a.samples, Lessons: lessons,
		Explain: func(s string) seal.Explanation { return seal.Explain(s, keys, time.Now()) },
		Discover: func(ctx context.Context, t playground.Target) playground.Connection {
			return rounds.Discover(ctx, caller, client(), time.Now, t)
		},
		Ask: func(ctx context.Context, t playground.Target, method string, params json.RawMessage) (playground.Round, error) {
			return rounds.Ask(ctx, caller, client(), time.Now, t, method, params)
		},
		Assets: assets, Mode: o.mode, BaseURL: o.baseURL, CookieKey: cookieKey,
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

// checking is what checks need. A sample's own state tells when it lapses;
// of others only what can be seen from outside.
func checking(store *db.Store, caller *wire.Client, keys *seal.Keys) check.Config {
	return check.Config{
		Record: store, Caller: caller.WithLimits(wire.Limits{FirstByte: probeLimit, Total: 2 * probeLimit}), Client: client(),
		Now: time.Now, Wait: waitFor, NewID: newID,
		Expires: func(text string) time.Time {
			if own := seal.Explain(text, keys, time.Now()).Expires; !own.IsZero() {
				return own
			}
			return check.Visible(text)
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
		x, err := a.store.Recall(ctx, id)
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
	return a.runner.Interrupt(ctx, id, log)
}

// run serves until ctx ends.
func (a *app) run(ctx context.Context, listener net.Listener) error {
	streams, endStreams := context.WithCancel(context.Background())
	defer endStreams()
	server := &http.Server{
		Handler: a.handler, ReadHeaderTimeout: readHeader, IdleTimeout: idle, MaxHeaderBytes: maxHeader,
		ErrorLog:    slog.NewLogLogger(a.logger.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return streams },
	}
	server.RegisterOnShutdown(endStreams)
	inside := &http.Server{Handler: a.samples, ReadHeaderTimeout: readHeader}
	go a.sweep(streams)
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(listener) }()
	go func() { failed <- inside.Serve(a.memory) }()
	select {
	case err := <-failed:
		return errors.Join(fmt.Errorf("serve: %w", err), a.close(context.Background(), server, inside))
	case <-ctx.Done():
	}
	last, stop := context.WithTimeout(context.Background(), drain)
	defer stop()
	return a.close(last, server, inside)
}

// sweep deletes links whose time is over, at once and then every few minutes.
// Nobody can open them any more; this takes them off the disk.
func (a *app) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := a.store.DropExpired(ctx, time.Now()); err != nil && ctx.Err() == nil {
			a.logger.Warn("delete expired links", "err", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
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
