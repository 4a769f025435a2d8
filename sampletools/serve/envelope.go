package serve

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Envelope is one JSON-RPC message of a client, read as far as the SDK must not
// see members that it would answer wrongly. Values stay as the client wrote
// them.
type Envelope struct {
	members map[string]json.RawMessage
	ID      json.RawMessage            // nil for a notification
	Method  string                     // empty for a response
	Params  map[string]json.RawMessage // nil if absent
	Meta    map[string]json.RawMessage // of the params; nil if absent
	changed bool                       // the body has to be written again
}

// IsRequest reports whether the message is a request.
func (m *Envelope) IsRequest() bool { return m.Method != "" && m.ID != nil }

// isResponse reports whether the message is a response to a server-initiated
// request.
func (m *Envelope) isResponse() bool { return m.Method == "" }

// Refusal is a JSON-RPC error response that the server sends before the SDK
// sees the message.
type Refusal struct {
	Status  int
	ID      json.RawMessage // nil if it could not be read; then the response has no id
	Code    int
	Message string
	Data    any
}

// Refuse returns a refusal with status 400.
func Refuse(id json.RawMessage, code int, message string) *Refusal {
	return &Refusal{Status: http.StatusBadRequest, ID: id, Code: code, Message: message}
}

// Write sends the error response.
func (f *Refusal) Write(w http.ResponseWriter) {
	message := map[string]any{"code": f.Code, "message": f.Message}
	if f.Data != nil {
		message["data"] = f.Data
	}
	body, err := json.Marshal(message)
	if err != nil { // cannot happen: the data are strings and maps
		body = []byte(`{"code":-32603,"message":"internal error"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.Status)
	// Write errors are ignored: the client is gone.
	_, _ = w.Write([]byte(`{"jsonrpc":"2.0",` + IDMember(f.ID) + `"error":` + string(body) + `}`))
}

// IDMember returns the member of a response, with the id byte for byte as it
// came, or nothing if it is unknown.
func IDMember(id json.RawMessage) string {
	if id == nil {
		return ""
	}
	return `"id":` + string(id) + `,`
}

// readEnvelope parses the body of a POST. A batch is refused; see
// [readBatch].
func readEnvelope(body []byte) (*Envelope, *Refusal) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, Refuse(nil, jsonrpc.CodeParseError, "the body is not JSON")
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && list != nil {
		return nil, Refuse(nil, jsonrpc.CodeInvalidRequest, "batches are not supported: send one message")
	}
	return readMessage(body)
}

// readMessage checks one message against JSON-RPC 2.0 and basic/index,
// "Messages". The id of the refusal is the message's own if it is legal.
func readMessage(body []byte) (*Envelope, *Refusal) {
	m := &Envelope{}
	if json.Unmarshal(body, &m.members) != nil || m.members == nil {
		return nil, Refuse(nil, jsonrpc.CodeInvalidRequest, "the body is not a JSON-RPC message")
	}
	if id, ok := m.members["id"]; ok {
		if !isLegalID(id) {
			return nil, Refuse(nil, jsonrpc.CodeInvalidRequest, "id must be a string or an integer")
		}
		m.ID = id
	}
	var version string
	if json.Unmarshal(m.members["jsonrpc"], &version) != nil || version != "2.0" {
		return nil, Refuse(m.ID, jsonrpc.CodeInvalidRequest, `jsonrpc must be "2.0"`)
	}
	_, hasResult := m.members["result"]
	_, hasError := m.members["error"]
	method, hasMethod := m.members["method"]
	switch {
	case hasMethod && (hasResult || hasError) || hasResult && hasError:
		return nil, Refuse(m.ID, jsonrpc.CodeInvalidRequest, "the message is a request and a response")
	case hasResult || hasError:
		return m, nil
	case !hasMethod:
		return nil, Refuse(m.ID, jsonrpc.CodeInvalidRequest, "method is missing")
	case json.Unmarshal(method, &m.Method) != nil || m.Method == "":
		return nil, Refuse(m.ID, jsonrpc.CodeInvalidRequest, "method must be a string")
	}
	return m, m.readParams()
}

// readParams parses params and their _meta.
func (m *Envelope) readParams() *Refusal {
	raw, ok := m.members["params"]
	if !ok {
		return nil
	}
	var err error
	if m.Params, err = Object(raw); err != nil {
		return Refuse(m.ID, jsonrpc.CodeInvalidParams, "params must be an object")
	}
	if raw, ok = m.Params["_meta"]; !ok {
		return nil
	}
	if m.Meta, err = Object(raw); err != nil {
		return Refuse(m.ID, jsonrpc.CodeInvalidParams, "_meta must be an object")
	}
	if token, ok := m.Meta["progressToken"]; ok && !isLegalID(token) {
		return Refuse(m.ID, jsonrpc.CodeInvalidParams, "progressToken must be a string or an integer")
	}
	return nil
}

// MetaText returns a string of _meta. It reports false if it is absent or no
// string.
func (m *Envelope) MetaText(name string) (string, bool) {
	var s *string
	if json.Unmarshal(m.Meta["io.modelcontextprotocol/"+name], &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// logLevels are the levels that a request may name (server/utilities/logging,
// "Log Levels").
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// CheckMeta checks the fields of _meta that every modern request carries
// (basic/index, "Per-request protocol fields").
func (m *Envelope) CheckMeta() *Refusal {
	invalid := func(message string) *Refusal { return Refuse(m.ID, jsonrpc.CodeInvalidParams, message) }
	if _, ok := m.MetaText("protocolVersion"); !ok {
		return invalid("_meta lacks io.modelcontextprotocol/protocolVersion")
	}
	capabilities, ok := m.Meta["io.modelcontextprotocol/clientCapabilities"]
	if !ok {
		return invalid("_meta lacks io.modelcontextprotocol/clientCapabilities")
	}
	if _, err := Object(capabilities); err != nil {
		return invalid("io.modelcontextprotocol/clientCapabilities must be an object")
	}
	if _, ok := m.Meta["io.modelcontextprotocol/logLevel"]; ok {
		if level, _ := m.MetaText("logLevel"); !slices.Contains(logLevels, level) {
			return invalid("io.modelcontextprotocol/logLevel is not a log level")
		}
	}
	return nil
}

// checkParams checks the types of params that the SDK refuses with another code
// or in words of Go. A member that is null counts as absent.
func (m *Envelope) checkParams() *Refusal {
	problem := ""
	switch m.Method {
	case "tools/call":
		problem = misfit(m.Params["arguments"], "arguments", "an object", &map[string]json.RawMessage{})
	case "prompts/get":
		problem = misfit(m.Params["arguments"], "arguments", "an object of strings", &map[string]string{})
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		problem = misfit(m.Params["cursor"], "cursor", "a string", new(string))
	case "subscriptions/listen":
		filter, err := Object(m.Params["notifications"])
		if err != nil {
			problem = "notifications must be an object"
		}
		for _, name := range []string{"toolsListChanged", "promptsListChanged", "resourcesListChanged"} {
			problem = cmp.Or(problem, misfit(filter[name], "notifications."+name, "a boolean", new(bool)))
		}
		for _, name := range []string{"resourceSubscriptions", "taskIds"} {
			problem = cmp.Or(problem, misfit(filter[name], "notifications."+name, "an array of strings",
				&[]string{}))
		}
	}
	if problem == "" {
		return nil
	}
	return Refuse(m.ID, jsonrpc.CodeInvalidParams, problem)
}

// misfit returns the fault of a value that must have the type of target, or "".
func misfit(raw json.RawMessage, name, want string, target any) string {
	if raw == nil || json.Unmarshal(raw, target) == nil {
		return ""
	}
	return name + " must be " + want
}

// DeclaresExtension reports whether the request's capabilities name an
// extension.
func (m *Envelope) DeclaresExtension(name string) bool {
	var c struct {
		Extensions map[string]json.RawMessage `json:"extensions"`
	}
	if json.Unmarshal(m.Meta["io.modelcontextprotocol/clientCapabilities"], &c) != nil {
		return false
	}
	_, ok := c.Extensions[name]
	return ok
}

// bytes returns the message as it is now.
func (m *Envelope) bytes() []byte {
	if m.Params != nil {
		if m.Meta != nil {
			m.Params["_meta"] = MustMarshal(m.Meta)
		}
		m.members["params"] = MustMarshal(m.Params)
	}
	return MustMarshal(m.members)
}

// MustMarshal writes an object whose members came from JSON, which cannot fail.
func MustMarshal(members map[string]json.RawMessage) json.RawMessage {
	b, err := json.Marshal(members)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return b
}

// take removes a member of the params and returns it, or nil.
func (m *Envelope) take(name string) json.RawMessage {
	raw, ok := m.Params[name]
	if !ok {
		return nil
	}
	delete(m.Params, name)
	m.changed = true
	return raw
}

// headerMismatch returns the refusal of a request whose headers are missing,
// malformed or not those of the body.
func (m *Envelope) headerMismatch(message string) *Refusal {
	return Refuse(m.ID, mcp.CodeHeaderMismatch, "header mismatch: "+message)
}

// Quote returns a string in JSON.
func Quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}
