package sampletools

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// Bounds on legacy sessions; each holds memory in one instance.
const (
	sessionTimeout = 10 * time.Minute
)

// serveLegacy passes the request to the SDK, unless it would start one session
// too many.
func (h *host) serveLegacy(c *running, w *responseWriter, r *http.Request) {
	if r.Header.Get("Mcp-Session-Id") != "" {
		c.legacy.ServeHTTP(w, r)
		return
	}
	who := r.Header.Get(callerHeader)
	most := h.config.Limits.Sessions
	all, own := c.sessions(who)
	if all >= most || who != "" && own >= partOf(most, h.config.Shared) {
		h.config.Refuse(refusedSession)
		w.Header().Set("Retry-After", "60")
		f := refuse(w.id, jsonrpc.CodeInternalError, "too many sessions in this instance")
		f.status = http.StatusServiceUnavailable
		f.write(w.ResponseWriter)
		return
	}
	c.legacy.ServeHTTP(w, r)
	if id := w.Header().Get("Mcp-Session-Id"); id != "" {
		c.holders.Store(id, who)
	}
}

// sessions returns the number of sessions of an instance, and of those that this
// caller began. It forgets who held those that have ended.
func (c *running) sessions(who string) (all, own int) {
	open := map[string]bool{}
	for s := range c.server.Sessions() {
		open[s.ID()] = true
	}
	c.holders.Range(func(id, holder any) bool {
		switch {
		case !open[id.(string)]:
			c.holders.Delete(id)
		case holder == who:
			own++
		}
		return true
	})
	return len(open), own
}

var errNoSession = errors.New("session not found: the instance that held it is gone")

// pick returns the instance that holds the session of a legacy request (sticky
// routing), and leaves every other request to the balancer. A sample of the
// legacy era begins every session on its first live instance: next sends answers
// to another one, where they are always lost.
func (h *host) pick(t cluster.Topology, r *http.Request) (cluster.Instance, error) {
	name, _, ok := strings.Cut(r.Header.Get("Mcp-Session-Id"), ".")
	if !ok {
		if h.Era == Legacy {
			t.Next = t.FirstLive()
		}
		return h.balancer.Pick(t)
	}
	if h.Era == Legacy && t.Next != "" && isAnswer(r) {
		return h.balancer.Pick(t)
	}
	c, ok := t.Find(name)
	if !ok || c.Health == cluster.Dead {
		return c, errNoSession
	}
	return c, nil
}

// isAnswer reports whether the request is the answer to a server-initiated
// request. The body can be read again afterwards.
func isAnswer(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), errorReader{err}))
	var m struct {
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	return err == nil && json.Unmarshal(body, &m) == nil && m.Method == "" &&
		(m.Result != nil || m.Error != nil)
}

// errorReader returns the error that ended the body, or io.EOF.
type errorReader struct{ err error }

func (f errorReader) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// sessionID returns a generator of session ids. An id starts with the name of
// the instance, so that the balancer can route by it, and ends with the name of the
// process, if that has one, so that a proxy in front of several can.
func sessionID(c cluster.Instance, process string) func() string {
	if process != "" {
		process = "." + process
	}
	return func() string { return c.Name + "." + rand.Text() + process }
}
