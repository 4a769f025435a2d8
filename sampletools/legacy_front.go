package sampletools

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// serveOther answers every HTTP method but POST. Legacy clients open a stream
// with GET and end their session with DELETE; 2026-07-28 has neither
// (basic/transports/streamable-http, "Earlier Streamable HTTP Revisions").
func (h *host) serveOther(c cluster.Instance, o options, w *responseWriter, r *http.Request) {
	if !o.alone && h.isLegacy(r.Header.Get(versionHeader)) && h.handler == nil {
		h.running(c).legacy.ServeHTTP(w, r)
		return
	}
	methodNotAllowed(w)
}

func methodNotAllowed(w http.ResponseWriter) {
	w.Header().Set("Allow", http.MethodPost)
	f := refuse(nil, jsonrpc.CodeInvalidRequest, "the MCP endpoint of this revision accepts only POST")
	f.status = http.StatusMethodNotAllowed
	f.write(w)
}

// readBatch returns the messages of a batch, which existed until 2025-06-18. It
// reports false if the body is no batch, or the version has none.
func readBatch(body []byte, version string) ([]json.RawMessage, bool) {
	if version != "" && version > "2025-06-17" {
		return nil, false
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) != nil || len(list) == 0 {
		return nil, false
	}
	return list, true
}

// serveBatch checks each message of a batch and passes the batch on.
func (h *host) serveBatch(c cluster.Instance, list []json.RawMessage, w *responseWriter, r *http.Request) {
	for i, raw := range list {
		m, f := readMessage(raw)
		if f == nil {
			f = checkMedia(m, r.Header)
		}
		if f == nil {
			f = h.checkLegacy(m, r.Header, false)
		}
		if f != nil {
			f.id = nil // the whole batch is refused
			f.write(w.ResponseWriter)
			return
		}
		if scope := h.missingScope(m, r.Header); scope != "" {
			h.guard.stepUp(w.ResponseWriter, r, nil, scope)
			return
		}
		h.cloak.cover(m)
		list[i] = m.bytes()
	}
	body, err := json.Marshal(list)
	if err != nil {
		unreadable(err).write(w.ResponseWriter)
		return
	}
	h.serveLegacy(h.running(c), w, withBody(r, body))
}

// checkLegacy checks a message of a legacy client. A session starts with
// initialize; a request outside a session has no answer but an error, unless
// the server has no sessions (alone).
func (h *host) checkLegacy(m *envelope, header http.Header, alone bool) *refusal {
	version := header.Get(versionHeader)
	switch {
	case version != "" && !slices.Contains(h.supported(), version):
		return h.unsupportedVersion(m.id, version)
	case !alone && header.Get("Mcp-Session-Id") == "" && m.method != "initialize" && m.method != "ping":
		return refuse(m.id, jsonrpc.CodeInvalidRequest,
			"there is no session: legacy clients send initialize first, clients of "+
				modern+" send the header MCP-Protocol-Version")
	case m.isRequest() && (modernOnly(m.method)):
		f := refuse(m.id, jsonrpc.CodeMethodNotFound, m.method+" does not exist in this revision")
		f.status = http.StatusOK // legacy revisions send errors of requests as answers
		return f
	}
	return nil
}

// modernOnly reports whether the method exists in 2026-07-28 only. The SDK has
// one table of methods for all revisions.
func modernOnly(method string) bool {
	switch method {
	case "server/discover", "subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel":
		return true
	}
	return false
}
