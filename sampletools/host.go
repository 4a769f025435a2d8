package sampletools

import (
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// modern is the first revision with multi round-trip requests.
const modern = "2026-07-28"

// Bounds on sessions of the older eras; each holds memory in one copy.
const (
	maxSessions    = 200
	sessionTimeout = 10 * time.Minute
)

// A host runs the copies of one scenario behind its balancer.
type host struct {
	scenario
	config   Config
	balancer cluster.Balancer

	mu     sync.Mutex
	copies map[cluster.Copy]*running
}

// running is one copy: one server, reached in three ways.
type running struct {
	server              *mcp.Server
	json, stream, older http.Handler
}

func newHost(c Config, s scenario) *host {
	s.Options = urlOptions(s.Sample)
	return &host{scenario: s, config: c, copies: map[cluster.Copy]*running{}}
}

// ServeHTTP is the load balancer: it reads the topology, chooses a copy and says which one it was.
func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o, err := parseOptions(h.Sample, r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c, err := h.pick(o.topology, r)
	if c.Name != "" {
		w.Header().Set("Mcp-Sample-Copy", c.Label())
	}
	switch {
	case errors.Is(err, errNoSession):
		http.Error(w, err.Error(), http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	default:
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		h.serve(h.running(c), o, w, r.WithContext(withOptions(r.Context(), o)))
	}
}

// serve routes by era: one SDK handler cannot speak both.
func (h *host) serve(c *running, o options, w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Mcp-Protocol-Version") < modern {
		h.serveOlder(c, w, r)
		return
	}
	r, err := takeRetry(r)
	switch {
	case err != nil && tooLarge(err):
		http.Error(w, "request body too large", http.StatusRequestEntityTooLarge)
	case err != nil:
		http.Error(w, "request body cut short", http.StatusBadRequest)
	case o.stream:
		c.stream.ServeHTTP(w, r)
	default:
		c.json.ServeHTTP(w, r)
	}
}

func (h *host) serveOlder(c *running, w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Mcp-Session-Id") == "" && sessions(c.server) >= maxSessions {
		w.Header().Set("Retry-After", "60")
		http.Error(w, "too many sessions in this copy", http.StatusServiceUnavailable)
		return
	}
	c.older.ServeHTTP(w, r)
}

func sessions(s *mcp.Server) int {
	n := 0
	for range s.Sessions() {
		n++
	}
	return n
}

var errNoSession = errors.New("session not found: the copy that held it is gone")

// pick prefers the copy that holds the session, if the request is of an older era and has one.
// This is what operators call sticky routing; requests of 2026-07-28 need none.
func (h *host) pick(t cluster.Topology, r *http.Request) (cluster.Copy, error) {
	name, _, ok := strings.Cut(r.Header.Get("Mcp-Session-Id"), ".")
	if !ok {
		return h.balancer.Pick(t)
	}
	c, ok := t.Find(name)
	if !ok || c.Health == cluster.Dead {
		return c, errNoSession
	}
	return c, nil
}

// running starts a copy when it is first needed. There are at most as many as names times versions.
func (h *host) running(c cluster.Copy) *running {
	c.Health = cluster.Live
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.copies[c] == nil {
		h.copies[c] = h.start(c)
	}
	return h.copies[c]
}

func (h *host) start(c cluster.Copy) *running {
	s := h.newServer(c)
	get := func(*http.Request) *mcp.Server { return s }
	handler := func(o mcp.StreamableHTTPOptions) http.Handler {
		o.DisableLocalhostProtection = true // the program checks Host for all its pages
		o.MaxRequestBodyBytes = maxBody
		o.Logger = h.config.Log
		return mcp.NewStreamableHTTPHandler(get, &o)
	}
	return &running{
		server: s,
		json:   handler(mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, PropagateRequestCancellation: true}),
		stream: handler(mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}),
		older:  handler(mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout}),
	}
}

// sessionID begins with the name of the copy, which is how the balancer finds it again.
func sessionID(c cluster.Copy) func() string {
	return func() string { return c.Name + "." + rand.Text() }
}

// Close ends the sessions of all copies.
func (h *host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.copies {
		for s := range c.server.Sessions() {
			s.Close()
		}
	}
}
