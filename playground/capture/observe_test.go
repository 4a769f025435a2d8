package capture_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
)

// neverPassed are checks whose behavior is broken or does not exist: no message of a good
// client shows them.
var neverPassed = []string{"cancels-own"}

// TestObserve_GoodClientPasses: a client that follows each scenario passes all
// of its checks, and breaks none of another.
func TestObserve_GoodClientPasses(t *testing.T) {
	for _, s := range rules.Scenarios() {
		t.Run(s.ID, func(t *testing.T) {
			c := newClient(t, fault{})
			c.drive(s)
			for _, tick := range capture.ObserveEnded(c.contacts) {
				own := tick.Scope == s.ID && !slices.Contains(neverPassed, tick.ID)
				if own && tick.Outcome != verdict.Passed || tick.Outcome.Wrong() ||
					tick.Outcome == verdict.Stopped {
					t.Errorf("%s/%s: %s: %s", tick.Scope, tick.ID, tick.Outcome, tick.Sentence)
				}
			}
		})
	}
}

// TestObserve_BadClientFails: for each check of each scenario there is a client with one fault,
// which that check finds and no other, in the first run of the scenario and in the fifth one.
func TestObserve_BadClientFails(t *testing.T) {
	used := map[string]bool{}
	total := 0
	for _, s := range rules.Scenarios() {
		for _, check := range s.Checks {
			name := s.ID + "/" + check.ID
			f, own := faults[name]
			if !own {
				name = check.ID
				f = faults[name]
			}
			used[name] = true
			total++
			for _, before := range []int{0, 4} {
				t.Run(fmt.Sprintf("%s/%s after %d", s.ID, check.ID, before), func(t *testing.T) {
					if f.edit == nil && f.answers == nil && f.quirk == "" && f.after == nil {
						t.Fatal("there is no bad client")
					}
					c := newClient(t, fault{})
					for range before {
						c.drive(s)
						c.rest()
					}
					c.fault = f
					c.drive(s)
					checkTicks(t, capture.ObserveEnded(c.contacts), s, check)
				})
			}
		}
	}
	for name := range faults {
		if !used[name] {
			t.Errorf("the fault %s is of no check", name)
		}
	}
	t.Logf("%d bad clients", total)
}

// checkTicks fails unless the check of a scenario found a fault, and no other did.
func checkTicks(t *testing.T, ticks []rules.Observation, s rules.Scenario, check rules.Check) {
	t.Helper()
	found := false
	for _, tick := range ticks {
		mine := tick.Scope == s.ID && tick.ID == check.ID
		wrong := tick.Outcome.Wrong()
		if wrong && !mine {
			t.Errorf("also %s/%s: %s: %s", tick.Scope, tick.ID, tick.Outcome, tick.Sentence)
		}
		if !mine {
			continue
		}
		found = true
		if tick.Outcome != badVerdict(check) {
			t.Errorf("%s, not %s: %s", tick.Outcome, badVerdict(check), tick.Sentence)
		}
		if tick.Place.Request == 0 || strings.Contains(tick.Sentence, "\n") ||
			!strings.HasSuffix(tick.Sentence, ".") {
			t.Errorf("evidence %+v, text %q", tick.Place, tick.Sentence)
		}
	}
	if !found {
		t.Error("no tick")
	}
}

// badVerdict returns the verdict of a client that fails a check.
func badVerdict(c rules.Check) verdict.Outcome {
	switch c.Level() {
	case spec.Must, spec.MustNot:
		return verdict.Failed
	case spec.Should, spec.ShouldNot:
		return verdict.Advisory
	}
	return verdict.Advisory
}

// once returns an edit of the first request of a method.
func once(method string, edit func(*request)) fault {
	done := map[*client]bool{}
	return fault{edit: func(c *client, r *request) {
		if r.method == method && !done[c] {
			done[c] = true
			edit(r)
		}
	}}
}

// onRetry returns an edit of the nth retry.
func onRetry(n int, edit func(*client, *request)) fault {
	return fault{edit: func(c *client, r *request) {
		if r.retry == n {
			edit(c, r)
		}
	}}
}

// setMeta returns an edit that sets a member of _meta, or removes it for "".
func setMeta(method, key, value string) fault {
	return once(method, func(r *request) {
		meta := members(r.params["_meta"])
		meta[key] = json.RawMessage(value)
		if value == "" {
			delete(meta, key)
		}
		r.params["_meta"] = mustJSON(meta)
	})
}

// noMeta returns an edit that removes _meta.
func noMeta(method string) fault {
	return once(method, func(r *request) { delete(r.params, "_meta") })
}

// withHeader returns an edit that sets a header, or drops it for "".
func withHeader(method, name, value string) fault {
	return once(method, func(r *request) {
		r.header = slices.DeleteFunc(r.header, func(f wire.Field) bool {
			return strings.EqualFold(f.Name, name)
		})
		if value == "" {
			r.drop = append(r.drop, name)
			return
		}
		r.header = append(r.header, wire.Field{Name: name, Value: value})
	})
}

// then returns a fault that sends one more request.
func then(method, params string, edit ...func(*request)) fault {
	return fault{after: func(c *client) {
		r := newRequest(method, members(json.RawMessage(params)))
		for _, e := range edit {
			e(r)
		}
		c.send(r)
	}}
}

// answering returns a fault that changes every answer.
func answering(change func(value object)) fault {
	return fault{answers: func(_ *client, _, answers object) {
		for key, value := range answers {
			m := members(value)
			change(m)
			answers[key] = mustJSON(m)
		}
	}}
}

// content returns a fault that changes the content of every form.
func content(name, value string) fault {
	return answering(func(v object) {
		m := members(v["content"])
		m[name] = json.RawMessage(value)
		v["content"] = mustJSON(m)
	})
}

func set(name, value string) fault {
	return answering(func(v object) { v[name] = json.RawMessage(value) })
}

func remove(name string) fault { return answering(func(v object) { delete(v, name) }) }

func notification(r *request) { r.id = "none" }

// initialize are the params of a client that goes back to an earlier revision.
const initialize = `{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"good","version":"1"}}`

// faults are the bad clients by check, or by scenario and check.
var faults = map[string]fault{
	"jsonrpc": once("server/discover", func(r *request) {
		r.body = []byte(`{"jsonrpc":"1.0","id":1,"method":"server/discover","params":{"_meta":` +
			string(r.params["_meta"]) + `}}`)
	}),
	"id-type":         once("server/discover", func(r *request) { r.id = "true" }),
	"id-null":         once("server/discover", func(r *request) { r.id = "null" }),
	"members":         once("server/discover", func(r *request) { r.array = true }),
	"notification":    then("notifications/x", `{}`, notification, func(r *request) { r.array = true }),
	"notification-id": then("notifications/x", `{}`),
	"no-response": then("", `{}`, func(r *request) {
		r.body = []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	}),
	"no-batch": then("", `{}`,
		func(r *request) { r.body = []byte(`[{"jsonrpc":"2.0","id":1,"method":"x"}]`) }),
	"post": then("server/discover", `{}`, func(r *request) { r.verb = "PUT" }),
	"utf8": then("server/discover", `{}`, func(r *request) {
		r.body = []byte(`{"jsonrpc":"2.0","id":"` + "\xff" + `","method":"server/discover",` +
			`"params":{"_meta":` +
			`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":` +
			`{"name":"a","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
	}),
	"accept":         withHeader("server/discover", "Accept", "application/json"),
	"header-version": withHeader("server/discover", "MCP-Protocol-Version", ""),
	"version-equal":  withHeader("server/discover", "MCP-Protocol-Version", "2025-11-25"),
	"header-method":  withHeader("server/discover", "Mcp-Method", "server/Discover"),
	"header-name":    withHeader("tools/call", "Mcp-Name", "another"),
	"meta-tools":     noMeta("tools/list"),
	"meta-prompts":   noMeta("prompts/list"),
	"meta-resources": noMeta("resources/list"),
	"meta-other":     noMeta("server/discover"),
	"meta-retry":     onRetry(1, func(_ *client, r *request) { delete(r.params, "_meta") }),
	"meta-version":   setMeta("server/discover", "io.modelcontextprotocol/protocolVersion", ""),
	"meta-capabilities": setMeta("server/discover",
		"io.modelcontextprotocol/clientCapabilities", ""),
	"client-info": setMeta("server/discover", "io.modelcontextprotocol/clientInfo", `{"name":"x"}`),
	"meta-prefix": setMeta("server/discover", "a..b/x", `1`),
	"meta-name":   setMeta("server/discover", "-x", `1`),
	"extension-names": setMeta("server/discover", "io.modelcontextprotocol/clientCapabilities",
		`{"extensions":{"tasks":{}}}`),
	"elicitation-mode": setMeta("server/discover", "io.modelcontextprotocol/clientCapabilities",
		`{"elicitation":{"forms":{}}}`),
	"trace-context": setMeta("server/discover", "traceparent", `"00-abc-def-01"`),
	"log-level":     setMeta("server/discover", "io.modelcontextprotocol/logLevel", `"verbose"`),
	"token-type":    setMeta("server/discover", "progressToken", `1.5`),
	"token-query":   once("server/discover", func(r *request) { r.query = "?access_token=abc" }),
	"look-alike": then("tools/call", `{"name":"echo_quotes","arguments":{},`+
		`"input_responses":{"a":{"action":"accept"}},"request_state":"s"}`),
	"authorization":     onRetry(1, func(_ *client, r *request) { r.header = nil }),
	"extension-methods": then("example.com/method", `{}`),
	"declared-again": onRetry(1, func(_ *client, r *request) {
		r.params["_meta"] = json.RawMessage(strings.Replace(string(r.params["_meta"]),
			`"elicitation":{"form":{},"url":{}},`, "", 1))
	}),
	"known-methods":  then("resources/subscribe", `{"uri":"test://client-test/ask_resource"}`),
	"era-kept":       then("initialize", initialize),
	"tool-name":      then("tools/call", `{"arguments":{}}`),
	"prompt-name":    then("prompts/get", `{}`),
	"resource-uri":   then("resources/read", `{}`),
	"task-get-id":    then("tasks/get", `{}`),
	"task-cancel-id": then("tasks/cancel", `{}`),
	"task-update":    then("tasks/update", `{"taskId":"t"}`),
	"cancels-own":    then("notifications/cancelled", `{"requestId":9999}`, notification),
	"listen-filter":  once("subscriptions/listen", func(r *request) { delete(r.params, "notifications") }),

	"echo": onRetry(1, func(_ *client, r *request) {
		r.params["requestState"] = quote(text(r.params["requestState"]) + "x")
	}),
	"echo_json/echo": onRetry(1, func(_ *client, r *request) {
		parsed := members(json.RawMessage(text(r.params["requestState"])))
		r.params["requestState"] = quote(string(mustJSON(parsed)))
	}),
	"echo_base64/echo": onRetry(1, func(_ *client, r *request) {
		r.params["requestState"] = quote(strings.TrimRight(text(r.params["requestState"]), "="))
	}),
	"echo_space/echo":     onRetry(1, func(_ *client, r *request) { delete(r.params, "requestState") }),
	"echo_empty/echo":     onRetry(1, func(_ *client, r *request) { delete(r.params, "requestState") }),
	"changing_state/echo": onRetry(2, func(c *client, r *request) { r.params["requestState"] = c.states[0] }),
	"no-state": onRetry(1, func(_ *client, r *request) {
		r.params["requestState"] = quote("mine")
	}),
	"vanishing_state/no-state": onRetry(2, func(c *client, r *request) {
		r.params["requestState"] = c.states[0]
	}),
	"state_in_error/not-retried": {quirk: "takes errors"},
	"not-retried":                {quirk: "takes any type"},
	"new-id":                     onRetry(1, func(c *client, r *request) { r.id = c.lastID }),
	"same-request": onRetry(1, func(_ *client, r *request) {
		r.params["extra"] = json.RawMessage(`1`)
	}),
	"same_arguments/same-request": onRetry(2, func(_ *client, r *request) {
		r.params["arguments"] = json.RawMessage(`{"text":"a","list":[1]}`)
	}),
	"not-mixed":  {quirk: "mixes"},
	"id-free":    {quirk: "same ids"},
	"token-free": {quirk: "same tokens"},
	"ends":       {quirk: "never ends"},

	"all-answers": {answers: func(_ *client, _, answers object) {
		delete(answers, slices.Max(slices.Collect(maps.Keys(answers))))
	}},
	"only-asked": {answers: func(_ *client, _, answers object) {
		answers["another"] = json.RawMessage(`{"action":"cancel"}`)
	}},
	"last_answers/only-asked": onRetry(2, func(c *client, r *request) {
		r.params["inputResponses"] = mustJSON(c.given)
	}),
	"shape": {answers: func(_ *client, _, answers object) {
		for key := range answers {
			answers[key] = quote("yes")
		}
	}},
	"sampling/shape": remove("model"),
	"roots/shape":    remove("roots"),
	"decline":        set("action", `"reject"`),
	"cancel":         set("action", `"abort"`),
	"opened":         {quirk: "does not open"},
	"max-tokens":     set("content", `{"type":"text","text":"`+strings.Repeat("word ", 101)+`"}`),
	"link-accepted": {answers: func(c *client, asked, answers object) {
		visiting("GET")(c, asked, answers)
		set("content", `{}`).answers(c, asked, answers)
	}},
	"is-form":           remove("content"),
	"fits":              set("content", `{}`),
	"form_titles/fits":  content("color", `"Red"`),
	"form_numbers/fits": content("integer", `3.5`),
	"form_texts/fits":   content("short", `"far too long"`),
	"default-text":      content("text", `"other"`),
	"default-number":    content("number", `3`),
	"default-integer":   content("integer", `8`),
	"default-boolean":   content("boolean", `false`),
	"default-choice":    content("choice", `"red"`),
	"default-choices":   content("choices", `["red"]`),
	"undeclared":        {quirk: "answers undeclared"},
	"unknown-kind":      {quirk: "answers unknown"},
	"content-blocks":    set("content", `{"type":"text"}`),
	"sampling_tool_required/content-blocks": set("content",
		`[{"type":"tool_use","name":"add_numbers","input":{}}]`),
	"uses-tool":       set("content", `{"type":"text","text":"5"}`),
	"uses-no-tool":    set("content", `{"type":"tool_use","id":"1","name":"add_numbers","input":{}}`),
	"roots-file":      set("roots", `[{"uri":"https://example.com/"}]`),
	"roots-traversal": set("roots", `[{"uri":"file:///home/user/%2e%2e/other"}]`),
	"no-prefetch":     {answers: visiting("HEAD")},
	"not-visited":     {answers: visiting("GET")},
	"script-link":     {quirk: "accepts scripts"},

	"name-encoded":                  withHeader("prompts/get", "Mcp-Name", "Größe"),
	"name_sentinel/name-encoded":    withHeader("prompts/get", "Mcp-Name", "=?base64?cHJvbXB0?="),
	"mirrored":                      withHeader("tools/call", "Mcp-Param-Text", ""),
	"mirror_nested/mirrored":        withHeader("tools/call", "Mcp-Param-Region", ""),
	"mirrored-unicode":              withHeader("tools/call", "Mcp-Param-Text", "Größe"),
	"mirrored-looks":                withHeader("tools/call", "Mcp-Param-Text", "=?base64?YQ==?="),
	"mirror_integer/mirrored-value": withHeader("tools/call", "Mcp-Param-Count", "43"),
	"mirror_boolean/mirrored-value": withHeader("tools/call", "Mcp-Param-Flag", "True"),
	"decimal-form": once("tools/call", func(r *request) {
		r.params["arguments"] = json.RawMessage(`{"count":1.0}`)
		r.header = []wire.Field{{Name: "Mcp-Param-Count", Value: "1.0"}}
	}),
	"in-range": once("tools/call", func(r *request) {
		r.params["arguments"] = json.RawMessage(`{"count":9007199254740993}`)
		r.header = []wire.Field{{Name: "Mcp-Param-Count", Value: "9007199254740993"}}
	}),
	"absent": withHeader("tools/call", "Mcp-Param-Absent", "null"),
	"null": {edit: func(_ *client, r *request) {
		if strings.Contains(string(r.params["arguments"]), "null") {
			r.header = append(r.header, wire.Field{Name: "Mcp-Param-Absent", Value: "null"})
		}
	}},

	"comments": onRetry(1, func(_ *client, r *request) {
		for name, value := range r.params {
			r.params[name] = json.RawMessage(strings.ReplaceAll(string(value), `"answer-`, `"false-`))
		}
	}),
	"after-cut": {edit: func(_ *client, r *request) {
		if r.method == "tools/call" {
			r.id = "5"
		}
	}},
	"signal":      {quirk: "notifies"},
	"list-again":  {quirk: "does not list"},
	"no-fallback": then("initialize", initialize),
	"other-era": {edit: func() func(*client, *request) {
		calls := map[*client]int{}
		return func(c *client, r *request) {
			if calls[c]++; r.method == "tools/call" && calls[c] == 4 {
				r.params["_meta"] = json.RawMessage(strings.Replace(string(r.params["_meta"]),
					"2026-07-28", "2027-01-01", 1))
			}
		}
	}()},
	"waits":        {quirk: "hurries"},
	"not-hammered": {quirk: "hammers"},

	"cursor":       {quirk: "changes cursors"},
	"next-page":    {quirk: "reads one page"},
	"list-end":     {quirk: "reads too far"},
	"empty-page":   {quirk: "ends at empty pages"},
	"empty-cursor": {quirk: "ends at empty cursors"},
	"cursor-gone":  {quirk: "repeats cursors"},
	"relists":      {quirk: "does not list"},
	"not-fetched": {edit: func(c *client, r *request) {
		if r.method == "tools/call" {
			c.visit("GET", c.canaries[0])
		}
	}},
	"not-offered": then("tools/call", `{"name":"bad_annotation","arguments":{}}`),
	"case":        once("tools/call", func(r *request) { r.params["name"] = quote("case_matters") }),

	"task-name":   withHeader("tasks/get", "Mcp-Name", "another"),
	"task-method": withHeader("tasks/get", "Mcp-Method", "tasks/Get"),
	"fulfilled":   {quirk: "answers by call"},
	"observed":    {quirk: "stops after update"},
	"update-keys": {answers: func(_ *client, _, answers object) {
		answers["another"] = json.RawMessage(`{}`)
	}},
	"update-state":  once("tasks/update", func(r *request) { r.params["requestState"] = quote("mine") }),
	"answered-once": {quirk: "answers twice"},
	"interval":      {quirk: "polls fast"},
	"continues":     {quirk: "polls once"},
	"cancel-method": {quirk: "notifies"},
	"forgotten":     {quirk: "polls on"},
	"task-dropped":  {quirk: "takes any task"},
}

// visiting returns a change of answers that visits the link of the question first.
func visiting(method string) func(*client, object, object) {
	return func(c *client, asked, _ object) {
		for _, q := range asked {
			c.visit(method, text(members(members(q)["params"])["url"]))
		}
	}
}

// TestObserve_Later: an omission of a client counts only when it has done
// something else.
func TestObserve_Later(t *testing.T) {
	s, _ := rules.ScenarioByID("unknown_result_type")
	c := newClient(t, fault{})
	c.drive(s)
	of := func(ticks []rules.Observation) verdict.Outcome {
		i := slices.IndexFunc(ticks, func(t rules.Observation) bool { return t.Scope == s.ID })
		return ticks[i].Outcome
	}
	if got := of(capture.Observe(c.contacts)); got != verdict.NotJudged {
		t.Errorf("at the end of the contacts: %s", got)
	}
	c.list()
	if got := of(capture.Observe(c.contacts)); got != verdict.Passed {
		t.Errorf("after another request: %s", got)
	}
}

// TestObserve_Nonsense: contacts without nodes, or with nonsense in them, are no reason to stop.
func TestObserve_Nonsense(t *testing.T) {
	bodies := []string{"", "{}", "[]", "null", "1", `"x"`, "{", "\xff", `{"method":1}`,
		`{"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":{},"method":"tools/call","params":[]}`,
		`{"id":1,"method":"tools/call","params":{"name":"echo_json","inputResponses":[],"requestState":1,` +
			`"_meta":[]}}`,
		`{"id":1,"method":"tasks/update","params":{"taskId":null,"inputResponses":{"":null}}}`,
		`{"id":1,"method":"prompts/list","params":{"cursor":{}}}`,
		`{"id":1,"result":{"resultType":"input_required","inputRequests":[1],"requestState":{}}}`,
		`{"id":1,"result":{"resultType":"task","taskId":"ct1xaaaaaaaaaaaaaaaaaaaaaaaaaa","status":1}}`,
		`{"id":1,"result":{"inputRequests":{"ct1xaaaaaaaaaaaaaaaaaaaaaaaaaa":null},` +
			`"_meta":{"dev.mrtr-playground/visits":1}}}`,
		`{"id":1,"method":"tools/call","params":{"name":"remote_ref",` +
			`"inputResponses":{"ct1xaaaaaaaaaaaaaaaaaaaaaaaaaa":[]}}}`,
		`{"id":1,"error":{"data":[]}}`,
		`{"id":1,"result":{"tools":[null,{"name":"mirror_text","inputSchema":[]}]}}`,
	}
	heads := []string{"", "POST / HTTP/1.1\r\n\r\n", "nonsense",
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"}
	contacts := []capture.Contact{{}}
	for i, body := range bodies {
		for j, head := range heads {
			for k, answer := range bodies {
				seq := len(contacts) * 10
				log := []playground.Event{
					{Seq: seq, Conn: seq, Kind: playground.Sent, Data: []byte(head + body)},
					{Seq: seq + 1, Conn: seq, Kind: playground.Received, Data: []byte(heads[3] + answer)},
				}
				if (i+j+k)%7 == 0 {
					log = log[:1]
				}
				r := playground.Trips(log)[0]
				contacts = append(contacts, capture.Contact{Trip: r.Trip, Kind: r.Kind})
			}
		}
	}
	want := 0
	for _, s := range rules.Scenarios() {
		want += len(s.Checks)
	}
	if got := len(capture.ObserveEnded(contacts)); got != want {
		t.Errorf("%d ticks, want %d", got, want)
	}
	for _, tick := range capture.Observe(nil) {
		if tick.Outcome != verdict.NotReached {
			t.Errorf("without contacts: %+v", tick)
		}
	}
}

// TestCoverage_EveryRowIsDecided: each requirement that binds clients has a check or a reason why
// no scenario shows it.
func TestCoverage_EveryRowIsDecided(t *testing.T) {
	seen := rules.Observed()
	for _, s := range spec.Sentences() {
		switch observed := len(seen[s.ID]) > 0; {
		case s.Party == spec.Server && observed:
			t.Errorf("%s does not bind clients and is observed by %v", s.ID, seen[s.ID])
		case s.Party != spec.Server && observed == (s.Unseen != ""):
			t.Errorf("%s needs either a check or a reason: %v, %q", s.ID, seen[s.ID], s.Unseen)
		}
	}
	observed, all := rules.Coverage()
	if observed < 100 || all < 250 || len(seen) != observed {
		t.Errorf("%d of %d requirements, %d ids", observed, all, len(seen))
	}
	t.Logf("%d of %d requirements that bind clients are observed, by %d scenarios", observed, all,
		len(rules.Scenarios()))
}

// TestScenarios_AreThoseOfTheServer: the table and the test server have the same scenarios.
func TestScenarios_AreThoseOfTheServer(t *testing.T) {
	name := func(kind, name string) string { return kind + " " + name }
	served, listed := []string{}, []string{}
	for _, s := range clienttest.Scenarios() {
		if s.Name != "complete_me" { // what completion/complete is about
			served = append(served, name(s.Kind, s.Name))
		}
		if s.Title == "" || s.Description == "" {
			t.Errorf("%s has no title or description", s.Name)
		}
	}
	ids := map[string]bool{}
	for _, s := range rules.Scenarios() {
		if s.Kind != "any" {
			listed = append(listed, name(s.Kind, s.Name))
		}
		if s.Title == "" || !strings.HasSuffix(s.Do, ".") || len(s.Checks) == 0 || ids[s.ID] {
			t.Errorf("%s is not whole", s.ID)
		}
		ids[s.ID] = true
		seen := map[string]bool{}
		for _, c := range s.Checks {
			if seen[c.ID] || !strings.HasSuffix(c.Words, ".") {
				t.Errorf("%s/%s is there twice or has no sentence", s.ID, c.ID)
			}
			seen[c.ID] = true
		}
	}
	slices.Sort(served)
	slices.Sort(listed)
	if !slices.Equal(served, listed) {
		t.Errorf("the server has %q\nthe table has %q", served, listed)
	}
}

// FuzzObserve: no contact is a reason to stop.
func FuzzObserve(f *testing.F) {
	const key = "ct1xaaaaaaaaaaaaaaaaaaaaaaaaaa"
	f.Add([]byte("POST / HTTP/1.1\r\n\r\n"+`{"id":1,"method":"tools/call","params":{"name":"echo_json"}}`),
		[]byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
			`{"id":1,"result":{"inputRequests":{"`+key+`":{}}}}`),
		[]byte("POST / HTTP/1.1\r\n\r\n"+
			`{"id":2,"method":"tools/call","params":{"inputResponses":{"`+key+`":{}}}}`))
	f.Fuzz(func(t *testing.T, request, response, again []byte) {
		var contacts []capture.Contact
		for i, sent := range [][]byte{request, again, request} {
			at := time.Unix(int64(10*i), 0)
			r := playground.Trips([]playground.Event{
				{Seq: 2*i + 1, Conn: i, Kind: playground.Sent, At: at, Data: sent},
				{Seq: 2*i + 2, Conn: i, Kind: playground.Received, At: at.Add(time.Second), Data: response},
			})[0]
			contacts = append(contacts, capture.Contact{Trip: r.Trip, Kind: r.Kind})
		}
		for _, tick := range capture.ObserveEnded(contacts) {
			if tick.Sentence == "" || tick.Outcome == "" {
				t.Errorf("%+v", tick)
			}
		}
	})
}

// TestObserve_OtherFaults: more ways to fail a check.
func TestObserve_OtherFaults(t *testing.T) {
	state := func(change func(string) string) fault {
		return onRetry(1, func(_ *client, r *request) {
			r.params["requestState"] = quote(change(text(r.params["requestState"])))
		})
	}
	member := func(name, value string) fault {
		return onRetry(1, func(_ *client, r *request) {
			r.params[name] = json.RawMessage(value)
			if value == "" {
				delete(r.params, name)
			}
		})
	}
	for _, c := range []struct {
		name, tick string
		fault      fault
	}{
		{"composed letters", "echo_unicode/echo", state(func(s string) string {
			return strings.ReplaceAll(s, "e\u0301", "\u00e9")
		})},
		{"no mark of direction", "echo_unicode/echo", state(func(s string) string {
			return strings.ReplaceAll(s, "\u200f", "")
		})},
		{"trimmed", "echo_controls/echo", state(strings.TrimSpace)},
		{"cut at NUL", "echo_controls/echo", state(func(s string) string {
			return s[:strings.IndexByte(s, 0)]
		})},
		{"cut at 32 KiB", "echo_large/echo", state(func(s string) string { return s[:32<<10] })},
		{"as an object", "echo_json/echo", onRetry(1, func(_ *client, r *request) {
			r.params["requestState"] = json.RawMessage(text(r.params["requestState"]))
		})},
		{"escaped", "echo_markup/echo", state(func(s string) string {
			return strings.ReplaceAll(s, "<", "&lt;")
		})},
		{"trimmed to nothing", "echo_space/echo", state(strings.TrimSpace)},
		{"null", "echo_empty/echo", member("requestState", `null`)},
		{"left out", "echo_quotes/echo", member("requestState", "")},
		{"left out", "extra_members/echo", member("requestState", "")},
		{"null", "no_state/no-state", member("requestState", `null`)},
		{"answers of another tool", "same_arguments/same-request", member("name", `"echo_json"`)},
		{"no arguments", "same_arguments/same-request", member("arguments", "")},
		{"no answers", "key_proto/all-answers", member("inputResponses", `{}`)},
		{"no answers", "two_questions/all-answers", member("inputResponses", "")},
		{"an array", "rejected_value/fits", content("n", `[1]`)},
		{"an id of another kind", "new_ids/new-id", fault{edit: func(_ *client, r *request) {
			if r.method == "tools/call" {
				r.id = `"same"`
			}
		}}},
	} {
		t.Run(c.tick+" "+c.name, func(t *testing.T) {
			id, check, _ := strings.Cut(c.tick, "/")
			s, _ := rules.ScenarioByID(id)
			bad := newClient(t, c.fault)
			bad.drive(s)
			for _, tick := range capture.ObserveEnded(bad.contacts) {
				wrong := tick.Outcome.Wrong()
				if mine := tick.Scope == id && tick.ID == check; wrong != mine {
					t.Errorf("%s/%s: %s: %s", tick.Scope, tick.ID, tick.Outcome, tick.Sentence)
				}
			}
		})
	}
}

// TestObserve_OnePage: a client that reads the first page alone shows nothing of empty
// cursors.
func TestObserve_OnePage(t *testing.T) {
	c := newClient(t, fault{quirk: "reads one page"})
	driveTemplates(c)
	for _, tick := range capture.ObserveEnded(c.contacts) {
		if tick.Scope == "template_pages" && tick.Outcome != verdict.NotJudged {
			t.Errorf("%s: %s: %s", tick.ID, tick.Outcome, tick.Sentence)
		}
	}
}

// TestObserve_TwoClients: the requests of two clients at the same address, with
// the same ids, are not taken for those of one.
func TestObserve_TwoClients(t *testing.T) {
	one := newClient(t, fault{})
	other := one.another()
	for _, s := range rules.Scenarios() {
		if s.ID == "link_accept" || s.ID == "requests" {
			continue // their drivers change the client
		}
		one.drive(s)
		other.drive(s)
		one.caps, other.caps, one.answer, other.answer = allCapabilities, allCapabilities, nil, nil
	}
	contacts := slices.SortedFunc(slices.Values(append(one.contacts, other.contacts...)),
		func(a, b capture.Contact) int { return a.Started.Compare(b.Started) })
	for i := range contacts {
		contacts[i].Conn, contacts[i].RequestSeq = i+1, 2*i+1
	}
	count := map[verdict.Outcome]int{}
	for _, tick := range capture.ObserveEnded(contacts) {
		count[tick.Outcome]++
		if tick.Outcome.Wrong() || tick.Outcome == verdict.Stopped {
			t.Errorf("%s/%s: %s: %s", tick.Scope, tick.ID, tick.Outcome, tick.Sentence)
		}
	}
	if count[verdict.Passed] < 130 {
		t.Errorf("%v", count)
	}
}
