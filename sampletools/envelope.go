package sampletools

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// envelope is one JSON-RPC message of a client, read as far as the SDK must not
// see what it would answer wrongly. Values stay as the client wrote them.
type envelope struct {
	members map[string]json.RawMessage
	id      json.RawMessage            // nil for a notification
	method  string                     // empty for a response
	params  map[string]json.RawMessage // nil if absent
	meta    map[string]json.RawMessage // of the params; nil if absent
	changed bool                       // the body has to be written again
}

// isRequest reports whether the message is a request.
func (m *envelope) isRequest() bool { return m.method != "" && m.id != nil }

// isResponse reports whether the message is a response to a server-initiated
// request.
func (m *envelope) isResponse() bool { return m.method == "" }

// refusal is a JSON-RPC error response that the samples send before the SDK
// sees the message.
type refusal struct {
	status  int
	id      json.RawMessage // nil if it could not be read; then the response has no id
	code    int
	message string
	data    any
}

// refuse returns a refusal with status 400.
func refuse(id json.RawMessage, code int, message string) *refusal {
	return &refusal{status: http.StatusBadRequest, id: id, code: code, message: message}
}

// write sends the error response.
func (f *refusal) write(w http.ResponseWriter) {
	message := map[string]any{"code": f.code, "message": f.message}
	if f.data != nil {
		message["data"] = f.data
	}
	body, err := json.Marshal(message)
	if err != nil { // cannot happen: the data are strings and maps
		body = []byte(`{"code":-32603,"message":"internal error"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.status)
	// Write errors are ignored: the client is gone.
	_, _ = w.Write([]byte(`{"jsonrpc":"2.0",` + idMember(f.id) + `"error":` + string(body) + `}`))
}

// idMember returns the member of a response, with the id byte for byte as it
// came, or nothing if it is unknown.
func idMember(id json.RawMessage) string {
	if id == nil {
		return ""
	}
	return `"id":` + string(id) + `,`
}

// readEnvelope parses the body of a POST. A batch is refused; see
// [readBatch].
func readEnvelope(body []byte) (*envelope, *refusal) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, refuse(nil, jsonrpc.CodeParseError, "the body is not JSON")
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && list != nil {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "batches are not supported: send one message")
	}
	return readMessage(body)
}

// readMessage checks one message against JSON-RPC 2.0 and basic/index,
// "Messages". The id of the refusal is the message's own if it is legal.
func readMessage(body []byte) (*envelope, *refusal) {
	m := &envelope{}
	if json.Unmarshal(body, &m.members) != nil || m.members == nil {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "the body is not a JSON-RPC message")
	}
	if id, ok := m.members["id"]; ok {
		if !isLegalID(id) {
			return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "id must be a string or an integer")
		}
		m.id = id
	}
	var version string
	if json.Unmarshal(m.members["jsonrpc"], &version) != nil || version != "2.0" {
		return nil, refuse(m.id, jsonrpc.CodeInvalidRequest, `jsonrpc must be "2.0"`)
	}
	_, hasResult := m.members["result"]
	_, hasError := m.members["error"]
	method, hasMethod := m.members["method"]
	switch {
	case hasMethod && (hasResult || hasError) || hasResult && hasError:
		return nil, refuse(m.id, jsonrpc.CodeInvalidRequest, "the message is a request and a response")
	case hasResult || hasError:
		return m, nil
	case !hasMethod:
		return nil, refuse(m.id, jsonrpc.CodeInvalidRequest, "method is missing")
	case json.Unmarshal(method, &m.method) != nil || m.method == "":
		return nil, refuse(m.id, jsonrpc.CodeInvalidRequest, "method must be a string")
	}
	return m, m.readParams()
}

// readParams parses params and their _meta.
func (m *envelope) readParams() *refusal {
	raw, ok := m.members["params"]
	if !ok {
		return nil
	}
	var err error
	if m.params, err = object(raw); err != nil {
		return refuse(m.id, jsonrpc.CodeInvalidParams, "params must be an object")
	}
	if raw, ok = m.params["_meta"]; !ok {
		return nil
	}
	if m.meta, err = object(raw); err != nil {
		return refuse(m.id, jsonrpc.CodeInvalidParams, "_meta must be an object")
	}
	if token, ok := m.meta["progressToken"]; ok && !isLegalID(token) {
		return refuse(m.id, jsonrpc.CodeInvalidParams, "progressToken must be a string or an integer")
	}
	return nil
}

// metaText returns a string of _meta. It reports false if it is absent or no
// string.
func (m *envelope) metaText(name string) (string, bool) {
	var s *string
	if json.Unmarshal(m.meta["io.modelcontextprotocol/"+name], &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// logLevels are the levels that a request may name (server/utilities/logging,
// "Log Levels").
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// checkMeta checks the fields of _meta that every modern request carries
// (basic/index, "Per-request protocol fields").
func (m *envelope) checkMeta() *refusal {
	invalid := func(message string) *refusal { return refuse(m.id, jsonrpc.CodeInvalidParams, message) }
	if _, ok := m.metaText("protocolVersion"); !ok {
		return invalid("_meta lacks io.modelcontextprotocol/protocolVersion")
	}
	capabilities, ok := m.meta["io.modelcontextprotocol/clientCapabilities"]
	if !ok {
		return invalid("_meta lacks io.modelcontextprotocol/clientCapabilities")
	}
	if _, err := object(capabilities); err != nil {
		return invalid("io.modelcontextprotocol/clientCapabilities must be an object")
	}
	if _, ok := m.meta["io.modelcontextprotocol/logLevel"]; ok {
		if level, _ := m.metaText("logLevel"); !slices.Contains(logLevels, level) {
			return invalid("io.modelcontextprotocol/logLevel is not a log level")
		}
	}
	return nil
}

// checkParams checks the types of params that the SDK refuses with another code
// or in words of Go. A member that is null counts as absent.
func (m *envelope) checkParams() *refusal {
	problem := ""
	switch m.method {
	case "tools/call":
		problem = misfit(m.params["arguments"], "arguments", "an object", &map[string]json.RawMessage{})
	case "prompts/get":
		problem = misfit(m.params["arguments"], "arguments", "an object of strings", &map[string]string{})
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		problem = misfit(m.params["cursor"], "cursor", "a string", new(string))
	case "subscriptions/listen":
		filter, err := object(m.params["notifications"])
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
	return refuse(m.id, jsonrpc.CodeInvalidParams, problem)
}

// misfit returns what is wrong with a value that must have the type of target,
// or "".
func misfit(raw json.RawMessage, name, want string, target any) string {
	if raw == nil || json.Unmarshal(raw, target) == nil {
		return ""
	}
	return name + " must be " + want
}

// declaresExtension reports whether the request's capabilities name an
// extension.
func (m *envelope) declaresExtension(name string) bool {
	var c struct {
		Extensions map[string]json.RawMessage `json:"extensions"`
	}
	if json.Unmarshal(m.meta["io.modelcontextprotocol/clientCapabilities"], &c) != nil {
		return false
	}
	_, ok := c.Extensions[name]
	return ok
}

// bytes returns the message as it is now.
func (m *envelope) bytes() []byte {
	if m.params != nil {
		if m.meta != nil {
			m.params["_meta"] = mustMarshal(m.meta)
		}
		m.members["params"] = mustMarshal(m.params)
	}
	return mustMarshal(m.members)
}

// mustMarshal writes an object whose members came from JSON, which cannot fail.
func mustMarshal(members map[string]json.RawMessage) json.RawMessage {
	b, err := json.Marshal(members)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return b
}

// take removes a member of the params and returns it, or nil.
func (m *envelope) take(name string) json.RawMessage {
	raw, ok := m.params[name]
	if !ok {
		return nil
	}
	delete(m.params, name)
	m.changed = true
	return raw
}

// headerMismatch returns the refusal of a request whose headers are missing,
// malformed or not those of the body.
func (m *envelope) headerMismatch(message string) *refusal {
	return refuse(m.id, mcp.CodeHeaderMismatch, "header mismatch: "+message)
}
