package sampletools

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// isLegacy reports whether a request belongs to a revision before 2026-07-28. A
// request without a version belongs to the oldest one. An unknown version
// counts as modern, which rejects it (basic/transports/streamable-http,
// "Protocol Version Header").
func isLegacy(version string) bool {
	return version == "" || slices.Contains(legacyVersions, version)
}

// writeUnsupportedVersion rejects an unsupported version, which the SDK does
// without a JSON-RPC error. If the version in _meta differs from the header, it
// reports the mismatch instead.
func (h *host) writeUnsupportedVersion(w http.ResponseWriter, r *http.Request) {
	var message struct {
		ID     json.RawMessage `json:"id"`
		Params struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		} `json:"params"`
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &message) != nil {
		writeNotJSON(w)
		return
	}
	supported := []string{modern}
	if h.Era == Both {
		supported = append(supported, legacyVersions...)
	}
	version := r.Header.Get("Mcp-Protocol-Version")
	refusal := map[string]any{
		"code": mcp.CodeUnsupportedProtocolVersion, "message": "unsupported protocol version",
		"data": map[string]any{"supported": supported, "requested": version},
	}
	var inMeta string
	if json.Unmarshal(message.Params.Meta["io.modelcontextprotocol/protocolVersion"], &inMeta) == nil &&
		inMeta != version {
		refusal = map[string]any{"code": mcp.CodeHeaderMismatch,
			"message": "MCP-Protocol-Version is not the version in _meta"}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	// Write errors are ignored: the client is gone.
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": message.ID, "error": refusal})
}

var errNotJSON = errors.New("the body is not JSON")

// writeNotJSON answers a body that is not JSON with a JSON-RPC error, as
// basic/patterns/mrtr, "Error Handling", requires. The SDK answers without one.
func writeNotJSON(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	// Write errors are ignored: the client is gone.
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: the `+
		`body is not JSON"}}`)
}
