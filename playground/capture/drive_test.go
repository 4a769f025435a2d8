package capture_test

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// drive makes the calls of a scenario.
func (c *client) drive(s rules.Scenario) {
	c.send(newRequest("server/discover", nil))
	c.list()
	if special := drivers[s.ID]; special != nil {
		special(c)
	} else {
		c.ordinary(s)
	}
	if c.fault.after != nil {
		c.fault.after(c)
	}
}

// rest is the pause between two runs of a scenario, after which the client declares and
// answers as at first.
func (c *client) rest() {
	c.clock.Advance(time.Minute)
	c.caps, c.answer, c.header = allCapabilities, nil, nil
	c.fault = fault{}
}

// ordinary calls a tool, gets a prompt or reads a resource without arguments.
func (c *client) ordinary(s rules.Scenario) {
	switch s.Kind {
	case "tool":
		c.call(s.Name, `{}`)
	case "prompt":
		c.complete("prompts/get", object{"name": quote(s.Name)})
	case "resource":
		c.complete("resources/read", object{"uri": quote("test://client-test/" + s.Name)})
	default:
		c.t.Fatalf("%s has no driver", s.ID)
	}
}

// lacking returns a driver of a call by a client that declares less.
func lacking(name, capabilities string) func(*client) {
	return func(c *client) {
		c.caps = capabilities
		c.call(name, `{}`)
	}
}

// refusing returns a driver of a call of which one question is declined or cancelled.
func refusing(name, action, only string) func(*client) {
	return func(c *client) {
		c.answer = func(key string, _ json.RawMessage) string {
			if strings.HasPrefix(key, only) {
				return `{"action":"` + action + `"}`
			}
			return `{"action":"accept","content":{}}`
		}
		c.call(name, `{}`)
	}
}

// calling returns a driver of a call with arguments.
func calling(name string, arguments ...string) func(*client) {
	return func(c *client) {
		for _, a := range arguments {
			c.call(name, a)
		}
	}
}

// repeated returns a driver of a call that is refused and that comes back once.
func repeated(name string) func(*client) {
	return func(c *client) {
		c.call(name, `{}`)
		if !c.is("hurries") {
			c.clock.Advance(3 * time.Second)
		}
		for range map[bool]int{false: 1, true: 5}[c.is("hammers")] {
			c.call(name, `{}`)
		}
	}
}

// drivers are the scenarios that need more than a call without arguments.
var drivers = map[string]func(*client){
	"requests":                  driveRequests,
	"undeclared_form":           lacking("undeclared_form", `{"sampling":{}}`),
	"undeclared_sampling":       lacking("undeclared_sampling", `{"elicitation":{}}`),
	"undeclared_sampling_tools": lacking("undeclared_sampling_tools", `{"sampling":{}}`),
	"undeclared_roots":          lacking("undeclared_roots", `{"elicitation":{}}`),
	"decline":                   refusing("decline", "decline", "answer"),
	"cancel":                    refusing("cancel", "cancel", "answer"),
	"decline_one":               refusing("decline_one", "decline", "decline"),
	"cancel_one":                refusing("cancel_one", "cancel", "cancel"),
	"link_decline":              refusing("link_decline", "decline", "link"),
	"link_accept": func(c *client) {
		if !c.is("does not open") && c.fault.answers == nil {
			c.fault.answers = visiting("GET")
		}
		c.call("link_accept", `{}`)
	},
	"link_javascript": func(c *client) {
		action := "decline"
		if c.is("accepts scripts") {
			action = "accept"
		}
		refusing("link_javascript", action, "link")(c)
	},
	"same_arguments":   calling("same_arguments", `{"text":"a","list":[1,{"b":2.0}]}`),
	"mirror_text":      calling("mirror_text", `{"text":"plain"}`),
	"mirror_unicode":   calling("mirror_unicode", `{"text":"Größe"}`),
	"mirror_sentinel":  calling("mirror_sentinel", `{"text":"=?base64?YQ==?="}`),
	"mirror_integer":   calling("mirror_integer", `{"count":42}`),
	"mirror_boolean":   calling("mirror_boolean", `{"flag":true}`),
	"mirror_nested":    calling("mirror_nested", `{"place":{"region":"eu"}}`),
	"mirror_nothing":   calling("mirror_nothing", `{}`, `{"text":null}`),
	"bad_annotation":   calling("mirror_text", `{"text":"plain"}`),
	"http_401":         repeated("http_401"),
	"http_403":         repeated("http_403"),
	"http_404":         repeated("http_404"),
	"http_429":         repeated("http_429"),
	"http_503":         repeated("http_503"),
	"error_capability": repeated("error_capability"),
	"error_params":     repeated("error_params"),
	"error_version":    repeated("error_version"),
	"cut_stream":       repeated("cut_stream"),
	"error_headers": func(c *client) {
		c.call("error_headers", `{}`)
		if !c.is("does not list") {
			c.list()
		}
		c.call("error_headers", `{}`)
	},
	"parallel_calls": driveParallel,
	"completion": func(c *client) {
		c.complete("completion/complete", object{
			"ref":      json.RawMessage(`{"type":"ref/prompt","name":"complete_me"}`),
			"argument": json.RawMessage(`{"name":"color","value":"r"}`),
		})
	},
	"never_answers": func(c *client) {
		r := newRequest("tools/call", object{"name": quote("never_answers"),
			"arguments": json.RawMessage(`{}`)})
		c.sendUntil(r, func(p wire.Part) bool {
			if c.is("notifies") && p.Kind == wire.Received {
				n := newRequest("notifications/cancelled", object{"requestId": json.RawMessage(r.id)})
				n.id = "none"
				c.send(n)
			}
			return p.Kind == wire.Received
		})
	},
	"task_cancel":    driveCancel,
	"prompt_pages":   drivePrompts,
	"template_pages": driveTemplates,
	"listen": func(c *client) {
		r := newRequest("subscriptions/listen", object{
			"notifications": json.RawMessage(`{"toolsListChanged":true}`)})
		c.sendUntil(r, func(p wire.Part) bool {
			return p.Kind == wire.Message && (strings.Contains(string(p.Bytes), "list_changed") ||
				strings.Contains(string(p.Bytes), `"notifications":{}`))
		})
		if !c.is("does not list") {
			c.list()
		}
	},
}

// driveRequests sends a request of every kind.
func driveRequests(c *client) {
	c.header = []wire.Field{{Name: "Authorization", Value: "Bearer demo-alice"}}
	c.caps = allCapabilities
	n := newRequest("notifications/progress", nil)
	n.id = "none"
	c.send(n)
	c.list()
	drivePrompts(c)
	c.send(newRequest("resources/list", nil))
	c.call("two_questions", `{}`)
	c.complete("prompts/get", object{"name": quote("ask_prompt")})
	c.complete("resources/read", object{"uri": quote("test://client-test/ask_resource")})
	c.call("task_input", `{}`)
	driveCancel(c)
}

// drivePrompts reads the pages of the prompts.
func drivePrompts(c *client) {
	first := members(c.send(newRequest("prompts/list", nil))["result"])
	if c.is("reads one page") {
		return
	}
	cursor := first["nextCursor"]
	if c.is("changes cursors") {
		cursor = quote(strings.TrimSpace(text(cursor)) + "x")
	}
	second := members(c.send(newRequest("prompts/list", object{"cursor": cursor}))["result"])
	if c.is("ends at empty pages") {
		return
	}
	cursor = second["nextCursor"]
	c.send(newRequest("prompts/list", object{"cursor": cursor}))
	if c.is("reads too far") {
		c.send(newRequest("prompts/list", object{"cursor": cursor}))
	}
}

// driveTemplates reads the pages of the prompts, then those of the templates.
func driveTemplates(c *client) {
	drivePrompts(c)
	const method = "resources/templates/list"
	next := members(c.send(newRequest(method, nil))["result"])["nextCursor"]
	if c.is("reads one page") {
		return
	}
	var cursor json.RawMessage // the last is not valid
	for next != nil && !(c.is("ends at empty cursors") && text(next) == "") {
		cursor = next
		next = members(c.send(newRequest(method, object{"cursor": cursor}))["result"])["nextCursor"]
	}
	if c.is("ends at empty cursors") {
		return
	}
	if c.is("repeats cursors") {
		c.send(newRequest(method, object{"cursor": cursor}))
		return
	}
	c.send(newRequest(method, nil))
}

// driveParallel makes two calls at the same time.
func driveParallel(c *client) {
	params := object{"name": quote("parallel_calls"), "arguments": json.RawMessage(`{}`)}
	var requests [2]*request
	for i := range requests {
		r := newRequest("tools/call", params)
		if c.is("same ids") {
			r.id = "7"
		}
		if c.is("same tokens") {
			r.params["_meta"] = json.RawMessage(strings.ReplaceAll(string(c.meta()), "token-", "token-0"))
		}
		requests[i] = r
	}
	var results [2]object
	var calls sync.WaitGroup
	for i, r := range requests {
		calls.Go(func() { results[i] = members(c.send(r)["result"]) })
	}
	calls.Wait()
	c.given = object{}
	for i, result := range results {
		answers, _ := c.answerAll(members(result["inputRequests"]))
		r := newRequest("tools/call", params)
		r.retry = 1
		r.params["inputResponses"], r.params["requestState"] = mustJSON(answers), result["requestState"]
		if c.is("mixes") {
			r.params["requestState"] = results[1-i]["requestState"]
		}
		c.send(r)
	}
}

// driveCancel cancels a task.
func driveCancel(c *client) {
	r := newRequest("tools/call", object{"name": quote("task_cancel"), "arguments": json.RawMessage(`{}`)})
	task := members(c.send(r)["result"])["taskId"]
	if c.is("notifies") {
		n := newRequest("notifications/cancelled", object{"requestId": json.RawMessage(r.id)})
		n.id = "none"
		c.send(n)
		return
	}
	c.send(newRequest("tasks/cancel", object{"taskId": task}))
	c.send(newRequest("tasks/get", object{"taskId": task}))
}
