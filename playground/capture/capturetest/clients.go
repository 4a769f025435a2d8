package capturetest

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// onFirst and onRetry return the calls of a client whose fault is in one
// request.
func onFirst(e edit) func(*caller) { return func(c *caller) { c.book(e, nil) } }
func onRetry(e edit) func(*caller) { return func(c *caller) { c.book(nil, e) } }

func set(name string, value any) edit { return func(r *Request) { r.Params[name] = value } }
func drop(name string) edit           { return func(r *Request) { delete(r.Params, name) } }

// rename moves a member of params.
func rename(from, to string) edit {
	return func(r *Request) {
		r.Params[to] = r.Params[from]
		delete(r.Params, from)
	}
}

// state changes the requestState of a retry.
func state(change func(string) any) edit {
	return func(r *Request) { r.Params["requestState"] = change(r.Params["requestState"].(string)) }
}

// meta sets a member of _meta, or removes it for nil.
func meta(name string, value any) edit {
	return func(r *Request) {
		m := r.Params["_meta"].(object)
		m[name] = value
		if value == nil {
			delete(m, name)
		}
	}
}

// given sets the answer to a question, or removes it for nil.
func given(key string, value any) edit {
	return func(r *Request) {
		answers := r.Params["inputResponses"].(object)
		answers[key] = value
		if value == nil {
			delete(answers, key)
		}
	}
}

func header(name, value string) edit {
	return func(r *Request) {
		if r.Header == nil {
			r.Header = map[string]string{}
		}
		r.Header[name] = value
	}
}

// text changes the message as it is sent.
func text(change func(string) string) edit {
	return func(r *Request) { r.Body = []string{change(r.Bodies()[0])} }
}

// then returns the calls of a client that makes a right call, then one more
// request.
func then(r Request, edits ...edit) func(*caller) {
	return func(c *caller) {
		c.book(nil, nil)
		c.request(r, edits...)
	}
}

func noID(r *Request) { r.ID = nil }

// model is an answer of a model with content.
func model(content any) object { return object{"role": "assistant", "model": "m", "content": content} }

// Bad returns the clients with one fault.
func Bad() []Client {
	const fail, hint = false, true
	plain := Request{Method: "tools/call", Params: object{"name": "plain", "arguments": object{"count": 1}}}
	return []Client{
		// What a retry echoes.
		{"changes a letter of the state", "C2", fail, Anywhere,
			onRetry(state(func(s string) any { return s + "x" }))},
		{"trims the state", "C2", fail, Anywhere,
			onRetry(state(func(s string) any { return strings.TrimSpace(s) }))},
		{"reads the state as JSON", "C2", fail, Anywhere,
			onRetry(state(func(string) any { return object{"step": 1} }))},
		{"leaves the state out", "C2", fail, Anywhere, onRetry(drop("requestState"))},
		{"sends a null state", "C2", fail, Anywhere, onRetry(set("requestState", nil))},
		{"misspells requestState", "C2", fail, Anywhere, onRetry(rename("requestState", "request_state"))},
		{"makes a state up", "C3", fail, Anywhere, func(c *caller) {
			c.request(c.ask("plain", nil).retry(), set("requestState", "mine"))
		}},
		{"answers two calls with the state of neither", "C2", fail, Anywhere, func(c *caller) {
			a := c.ask("book", nil)
			c.ask("book", nil)
			c.request(a.retry(), set("requestState", "neither"))
		}},
		{"mixes the states of two calls", "C5", fail, Anywhere, func(c *caller) {
			a := c.ask("book", nil)
			count := object{"count": 2}
			b := c.ask("book", set("arguments", count))
			c.request(a.retry(), set("requestState", b.result["requestState"]))
		}},
		{"keeps the id", "C4", fail, Anywhere, onRetry(func(r *Request) { r.ID = r.ID.(int) - 1 })},
		{"changes the arguments", "C5", fail, Anywhere, onRetry(set("arguments", object{"count": 2}))},
		{"adds a parameter", "C5", fail, Anywhere, onRetry(set("more", 1))},
		{"answers in the arguments", "C5", fail, Anywhere, onRetry(func(r *Request) {
			r.Params["arguments"].(object)["inputResponses"] = r.Params["inputResponses"]
			delete(r.Params, "inputResponses")
		})},
		{misspellsRetry, "client-look-alike", hint, Anywhere, onRetry(func(r *Request) {
			rename("requestState", "request_state")(r)
			rename("inputResponses", "input_responses")(r)
		})},

		// The answers.
		{"leaves one answer out", "C6", fail, Anywhere, onRetry(given("model", nil))},
		{"sends no answers", "C6", fail, Anywhere, onRetry(set("inputResponses", object{}))},
		{"leaves the answers out", "C6", fail, Anywhere, onRetry(drop("inputResponses"))},
		{"misspells inputResponses", "C6", fail, Anywhere,
			onRetry(rename("inputResponses", "input_responses"))},
		{"answers what was not asked", "client-keys", fail, Anywhere,
			onRetry(given("another", object{"action": "decline"}))},
		{"misspells a key", "client-keys", fail, Anywhere, onRetry(func(r *Request) {
			answers := r.Params["inputResponses"].(object)
			answers["Who"] = answers["who"]
			delete(answers, "who")
		})},
		{"answers with a text", "client-answers", fail, Anywhere, onRetry(given("who", "Ada"))},
		{"gives no action", "client-answers", fail, Anywhere,
			onRetry(given("who", object{"content": object{"name": "Ada"}}))},
		{"makes an action up", "client-answers", fail, Anywhere,
			onRetry(given("who", object{"action": "reject"}))},
		{"misspells the action", "client-answers", fail, Anywhere,
			onRetry(given("who", object{"Action": "accept", "content": object{"name": "Ada"}}))},
		{"does not validate the form", "client-answers", hint, Anywhere,
			onRetry(given("who", object{"action": "accept", "content": object{"name": 5}}))},
		{"does not name the model", "client-answers", fail, Anywhere,
			onRetry(given("model", object{
				"role": "assistant", "content": object{"type": "text", "text": "5"},
			}))},
		{"gives no roots", "client-answers", fail, Anywhere, onRetry(given("folder", object{}))},
		{"gives the root of a site", "client-roots", fail, Anywhere,
			onRetry(given("folder", object{"roots": []any{object{"uri": "https://example.com/"}}}))},
		{"gives a text block without text", "client-content", fail, Anywhere,
			onRetry(given("model", model(object{"type": "text"})))},
		{"uses a tool without an id", "client-content", fail, Anywhere,
			onRetry(given("model", model([]any{
				object{"type": "tool_use", "name": "add", "input": object{}},
			})))},

		// Every request.
		{"sends no _meta", "client-meta", fail, Anywhere, onFirst(drop("_meta"))},
		{"names no version", "client-meta", fail, Anywhere, onFirst(meta(metaPrefix+"protocolVersion", nil))},
		{"declares nothing", "client-meta", fail, Anywhere,
			onFirst(meta(metaPrefix+"clientCapabilities", nil))},
		{"misspells the version", "client-meta", fail, Anywhere, onFirst(func(r *Request) {
			meta(metaPrefix+"protocolVersion", nil)(r)
			meta(metaPrefix+"protocol_version", "2026-07-28")(r)
		})},
		{"has an extension without a prefix", "client-meta", fail, Anywhere,
			onFirst(meta(metaPrefix+"clientCapabilities", object{
				"elicitation": object{}, "sampling": object{}, "roots": object{},
				"extensions": object{"tasks": object{}},
			}))},
		{"does not name itself", "client-info", hint, Anywhere, onFirst(meta(metaPrefix+"clientInfo", nil))},
		{"has half a progress token", "client-progress-token", fail, Anywhere,
			onFirst(meta("progressToken", 1.5))},
		{"has a null progress token", "client-progress-token", fail, Anywhere, onFirst(func(r *Request) {
			r.Params["_meta"].(object)["progressToken"] = nil
		})},
		{"misspells a member of _meta", "client-look-alike", hint, Anywhere,
			onFirst(meta("progress_token", 1))},
		{"makes a log level up", "client-log-level", hint, Anywhere,
			onFirst(meta(metaPrefix+"logLevel", "loud"))},
		{"has half a tracestate", "client-trace", fail, Anywhere, onFirst(meta("tracestate", "vendor"))},
		{"has a short traceparent", "client-trace", fail, Anywhere,
			onFirst(meta("traceparent", "00-abc-def-01"))},
		{"sends a null id", "client-envelope", fail, Anywhere, then(plain, text(func(s string) string {
			at := strings.Index(s, `"id":`)
			return s[:at] + `"id":null` + s[at+strings.Index(s[at:], ","):]
		}))},
		{"sends half an id", "client-envelope", fail, Anywhere,
			then(plain, func(r *Request) { r.ID = 900.5 })},
		{"speaks JSON-RPC 1.0", "client-envelope", fail, Anywhere, then(plain, text(func(s string) string {
			return strings.Replace(s, `"jsonrpc":"2.0"`, `"jsonrpc":"1.0"`, 1)
		}))},
		{"numbers a notification", "client-envelope", fail, Anywhere,
			then(Request{Method: "notifications/x"})},
		{"names no tool", "client-params", fail, Anywhere, then(plain, drop("name"))},
		{"begins anew", "client-era", hint, Anywhere, then(Request{Method: "initialize", Params: object{
			"protocolVersion": "2025-11-25", "capabilities": object{},
			"clientInfo": object{"name": "tested", "version": "1"},
		}}, drop("_meta"), header("Mcp-Protocol-Version", ""), header("Mcp-Method", ""))},

		{"begins anew in this revision", "client-era", hint, Anywhere, then(Request{Method: "initialize",
			Params: object{
				"protocolVersion": "2025-11-25", "capabilities": object{},
				"clientInfo": object{"name": "tested", "version": "1"},
			}})},

		// Over HTTP.
		{"takes JSON alone", "client-accept", fail, OverHTTP, onFirst(header("Accept", "application/json"))},
		{"has no version in the header", "client-headers", fail, OverHTTP,
			onFirst(header("Mcp-Protocol-Version", ""))},
		{"has another version in the header", "client-headers", fail, OverHTTP,
			onFirst(header("Mcp-Protocol-Version", "2025-11-25"))},
		{"has no Mcp-Method", "client-headers", fail, OverHTTP, onFirst(header("Mcp-Method", ""))},
		{"has another Mcp-Name", "client-headers", fail, OverHTTP, onRetry(header("Mcp-Name", "other"))},
		{"does not repeat an argument", "client-param-headers", fail, OverHTTP,
			onFirst(header("Mcp-Param-Count", ""))},
		{"repeats another argument", "client-param-headers", fail, OverHTTP,
			onFirst(header("Mcp-Param-Count", "2"))},
		{"repeats a fraction", "client-param-headers", hint, OverHTTP,
			onFirst(header("Mcp-Param-Count", "1.0"))},
		{"opens a stream", "client-envelope", hint, OverHTTP, then(Request{Verb: "GET", Body: []string{""}})},
		{"has a token in the URL", "client-secret", fail, OverHTTP,
			then(plain, func(r *Request) { r.Query = "?access_token=abcdefgh12345678" })},
		{"sends a batch", "client-envelope", fail, OverHTTP,
			then(plain, text(func(s string) string { return "[" + s + "]" }))},

		// On lines.
		{"writes two messages in a line", "line-client", fail, OnLines,
			then(plain, text(func(s string) string { return s + s }))},
		{"writes an empty line", "line-client", fail, OnLines,
			then(plain, func(r *Request) { r.Body = []string{""} })},
		{"uses an id twice", "line-id", fail, OnLines, then(plain, func(r *Request) {
			r.Body = []string{r.Bodies()[0], r.Bodies()[0]}
		})},
		{"cancels what it did not send", "line-cancel", fail, OnLines,
			then(Request{Method: "notifications/cancelled"}, noID, set("requestId", 999))},
	}
}

// ByName returns the client with a name.
func ByName(name string) Client {
	for _, b := range append(Bad(), Unusual()...) {
		if b.Name == name {
			return b
		}
	}
	return Client{}
}

// Unusual returns clients without a fault that do something in another way than
// most.
func Unusual() []Client {
	return []Client{
		{"asks twice at once, and answers in reverse order", "", false, Anywhere, func(c *caller) {
			a, b := c.ask("book", nil), c.ask("book", nil)
			c.request(b.retry())
			c.request(a.retry())
			d, e := c.ask("plain", nil), c.ask("plain", nil)
			c.request(d.retry())
			c.request(e.retry())
		}},
		{"abandons a call and makes it again", "", false, Anywhere, func(c *caller) {
			c.ask("book", nil)
			c.ask("plain", nil)
			c.book(nil, nil)
			c.request(c.ask("plain", nil).retry())
		}},
		{"writes JSON in its own way", "", false, Anywhere, func(c *caller) {
			odd := text(func(s string) string {
				s = strings.ReplaceAll(s, `"arguments":{"count":1}`, `"arguments" : { "count" : 1.0 }`)
				return strings.ReplaceAll(s, `step`, `\u0073tep`)
			})
			c.book(func(r *Request) { r.ID = fmt.Sprint("id-", r.ID); odd(r) },
				func(r *Request) { r.ID = fmt.Sprint("id-", r.ID); odd(r) })
		}},
		{"has more in its _meta and its header than it needs", "", false, Anywhere, func(c *caller) {
			more := func(r *Request) {
				meta("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")(r)
				meta("tracestate", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")(r)
				meta("baggage", "user=ada;ttl=1")(r)
				meta("com.example/deadline", 5)(r)
				meta(metaPrefix+"logLevel", "warning")(r)
				header("Mcp-Session-Id", "left-over")(r)
				header("Last-Event-Id", "7")(r)
				header("Mcp-Name", "=?base64?"+base64.StdEncoding.EncodeToString([]byte("book"))+"?=")(r)
			}
			c.book(more, more)
		}},
		{"sends a retry again after an error", "", false, Anywhere, func(c *caller) {
			a := c.ask("busy", nil)
			c.request(a.retry())
			c.request(a.retry())
		}},
		{"declines, and gives no roots", "", false, Anywhere, onRetry(func(r *Request) {
			given("who", object{"action": "decline"})(r)
			given("folder", object{"roots": []any{}})(r)
			given("model", model([]any{object{"type": "text", "text": "5"}}))(r)
		})},
		{"changes what it declares", "", false, Anywhere, func(c *caller) {
			c.book(nil, meta(metaPrefix+"clientCapabilities", object{
				"elicitation": object{"form": object{}, "url": object{}},
				"sampling":    object{"tools": object{}}, "roots": object{},
			}))
		}},
	}
}
