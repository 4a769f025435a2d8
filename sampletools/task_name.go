package sampletools

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A taskNameError is a tasks/* request whose Mcp-Name header is not its taskId (SEP-2663, headers).
// The SDK checks the header for its own methods only.
type taskNameError struct {
	id     json.RawMessage
	header string
}

func (e *taskNameError) Error() string {
	return fmt.Sprintf("header mismatch: Mcp-Name %q is not params.taskId", e.header)
}

func checkTaskName(h http.Header, body []byte) error {
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			TaskID string `json:"taskId"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &message) != nil {
		return nil // not for us to judge
	}
	switch message.Method {
	case "tasks/get", "tasks/update", "tasks/cancel":
	default:
		return nil
	}
	if h.Get("Mcp-Name") != message.Params.TaskID {
		return &taskNameError{message.ID, h.Get("Mcp-Name")}
	}
	return nil
}

// write answers the request.
func (e *taskNameError) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	// The client is gone if this fails; there is nobody left to tell.
	_ = json.NewEncoder(w).Encode(map[string]any{
		"jsonrpc": "2.0", "id": e.id,
		"error": map[string]any{"code": mcp.CodeHeaderMismatch, "message": e.Error()},
	})
}
