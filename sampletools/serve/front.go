package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// Serve answers a request as an instance of the service. It answers itself what
// the SDK would answer against the specification, and passes everything else on:
// to the SDK's stateless handlers, or to its stateful one for legacy clients. One
// SDK handler cannot serve both eras. The body must be limited to MaxBody, and
// MarkCaller must have been called.
func (h *Host) Serve(c cluster.Instance, o Options, w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(withOptions(r.Context(), o))
	version := r.Header.Get(VersionHeader)
	rw := &responseWriter{ResponseWriter: w, cloak: h.cloak}
	if r.Method != http.MethodPost {
		h.serveOther(c, o, rw, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		unreadable(err).Write(w)
		return
	}
	m, f := readEnvelope(body)
	if list, isBatch := readBatch(body, version); isBatch && h.Era.isLegacy(version) && h.Handler == nil {
		h.serveBatch(c, list, rw, r)
		return
	}
	if f == nil {
		rw.id = m.ID
		var served func()
		w, served = h.trace(c, m, w)
		defer served()
		rw.ResponseWriter = w
		f = checkMedia(m, r.Header)
	}
	if f != nil {
		f.Write(w)
		return
	}
	h.serveMessage(c, o, m, rw, withBody(r, body))
}

// serveMessage checks a message by the rules of its client's era and answers it.
func (h *Host) serveMessage(c cluster.Instance, o Options, m *Envelope, w *responseWriter, r *http.Request) {
	var f *Refusal
	version := r.Header.Get(VersionHeader)
	legacy := h.Era == Legacy || h.Era.isLegacy(version) && !m.isModern(version)
	switch {
	case legacy:
		f = h.checkLegacy(m, r.Header, o.Alone)
	case h.Lenient == nil || !h.Lenient(m):
		f = h.checkModern(m, r)
	}
	switch direct := w.ResponseWriter; {
	case f != nil:
		f.Write(direct)
	case h.Deny != nil && h.Deny(m, direct, r):
	case h.Handler != nil && (legacy || m.IsRequest()):
		h.Handler(m, direct, r)
	case legacy && o.Alone && m.IsRequest():
		h.running(c).modern(o).ServeHTTP(w, h.pass(m, r))
	case legacy && !o.Alone:
		h.serveLegacy(h.running(c), w, h.pass(m, r))
	case !m.IsRequest():
		// A notification changes nothing: this revision defines none for servers, and without
		// a session there is nothing to change.
		direct.WriteHeader(http.StatusAccepted)
	case m.Method == "subscriptions/listen":
		h.serveListen(c, o, m, w, r)
	default:
		h.serveModern(c, o, m, w, r)
	}
}

// serveModern passes a request of 2026-07-28 to the SDK, without the answers
// and the state of a retry.
func (h *Host) serveModern(c cluster.Instance, o Options, m *Envelope, w *responseWriter, r *http.Request) {
	found := retry{}
	if retryable(m.Method) {
		found = retry{m.take("inputResponses"), m.take("requestState")}
	}
	r = h.pass(m, r)
	r = r.WithContext(context.WithValue(r.Context(), retryKey{}, found))
	h.running(c).modern(o).ServeHTTP(w, r)
}

// modern returns the handler for requests of 2026-07-28.
func (c *running) modern(o Options) http.Handler {
	if o.Stream {
		return c.stream
	}
	return c.json
}

// pass returns the request with the message as the SDK may see it.
func (h *Host) pass(m *Envelope, r *http.Request) *http.Request {
	h.cloak.cover(m)
	if !m.changed {
		return r
	}
	return withBody(r, m.bytes())
}

func withBody(r *http.Request, body []byte) *http.Request {
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r
}

// unreadable answers a body that did not arrive.
func unreadable(err error) *Refusal {
	f := Refuse(nil, jsonrpc.CodeInvalidRequest, "request body cut short")
	if tooLarge(err) {
		f.Status, f.Message = http.StatusRequestEntityTooLarge, "request body too large"
	}
	return f
}

// isModern reports whether a message whose header names no modern version comes
// from a modern client all the same: it says so in _meta, or there is no header
// and its method exists only there.
func (m *Envelope) isModern(header string) bool {
	version, ok := m.MetaText("protocolVersion")
	return ok && !isLegacy(version) ||
		header == "" && (m.Method == "server/discover" || m.Method == "subscriptions/listen")
}

// checkMedia checks Content-Type and Accept.
func checkMedia(m *Envelope, header http.Header) *Refusal {
	f := Refuse(m.ID, jsonrpc.CodeInvalidRequest, "")
	switch {
	case !sendsJSON(header):
		f.Status, f.Message = http.StatusUnsupportedMediaType, "Content-Type must be application/json"
	case !acceptsBoth(header):
		f.Status = http.StatusNotAcceptable
		f.Message = "Accept must list application/json and text/event-stream"
	default:
		return nil
	}
	return f
}

// checkModern checks a message of 2026-07-28.
func (h *Host) checkModern(m *Envelope, r *http.Request) *Refusal {
	header := r.Header
	if m.isResponse() {
		// A response has the id of the server's request, and there is none.
		return Refuse(nil, jsonrpc.CodeInvalidRequest, "clients must not send responses")
	}
	if isLine(r) {
		return h.checkLine(m)
	}
	if f := m.CheckVersion(header, h.Era.Supported()); f != nil || !m.IsRequest() {
		if m.Method == "initialize" && f != nil && f.Data == nil {
			// A legacy client has no other way to learn the versions (basic/versioning,
			// "Backward Compatibility with Initialization-Based Versions").
			f.Message += "; supported versions: " + strings.Join(h.Era.Supported(), ", ")
			f.Data = map[string]any{"supported": h.Era.Supported()}
		}
		return f
	}
	if m.Method == "initialize" {
		f := Refuse(m.ID, jsonrpc.CodeMethodNotFound, "initialize does not exist in "+Revision+
			"; without the header MCP-Protocol-Version it starts a legacy session. Supported versions: "+
			strings.Join(h.Era.Supported(), ", "))
		f.Status, f.Data = http.StatusNotFound, map[string]any{"supported": h.Era.Supported()}
		return f
	}
	return cmp.Or(m.CheckMeta(), m.CheckHeaders(header), m.checkParams(), h.checkListen(m))
}

// CheckVersion compares the version in the header with that in _meta and with
// the supported ones (basic/versioning, "Protocol Version Negotiation").
func (m *Envelope) CheckVersion(header http.Header, supported []string) *Refusal {
	if !m.IsRequest() && header.Get(VersionHeader) == "" {
		return nil // the headers of notifications are not defined
	}
	version, f := m.header(header, VersionHeader)
	if f != nil {
		return f
	}
	if inMeta, ok := m.MetaText("protocolVersion"); ok && inMeta != version {
		return m.headerMismatch("MCP-Protocol-Version is not the version in _meta")
	}
	if version == Revision {
		return nil
	}
	return unsupportedVersion(m.ID, version, supported)
}

func unsupportedVersion(id json.RawMessage, version string, supported []string) *Refusal {
	f := Refuse(id, mcp.CodeUnsupportedProtocolVersion, "unsupported protocol version")
	f.Data = map[string]any{"supported": supported, "requested": version}
	return f
}
