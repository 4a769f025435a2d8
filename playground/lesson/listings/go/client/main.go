// A client that answers every question by itself. It needs Go 1.25 or later and
// only the standard library: go-sdk v1.8.0 does not pass the whole client test.
// Save it as main.go in an empty folder:
//
//	go mod init client
//	go run . http://127.0.0.1:2322/c/YOUR-TOKEN
//
// The address can also be in MRTR_SERVER_URL. With a name in MRTR_SCENARIO, it
// calls only the tool, prompt or resource of that name.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Limits. Pitfall: a server can ask forever, and a task can work forever.
const (
	maxRounds = 10
	maxPolls  = 10
	maxPages  = 100
	patience  = 10 * time.Second // then the connection is closed, which cancels the request
	maxWait   = 30 * time.Second
)

// object has its values as they came. Pitfall: a decoded and encoded value can be
// another one. Pitfall: struct fields also match requeststate; keys of a map don't.
type object = map[string]json.RawMessage

func get[T any](o object, key string) (value T) {
	_ = json.Unmarshal(o[key], &value) // a value of another type counts as absent
	return value
}

// meta is in every request: also in lists, retries and polls. It declares only what
// answer can answer.
var meta = json.RawMessage(`{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
	"io.modelcontextprotocol/clientInfo":{"name":"go-listing","version":"1.0.0"},
	"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},
		"sampling":{},"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)

type client struct {
	url   string
	only  string // name of what to call; "" for everything
	ids   atomic.Int64
	tools map[string]object // definitions by name
}

// failure is an error of the server.
type failure struct {
	status, code int
	message      string
	wait         time.Duration // of Retry-After
}

func (f *failure) Error() string { return fmt.Sprintf("status %d, %d %s", f.status, f.code, f.message) }

// request sends one request and returns its result.
func (c *client) request(method string, params object) (object, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel() // Pitfall: over HTTP there is no notification that cancels a request.
	whole := object{"_meta": meta}
	maps.Copy(whole, params)
	body, err := json.Marshal(map[string]any{ // Pitfall: a retry needs a new id, too.
		"jsonrpc": "2.0", "id": c.ids.Add(1), "method": method, "params": whole})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28") // as in _meta
	req.Header.Set("Mcp-Method", method)
	// Pitfall: the requests about a task have a name too: its id.
	for _, member := range []string{"name", "uri", "taskId"} {
		if name := get[string](params, member); name != "" {
			req.Header.Set("Mcp-Name", encoded(name))
		}
	}
	if method == "tools/call" {
		schema := get[object](c.tools[get[string](params, "name")], "inputSchema")
		repeat(schema, get[object](params, "arguments"), req.Header)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	m, err := read(res)
	if m["result"] != nil {
		return get[object](m, "result"), nil
	}
	if e := get[object](m, "error"); e != nil || res.StatusCode != http.StatusOK {
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
		return nil, &failure{res.StatusCode, get[int](e, "code"), get[string](e, "message"),
			time.Duration(seconds) * time.Second}
	}
	return nil, cmp.Or(err, errors.New("neither a result nor an error"))
}

// read returns the response, as JSON or as the last message of a stream.
func read(res *http.Response) (m object, err error) {
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		err = json.NewDecoder(res.Body).Decode(&m)
		return m, err
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 16<<20) // Pitfall: a state can be longer than a line usually is.
	for data := ""; lines.Scan(); {
		// Pitfall: a message can have several data lines. A comment is none of them.
		if part, ok := strings.CutPrefix(lines.Text(), "data:"); ok {
			data += part + "\n"
		} else if lines.Text() == "" && data != "" {
			m = nil
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				return nil, err
			}
			if m["result"] != nil || m["error"] != nil { // else it is a notification
				return m, nil
			}
			data = ""
		}
	}
	return nil, cmp.Or(lines.Err(), io.ErrUnexpectedEOF)
}

// try sends a request, and repeats it once if the server allows it. Pitfall: a call
// whose connection broke may have done its work. Don't repeat it by yourself.
func (c *client) try(method string, params object) (object, error) {
	result, err := c.request(method, params)
	var f *failure
	switch {
	case !errors.As(err, &f):
		return result, err
	case (f.status == 429 || f.status == 503) && f.wait > 0 && f.wait <= maxWait:
		time.Sleep(f.wait)
	case f.code == -32020 && method == "tools/call": // the annotations may have changed
		if err := c.listTools(); err != nil {
			return nil, err
		}
	default:
		return nil, err
	}
	return c.request(method, params)
}

// complete makes a call, and answers until it is complete.
func (c *client) complete(method string, call object) (string, error) {
	params := call
	for range maxRounds {
		result, err := c.try(method, params)
		if err != nil {
			return "", err
		}
		switch kind := get[string](result, "resultType"); {
		case kind == "" || kind == "complete": // Pitfall: no type means complete.
			return "complete", nil
		case kind == "task" && method == "tools/call":
			return c.follow(result)
		case kind != "input_required": // Pitfall: don't guess from the other members.
			return "", fmt.Errorf("a result of the type %q", kind)
		}
		// Pitfall: begin with the call as it was. Answers and state of earlier rounds are gone.
		params = maps.Clone(call)
		if result["inputRequests"] != nil {
			questions := get[object](result, "inputRequests")
			if params["inputResponses"], err = answers(get[string](call, "name"), questions); err != nil {
				return "", err
			}
		}
		if state, ok := result["requestState"]; ok { // Pitfall: "" is a state.
			params["requestState"] = state
		}
	}
	return "", fmt.Errorf("no end after %d rounds", maxRounds)
}

// follow polls a task, and answers its questions.
func (c *client) follow(task object) (string, error) {
	id, answered := object{"taskId": task["taskId"]}, map[string]bool{}
	for range maxPolls {
		// Pitfall: wait before the first poll, too.
		time.Sleep(time.Duration(max(get[int](task, "pollIntervalMs"), 100)) * time.Millisecond)
		var err error
		if task, err = c.try("tasks/get", id); err != nil {
			return "", err // also if the task is unknown: its ttlMs is over
		}
		switch status := get[string](task, "status"); status {
		case "completed", "failed", "cancelled":
			return "task " + status, nil
		}
		// Pitfall: until the server has read an answer, it shows the question again.
		open := get[object](task, "inputRequests")
		maps.DeleteFunc(open, func(key string, _ json.RawMessage) bool { return answered[key] })
		if len(open) == 0 {
			continue
		}
		update := maps.Clone(id) // Pitfall: no requestState, and not the call again.
		if update["inputResponses"], err = answers("", open); err != nil {
			return "", err
		}
		for key := range open {
			answered[key] = true
		}
		if _, err := c.try("tasks/update", update); err != nil {
			return "", err
		}
	}
	_, err := c.try("tasks/cancel", id)
	return "task cancelled by this client", err
}

// answers answers all questions.
func answers(call string, questions object) (json.RawMessage, error) {
	all := map[string]any{}
	for key := range questions {
		answer, err := answer(call, key, get[object](questions, key))
		if err != nil {
			return nil, err
		}
		all[key] = answer
	}
	return json.Marshal(all)
}

// answer stands for the user: a real client shows the question and waits. What the
// client test wants refused has decline or cancel in its name or its key.
func answer(call, key string, question object) (any, error) {
	params := get[object](question, "params")
	for _, action := range []string{"decline", "cancel"} {
		if strings.Contains(call, action) && !strings.HasPrefix(key, "accept") {
			return map[string]any{"action": action}, nil // no content
		}
	}
	switch method := get[string](question, "method"); {
	case method == "elicitation/create" && get[string](params, "mode") == "url":
		return visit(get[string](params, "url")), nil
	case method == "elicitation/create": // Pitfall: no mode means a form.
		content := fill(get[object](params, "requestedSchema"))
		return map[string]any{"action": "accept", "content": content}, nil
	case method == "sampling/createMessage":
		return map[string]any{"role": "assistant", "model": "none",
			"content": map[string]any{"type": "text", "text": "5"}}, nil
	case method == "roots/list":
		return map[string]any{"roots": []any{map[string]any{"uri": "file:///home/ada/project"}}}, nil
	default: // Pitfall: an answer to a question that you don't know is made up.
		return nil, fmt.Errorf("a question of the kind %q", method)
	}
}

// visit opens a link, as the browser of a user who agreed does. Pitfall: don't fetch
// it before, not even for a preview.
func visit(link string) any {
	if !strings.HasPrefix(link, "https://") && !strings.HasPrefix(link, "http://") {
		return map[string]any{"action": "decline"} // such as javascript:
	}
	res, err := http.Get(link)
	if err != nil {
		return map[string]any{"action": "cancel"}
	}
	res.Body.Close()
	return map[string]any{"action": "accept"} // Pitfall: accept of a link has no content.
}

// fill returns values that fit a form. Pitfall: an unchanged field sends its default.
func fill(schema object) map[string]any {
	content := map[string]any{}
	for name, field := range get[map[string]object](schema, "properties") {
		content[name] = value(name, field)
	}
	return content
}

func value(name string, field object) any {
	options := append(get[[]object](field, "oneOf"), get[[]object](field, "anyOf")...)
	switch kind := get[string](field, "type"); {
	case field["default"] != nil:
		return field["default"]
	case field["enum"] != nil:
		return get[[]any](field, "enum")[0]
	case len(options) > 0: // Pitfall: a choice with titles sends its const, not its title.
		return options[0]["const"]
	case kind == "object":
		return fill(field)
	case kind == "array":
		return []any{value(name, get[object](field, "items"))}
	case kind == "boolean":
		return true
	case kind == "integer" || kind == "number":
		return max(get[float64](field, "minimum"), 1)
	case get[string](field, "format") == "email":
		return "ada@example.com"
	case get[string](field, "format") == "date":
		return "2026-07-28"
	default:
		return name
	}
}

// repeat sets the headers of the arguments that a tool wants repeated.
func repeat(schema, arguments object, header http.Header) {
	for name, property := range get[map[string]object](schema, "properties") {
		switch value := arguments[name]; {
		case value == nil || string(value) == "null": // Pitfall: what is absent or null has no header.
		case property["x-mcp-header"] != nil:
			text := string(value) // as in JSON: 42, true
			if value[0] == '"' {
				text = get[string](arguments, name)
			}
			header.Set("Mcp-Param-"+get[string](property, "x-mcp-header"), encoded(text))
		default:
			repeat(property, get[object](arguments, name), header)
		}
	}
}

var (
	token = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	plain = regexp.MustCompile(`^([!-~]([ -~]*[!-~])?)?$`)
)

// encoded returns a text as a header can hold it. Pitfall: a text that looks encoded
// is encoded again.
func encoded(text string) string {
	looks := strings.HasPrefix(text, "=?base64?") && strings.HasSuffix(text, "?=")
	if plain.MatchString(text) && !looks {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// valid reports whether the names of headers in a schema are valid, and each of its
// own. Pitfall: a tool without valid names must not be called.
func valid(schema object, seen map[string]bool) bool {
	for _, property := range get[map[string]object](schema, "properties") {
		if property["x-mcp-header"] != nil {
			name := strings.ToLower(get[string](property, "x-mcp-header"))
			kind := get[string](property, "type")
			simple := kind == "string" || kind == "integer" || kind == "boolean"
			if seen[name] || !token.MatchString(name) || !simple {
				return false
			}
			seen[name] = true
		}
		if !valid(property, seen) {
			return false
		}
	}
	return true
}

// list reads all pages of a list.
func (c *client) list(method, member string) (all []object, err error) {
	params, again := object{}, false
	for range maxPages {
		result, err := c.try(method, params)
		var f *failure
		if errors.As(err, &f) && f.code == -32602 && params["cursor"] != nil && !again {
			params, all, again = object{}, nil, true // Pitfall: the cursor expired. Begin again, once.
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, get[[]object](result, member)...) // Pitfall: a page can be empty.
		if result["nextCursor"] == nil {
			return all, nil
		}
		params = object{"cursor": result["nextCursor"]} // Pitfall: "" is a cursor.
	}
	return all, nil
}

func (c *client) listTools() error {
	list, err := c.list("tools/list", "tools")
	c.tools = map[string]object{}
	for _, tool := range list { // Pitfall: don't fetch what a $ref names.
		if valid(get[object](tool, "inputSchema"), map[string]bool{}) {
			c.tools[get[string](tool, "name")] = tool
		}
	}
	return err
}

// asked are the arguments that the client test asks for. Others are filled in.
var asked = map[string]string{"mirror_unicode": `{"text":"Größe"}`, "mirror_nothing": `{"text":null}`,
	"mirror_sentinel": `{"text":"=?base64?YQ==?="}`}

// call makes a call and prints how it ended.
func (c *client) call(method, member, name string, params object) {
	if c.only != "" && c.only != name && !strings.HasSuffix(name, "/"+c.only) {
		return
	}
	params[member], _ = json.Marshal(name) // a string: cannot fail
	ended, err := c.complete(method, params)
	fmt.Println(name+":", cmp.Or(ended, fmt.Sprint(err)))
}

func (c *client) callTools() error {
	if err := c.listTools(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		filled, err := json.Marshal(fill(get[object](c.tools[name], "inputSchema")))
		if err != nil {
			return err
		}
		arguments := json.RawMessage(cmp.Or(asked[name], string(filled)))
		var calls sync.WaitGroup
		for range map[bool]int{false: 1, true: 2}[name == "parallel_calls"] {
			calls.Go(func() { c.call("tools/call", "name", name, object{"arguments": arguments}) })
		}
		calls.Wait()
	}
	return nil
}

// run calls everything that the server offers. Pitfall: ask only for what it has.
func (c *client) run() error {
	about, err := c.request("server/discover", nil)
	if err != nil {
		return err
	}
	offers := get[object](about, "capabilities")
	if offers["tools"] != nil {
		if err := c.callTools(); err != nil {
			return err
		}
	}
	for _, kind := range []struct{ offer, method, member string }{
		{"prompts", "prompts/get", "name"}, {"resources", "resources/read", "uri"},
	} {
		if offers[kind.offer] == nil {
			continue
		}
		entries, err := c.list(kind.offer+"/list", kind.offer)
		if err != nil {
			return err
		}
		for _, e := range entries {
			c.call(kind.method, kind.member, get[string](e, kind.member), object{})
		}
	}
	if offers["resources"] != nil {
		_, err = c.list("resources/templates/list", "resourceTemplates")
	}
	return err
}

func main() {
	c := &client{url: os.Getenv("MRTR_SERVER_URL"), only: os.Getenv("MRTR_SCENARIO")}
	if len(os.Args) > 1 {
		c.url = os.Args[1]
	}
	if c.url == "" {
		log.Fatal("usage: client URL")
	}
	if err := c.run(); err != nil {
		log.Fatal(err)
	}
}
