package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"

	mcpserve "github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// serve runs the program until ctx ends, then lets running requests finish.
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
	o.addr = listener.Addr().String()
	o.baseURL = cmp.Or(o.baseURL, ownURL(listener.Addr()))
	m := newMetrics()
	a, err := newService(ctx, o, getenv, m, newLogger(o.log, o.mode, stderr, m.logged))
	if err != nil {
		return err
	}
	admin, stop := context.WithCancel(context.WithoutCancel(ctx)) // serves while requests end
	defer stop()
	if o.admin != "" {
		if _, err := serveAdmin(admin, o.admin, a.admin(), a.logger); err != nil {
			return errors.Join(err, a.abort())
		}
	}
	a.logger.Debug("started", a.steps.list...)
	if _, err := fmt.Fprintf(stdout, "listening on http://%s\n", listener.Addr()); err != nil {
		return errors.Join(fmt.Errorf("announce address: %w", err), a.abort())
	}
	return a.run(ctx, listener)
}

// ownURL returns the URL of a program that listens on an address, on this machine.
func ownURL(addr net.Addr) string {
	if at, err := netip.ParseAddrPort(addr.String()); err == nil && at.Addr().IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", at.Port())
	}
	return "http://" + addr.String()
}

// run serves until ctx ends or a server fails, drains, and closes the program.
func (a *service) run(ctx context.Context, listener net.Listener) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	background, stop := context.WithCancel(context.Background())
	defer stop()
	a.public.ErrorLog = slog.NewLogLogger(a.logger.Handler(), slog.LevelWarn)
	a.inside.ErrorLog = a.public.ErrorLog
	a.public.Handler = endStreams(background, a.public.Handler)
	a.public.RegisterOnShutdown(stop)
	wg.Go(func() { a.sweeper().run(background) })
	crowd := newCrowdedListener(listener, a.limits.requests.connections, a.mode.Shared(),
		a.proxies, a.metrics.refused)
	a.crowd.Store(crowd)
	failed := make(chan error, 2)
	wg.Go(func() { failed <- a.public.Serve(writeTimeoutListener{crowd, a.limits.requests.stall}) })
	wg.Go(func() { failed <- a.inside.Serve(a.memory) })
	select {
	case err := <-failed:
		return errors.Join(fmt.Errorf("serve: %w", err), a.close(context.Background()))
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), a.limits.drain)
	defer cancel()
	a.drain(last)
	return a.close(last)
}

// endStreams ends, when ctx does, the requests that last until their client leaves:
// event streams of pages, the streams of a sample (GET of the Streamable HTTP transport,
// subscriptions/listen), and calls of legacy clients that wait for an answer, which
// could come no more; also through a capture. All others have the time of a drain to be answered.
func endStreams(ctx context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sample := strings.HasPrefix(r.URL.Path, "/mcp/") || strings.HasPrefix(r.URL.Path, web.CapturePath)
		if strings.HasSuffix(r.URL.Path, "/events") || sample && r.Method == http.MethodGet ||
			sample && r.Header.Get("Mcp-Method") == playground.Listen {
			streaming, stop := context.WithCancel(r.Context())
			defer stop()
			defer context.AfterFunc(ctx, stop)()
			r = r.WithContext(streaming)
		}
		if sample {
			r = r.WithContext(mcpserve.WithEnd(r.Context(), ctx))
		}
		next.ServeHTTP(w, r)
	})
}

// drain makes /readyz report 503 while requests are still accepted, so that a
// load balancer stops sending new ones. Only public mode waits; local instances
// have no load balancer.
func (a *service) drain(ctx context.Context) {
	a.draining.Store(true)
	if a.mode == app.Public {
		_ = drive.Pause(ctx, a.limits.drainDelay) // cut short when ctx ends
	}
}

// sweeper returns a sweeper, which deletes idle workspaces of browsers.
func (a *service) sweeper() sweeper {
	s := sweeper{store: a.store, now: a.now, logger: a.logger}
	if a.mode.Shared() {
		s.idle = a.limits.idle
	}
	return s
}
