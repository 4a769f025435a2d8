package peers

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

const revision = "2026-07-28"

// maxBody bounds the body of a request.
const maxBody = 1 << 20

// peer is a server: its offers, and the code that answers its calls.
type peer struct {
	name         string
	capabilities string            // of the server
	lists        map[string]string // the results of the list methods, without the common members
	methods      map[string]func(*request) (result any, err error)
}

// request is one checked request.
type request struct {
	id           json.RawMessage
	method, name string // name is the tool, the prompt, the URI or the task id
	arguments    json.RawMessage
	user         string // the Authorization header
	capabilities struct {
		Elicitation *struct{ Form, URL *struct{} } `json:"elicitation"`
		Extensions  map[string]json.RawMessage     `json:"extensions"`
	}
	responses map[string]answer
	state     string
	hasState  bool
}

// answer is the client's answer to a form.
type answer struct {
	Action  string         `json:"action"`
	Content map[string]any `json:"content"`
}

// rpcError is a JSON-RPC error with its HTTP status.
type rpcError struct {
	status  int
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return e.Message }

// refuse returns an error with status 400.
func refuse(code int, format string, a ...any) *rpcError {
	return &rpcError{http.StatusBadRequest, code, fmt.Sprintf(format, a...), nil}
}

// needs returns the error for a capability that the client did not declare.
func needs(capabilities map[string]any) *rpcError {
	e := refuse(-32021, "a client capability is missing")
	e.Data = map[string]any{"requiredCapabilities": capabilities}
	return e
}

// object is a JSON object of a result.
type object = map[string]any

// ServeHTTP answers one POST.
func (p *peer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		write(w, nil, &rpcError{http.StatusMethodNotAllowed, -32600, "only POST is allowed", nil})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		write(w, nil, &rpcError{http.StatusRequestEntityTooLarge, -32600, "the body cannot be read", nil})
		return
	}
	m, fault := readMessage(body)
	if fault == nil && !m.isRequest() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if fault == nil {
		fault = m.checkMedia(r.Header)
	}
	var req *request
	if fault == nil {
		req, fault = p.read(m, r.Header)
	}
	if fault != nil {
		write(w, m.id(), fault)
		return
	}
	p.answer(w, req)
}

// answer calls the method and writes its result.
func (p *peer) answer(w http.ResponseWriter, req *request) {
	var result any
	var err error
	switch list, listed := p.lists[req.method]; {
	case req.method == "server/discover":
		result = object{"resultType": "complete", "supportedVersions": []string{revision}, "ttlMs": 0,
			"capabilities": json.RawMessage(p.capabilities), "cacheScope": "private"}
	case listed:
		all := object{}
		err = json.Unmarshal([]byte(list), &all)
		all["resultType"], all["ttlMs"], all["cacheScope"] = "complete", 0, "private"
		result = all
	default:
		result, err = p.methods[req.method](req)
	}
	if err != nil {
		fault, ok := err.(*rpcError)
		if !ok {
			fault = refuse(-32603, "internal error")
			fault.status = http.StatusInternalServerError
		}
		write(w, req.id, fault)
		return
	}
	mcptest.Answer{Result: encode(result)}.Named(p.name).Write(w, mcptest.Message{ID: req.id})
}

// write sends an error response.
func write(w http.ResponseWriter, id json.RawMessage, e *rpcError) {
	mcptest.Answer{Status: e.status, Error: encode(e)}.Write(w, mcptest.Message{ID: id})
}

// encode returns a value as JSON.
func encode(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err) // what the servers answer always marshals
	}
	return string(b)
}

// message is one JSON-RPC message.
type message map[string]json.RawMessage

// readMessage checks the envelope.
func readMessage(body []byte) (message, *rpcError) {
	if !json.Valid(body) {
		return nil, refuse(-32700, "the body is not JSON")
	}
	var m message
	var version, method string
	switch {
	case json.Unmarshal(body, &m) != nil || m == nil:
		return nil, refuse(-32600, "the body is not one message")
	case m["id"] != nil && m.id() == nil:
		return m, refuse(-32600, "id must be a string or an integer")
	case json.Unmarshal(m["jsonrpc"], &version) != nil || version != "2.0":
		return m, refuse(-32600, "jsonrpc must be 2.0")
	case json.Unmarshal(m["method"], &method) != nil || method == "":
		return m, refuse(-32600, "method is missing")
	}
	return m, nil
}

func (m message) isRequest() bool { return m["id"] != nil }

// id returns the id if it is legal.
func (m message) id() json.RawMessage {
	id := m["id"]
	if len(id) == 0 || id[0] != '"' && strings.ContainsAny(string(id), ".eEntf{[") {
		return nil
	}
	return id
}

// checkMedia checks Content-Type and Accept.
func (m message) checkMedia(h http.Header) *rpcError {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return &rpcError{http.StatusUnsupportedMediaType, -32600,
			"Content-Type must be application/json", nil}
	}
	accept := strings.Join(h.Values("Accept"), ",")
	if !strings.Contains(accept, "*/*") &&
		(!strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream")) {
		return &rpcError{http.StatusNotAcceptable, -32600, "Accept must list both types", nil}
	}
	return nil
}

// logLevels are the levels that a request may name.
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// read checks the headers, _meta and the answers of a request.
func (p *peer) read(m message, h http.Header) (*request, *rpcError) {
	var params struct {
		Name, URI, TaskID string
		Arguments         json.RawMessage
		InputResponses    json.RawMessage
		RequestState      json.RawMessage
		Meta              map[string]json.RawMessage `json:"_meta"`
	}
	req := &request{id: m.id(), user: h.Get("Authorization")}
	if json.Unmarshal(m["method"], &req.method) != nil || json.Unmarshal(m["params"], &params) != nil {
		return nil, refuse(-32602, "params are missing or malformed")
	}
	req.name, req.arguments = params.Name+params.URI+params.TaskID, params.Arguments
	if fault := checkVersion(params.Meta, h); fault != nil {
		return nil, fault
	}
	if _, known := p.methods[req.method]; !known && p.lists[req.method] == "" &&
		req.method != "server/discover" {
		return nil, &rpcError{http.StatusNotFound, -32601, "method not found", nil}
	}
	raw := params.Meta["io.modelcontextprotocol/clientCapabilities"]
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &req.capabilities) != nil {
		return nil, refuse(-32602, "_meta lacks clientCapabilities")
	}
	var level string
	if raw, ok := params.Meta["io.modelcontextprotocol/logLevel"]; ok &&
		(json.Unmarshal(raw, &level) != nil || !slices.Contains(logLevels, level)) {
		return nil, refuse(-32602, "unknown logLevel")
	}
	if fault := req.checkHeaders(h); fault != nil {
		return nil, fault
	}
	return req, req.readRetry(params.InputResponses, params.RequestState)
}

func checkVersion(meta map[string]json.RawMessage, h http.Header) *rpcError {
	var inMeta string
	version := h.Get("Mcp-Protocol-Version")
	switch {
	case version == "":
		return refuse(-32020, "MCP-Protocol-Version is missing")
	case json.Unmarshal(meta["io.modelcontextprotocol/protocolVersion"], &inMeta) != nil || inMeta == "":
		return refuse(-32602, "_meta lacks protocolVersion")
	case inMeta != version:
		return refuse(-32020, "MCP-Protocol-Version is not the version in _meta")
	case version != revision:
		e := refuse(-32022, "unsupported protocol version")
		e.Data = object{"supported": []string{revision}, "requested": version}
		return e
	}
	return nil
}

func (r *request) checkHeaders(h http.Header) *rpcError {
	if h.Get("Mcp-Method") != r.method {
		return refuse(-32020, "Mcp-Method is not the method")
	}
	if r.name == "" {
		return nil
	}
	name := h.Get("Mcp-Name")
	if text, ok := strings.CutPrefix(name, "=?base64?"); ok && strings.HasSuffix(text, "?=") {
		b, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(text, "?="))
		if err != nil {
			return refuse(-32020, "Mcp-Name is not valid Base64")
		}
		name = string(b)
	}
	if name != r.name {
		return refuse(-32020, "Mcp-Name is not the name")
	}
	return nil
}

// readRetry checks inputResponses and requestState. Answers of other kinds than
// forms are not asked for, so they are ignored.
func (r *request) readRetry(responses, state json.RawMessage) *rpcError {
	r.responses = map[string]answer{}
	if responses != nil {
		var all map[string]json.RawMessage
		if json.Unmarshal(responses, &all) != nil || all == nil {
			return refuse(-32602, "inputResponses must be an object")
		}
		for key, raw := range all {
			var a answer
			if json.Unmarshal(raw, &a) == nil {
				r.responses[key] = a
			} else {
				r.responses[key] = answer{Action: "malformed"}
			}
		}
	}
	if state != nil {
		var text *string
		if json.Unmarshal(state, &text) != nil || text == nil {
			return refuse(-32602, "requestState must be a string")
		}
		r.state, r.hasState = *text, true
	}
	return nil
}
