package serve

import (
	"cmp"
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

type lineKey struct{}

// asLine returns a request whose message came as a line (basic/transports/stdio). Its
// headers are for the SDK alone: the client has sent none.
func asLine(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), lineKey{}, true))
}

func isLine(r *http.Request) bool { return r.Context().Value(lineKey{}) != nil }

// checkLine is checkModern for a line, in which the message says everything.
func (h *Host) checkLine(m *Envelope) *Refusal {
	if !m.IsRequest() {
		return nil
	}
	if f := m.CheckMeta(); f != nil {
		return f
	}
	if version, _ := m.MetaText("protocolVersion"); version != Revision {
		return unsupportedVersion(m.ID, version, h.Era.Supported())
	}
	if source := nameSource(m.Method); source != "" {
		switch name, f := m.nameFrom(source); {
		case f != nil:
			return f
		case name == "":
			return Refuse(m.ID, jsonrpc.CodeInvalidParams, "params."+source+" is empty")
		}
	}
	return cmp.Or(m.checkParams(), h.checkListen(m))
}
