package peers_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
)

// client is a right client of 2026-07-28.
type client struct {
	t            *testing.T
	peer         peers.Peer
	capabilities string
	user         string
	headers      map[string]string // over those of a right request
}

type reply struct {
	status int
	header http.Header
	ID     json.RawMessage            `json:"id"`
	Result map[string]json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
	body string
}

func (r reply) text(name string) (s string) {
	_ = json.Unmarshal(r.Result[name], &s) // absent: ""
	return s
}

func (r reply) code() int {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

// send sends a request with further params.
func (c client) send(method string, params map[string]any) reply {
	c.t.Helper()
	all := map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(c.capabilities),
	}}
	maps.Copy(all, params)
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "\u00e9 1", "method": method,
		"params": all})
	if err != nil {
		c.t.Fatal(err)
	}
	name := ""
	for _, key := range []string{"name", "uri", "taskId"} {
		if s, ok := all[key].(string); ok {
			name = s
		}
	}
	header := map[string]string{"Content-Type": "application/json", "Mcp-Method": method, "Mcp-Name": name,
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
		"Authorization": c.user}
	maps.Copy(header, c.headers)
	return c.post(string(body), header)
}

func (c client) post(body string, header map[string]string) reply {
	c.t.Helper()
	req := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
	for k, v := range header {
		req.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	c.peer.Handler.ServeHTTP(w, req)
	r := reply{status: w.Code, header: w.Header(), body: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil && w.Code != http.StatusAccepted {
		c.t.Fatalf("%v: %s", err, r.body)
	}
	return r
}

// params returns the params of the call with a retry.
func (c client) params(answers, state any) map[string]any {
	all := map[string]any{}
	if err := json.Unmarshal(c.peer.Params, &all); err != nil {
		c.t.Fatal(err)
	}
	if answers != nil {
		all["inputResponses"] = answers
	}
	if state != nil {
		all["requestState"] = state
	}
	return all
}

// retry answers a result and returns the next one.
func (c client) retry(r reply, answer func(key string) any) reply {
	c.t.Helper()
	var asked map[string]json.RawMessage
	_ = json.Unmarshal(r.Result["inputRequests"], &asked) // absent: no answers
	answers := map[string]any{}
	for key := range asked {
		answers[key] = answer(key)
	}
	return c.send(c.peer.Method, c.params(answers, state(r)))
}

func state(r reply) any {
	if r.Result["requestState"] == nil {
		return nil
	}
	return r.text("requestState")
}

// good returns the prepared answer.
func (c client) good(key string) any {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(c.peer.Answers, &all); err != nil {
		c.t.Fatal(err)
	}
	return all[key]
}

func eachPeer(t *testing.T, f func(t *testing.T, c client)) {
	t.Helper()
	for _, p := range peers.All() {
		t.Run(p.Name, func(t *testing.T) {
			f(t, client{t: t, peer: p,
				capabilities: string(p.Capabilities)})
		})
	}
}

func TestPeers_Complete(t *testing.T) {
	if n := len(peers.All()); n < 10 {
		t.Errorf("only %d servers", n)
	}
	eachPeer(t, func(t *testing.T, c client) {
		r := c.send(c.peer.Method, c.params(nil, nil))
		for range 3 {
			if r.text("resultType") != "input_required" {
				break
			}
			r = c.retry(r, c.good)
		}
		if r.text("resultType") == "task" {
			r = c.finishTask(r.text("taskId"))
		}
		if r.text("resultType") != "complete" || r.Result["_meta"] == nil || string(r.ID) != `"é 1"` {
			t.Errorf("ends with %s", r.body)
		}
	})
}

func (c client) finishTask(id string) reply {
	task := map[string]any{"taskId": id}
	c.send("tasks/update", map[string]any{"taskId": id, "inputResponses": map[string]any{
		"color": c.good("color"), "unknown": 7}})
	r := c.send("tasks/get", task)
	if r.text("status") != "completed" || !strings.Contains(r.body, "12 blue badges") {
		c.t.Errorf("task: %s", r.body)
	}
	return r
}

// A decline and a cancel end the call with a result, and nothing is done.
func TestPeers_TakeNoForAnAnswer(t *testing.T) {
	eachPeer(t, func(t *testing.T, c client) {
		for _, action := range []string{"decline", "cancel"} {
			r := c.send(c.peer.Method, c.params(nil, nil))
			if r.text("resultType") == "task" {
				continue
			}
			r = c.retry(r, func(string) any { return map[string]any{"action": action} })
			if r.text("resultType") != "complete" || strings.Contains(r.body, "Booked") ||
				strings.Contains(r.body, "is deleted") {
				t.Errorf("%s: %s", action, r.body)
			}
		}
	})
}

// Missing answers are asked for again, extra ones ignored, malformed ones
// rejected.
func TestPeers_HandleWrongAnswers(t *testing.T) {
	eachPeer(t, func(t *testing.T, c client) {
		r := c.send(c.peer.Method, c.params(nil, nil))
		if r.text("resultType") == "task" {
			return
		}
		if again := c.send(c.peer.Method, c.params(map[string]any{"other": 7}, state(r))); again.text(
			"resultType") != "input_required" {
			t.Errorf("missing answer: %s", again.body)
		}
		for _, answer := range []any{7, nil, map[string]any{"action": "maybe"}} {
			if bad := c.retry(r, func(string) any { return answer }); bad.code() != -32602 ||
				bad.status != 400 {
				t.Errorf("answer %v: %d %s", answer, bad.status, bad.body)
			}
		}
		if bad := c.send(c.peer.Method, c.params([]int{}, nil)); bad.code() != -32602 {
			t.Errorf("inputResponses []: %s", bad.body)
		}
		if bad := c.send(c.peer.Method, c.params(nil, 42)); bad.code() != -32602 {
			t.Errorf("requestState 42: %s", bad.body)
		}
	})
}

// A state is refused when it was changed, on another request, from another
// user, and when it is no state at all.
func TestPeers_ProtectTheirState(t *testing.T) {
	eachPeer(t, func(t *testing.T, c client) {
		if c.peer.Life == 0 {
			return
		}
		r := c.retry(c.send(c.peer.Method, c.params(nil, nil)), c.good)
		token := r.text("requestState")
		answers := map[string]any{"guests": c.good("guests")}
		refused := func(what string, c client, params map[string]any) {
			if r := c.send(c.peer.Method, params); r.code() != -32602 || r.status != 400 {
				t.Errorf("%s: %s", what, r.body)
			}
		}
		for i := range token {
			other := byte('A')
			if token[i] == other || i == len(token)-1 {
				other = 'Q' // also the last character: its significant bits differ
			}
			if token[i] != other && (i < len(token)-1 || c.peer.Name != "lax") {
				refused("changed", c, c.params(answers, token[:i]+string(other)+token[i+1:]))
			}
		}
		refused("cut", c, c.params(answers, token[:len(token)-1]))
		refused("empty", c, c.params(answers, ""))
		other := c.params(answers, token)
		other["arguments"] = map[string]any{"room": "Bob"}
		refused("other arguments", c, other)
		stranger := c
		stranger.user = "Bearer demo-bob"
		refused("other user", stranger, c.params(answers, token))
		if r := c.send(c.peer.Method, c.params(answers, token)); c.peer.Life > time.Second &&
			r.text("resultType") != "complete" {
			t.Errorf("right state: %s", r.body)
		}
	})
}

// The envelope, the headers and _meta are checked as the specification says.
func TestPeers_CheckRequests(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	list := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`
	change := func(from, to string) string { return strings.Replace(list, from, to, 1) }
	eachPeer(t, func(t *testing.T, c client) {
		for _, tt := range []struct {
			name, header, value, body string
			status, code              int
		}{
			{"right", "", "", list, 200, 0},
			{"batch", "", "", "[" + list + "]", 400, -32600},
			{"broken", "", "", "{", 400, -32700},
			{"null id", "", "", change(`"id":1`, `"id":null`), 400, -32600},
			{"fractional id", "", "", change(`"id":1`, `"id":1.5`), 400, -32600},
			{"jsonrpc", "", "", change(`"2.0"`, `"1.0"`), 400, -32600},
			{"no method", "", "", change(`"method":"server/discover",`, ``), 400, -32600},
			{"notification", "", "", change(`"id":1,`, ``), 202, 0},
			{"no _meta", "", "", change(meta, ``), 400, -32602},
			{"no capabilities", "", "", change(`,"io.modelcontextprotocol/clientCapabilities":{}`, ``), 400,
				-32602},
			{"level", "", "", change(`{"io`, `{"io.modelcontextprotocol/logLevel":"loud","io`), 400, -32602},
			{"unknown method", "Mcp-Method", "x/y", change("server/discover", "x/y"), 404, -32601},
			{"method header", "Mcp-Method", "tools/list", list, 400, -32020},
			{"no version", "Mcp-Protocol-Version", "", list, 400, -32020},
			{"other version", "Mcp-Protocol-Version", "2025-11-25", list, 400, -32020},
			{"unknown version", "Mcp-Protocol-Version", "1999-01-01", change("2026-07-28", "1999-01-01"), 400,
				-32022},
			{"accept", "Accept", "application/json", list, 406, -32600},
			{"type", "Content-Type", "text/plain", list, 415, -32600},
		} {
			header := map[string]string{"Content-Type": "application/json", "Mcp-Method": "server/discover",
				"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28"}
			if tt.header != "" {
				header[tt.header] = tt.value
			}
			if r := c.post(tt.body, header); r.status != tt.status || r.code() != tt.code {
				t.Errorf("%s: %d %s", tt.name, r.status, r.body)
			}
		}
		c.headers = map[string]string{"Mcp-Name": "other"}
		if r := c.send(c.peer.Method, c.params(nil, nil)); r.code() != -32020 {
			t.Errorf("other name: %s", r.body)
		}
		c.headers, c.capabilities = nil, `{}`
		if r := c.send(c.peer.Method, c.params(nil, nil)); r.code() != -32021 || r.status != 400 ||
			!strings.Contains(string(r.Error.Data), "requiredCapabilities") {
			t.Errorf("no capabilities: %s", r.body)
		}
	})
}

func TestTask_KeepsItsRules(t *testing.T) {
	c := client{t: t}
	for _, p := range peers.All() {
		if p.Name == "task" {
			c.peer, c.capabilities = p, string(p.Capabilities)
		}
	}
	id := c.send("tools/call", c.params(nil, nil)).text("taskId")
	task := map[string]any{"taskId": id}
	red := map[string]any{"action": "accept", "content": map[string]any{"color": "green"}}
	ack := c.send("tasks/update", map[string]any{"taskId": id,
		"inputResponses": map[string]any{"color": red}})
	if ack.text("resultType") != "complete" || ack.Result["taskId"] != nil {
		t.Errorf("ack: %s", ack.body)
	}
	if r := c.send("tasks/get", task); !strings.Contains(string(r.Result["inputRequests"]), `{"color-2":`) {
		t.Errorf("an invalid answer is asked for with a new key: %s", r.body)
	}
	if r := c.send("tasks/get", map[string]any{"taskId": "unknown"}); r.code() != -32602 {
		t.Errorf("unknown id: %s", r.body)
	}
	stranger := c
	stranger.user = "Bearer demo-bob"
	if r := stranger.send("tasks/get", task); r.code() != -32602 {
		t.Errorf("another user: %s", r.body)
	}
	undeclared := c
	undeclared.capabilities = `{"elicitation":{}}`
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		if r := undeclared.send(method, task); r.code() != -32021 || r.status != 400 {
			t.Errorf("%s without tasks: %s", method, r.body)
		}
	}
	if r := c.send("tasks/cancel", task); r.text("resultType") != "complete" {
		t.Errorf("cancel: %s", r.body)
	}
	if r := c.send("tasks/get", task); r.text("status") != "cancelled" {
		t.Errorf("after cancel: %s", r.body)
	}
}
