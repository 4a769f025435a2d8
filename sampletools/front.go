package sampletools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// legacyVersions are the revisions before 2026-07-28 that a sample of both eras
// serves.
var legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// isLegacy reports whether a request names a revision before 2026-07-28, or
// none. An unknown version counts as modern, which rejects it
// (basic/transports/streamable-http, "Protocol Version Header").
func isLegacy(version string) bool {
	return version == "" || slices.Contains(legacyVersions, version)
}

// isLegacy reports whether the sample serves a request with this version header
// as one of a legacy client.
func (h *host) isLegacy(version string) bool {
	return h.Era == Legacy || h.Era == Both && isLegacy(version)
}

// supported returns the versions that the sample serves, the newest first.
func (h *host) supported() []string {
	switch h.Era {
	case Legacy:
		return legacyVersions[:3]
	case Modern:
		return []string{modern}
	}
	return append([]string{modern}, legacyVersions...)
}

// front answers what the SDK would answer against the specification, and passes
// everything else on: to the SDK's stateless handlers, or to its stateful one
// for legacy clients. One SDK handler cannot serve both eras.
func (h *host) front(c cluster.Instance, o options, w http.ResponseWriter, r *http.Request) {
	version := r.Header.Get(versionHeader)
	rw := &responseWriter{ResponseWriter: w, cloak: h.cloak}
	if r.Method != http.MethodPost {
		h.serveOther(c, o, rw, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		unreadable(err).write(w)
		return
	}
	m, f := readEnvelope(body)
	if list, isBatch := readBatch(body, version); isBatch && h.isLegacy(version) && h.handler == nil {
		h.serveBatch(c, list, rw, r)
		return
	}
	if f == nil {
		rw.id = m.id
		var served func()
		w, served = h.trace(c, m, w)
		defer served()
		rw.ResponseWriter = w
		f = checkMedia(m, r.Header)
	}
	if f != nil {
		f.write(w)
		return
	}
	legacy := h.Era == Legacy || h.isLegacy(version) && !m.isModern(version)
	switch {
	case legacy:
		f = h.checkLegacy(m, r.Header, o.alone)
	case h.lenient == nil || !h.lenient(m):
		f = h.checkModern(m, r.Header)
	}
	switch {
	case f != nil:
		f.write(w)
	case h.missingScope(m, r.Header) != "":
		h.guard.stepUp(w, r, m.id, h.missingScope(m, r.Header))
	case legacy && h.handler != nil:
		h.handler(m, w, r)
	case legacy && o.alone && m.isRequest():
		h.running(c).modern(o).ServeHTTP(rw, h.pass(m, withBody(r, body)))
	case legacy && o.alone:
		w.WriteHeader(http.StatusAccepted) // there is no session that a notification could change
	case legacy:
		h.serveLegacy(h.running(c), rw, h.pass(m, withBody(r, body)))
	case !m.isRequest():
		w.WriteHeader(http.StatusAccepted) // this revision defines no notification for servers
	case h.handler != nil:
		h.handler(m, w, r)
	case m.method == "subscriptions/listen":
		h.serveListen(c, o, m, rw, withBody(r, body))
	default:
		h.serveModern(c, o, m, rw, withBody(r, body))
	}
}

// serveModern passes a request of 2026-07-28 to the SDK, without the answers
// and the state of a retry.
func (h *host) serveModern(c cluster.Instance, o options, m *envelope, w *responseWriter, r *http.Request) {
	found := retry{}
	if retryable(m.method) {
		found = retry{m.take("inputResponses"), m.take("requestState")}
	}
	r = h.pass(m, r)
	r = r.WithContext(context.WithValue(r.Context(), retryKey{}, found))
	h.running(c).modern(o).ServeHTTP(w, r)
}

// modern returns the handler for requests of 2026-07-28.
func (c *running) modern(o options) http.Handler {
	if o.stream {
		return c.stream
	}
	return c.json
}

// pass returns the request with the message as the SDK may see it.
func (h *host) pass(m *envelope, r *http.Request) *http.Request {
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
func unreadable(err error) *refusal {
	f := refuse(nil, jsonrpc.CodeInvalidRequest, "request body cut short")
	if tooLarge(err) {
		f.status, f.message = http.StatusRequestEntityTooLarge, "request body too large"
	}
	return f
}

// isModern reports whether a message whose header names no modern version comes
// from a modern client all the same: it says so in _meta, or there is no header
// and its method exists only there.
func (m *envelope) isModern(header string) bool {
	version, ok := m.metaText("protocolVersion")
	return ok && !isLegacy(version) ||
		header == "" && (m.method == "server/discover" || m.method == "subscriptions/listen")
}

// checkMedia checks Content-Type and Accept.
func checkMedia(m *envelope, header http.Header) *refusal {
	f := refuse(m.id, jsonrpc.CodeInvalidRequest, "")
	switch {
	case !sendsJSON(header):
		f.status, f.message = http.StatusUnsupportedMediaType, "Content-Type must be application/json"
	case !acceptsBoth(header):
		f.status = http.StatusNotAcceptable
		f.message = "Accept must list application/json and text/event-stream"
	default:
		return nil
	}
	return f
}

// checkModern checks a message of 2026-07-28.
func (h *host) checkModern(m *envelope, header http.Header) *refusal {
	if m.isResponse() {
		// A response has the id of the server's request, and there is none.
		return refuse(nil, jsonrpc.CodeInvalidRequest, "clients must not send responses")
	}
	if f := h.checkVersion(m, header); f != nil || !m.isRequest() {
		if m.method == "initialize" && f != nil && f.data == nil {
			// A legacy client has no other way to learn the versions (basic/versioning,
			// "Backward Compatibility with Initialization-Based Versions").
			f.message += "; supported versions: " + strings.Join(h.supported(), ", ")
			f.data = map[string]any{"supported": h.supported()}
		}
		return f
	}
	if m.method == "initialize" {
		f := refuse(m.id, jsonrpc.CodeMethodNotFound, "initialize does not exist in "+modern+
			"; without the header MCP-Protocol-Version it starts a legacy session. Supported versions: "+
			strings.Join(h.supported(), ", "))
		f.status, f.data = http.StatusNotFound, map[string]any{"supported": h.supported()}
		return f
	}
	return cmp.Or(m.checkMeta(), m.checkHeaders(header), m.checkParams(), h.checkListen(m))
}

// checkVersion compares the version in the header with that in _meta and with
// the supported ones (basic/versioning, "Protocol Version Negotiation").
func (h *host) checkVersion(m *envelope, header http.Header) *refusal {
	if !m.isRequest() && header.Get(versionHeader) == "" {
		return nil // the headers of notifications are not defined
	}
	version, f := m.header(header, versionHeader)
	if f != nil {
		return f
	}
	if inMeta, ok := m.metaText("protocolVersion"); ok && inMeta != version {
		return m.headerMismatch("MCP-Protocol-Version is not the version in _meta")
	}
	if version == modern {
		return nil
	}
	return h.unsupportedVersion(m.id, version)
}

func (h *host) unsupportedVersion(id json.RawMessage, version string) *refusal {
	f := refuse(id, mcp.CodeUnsupportedProtocolVersion, "unsupported protocol version")
	f.data = map[string]any{"supported": h.supported(), "requested": version}
	return f
}
