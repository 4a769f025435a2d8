package capturetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Request is one request of a client.
type Request struct {
	Method string
	ID     any // nil for none
	Params map[string]any
	// Of HTTP: the method, POST if it is empty, the query, and fields beside those that the
	// request needs. An empty value drops a field.
	Verb, Query string
	Header      map[string]string
	Body        []string // the messages, in place of the one above; over HTTP there is one
}

// Bodies returns the messages of a request as they are sent.
func (r Request) Bodies() []string {
	if r.Body != nil {
		return r.Body
	}
	message := object{"jsonrpc": "2.0", "method": r.Method, "params": r.Params}
	if r.ID != nil {
		message["id"] = r.ID
	}
	return []string{mustJSON(message)}
}

// Fields returns the header fields of a request over HTTP.
func (r Request) Fields() map[string]string {
	fields := map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": r.Method,
	}
	if name, ok := r.Params["name"].(string); ok {
		fields["Mcp-Name"] = name
	}
	arguments, _ := r.Params["arguments"].(object)
	if count, ok := arguments["count"]; ok && r.Method == "tools/call" {
		fields["Mcp-Param-Count"] = fmt.Sprint(count)
	}
	maps.Copy(fields, r.Header)
	maps.DeleteFunc(fields, func(_, value string) bool { return value == "" })
	return fields
}

// Send sends a request and returns the response, or nil if there is none.
type Send func(Request) map[string]any

const misspellsRetry = "misspells a retry"

// Client is a client with a fault, or an unusual one.
type Client struct {
	Name  string
	Rule  string // that names the fault; empty for a client without one
	Hint  bool   // the rule gives an advisory
	Where Where
	drive func(c *caller)
}

// Lost returns how many retries of the client are like none: they are counted, and belong
// to no call.
func (b Client) Lost() int {
	if b.Name == misspellsRetry {
		return 1
	}
	return 0
}

// Where says which transport a client needs.
type Where string

// Transports.
const (
	Anywhere Where = ""
	OverHTTP Where = "http"
	OnLines  Where = "lines"
)

// Run makes calls without a fault, then those of the client.
func (b Client) Run(before int, send Send) {
	c := &caller{send: send}
	c.request(Request{Method: "server/discover", Params: object{}})
	c.request(Request{Method: "tools/list", Params: object{}})
	for range before {
		c.book(nil, nil)
	}
	b.drive(c)
}

// caller makes requests with ids of its own.
type caller struct {
	send Send
	ids  int
}

// edit changes a request before it is sent.
type edit func(*Request)

// fill gives a request its id and its _meta.
func (c *caller) fill(r Request) Request {
	c.ids++
	r.ID = c.ids
	if r.Params = maps.Clone(r.Params); r.Params == nil {
		r.Params = object{}
	}
	r.Params["_meta"] = object{
		metaPrefix + "protocolVersion": "2026-07-28",
		metaPrefix + "clientInfo":      object{"name": "tested", "version": "1"},
		metaPrefix + "clientCapabilities": object{
			"elicitation": object{"form": object{}}, "sampling": object{}, "roots": object{},
		},
		"progressToken": fmt.Sprint("token-", c.ids),
	}
	return r
}

// request sends a request with some changes and returns its result.
func (c *caller) request(r Request, edits ...edit) object {
	r = c.fill(r)
	for _, e := range edits {
		if e != nil {
			e(&r)
		}
	}
	result, _ := c.send(r)["result"].(object)
	return result
}

// asked is the first request of a call with its result.
type asked struct {
	request Request
	result  object
}

// ask begins a call of a tool.
func (c *caller) ask(tool string, e edit) asked {
	r := Request{Method: "tools/call", Params: object{"name": tool, "arguments": object{"count": 1}}}
	return asked{r, c.request(r, e)}
}

// retry returns the retry of a call, with all answers.
func (a asked) retry() Request {
	r := a.request
	r.Params = maps.Clone(r.Params)
	r.Params["arguments"] = maps.Clone(r.Params["arguments"].(object))
	answers := object{}
	questions, _ := a.result["inputRequests"].(object)
	for _, key := range slices.Sorted(maps.Keys(questions)) {
		answers[key] = map[string]any{
			"who":    object{"action": "accept", "content": object{"name": "Ada"}},
			"model":  model(object{"type": "text", "text": "5"}),
			"folder": object{"roots": []any{object{"uri": "file:///home/ada"}}},
		}[key]
	}
	r.Params["inputResponses"] = answers
	if state, ok := a.result["requestState"]; ok {
		r.Params["requestState"] = state
	}
	return r
}

// book makes a whole call, with changes of its two requests.
func (c *caller) book(first, retry edit) {
	a := c.ask("book", first)
	c.request(a.retry(), retry)
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
