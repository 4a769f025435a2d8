package sampletools

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func legacyVersions() []string {
	return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

// isLegacy reports whether a request belongs to a revision before 2026-07-28. No version at all is
// the oldest one's habit; a version that nobody ever spoke is for the modern side to refuse
// (basic/transports/streamable-http, "Protocol Version Header").
func isLegacy(version string) bool {
	return version == "" || slices.Contains(legacyVersions(), version)
}

// writeNotSpoken refuses a version that no side speaks, which the SDK does without a JSON-RPC error;
// a version in the header that is not the one in _meta is refused for that.
func (h *host) writeNotSpoken(w http.ResponseWriter, r *http.Request) {
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
		supported = append(supported, legacyVersions()...)
	}
	version := r.Header.Get("Mcp-Protocol-Version")
	refusal := map[string]any{
		"code": mcp.CodeUnsupportedProtocolVersion, "message": "unsupported protocol version",
		"data": map[string]any{"supported": supported, "requested": version},
	}
	var said string
	if json.Unmarshal(message.Params.Meta["io.modelcontextprotocol/protocolVersion"], &said) == nil && said != version {
		refusal = map[string]any{"code": mcp.CodeHeaderMismatch, "message": "MCP-Protocol-Version is not the version in _meta"}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	// The client is gone if this fails; there is nobody left to tell.
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": message.ID, "error": refusal})
}

var errNotJSON = errors.New("the body is not JSON")

// writeNotJSON is said here because the SDK answers broken JSON without a JSON-RPC error, which
// basic/patterns/mrtr, "Error Handling", asks for.
func writeNotJSON(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	// The client is gone if this fails; there is nobody left to tell.
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: the body is not JSON"}}`)
}
