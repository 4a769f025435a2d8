package sampletools

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// modern is the first revision with multi round-trip requests.
const modern = "2026-07-28"

// host runs the instances of one scenario behind their load balancer.
type host struct {
	scenario
	config   Config
	balancer cluster.Balancer
	cloak    cloak

	open, listeners *quota // calls of legacy clients, and streams of subscriptions/listen
	closing         context.Context
	close           context.CancelFunc // ends the open calls

	launched  atomic.Int32 // how many instances there are
	mu        sync.Mutex
	instances map[cluster.Instance]*running
	changes   map[string]func(*mcp.Server) // to the lists of all instances, by name
}

// running is one instance: one server with three HTTP handlers.
type running struct {
	server               *mcp.Server
	json, stream, legacy http.Handler
	holders              sync.Map // who began a legacy session, by its id
}

// newHost returns a host without running instances.
func newHost(c Config, s scenario) *host {
	s.Options = urlOptions(s)
	h := &host{
		scenario: s, config: c, cloak: newCloak(), instances: map[cluster.Instance]*running{},
		open: newQuota(c.Limits.OpenCalls, c.Shared), listeners: newQuota(c.Limits.Listeners, c.Shared),
	}
	h.closing, h.close = context.WithCancel(context.Background())
	if h.runner != nil && h.Token == "" {
		h.runner.Resume(h.redo)
	}
	return h
}

// Path returns the path of the sample's MCP endpoint.
func (s Sample) Path() string {
	if s.Token != "" {
		return flowPath + s.Token
	}
	return "/mcp/" + s.Slug
}

// Name returns the title with what it is the title of.
func (s Sample) Name() string {
	switch {
	case s.Example:
		return s.Title + " (an example flow)"
	case s.Token != "":
		return s.Title + " (a visitor's flow)"
	}
	return s.Title + " (sample)"
}

// pool returns the name that the sample has in logs and counts, where the token of a
// flow must not be.
func (s Sample) pool() string {
	if s.Token != "" {
		return flowPool
	}
	return s.Slug
}

// owner returns who owns a task of a principal. All flows have one runner, so an
// owner there is one of a flow.
func (s Sample) owner(principal string) string {
	if s.Token != "" {
		return s.Slug + " " + principal
	}
	return principal
}

// implementation returns how an instance names itself.
func (h *host) implementation(c cluster.Instance) mcp.Implementation {
	return mcp.Implementation{Name: cmp.Or(h.server, h.Slug), Title: h.Name(), Version: c.Version}
}

// ServeHTTP is the load balancer: it reads the topology, chooses an instance
// and names it in the response header Mcp-Sample-Instance.
func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	markCaller(r)
	forgetUser(r)
	o, err := parseOptions(h.Sample, r.URL.Query())
	if err != nil {
		refuseUnread(w, r, http.StatusBadRequest, "invalid parameter of the URL: "+err.Error())
		return
	}
	if o.alone || !h.isLegacy(r.Header.Get(versionHeader)) {
		r.Header.Del("Mcp-Session-Id") // this revision has no sessions, and streams cannot be resumed
		r.Header.Del("Last-Event-ID")
	}
	c, err := h.pick(o.topology, r)
	if c.Name != "" {
		w.Header().Set("Mcp-Sample-Instance", c.Label())
	}
	switch {
	case errors.Is(err, errNoSession):
		refuseUnread(w, r, http.StatusNotFound, err.Error())
	case err != nil:
		refuseUnread(w, r, http.StatusServiceUnavailable, downMessage(c))
	case h.checkToken(w, r):
		h.front(c, o, w, r.WithContext(withOptions(r.Context(), o)))
	}
}

// downMessage says which instance does not answer.
func downMessage(c cluster.Instance) string {
	if c.Name == "" {
		return "no instance is live: the URL declares all of them dead or drained"
	}
	return "the instance " + c.Name + " is down"
}

// refuseUnread answers a request that does not get to an instance. A client that
// posts a message gets a JSON-RPC error with the id of its request; other HTTP
// methods get plain text.
func refuseUnread(w http.ResponseWriter, r *http.Request, status int, message string) {
	if r.Method != http.MethodPost {
		http.Error(w, message, status)
		return
	}
	f := refuse(nil, errorCode(status), message)
	f.status = status
	if body, err := io.ReadAll(r.Body); err == nil {
		switch m, broken := readEnvelope(body); {
		case broken != nil:
			f.id = broken.id
		case m.isRequest():
			f.id = m.id
		}
	}
	f.write(w)
}

// running returns an instance and starts it first if needed. The number of
// instances is bounded by names times versions.
func (h *host) running(c cluster.Instance) *running {
	c.Health = cluster.Live
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.instances[c] == nil {
		h.instances[c] = h.launch(c)
		h.launched.Add(1)
		for _, change := range h.changes {
			change(h.instances[c].server)
		}
	}
	return h.instances[c]
}

// change changes the lists of every instance, so that a client that listens on
// one of them hears of it, wherever the change was made. The name keeps the
// same change from being stored twice.
func (h *host) change(name string, f func(*mcp.Server)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.changes == nil {
		h.changes = map[string]func(*mcp.Server){}
	}
	h.changes[name] = f
	for _, c := range h.instances {
		f(c.server)
	}
}

// resourceChanged notifies the subscribers of a resource in every instance.
func (h *host) resourceChanged(ctx context.Context, uri string) error {
	h.mu.Lock()
	servers := make([]*mcp.Server, 0, len(h.instances))
	for _, c := range h.instances {
		servers = append(servers, c.server)
	}
	h.mu.Unlock()
	for _, s := range servers {
		if err := s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			return err
		}
	}
	return nil
}

// launch builds the server of an instance and its three handlers.
func (h *host) launch(c cluster.Instance) *running {
	s := h.newServer(c)
	get := func(*http.Request) *mcp.Server { return s }
	handler := func(o mcp.StreamableHTTPOptions) http.Handler {
		o.DisableLocalhostProtection = true // the program checks Host for all its pages
		o.MaxRequestBodyBytes = maxBody
		return mcp.NewStreamableHTTPHandler(get, &o)
	}
	return &running{
		server: s,
		json: handler(mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true,
			PropagateRequestCancellation: true}),
		stream: handler(mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}),
		legacy: handler(mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout,
			EventStore: newEventStore()}),
	}
}

// maxEvents bounds the events that an instance keeps for clients of 2025-11-25
// that come back to a stream with Last-Event-ID, in bytes.
const maxEvents = 4 << 20

func newEventStore() mcp.EventStore {
	s := mcp.NewMemoryEventStore(nil)
	s.SetMaxBytes(maxEvents)
	return s
}

// Close ends the sessions of all instances, and the tasks.
func (h *host) Close() {
	h.close()
	if h.runner != nil && h.Token == "" {
		h.runner.Close()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.instances {
		for s := range c.server.Sessions() {
			s.Close()
		}
	}
}
