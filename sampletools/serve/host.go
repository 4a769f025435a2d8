package serve

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// Config has the parts that a Host needs from the program.
type Config struct {
	Keys *seal.Keys
	Now  func() time.Time
	Rand io.Reader
	Log  *slog.Logger // gets errors, refused states and traced requests
	// Shared says that strangers use the server, so one caller may hold only a
	// part of the limited resources.
	Shared          bool
	Open, Listeners Places // open calls of legacy clients, and streams of subscriptions/listen
	Sessions        int    // most sessions of legacy clients in one instance
	// Process is the name of this process among several: letters, digits and
	// hyphens. Session ids of legacy clients end with it.
	Process    string
	Refuse     func(code string) // counts refusals because of a limit
	AnswerWait time.Duration     // how long a call of a legacy client stays open for an answer
}

// Codes of refusals because of a limit.
const (
	RefusedTask     = "tasks"
	RefusedListener = "listeners"
	RefusedSession  = "sessions"
	RefusedCall     = "calls"
)

// Host runs the instances of a service.
type Host struct {
	Service
	config Config
	cloak  cloak

	closing context.Context // ends the open calls and streams

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

// New returns a Host without running instances. Its streams and the open
// calls of legacy clients end with closing.
func New(closing context.Context, c Config, s Service) *Host {
	return &Host{
		Service: s, config: c, cloak: newCloak(), closing: closing,
		instances: map[cluster.Instance]*running{},
	}
}

// Options are the choices of a client for a request, in the URL.
type Options struct {
	Mode   seal.Mode
	TTL    time.Duration // life of a state
	Stream bool          // answer with an SSE stream
	Wait   time.Duration // for the answer of a legacy client; 0 means that of the config
	Alone  bool          // legacy clients get no session
}

type optionsKey struct{}

func withOptions(ctx context.Context, o Options) context.Context {
	return context.WithValue(ctx, optionsKey{}, o)
}

func optionsFrom(ctx context.Context) Options {
	o, _ := ctx.Value(optionsKey{}).(Options)
	return o
}

type endKey struct{}

// WithEnd returns a context for requests to a server whose open calls of legacy
// clients end with end: from then on the answers that they wait for cannot come.
func WithEnd(ctx, end context.Context) context.Context {
	return context.WithValue(ctx, endKey{}, end)
}

// endFrom returns the context of WithEnd, or one that never ends.
func endFrom(ctx context.Context) context.Context {
	if end, ok := ctx.Value(endKey{}).(context.Context); ok {
		return end
	}
	return context.Background()
}

// implementation returns how an instance names itself.
func (h *Host) implementation(c cluster.Instance) mcp.Implementation {
	return mcp.Implementation{Name: h.Name, Title: h.Title, Version: c.Version}
}

// RefuseUnread answers a request that does not get to an instance. A client that
// posts a message gets a JSON-RPC error with the id of its request; other HTTP
// methods get plain text.
func RefuseUnread(w http.ResponseWriter, r *http.Request, status int, message string) {
	if r.Method != http.MethodPost {
		http.Error(w, message, status)
		return
	}
	f := Refuse(nil, errorCode(status), message)
	f.Status = status
	if body, err := io.ReadAll(r.Body); err == nil {
		switch m, broken := readEnvelope(body); {
		case broken != nil:
			f.ID = broken.ID
		case m.IsRequest():
			f.ID = m.ID
		}
	}
	f.Write(w)
}

// ForgetSession removes the headers of a legacy session from a request that can
// have none: 2026-07-28 has no sessions, and its streams cannot be resumed.
func (h *Host) ForgetSession(r *http.Request, o Options) {
	if o.Alone || !h.Era.isLegacy(r.Header.Get(VersionHeader)) {
		r.Header.Del("Mcp-Session-Id")
		r.Header.Del("Last-Event-ID")
	}
}

// Launched returns how many instances run.
func (h *Host) Launched() int { return int(h.launched.Load()) }

// running returns an instance and starts it first if needed. The number of
// instances is bounded by names times versions.
func (h *Host) running(c cluster.Instance) *running {
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

// Change changes the lists of every instance, so that a client that listens on
// one of them hears of it, wherever the change was made. The name keeps the
// same change from being stored twice.
func (h *Host) Change(name string, f func(*mcp.Server)) {
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

// ResourceChanged notifies the subscribers of a resource in every instance.
func (h *Host) ResourceChanged(ctx context.Context, uri string) error {
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
func (h *Host) launch(c cluster.Instance) *running {
	s := h.newServer(c)
	get := func(*http.Request) *mcp.Server { return s }
	handler := func(o mcp.StreamableHTTPOptions) http.Handler {
		o.DisableLocalhostProtection = true // the program checks Host for all its pages
		o.MaxRequestBodyBytes = MaxBody
		return mcp.NewStreamableHTTPHandler(get, &o)
	}
	return &running{
		server: s,
		json: handler(mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true,
			PropagateRequestCancellation: true}),
		stream: handler(mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}),
		legacy: handler(mcp.StreamableHTTPOptions{SessionTimeout: SessionTimeout,
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

// Close ends the sessions of all instances. It does not close the Runner.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.instances {
		for s := range c.server.Sessions() {
			s.Close()
		}
	}
}
