package capture_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
)

// clock is a clock that only the test moves, but for a millisecond at each reading, so that
// no two times are the same.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// object is the members of a JSON object.
type object = map[string]json.RawMessage

// request is one request before it is encoded.
type request struct {
	method string
	id     string // JSON
	params object
	array  bool // params are an empty array instead
	header []wire.Field
	drop   []string
	query  string
	verb   string // HTTP method if it is not POST
	body   []byte // in place of the message
	retry  int    // number of the retry, from 1; 0 for a first request
}

// fault is the deviation of a bad client. Every field but one is empty.
type fault struct {
	edit    func(c *client, r *request) // of every request
	answers func(c *client, asked, answers object)
	quirk   string // of the drivers and of the client, by name
	after   func(c *client)
}

// client is a small client that meets every requirement but that of its fault.
type client struct {
	t      testing.TB
	url    string
	wire   *wire.Client
	name   string
	clock  *clock
	fault  fault
	caps   string                                     // declared capabilities, JSON
	answer func(key string, q json.RawMessage) string // nil for the ordinary answer
	header []wire.Field

	mu       sync.Mutex
	contacts []capture.Contact
	ids      int
	lastID   string
	states   []json.RawMessage
	given    object // all answers of the call
	tools    map[string]json.RawMessage
	canaries []string
}

const allCapabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// newClient returns a client of a new test server.
func newClient(t testing.TB, f fault) *client {
	t.Helper()
	clock := &clock{now: time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)}
	server := httptest.NewServer(clienttest.New(clienttest.Config{Now: clock.Now}))
	t.Cleanup(server.Close)
	return &client{t: t, url: server.URL + "/mcp/client-test", clock: clock, fault: f, caps: allCapabilities,
		wire: wire.New(wire.Config{Now: clock.Now}), tools: map[string]json.RawMessage{}, name: "good"}
}

// another returns a client of the same server with another name.
func (c *client) another() *client {
	return &client{t: c.t, url: c.url, clock: c.clock, caps: c.caps, wire: c.wire,
		tools: map[string]json.RawMessage{}, name: "another"}
}

func (c *client) is(quirk string) bool { return c.fault.quirk == quirk }

// meta returns the _meta of a request.
func (c *client) meta() json.RawMessage {
	return json.RawMessage(`{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"` + c.name + `","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":` + c.caps + `,` +
		`"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",` +
		`"tracestate":"vendor=opaque","io.modelcontextprotocol/logLevel":"info",` +
		`"progressToken":"token-` + strconv.Itoa(c.ids) + `"}`)
}

func newRequest(method string, params object) *request {
	r := &request{method: method, params: object{}}
	for name, value := range params {
		r.params[name] = value
	}
	return r
}

// send sends a request and returns its response, of which the members are those of the
// JSON-RPC message.
func (c *client) send(r *request) (response object) { return c.sendUntil(r, nil) }

// sendUntil is send for an answer that has no end. It closes the connection when stop says so.
func (c *client) sendUntil(r *request, stop func(wire.Part) bool) (response object) {
	c.mu.Lock()
	c.ids++
	if r.id == "" {
		r.id = strconv.Itoa(c.ids)
	}
	if r.params["_meta"] == nil {
		r.params["_meta"] = c.meta()
	}
	r.header = append(slices.Clone(c.header), r.header...)
	if c.fault.edit != nil {
		c.fault.edit(c, r)
	}
	c.lastID = r.id
	index := len(c.contacts)
	c.contacts = append(c.contacts, capture.Contact{})
	params, err := json.Marshal(r.params)
	if r.array {
		params = []byte(`[]`)
	}
	message := wire.Request{URL: c.url + r.query, Method: r.method, Params: params, Header: r.header,
		Drop: r.drop, Body: r.body}
	if r.id != "none" {
		message.ID = json.RawMessage(r.id)
	}
	frame, encodeErr := wire.Encode(message)
	if r.verb != "" {
		frame.Head = append([]byte(r.verb), frame.Head[len("POST"):]...)
	}
	log := []playground.Event{{Seq: 100 * (index + 1), Conn: index + 1, Kind: playground.Sent,
		At: c.clock.Now(), Data: frame.Bytes()}}
	c.mu.Unlock()
	if err != nil || encodeErr != nil {
		c.t.Fatal(err, encodeErr)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.wire.Send(ctx, c.url, frame, func(p wire.Part) error {
		e := playground.PartEvent(p, index+1)
		e.Seq = 100*(index+1) + len(log)
		log = append(log, e)
		if stop != nil && stop(p) {
			cancel()
		}
		return nil
	})
	round := playground.Trips(log)[0]
	c.mu.Lock()
	defer c.mu.Unlock()
	c.contacts[index] = capture.Contact{Trip: round.Trip, Kind: round.Kind}
	for _, m := range round.Messages {
		if m.IsResponse() {
			_ = json.Unmarshal(m.Raw, &response)
		}
	}
	return response
}

// members returns the members of a JSON object.
func members(raw json.RawMessage) object {
	var m object
	_ = json.Unmarshal(raw, &m)
	return m
}

// text returns the text of a JSON string.
func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

func quote(s string) json.RawMessage {
	raw, _ := json.Marshal(s)
	return raw
}

// list reads the tools, and the headers in their schemas.
func (c *client) list() {
	response := c.send(newRequest("tools/list", nil))
	var result struct {
		Tools []struct {
			Name        string
			InputSchema json.RawMessage
		}
	}
	_ = json.Unmarshal(response["result"], &result)
	for _, t := range result.Tools {
		c.tools[t.Name] = json.RawMessage(`{"inputSchema":` + string(t.InputSchema) + `}`)
		if at := strings.Index(string(t.InputSchema), `"$ref":"`); at >= 0 {
			url, _, _ := strings.Cut(string(t.InputSchema)[at+len(`"$ref":"`):], `"`)
			c.canaries = append(c.canaries, url)
		}
	}
}

// call calls a tool and answers until the call ends.
func (c *client) call(name, arguments string) object {
	params := object{"name": quote(name), "arguments": json.RawMessage(arguments)}
	return c.complete("tools/call", params)
}

// mostRounds is when the client ends a call.
const mostRounds = 10

// complete sends a request and answers the questions of its results.
func (c *client) complete(method string, params object) object {
	c.states, c.given = nil, object{}
	most := mostRounds
	switch {
	case c.is("never ends"):
		most = 150
	case c.is("never continues"):
		most = 1
	}
	r := newRequest(method, params)
	tool := c.tools[text(params["name"])]
	r.header = playground.HeaderParams(tool, mustJSON(params))
	for n := 1; ; n++ {
		response := c.send(r)
		result := c.asking(method, response)
		if result == nil || n == most {
			return response
		}
		if text(result["resultType"]) == "task" {
			c.follow(text(result["taskId"]), method, params)
			return response
		}
		answers, ok := c.answerAll(members(result["inputRequests"]))
		if !ok {
			return response
		}
		r = newRequest(method, params)
		r.retry = n
		r.header = playground.HeaderParams(tool, mustJSON(params))
		if len(answers) > 0 || result["inputRequests"] != nil {
			r.params["inputResponses"] = mustJSON(answers)
		}
		if state, ok := result["requestState"]; ok {
			r.params["requestState"] = state
		}
		c.states = append(c.states, result["requestState"])
	}
}

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// asking returns the result if the client continues with it: questions or a task.
func (c *client) asking(method string, response object) object {
	result := members(response["result"])
	if c.is("takes errors") && response["error"] != nil {
		return members(members(response["error"])["data"])
	}
	kind := text(result["resultType"])
	switch {
	case c.is("takes any type") && result["inputRequests"] != nil:
		return result
	case kind == "task" && (method == "tools/call" || c.is("takes any task")):
		return result
	case kind == "input_required" &&
		slices.Contains([]string{"tools/call", "prompts/get", "resources/read"}, method):
		return result
	}
	return nil
}

// answerAll returns the answers to questions. It returns false for a question that the client
// cannot answer.
func (c *client) answerAll(asked object) (object, bool) {
	answers := object{}
	for key, q := range asked {
		value := c.value(key, q)
		if value == "" {
			return nil, false
		}
		answers[key] = json.RawMessage(value)
	}
	if c.fault.answers != nil {
		c.fault.answers(c, asked, answers)
	}
	for key, value := range answers {
		c.given[key] = value
	}
	return answers, true
}

// declares reports whether the client declares a capability.
func (c *client) declares(path ...string) bool {
	node := json.RawMessage(c.caps)
	for _, p := range path {
		if node = members(node)[p]; node == nil {
			return false
		}
	}
	return true
}

// value returns the answer to a question, or "" for none.
func (c *client) value(key string, q json.RawMessage) string {
	if c.answer != nil {
		return c.answer(key, q)
	}
	method, params := text(members(q)["method"]), members(members(q)["params"])
	anyway := c.is("answers undeclared")
	switch {
	case method == "elicitation/create" && (anyway || c.declares("elicitation")):
		if text(params["mode"]) == "url" {
			return `{"action":"accept"}`
		}
		return `{"action":"accept","content":` + string(filled(params["requestedSchema"])) + `}`
	case method == "sampling/createMessage" && (anyway || c.declares("sampling")):
		choice := text(members(params["toolChoice"])["mode"])
		if choice != "" && !anyway && !c.declares("sampling", "tools") {
			return ""
		}
		content := `{"type":"text","text":"5"}`
		if choice == "required" || choice == "auto" {
			content = `[{"type":"tool_use","id":"1","name":"add_numbers","input":{"a":2,"b":3}}]`
		}
		return `{"role":"assistant","model":"none","content":` + content + `}`
	case method == "roots/list" && (anyway || c.declares("roots")):
		return `{"roots":[{"uri":"file:///home/user/project"}]}`
	case c.is("answers unknown"):
		return `{}`
	}
	return ""
}

// filled returns content that fits a schema.
func filled(schema json.RawMessage) json.RawMessage {
	content := object{}
	for name, property := range members(members(schema)["properties"]) {
		p := members(property)
		switch {
		case p["default"] != nil:
			content[name] = p["default"]
		case name == "color":
			content[name] = quote("r")
		case name == "email":
			content[name] = quote("a@example.com")
		case name == "date":
			content[name] = quote("2026-11-25")
		case text(p["type"]) == "array":
			content[name] = json.RawMessage(`["s"]`)
		case text(p["type"]) == "integer":
			content[name] = json.RawMessage(`3`)
		case text(p["type"]) == "number":
			content[name] = json.RawMessage(`2.5`)
		default:
			content[name] = quote("abc")
		}
	}
	return mustJSON(content)
}

// follow polls a task until it ends, and answers its questions.
func (c *client) follow(id, method string, params object) {
	task := func() object { return object{"taskId": quote(id)} }
	answered := map[string]bool{}
	for n := 1; n <= mostRounds; n++ {
		if !c.is("polls fast") {
			c.clock.Advance(time.Second)
		}
		response := c.send(newRequest("tasks/get", task()))
		status := members(response["result"])
		if response["error"] != nil && !c.is("polls on") || c.is("polls once") ||
			slices.Contains([]string{"completed", "failed", "cancelled"}, text(status["status"])) {
			return
		}
		open := object{}
		for key, q := range members(status["inputRequests"]) {
			if !answered[key] || c.is("answers twice") {
				open[key] = q
			}
			answered[key] = true
		}
		if len(open) == 0 {
			continue
		}
		answers, _ := c.answerAll(open)
		update := newRequest("tasks/update", task())
		if c.is("answers by call") {
			update = newRequest(method, params)
		}
		update.params["inputResponses"] = mustJSON(answers)
		c.send(update)
		if c.is("answers twice") {
			c.send(newRequest("tasks/update", object{"taskId": quote(id),
				"inputResponses": mustJSON(answers)}))
		}
		if c.is("stops after update") {
			return
		}
	}
}

// visit sends a plain HTTP request, as a browser does.
func (c *client) visit(method, url string) {
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	response.Body.Close()
}
