package serve

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
func (h *Host) serveOther(c cluster.Instance, o Options, w *responseWriter, r *http.Request) {
	if !o.Alone && h.Era.isLegacy(r.Header.Get(VersionHeader)) && h.Handler == nil {
		h.serveLegacy(h.running(c), w, r)
		return
	}
	methodNotAllowed(w)
}

func methodNotAllowed(w http.ResponseWriter) {
	w.Header().Set("Allow", http.MethodPost)
	f := Refuse(nil, jsonrpc.CodeInvalidRequest, "the MCP endpoint of this revision accepts only POST")
	f.Status = http.StatusMethodNotAllowed
	f.Write(w)
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
func (h *Host) serveBatch(c cluster.Instance, list []json.RawMessage, w *responseWriter, r *http.Request) {
	for i, raw := range list {
		m, f := readMessage(raw)
		if f == nil {
			f = checkMedia(m, r.Header)
		}
		if f == nil {
			f = h.checkLegacy(m, r.Header, false)
		}
		if f != nil {
			f.ID = nil // the whole batch is refused
			f.Write(w.ResponseWriter)
			return
		}
		one := *m
		one.ID = nil // so that the refusal is one of the batch
		if h.Deny != nil && h.Deny(&one, w.ResponseWriter, r) {
			return
		}
		h.cloak.cover(m)
		list[i] = m.bytes()
	}
	body, err := json.Marshal(list)
	if err != nil {
		unreadable(err).Write(w.ResponseWriter)
		return
	}
	h.serveLegacy(h.running(c), w, withBody(r, body))
}

// checkLegacy checks a message of a legacy client. A session starts with
// initialize; a request outside a session has no answer but an error, unless
// the server has no sessions (alone).
func (h *Host) checkLegacy(m *Envelope, header http.Header, alone bool) *Refusal {
	version := header.Get(VersionHeader)
	switch {
	case version != "" && !slices.Contains(h.Era.Supported(), version):
		return unsupportedVersion(m.ID, version, h.Era.Supported())
	case !alone && header.Get("Mcp-Session-Id") == "" && m.Method != "initialize" && m.Method != "ping":
		return Refuse(m.ID, jsonrpc.CodeInvalidRequest,
			"there is no session: legacy clients send initialize first, clients of "+
				Revision+" send the header MCP-Protocol-Version")
	case m.IsRequest() && (modernOnly(m.Method)):
		f := Refuse(m.ID, jsonrpc.CodeMethodNotFound, m.Method+" does not exist in this revision")
		f.Status = http.StatusOK // legacy revisions send errors of requests as answers
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
