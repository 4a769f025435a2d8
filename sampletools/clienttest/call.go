package clienttest

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// call is one request.
type call struct {
	s        *Server
	w        http.ResponseWriter
	r        *http.Request
	id       json.RawMessage
	method   string
	params   map[string]json.RawMessage
	name     string // of the tool, prompt or resource
	scenario scenario
	gateway  bool // of the test of a gateway

	nonce string // of this call, the same in all its rounds
	round int    // from 1: the question that comes next
}

// marks are in keys, states, cursors, addresses and task ids: the round and the
// nonce of a call.
var marks = regexp.MustCompile(`ct([0-9]{1,4})x([a-z2-7]{26})`)

// read reads a message. It returns false if the request has been answered.
func (c *call) read(body []byte) bool {
	var m struct {
		ID     json.RawMessage
		Method json.RawMessage
		Params json.RawMessage
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(body, &m); err != nil {
		c.fail(http.StatusBadRequest, -32700, "the body is no JSON-RPC message", "")
		return false
	}
	_ = json.Unmarshal(m.Method, &c.method)
	_ = json.Unmarshal(m.Params, &c.params) // params of another kind count as absent
	if len(m.ID) > 0 && (m.ID[0] == '"' || json.Unmarshal(m.ID, new(json.Number)) == nil && m.ID[0] != 'n') {
		c.id = m.ID
	}
	switch {
	case c.method == "":
		c.fail(http.StatusBadRequest, -32600, "the message has no method", "")
		return false
	case c.id == nil && (strings.HasPrefix(c.method, "notifications/") || m.ID == nil):
		c.w.WriteHeader(http.StatusAccepted)
		return false
	case c.id == nil:
		c.fail(http.StatusBadRequest, -32600, "the id is neither a string nor an integer", "")
		return false
	}
	c.place()
	return true
}

// place sets the nonce and the round: those of the newest mark in the answers and the
// state, or new ones.
func (c *call) place() {
	c.round = 1
	for _, text := range append(c.answerKeys(), c.state(), c.text("taskId")) {
		for _, m := range marks.FindAllStringSubmatch(unfold(text), -1) {
			round, _ := strconv.Atoi(m[1])
			if c.nonce == "" || m[2] == c.nonce && round >= c.round {
				c.nonce, c.round = m[2], round+1
			}
		}
	}
	if c.nonce == "" {
		c.nonce = c.s.nonce()
	}
}

// unfold returns a text, with its decoded form if it is Base64.
func unfold(text string) string {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return text
	}
	return text + string(decoded)
}

// nonce returns 26 random characters.
func (s *Server) nonce() string {
	b := make([]byte, 16)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := io.ReadFull(s.config.Random, b); err != nil {
		panic("read random bytes: " + err.Error()) // net/http ends this request
	}
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
}

// mark returns the mark of a round.
func (c *call) mark(round int) string { return fmt.Sprintf("ct%dx%s", round, c.nonce) }

// text returns a string of the params, or "".
func (c *call) text(name string) string {
	var s string
	_ = json.Unmarshal(c.params[name], &s)
	return s
}

// state returns the requestState, or "".
func (c *call) state() string { return c.text("requestState") }

// answers returns the inputResponses.
func (c *call) answers() map[string]json.RawMessage {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(c.params["inputResponses"], &m)
	return m
}

func (c *call) answerKeys() []string {
	var keys []string
	for key := range c.answers() {
		keys = append(keys, key)
	}
	return keys
}

// isRetry reports whether the request has answers or a state.
func (c *call) isRetry() bool {
	return c.params["inputResponses"] != nil || c.params["requestState"] != nil
}

// declares reports whether the request declares a capability, such as "sampling",
// "tools".
func (c *call) declares(path ...string) bool {
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(c.params["_meta"], &meta)
	node := meta["io.modelcontextprotocol/clientCapabilities"]
	for _, name := range path {
		var m map[string]json.RawMessage
		_ = json.Unmarshal(node, &m)
		if node = m[name]; node == nil {
			return false
		}
	}
	return true
}

// quote returns a text as JSON.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string into memory: cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

// serverInfo names the server in every result.
const serverInfo = `"io.modelcontextprotocol/serverInfo":{"name":"client-test","title":"Client test",` +
	`"version":"1.0.0"}`

// message returns the response with a result of these members.
func (c *call) message(members string) string { return c.messageWith(members, "") }

// messageWith is message with a further member of _meta.
func (c *call) messageWith(members, meta string) string {
	if meta != "" {
		meta = "," + meta
	}
	return `{"jsonrpc":"2.0","id":` + string(c.id) + `,"result":{` + members +
		`,"_meta":{` + serverInfo + meta + `}}}`
}

// result answers with a result of these members.
func (c *call) result(members string) { c.send(http.StatusOK, c.message(members)) }

// send answers with a body of JSON.
func (c *call) send(status int, body string) {
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(status)
	_, _ = io.WriteString(c.w, body) // an error means that the client is gone
}

// fail answers with an error; data is JSON or "".
func (c *call) fail(status, code int, message, data string) {
	id := ""
	if c.id != nil {
		id = `"id":` + string(c.id) + `,`
	}
	if data != "" {
		data = `,"data":` + data
	}
	c.send(status, `{"jsonrpc":"2.0",`+id+`"error":{"code":`+strconv.Itoa(code)+`,"message":`+
		quote(message)+data+`}}`)
}

// done answers with a final result, for which the kind of the scenario decides the shape.
func (c *call) done(text string) { c.result(c.final(text)) }

// final returns the members of a final result.
func (c *call) final(text string) string {
	content := `{"type":"text","text":` + quote(text) + `}`
	switch c.method {
	case "prompts/get":
		return `"resultType":"complete","messages":[{"role":"user","content":` + content + `}]`
	case "resources/read":
		return `"resultType":"complete","contents":[{"uri":` + quote(c.name) +
			`,"mimeType":"text/plain","text":` +
			quote(text) + `}],"ttlMs":0,"cacheScope":"private"`
	}
	return `"resultType":"complete","content":[` + content + `]`
}

// received is the text of most final results.
const received = "Received. The recording of this call shows the verdict."

// question is one entry of inputRequests.
type question struct {
	key    string
	method string
	params string // JSON; "" if there are none
}

func (q question) json() string {
	params := ""
	if q.params != "" {
		params = `,"params":` + q.params
	}
	return quote(q.key) + `:{"method":` + quote(q.method) + params + `}`
}

// anyText is a form with one text that need not be filled in.
const anyText = `{"type":"object","properties":{"text":{"type":"string","title":"Anything"}}}`

// form returns a question with a schema.
func form(key, message, schema string) question {
	return question{key, elicit, `{"mode":"form","message":` + quote(message) + `,"requestedSchema":` +
		schema + `}`}
}

// Methods of questions.
const (
	elicit  = "elicitation/create"
	sample  = "sampling/createMessage"
	listing = "roots/list"
)

// key returns a key that no other call has.
func (c *call) key(name string) string { return name + "-" + c.mark(c.round) }

// text questions ask for anything.
func (c *call) anything(name string) question {
	return form(c.key(name), "Answer with anything.", anyText)
}

// asking returns the members of an input_required result. A nil state is left out.
func asking(state *string, questions ...question) string {
	out := `"resultType":"input_required"`
	if len(questions) > 0 {
		var list []string
		for _, q := range questions {
			list = append(list, q.json())
		}
		out += `,"inputRequests":{` + strings.Join(list, ",") + `}`
	}
	if state != nil {
		out += `,"requestState":` + quote(*state)
	}
	return out
}

// ask answers with questions, if the request declares their kinds.
func (c *call) ask(state *string, questions ...question) {
	for _, q := range questions {
		if need := c.undeclared(q); need != "" {
			c.lacks(need)
			return
		}
	}
	c.result(asking(state, questions...))
}

// undeclared returns the capability, as JSON, that a question needs and that the request
// does not declare, or "".
func (c *call) undeclared(q question) string {
	switch {
	case q.method == elicit && strings.Contains(q.params, `"mode":"url"`) &&
		!c.declares("elicitation", "url"):
		return `{"elicitation":{"url":{}}}`
	case q.method == elicit && !c.declares("elicitation"):
		return `{"elicitation":{}}`
	case q.method == sample && strings.Contains(q.params, `"toolChoice"`) && !c.declares("sampling", "tools"):
		return `{"sampling":{"tools":{}}}`
	case q.method == sample && !c.declares("sampling"):
		return `{"sampling":{}}`
	case q.method == listing && !c.declares("roots"):
		return `{"roots":{}}`
	}
	return ""
}

// lacks refuses a request that does not declare a capability.
func (c *call) lacks(capability string) {
	c.fail(http.StatusBadRequest, -32021,
		"this scenario needs a capability that the request does not declare",
		`{"requiredCapabilities":`+capability+`}`)
}
