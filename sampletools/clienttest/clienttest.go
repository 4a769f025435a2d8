package clienttest

import (
	"crypto/rand"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Config configures a Server. The zero value is ready for use.
type Config struct {
	// Base is the URL of the handler as clients see it, for the addresses of
	// canaries; if it is empty, it is taken from each request.
	Base string
	// PublicURL returns the URL that a client has for the server if something else stands in front of
	// it, or ""; nil means that nothing does.
	PublicURL func(*http.Request) string
	Random    io.Reader        // of the marks; nil means crypto/rand
	Now       func() time.Time // nil means time.Now
	Notes     Notes            // nil means notes in memory, which other processes do not see
	// Hold is the longest time for which an answer is held back: by a tool that
	// never answers, by one that waits for a second call, and by a
	// subscription; 0 means 30 seconds.
	Hold time.Duration
	// Gateway serves the test of a gateway in place of that of clients, as ?for=gateway does for
	// one request.
	Gateway bool
}

// Notes keeps a few short texts for an id, for NoteLife: events of a task or of
// a canary address. An id has letters, digits, dots, hyphens and underscores.
type Notes interface {
	// Add adds a note that counts for the client with an address.
	Add(remote, id, note string)
	// Of returns the notes of an id, oldest first.
	Of(id string) []string
}

// NoteLife is how long a note is kept.
const NoteLife = 10 * time.Minute

// Server is the test server, an http.Handler.
type Server struct {
	config    Config
	scenarios map[string]scenario // by kind and name
	pair      rendezvous
	next      atomic.Uint64 // instance
	mu        sync.Mutex    // of Random
}

// New returns a Server with the configuration c.
func New(c Config) *Server {
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Notes == nil {
		c.Notes = &memory{now: c.Now}
	}
	if c.Hold == 0 {
		c.Hold = 30 * time.Second
	}
	s := &Server{config: c, scenarios: map[string]scenario{}}
	for _, x := range slices.Concat(table(), hops()) {
		s.scenarios[x.Kind+" "+x.Name] = x
	}
	return s
}

// maxBody is the largest request: a state of 64 KiB may be escaped.
const maxBody = 1 << 20

// ServeHTTP answers a request of MCP, or the visit of a canary address.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, canary, ok := strings.Cut(r.URL.Path, canaryPath); ok {
		s.visit(w, r, canary)
		return
	}
	gateway := s.config.Gateway || r.URL.Query().Get("for") == "gateway"
	if gateway && r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, metadataPath) {
		s.metadata(w, r)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "send POST", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body is too large or was cut off", http.StatusRequestEntityTooLarge)
		return
	}
	c := &call{s: s, w: w, r: r, gateway: gateway}
	if gateway {
		s.nameInstance(w, r)
	}
	if !c.read(body) {
		return
	}
	c.dispatch()
}

// dispatch answers by method.
func (c *call) dispatch() {
	switch c.method {
	case "server/discover":
		c.discover()
	case "tools/list":
		c.listTools()
	case "prompts/list":
		c.listPrompts()
	case "resources/list":
		c.listResources()
	case "resources/templates/list":
		c.listTemplates()
	case "tools/call":
		c.perform("tool", "name")
	case "prompts/get":
		c.perform("prompt", "name")
	case "resources/read":
		c.perform("resource", "uri")
	case "completion/complete":
		c.complete()
	case "tasks/get", "tasks/update", "tasks/cancel":
		c.task()
	case "subscriptions/listen":
		c.listen()
	default:
		c.fail(http.StatusNotFound, -32601, "method not found: "+c.method, "")
	}
}

// perform answers a call of a tool, a prompt or a resource.
func (c *call) perform(kind, member string) {
	c.name = c.text(member)
	x, ok := c.s.scenarios[kind+" "+strings.TrimPrefix(c.name, uriPrefix)]
	if !ok || x.hop && !c.gateway {
		c.fail(http.StatusOK, -32602, "unknown "+kind+": "+c.name, "")
		return
	}
	c.scenario = x
	x.answer(c)
}
