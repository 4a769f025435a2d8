// Package mcptest has a scriptable MCP server for tests: a test writes a [Script], a function
// from a request to its answer, and the package reads the requests and writes the answers.
//
// It checks nothing and mends nothing: Result and Error of an [Answer] are sent as they are,
// right or wrong, without line breaks in a stream. Servers with all checks of a
// conforming server are in package e2e/peers. Nothing here is shared with the
// judges of servers: a mistake in both would hide itself. Only tests import it.
package mcptest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Message is a message of a client.
type Message struct {
	ID     json.RawMessage // nil if there is none, as in a notification
	Method string
	Params Params
	Result json.RawMessage // of a response to a request of the server
	Body   []byte          // the message as it came
	Err    error           // why it is not JSON, or has a member of another type
}

// Params are the params of a request as far as they have the right types.
type Params struct {
	Name, URI, Cursor, TaskID string
	Arguments                 json.RawMessage
	InputResponses            map[string]json.RawMessage
	RequestState              *string
	Meta                      map[string]json.RawMessage `json:"_meta"`
	Raw                       json.RawMessage            `json:"-"` // as they came
}

// Members returns the params by name.
func (p Params) Members() map[string]json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(p.Raw, &members) // there are none, or no object
	return members
}

// Parse reads a message, as far as it can be read.
func Parse(body []byte) Message {
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
		Result json.RawMessage
	}
	err := json.Unmarshal(body, &m) // fills in members of the right type
	p := Params{Raw: m.Params}
	if p.Raw != nil {
		err = cmp.Or(err, json.Unmarshal(p.Raw, &p))
	}
	return Message{m.ID, m.Method, p, m.Result, body, err}
}

// Read reads the message of a request, whose body can be read again.
func Read(r *http.Request) Message {
	body, _ := io.ReadAll(r.Body) // a client that breaks off gets no answer
	r.Body = io.NopCloser(bytes.NewReader(body))
	return Parse(body)
}

// Request returns the request of HTTP that a right client sends with a message.
func Request(body []byte) *http.Request {
	m, version := Parse(body), ""
	_ = json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/protocolVersion"], &version)
	r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": version, "Mcp-Method": m.Method,
		"Mcp-Name": m.Params.Name + m.Params.URI + m.Params.TaskID,
	} {
		r.Header.Set(name, value)
	}
	return r
}

// Answer is a response. Without Result, Error and Raw it is the status alone.
type Answer struct {
	Status  int      // of HTTP; 0 is 200
	Result  string   // JSON
	Error   string   // JSON
	Raw     string   // the whole body, in place of a message; ID stands for the id of the request
	Type    string   // Content-Type; by default application/json, or that of a stream
	Header  []string // names and values of more header fields
	Before  []string // messages before the response, which is then an event stream
	Stream  bool     // the response is an event stream
	EventID string   // of the response in a stream
}

// Script answers a message. On lines, r is nil.
type Script func(m Message, r *http.Request) Answer

// ServeHTTP answers a request as the script says.
func (s Script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := Read(r)
	s(m, r).Write(w, m)
}

// Start starts a server that ends with the test, and returns its URL.
func Start(t testing.TB, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// Message returns the answer as one message.
func (a Answer) Message(m Message) string {
	id := ""
	if m.ID != nil {
		id = `"id":` + string(m.ID) + `,`
	}
	switch {
	case a.Raw != "":
		return strings.Replace(a.Raw, "ID", string(m.ID), 1)
	case a.Error != "":
		return `{"jsonrpc":"2.0",` + id + `"error":` + a.Error + `}`
	case a.Result != "":
		return `{"jsonrpc":"2.0",` + id + `"result":` + a.Result + `}`
	}
	return ""
}

// Line returns the answer to a line, or nil if there is none.
func (s Script) Line(line []byte) []byte {
	m := Parse(line)
	if answer := s(m, nil).Message(m); answer != "" {
		return []byte(answer)
	}
	return nil
}

// Named returns the answer with the name of its server in a new _meta, if it is a result.
func (a Answer) Named(name string) Answer {
	if members, ok := strings.CutPrefix(a.Result, "{"); ok {
		a.Result = `{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":` + Quote(name) +
			`,"version":"1"}},` + members
	}
	return a
}

// Write sends the answer to m.
func (a Answer) Write(w http.ResponseWriter, m Message) {
	body, kind := a.Message(m), "application/json"
	if a.Stream || len(a.Before) > 0 {
		kind = "text/event-stream"
		w.Header().Set("X-Accel-Buffering", "no")
		var events strings.Builder
		for _, message := range a.Before {
			events.WriteString("data: " + message + "\n\n")
		}
		if a.EventID != "" {
			events.WriteString("id: " + a.EventID + "\n")
		}
		events.WriteString("data: " + strings.ReplaceAll(body, "\n", "") + "\n\n")
		body = events.String()
	}
	if body != "" || a.Type != "" {
		w.Header().Set("Content-Type", cmp.Or(a.Type, kind))
	}
	for i := 0; i+1 < len(a.Header); i += 2 {
		w.Header().Set(a.Header[i], a.Header[i+1])
	}
	w.WriteHeader(cmp.Or(a.Status, http.StatusOK))
	_, _ = io.WriteString(w, body) // a client may be gone
}

// Complete returns a result of 2026-07-28 with these members.
func Complete(members string) Answer {
	return Answer{Result: `{"resultType":"complete",` + members + `}`}
}

// Listed returns a result with these members that may be cached for no time, as those that
// list are.
func Listed(members string) Answer {
	return Complete(`"ttlMs":0,"cacheScope":"private",` + members)
}

// Text returns the result of a tool that says a text.
func Text(text string) Answer {
	return Complete(`"content":[{"type":"text","text":` + Quote(text) + `}]`)
}

// Ask returns a result that asks for input: the members of inputRequests and the state,
// which may be empty.
func Ask(questions, state string) Answer {
	var members []string
	if state != "" {
		members = append(members, `"requestState":`+Quote(state))
	}
	if questions != "" {
		members = append(members, `"inputRequests":{`+questions+`}`)
	}
	return Answer{Result: `{"resultType":"input_required",` + strings.Join(members, ",") + `}`}
}

// Form returns a member of inputRequests: a form of one field, which is required.
func Form(key, message, field, schema string) string {
	return fmt.Sprintf(`%s:{"method":"elicitation/create","params":{"mode":"form","message":%s,`+
		`"requestedSchema":{"type":"object","properties":{%s:%s},"required":[%s]}}}`,
		Quote(key), Quote(message), Quote(field), schema, Quote(field))
}

// Refuse returns an error. data is JSON, or empty for none.
func Refuse(status, code int, data string) Answer {
	if data != "" {
		data = `,"data":` + data
	}
	return Answer{Status: status, Error: `{"code":` + strconv.Itoa(code) + `,"message":"no"` + data + `}`}
}

// Quote returns a text in JSON.
func Quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(b)
}

// Tools returns the script of a server of 2026-07-28 with tools: the name of one whose schema
// is empty, or the JSON of one. call answers everything but server/discover and tools/list;
// if it is nil, an error does.
func Tools(call Script, tools ...string) Script {
	tools = slices.Clone(tools)
	for i, tool := range tools {
		if !strings.HasPrefix(tool, "{") {
			tools[i] = `{"name":` + Quote(tool) + `,"inputSchema":{"type":"object"}}`
		}
	}
	return func(m Message, r *http.Request) Answer {
		switch m.Method {
		case "server/discover":
			return Listed(`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}`)
		case "tools/list":
			return Listed(`"tools":[` + strings.Join(tools, ",") + `]`)
		}
		if call == nil {
			return Refuse(http.StatusNotFound, -32601, "")
		}
		return call(m, r)
	}
}
