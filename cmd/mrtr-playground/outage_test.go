package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// watchedLog is a writer of logs that counts lines.
type watchedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *watchedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *watchedLog) count(line string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), line)
}

// gated is a server outside whose tasks/get are answered only while the gate is open.
type gated struct {
	next http.Handler
	held atomic.Int64
	gate atomic.Pointer[chan struct{}]
}

func newGated(t *testing.T) (*gated, string) {
	t.Helper()
	samples, err := sampletools.New(sampletools.Config{Keys: seal.Generate()})
	if err != nil {
		t.Fatal(err)
	}
	g := &gated{next: samples}
	at := httptest.NewServer(g)
	t.Cleanup(func() { at.Close(); samples.Close() })
	return g, at.URL + "/mcp/tasks"
}

func (g *gated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if gate := g.gate.Load(); gate != nil && r.Header.Get("Mcp-Method") == playground.TasksGet {
		g.held.Add(1)
		select {
		case <-*gate:
		case <-r.Context().Done():
		}
	}
	g.next.ServeHTTP(w, r)
}

// shut makes the server hold polls until the returned function is called, and returns
// once it holds one.
func (g *gated) shut() (open func()) {
	gate, before := make(chan struct{}), g.held.Load()
	g.gate.Store(&gate)
	for g.held.Load() == before {
		lull()
	}
	return func() { g.gate.Store(nil); close(gate) }
}

// TestServe_NothingHangsAfterAnOutage of the database, while a task is polled and calls of
// both eras wait for the user: every event meanwhile is recorded, and whatever
// the user does next comes to its end.
func TestServe_NothingHangsAfterAnOutage(t *testing.T) {
	c, logs := pgtest.Start(t), &watchedLog{}
	outside, address := newGated(t)
	p := startLogged(t, t.TempDir(), logs, "-db", c.URL("postgres"))
	_, server, _ := strings.Cut(p.post("/servers", url.Values{"url": {address}}), "/servers/")
	begin := func(form url.Values) string {
		t.Helper()
		path, err := send(p.url, "/exchanges", form)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	cancel := func(path string) {
		t.Helper()
		if _, err := send(p.url, path+"/cancel", nil); err != nil {
			t.Error(err)
		}
	}
	for _, act := range []string{"cancel", "answer"} {
		task := begin(url.Values{
			"target": {server}, "kind": {"tool"}, "tool": {"build"}, "raw": {"true"},
			"json": {`{"seconds":5}`},
		})
		paths := []string{task, begin(url.Values{"sample": {"before-mrtr"}}),
			begin(url.Values{"sample": {"azure-devops"}})}
		for _, path := range paths[1:] {
			if s, err := await(p.url, path); err != nil || s.status != "waiting" {
				t.Fatalf("%s: %s, %v", path, s.status, err)
			}
		}
		open, before := outside.shut(), logs.count("storing events waits")
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		open()
		for logs.count("storing events waits") < before+5 { // the next try is more than a second away
			lull()
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		awaitReady(t, p.url)
		for _, path := range paths {
			if act == "cancel" {
				cancel(path)
				continue
			}
			s, err := look(p.url, path)
			if err == nil && s.status == "waiting" {
				_, err = advance(p.url, s)
			}
			if err != nil {
				t.Error(err)
			}
		}
		for _, path := range paths {
			s, err := await(p.url, path)
			if err != nil || s.status == "failed" || s.status == "interrupted" {
				t.Errorf("%s %s: %s, %v", act, path, s.status, err)
			}
		}
	}
}

// awaitReady waits until a program can write to its database.
func awaitReady(t *testing.T, base string) {
	t.Helper()
	for {
		res, err := http.Get(base + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		if res.StatusCode == http.StatusOK {
			return
		}
		lull()
	}
}
