package serve

import (
	"crypto/rand"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// SessionTimeout is how long a legacy session may be idle; each holds memory in
// one instance.
const SessionTimeout = 10 * time.Minute

// holder is who began a legacy session.
type holder struct{ caller, principal string }

// serveLegacy passes the request to the SDK, unless it would start one session
// too many, or is one in the session of another principal.
func (h *Host) serveLegacy(c *running, w *responseWriter, r *http.Request) {
	if id := r.Header.Get("Mcp-Session-Id"); id != "" {
		if h.isOthers(c, id, r.Header) {
			f := Refuse(w.id, jsonrpc.CodeInvalidRequest, "session not found")
			f.Status = http.StatusNotFound
			f.Write(w.ResponseWriter)
			return
		}
		c.legacy.ServeHTTP(w, r)
		return
	}
	who := r.Header.Get(CallerHeader)
	most := h.config.Sessions
	all, own := c.sessions(who)
	if all >= most || who != "" && own >= PartOf(most, h.config.Shared) {
		h.config.Refuse(RefusedSession)
		w.Header().Set("Retry-After", "60")
		f := Refuse(w.id, jsonrpc.CodeInternalError, "too many sessions in this instance")
		f.Status = http.StatusServiceUnavailable
		f.Write(w.ResponseWriter)
		return
	}
	w.began = func(id string) { c.holders.Store(id, holder{who, h.principal(r.Header)}) }
	c.legacy.ServeHTTP(w, r)
}

// isOthers reports whether a session was begun by another principal than that of a
// request. An anonymous session is open to all who know its id.
func (h *Host) isOthers(c *running, id string, header http.Header) bool {
	began, known := c.holders.Load(id)
	if !known {
		return false
	}
	owner := began.(holder).principal
	return owner != Anonymous && owner != h.principal(header)
}

// sessions returns the number of sessions of an instance, and of those that this
// caller began. It forgets who held those that have ended.
func (c *running) sessions(who string) (all, own int) {
	open := map[string]bool{}
	for s := range c.server.Sessions() {
		open[s.ID()] = true
	}
	c.holders.Range(func(id, began any) bool {
		switch {
		case !open[id.(string)]:
			c.holders.Delete(id)
		case began.(holder).caller == who:
			own++
		}
		return true
	})
	return len(open), own
}

// sessionID returns a generator of session ids. An id starts with the name of
// the instance, so that the balancer can route by it, and ends with the name of the
// process, if that has one, so that a proxy in front of several can.
func sessionID(c cluster.Instance, process string) func() string {
	if process != "" {
		process = "." + process
	}
	return func() string { return c.Name + "." + rand.Text() + process }
}
