package check_test

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// fakeServer is an MCP server of one tool that does everything right but one
// thing: fault is the id of the experiment that it falls for. It is written by
// hand, because no SDK can make such a fault.
type fakeServer struct {
	fault string
	now   func() time.Time
	jobs  *jobs // of the tool job
	style style // how it differs from other right servers
}

// style has the choices of a right server where the specification leaves one.
type style struct {
	seal     func(claims) string
	open     func(string) (claims, bool)
	declines bool // a refused question ends the call with a normal result
	dated    bool // the result has the time
	reports  bool // errors are those of the tool
	life     time.Duration
}

// jobs are the tasks of the server. Each asks two questions at once, and then one.
type jobs struct {
	mu    sync.Mutex
	tasks []map[string]bool // which questions were answered
	parts parts
	busy  int // polls until the tasks show what they were answered
}

// parts says how a server treats the answer to one of two questions.
type parts string

const (
	takes   parts = ""        // it asks for the rest
	refuses parts = "refuses" // it wants all answers at once, and says so
	forgets parts = "forgets" // it wants all answers at once, and does not say so
	late    parts = "late"    // it lists both questions until both are answered
	works   parts = "works"   // it works for two polls, and then asks for the rest
)

const taskTimes = `"createdAt":"2026-11-20T09:00:00Z","lastUpdatedAt":"2026-11-20T09:00:00Z","ttlMs":null`

// taskKeys are the questions that a task asks at once, one after the other.
var taskKeys = [][]string{{"sure", "why"}, {"when"}}

// create makes a task and returns its members.
func (j *jobs) create() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tasks = append(j.tasks, map[string]bool{})
	return fmt.Sprintf(`"taskId":"t%d","status":"working","pollIntervalMs":1,%s`, len(j.tasks), taskTimes)
}

// open returns the questions of a task that are open, and those that it lists.
func (j *jobs) open(answered map[string]bool) (open, listed []string) {
	for _, keys := range taskKeys {
		open = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return answered[key] })
		switch {
		case len(open) > 0 && j.parts == late:
			return open, keys
		case len(open) > 0:
			return open, open
		}
	}
	return nil, nil
}

// update adds answers to those of a task.
func (s fakeServer) update(answered map[string]bool, responses map[string]json.RawMessage) {
	open, _ := s.jobs.open(answered)
	if s.fault == "task-partly" && len(responses) > 0 {
		open = slices.Concat(taskKeys...) // it goes on to the end
	}
	isGiven := func(key string) bool { return responses[key] != nil }
	all := !slices.ContainsFunc(open, func(key string) bool { return !isGiven(key) })
	for _, key := range open {
		answered[key] = all || isGiven(key) && s.jobs.parts != forgets || s.fault == "task-partly"
	}
}

// task answers a request of the tasks extension.
func (s fakeServer) task(w http.ResponseWriter, m message) {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	n, _ := strconv.Atoi(strings.TrimPrefix(m.Params.TaskID, "t"))
	known := n > 0 && n <= len(s.jobs.tasks)
	var answered map[string]bool
	if known {
		answered = s.jobs.tasks[n-1]
	}
	open, listed := s.jobs.open(answered)
	unknown, again, missing := false, false, false
	for key := range m.Params.InputResponses {
		unknown = unknown || !slices.Contains(slices.Concat(taskKeys...), key)
		again = again || answered[key]
	}
	for _, key := range open {
		missing = missing || m.Params.InputResponses[key] == nil
	}
	switch {
	case !known && s.fault != "task-unknown-id":
		refuse(w, m, 400, -32602, "")
	case m.Method == "tasks/cancel" && s.fault == "task-cancel",
		unknown && s.fault == "task-unknown-key",
		again && s.fault == "task-answered-key",
		m.Method == "tasks/update" && missing && !again && s.jobs.parts == refuses:
		refuse(w, m, 400, -32602, "")
	case m.Method == "tasks/update":
		s.update(answered, m.Params.InputResponses)
		if s.jobs.parts == works {
			s.jobs.busy = 2
		}
		answer(w, m, `{"resultType":"complete"}`)
	case m.Method == "tasks/cancel":
		answer(w, m, `{"resultType":"complete"}`)
	case s.jobs.busy > 0:
		s.jobs.busy--
		answer(w, m, fmt.Sprintf(`{"resultType":"complete","taskId":%q,"status":"working",%s}`,
			m.Params.TaskID, taskTimes))
	case known && len(open) > 0:
		var requests []string
		for _, key := range listed {
			requests = append(requests, fmt.Sprintf(`%q:{"method":"elicitation/create","params":{"message":`+
				`"Sure?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},`+
				`"required":["name"]}}}`, key))
		}
		answer(w, m, fmt.Sprintf(`{"resultType":"complete","taskId":%q,%s,"status":`+
			`"input_required","inputRequests":{%s}}`, m.Params.TaskID, taskTimes,
			strings.Join(requests, ",")))
	default:
		answer(w, m, fmt.Sprintf(`{"resultType":"complete","taskId":%q,%s,`+
			`"status":"completed","result":{"content":[]}}`, m.Params.TaskID, taskTimes))
	}
}

type message = mcptest.Message

// amount returns the argument of the tool.
func amount(m message) int {
	var arguments struct{ Amount int }
	_ = json.Unmarshal(m.Params.Arguments, &arguments)
	return arguments.Amount
}

// claims is the content of the server's state.
type claims struct {
	Exp    int64  `json:"exp"`
	Amount int    `json:"amount"`
	Who    string `json:"who"`
}

func (s fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := mcptest.Read(r)
	if m.Err != nil {
		if s.fault == "malformed-json" {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		refuse(w, m, 400, -32700, "")
		return
	}
	if !s.letsIn(w, r.Header.Get("Authorization")) {
		return
	}
	if status, code, data := s.refusal(r.Header, m); code != 0 {
		refuse(w, m, status, code, data)
		return
	}
	if s.fault == "no-progress-token" && m.Params.Meta["progressToken"] == nil && m.Params.Meta != nil {
		w = progressed{w}
	}
	s.call(w, r, m)
}

// progressed is a response that is a stream, which begins with progress that nothing asks for.
type progressed struct{ http.ResponseWriter }

func (w progressed) WriteHeader(status int) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.ResponseWriter.WriteHeader(status)
}

func (w progressed) Write(message []byte) (int, error) {
	return fmt.Fprintf(w.ResponseWriter, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","+
		"\"params\":{\"progressToken\":null,\"progress\":1}}\n\ndata: %s\n\n",
		strings.ReplaceAll(string(message), "\n", ""))
}

// letsIn checks the access token, as a protected server does.
func (s fakeServer) letsIn(w http.ResponseWriter, token string) bool {
	challenge := `Bearer resource_metadata="https://x/.well-known/oauth-protected-resource"`
	wrong := "made-up-token"
	switch {
	case token == alice, token == bob:
		return true
	case token == narrow:
		if s.fault != "narrow-token" {
			challenge += `, error="insufficient_scope", scope="pay"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
		w.WriteHeader(http.StatusForbidden)
		return false
	case token == "":
		wrong = "no-token"
	case strings.Contains(token, ".") && claim(token, "aud") != "me":
		wrong = "other-audience"
	case strings.Contains(token, "."):
		wrong = "expired-token"
	}
	if s.fault == wrong {
		return true
	}
	if token != "" {
		challenge += `, error="invalid_token"`
	}
	w.Header().Set("WWW-Authenticate", challenge)
	w.WriteHeader(http.StatusUnauthorized)
	return false
}

// claim returns a claim of a JWT as text.
func claim(token, name string) string {
	parts := strings.Split(token, ".")
	plain, _ := base64.RawURLEncoding.DecodeString(parts[1])
	var claims map[string]any
	_ = json.Unmarshal(plain, &claims)
	return fmt.Sprint(claims[name])
}

// refusal is the fault of a request apart from its call.
func (s fakeServer) refusal(h http.Header, m message) (status, code int, data string) {
	version := text(m.Params.Meta["io.modelcontextprotocol/protocolVersion"])
	switch {
	case m.Params.Meta == nil:
		if s.fault != "no-meta" {
			return 400, -32602, ""
		}
		return 0, 0, ""
	case version == "" && s.fault != "no-meta-version",
		m.Params.Meta["io.modelcontextprotocol/clientCapabilities"] == nil &&
			s.fault != "no-meta-capabilities":
		return 400, -32602, ""
	case s.headerFault(h, m, version):
		return 400, -32020, ""
	case version == "1900-01-01" && s.fault != "old-version":
		return 400, -32022, `{"supported":["2026-07-28"],"requested":"1900-01-01"}`
	case strings.HasPrefix(m.Method, "tasks/"):
		if name := h.Get("Mcp-Name"); name != m.Params.TaskID && s.fault != "task-wrong-name" {
			return 400, -32020, ""
		}
		return 0, 0, ""
	case m.Method != "tools/call" && s.fault == "unknown-method":
		return 200, -32601, ""
	case m.Method != "tools/call":
		return 404, -32601, ""
	}
	return 0, 0, ""
}

func (s fakeServer) headerFault(h http.Header, m message, version string) bool {
	for _, f := range []struct{ header, body, missing, wrong string }{
		{"Mcp-Protocol-Version", version, "no-version-header", "wrong-version-header"},
		{"Mcp-Method", m.Method, "no-method-header", "wrong-method-header"},
		{"Mcp-Name", m.Params.Name, "no-name-header", "wrong-name-header"},
	} {
		value := h.Get(f.header)
		if f.header == "Mcp-Name" && m.Method != "tools/call" {
			continue
		}
		if value == "" && s.fault != f.missing || value != "" && value != f.body && f.body != "" &&
			s.fault != f.wrong {
			return true
		}
	}
	return false
}

func (s fakeServer) call(w http.ResponseWriter, r *http.Request, m message) {
	p := m.Params
	capabilities := string(p.Meta["io.modelcontextprotocol/clientCapabilities"])
	switch {
	case strings.HasPrefix(m.Method, "tasks/"):
		s.task(w, m)
	case p.Name == "job" && !strings.Contains(capabilities, "/tasks") && s.fault != "task-undeclared":
		refuse(w, m, 400, -32021,
			`{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)
	case p.Name == "job":
		answer(w, m, `{"resultType":"task",`+s.jobs.create()+`}`)
	case p.Name == "other" && p.RequestState != nil && s.fault != "state-of-another-tool":
		refuse(w, m, 400, -32602, "")
	case p.Name == "other":
		complete(w, m, "other things")
	case p.Name == "confirm" && string(capabilities) != "{}":
		s.confirm(w, m)
	case !strings.Contains(capabilities, "elicitation") && s.fault != "omit-capability" &&
		(capabilities == "{}" || s.fault != "omit-one-capability"):
		refuse(w, m, 400, -32021, `{"requiredCapabilities":{"elicitation":{"form":{}}}}`)
	case p.InputResponses == nil:
		s.ask(w, r, m)
	default:
		s.retry(w, r, m)
	}
}

// confirm does something if the user ticks a box.
func (s fakeServer) confirm(w http.ResponseWriter, m message) {
	var sure struct {
		Action  string
		Content struct{ Sure *bool }
	}
	given := m.Params.InputResponses["sure"]
	isAnswer := json.Unmarshal(given, &sure) == nil && sure.Action != ""
	switch {
	case given != nil && !isAnswer:
		refuse(w, m, 400, -32602, "")
	case given == nil, sure.Action == "accept" && sure.Content.Sure == nil:
		answer(w, m, `{"resultType":"input_required","inputRequests":{"sure":{"method":`+
			`"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object",`+
			`"properties":{"sure":{"type":"boolean"}},"required":["sure"]}}}}}`)
	case sure.Action == "accept" && (*sure.Content.Sure || s.fault == "cleared-box"):
		complete(w, m, "done")
	default:
		complete(w, m, "not done")
	}
}

func (s fakeServer) ask(w http.ResponseWriter, r *http.Request, m message) {
	state := s.seal(claims{s.now().Add(cmp.Or(s.style.life, time.Minute)).Unix(), amount(m),
		r.Header.Get("Authorization")})
	answer(w, m, fmt.Sprintf(`{"resultType":"input_required","requestState":%q,
		"inputRequests":{"who":{"method":"elicitation/create","params":{
		"message":"Who pays?","requestedSchema":{"type":"object","properties":{
			"name":{"type":"string","maxLength":20},"age":{"type":"integer","minimum":18}},
			"required":["name","age"]}}}}}`, state))
}

func (s fakeServer) retry(w http.ResponseWriter, r *http.Request, m message) {
	p := m.Params
	who, answered := p.InputResponses["who"]
	switch ok, again := s.takes(who); {
	case p.RequestState == nil && s.fault == "drop-state":
		complete(w, m, "paid by nobody in particular")
	case p.RequestState == nil:
		s.ask(w, r, m)
	case !s.opens(*p.RequestState, r, m) && s.style.reports:
		answer(w, m, `{"resultType":"complete","isError":true,"content":[{"type":"text",`+
			`"text":"start again"}]}`)
	case !s.opens(*p.RequestState, r, m):
		refuse(w, m, 400, -32602, "")
	case string(m.ID) == "1" && s.fault == "reuse-id",
		len(p.InputResponses) > 1 && s.fault == "extra-key",
		p.InputResponses["who-misspelt"] != nil && s.fault == "wrong-key",
		len(p.InputResponses) == 0 && s.fault == "skip-answer",
		answered && !ok && !again:
		refuse(w, m, 400, -32602, "")
	case !answered, again:
		s.ask(w, r, m)
	case s.style.declines && !strings.Contains(string(who), `"accept"`):
		complete(w, m, "nothing was paid")
	case s.style.dated:
		complete(w, m, fmt.Sprintf("%d paid at %d", amount(m), time.Now().UnixNano()))
	default:
		complete(w, m, fmt.Sprintf("%d paid", amount(m)))
	}
}

// takes judges the answer: good, or worth asking again.
func (s fakeServer) takes(who json.RawMessage) (ok, again bool) {
	var a struct {
		Action  string
		Content struct {
			Name, Age any
		}
	}
	if json.Unmarshal(who, &a) != nil {
		return s.fault == "malformed-answer", false
	}
	name, isText := a.Content.Name.(string)
	if a.Action != "accept" && a.Action != "" && s.style.declines {
		return true, false
	}
	if a.Action != "accept" && a.Action != "" {
		return s.fault == a.Action+"-answer", s.fault != a.Action+"-answer"
	}
	age, isNumber := a.Content.Age.(float64)
	isRight := isText && isNumber && age == math.Trunc(age)
	fits := isRight && (len(name) <= 20 && age >= 18 || s.fault == "out-of-range") ||
		!isRight && s.fault == "wrong-type"
	return fits, !fits
}

func (s fakeServer) opens(state string, r *http.Request, m message) bool {
	if s.style.open != nil {
		c, ok := s.style.open(state)
		return ok && c.Amount == amount(m) && c.Who == r.Header.Get("Authorization") &&
			s.now().Unix() < c.Exp
	}
	body, mac, signed := strings.Cut(state, ".")
	if !signed && s.fault == "truncate-state" {
		return true
	}
	if s.fault == "spare-bits" {
		lax, _ := base64.RawURLEncoding.DecodeString(mac)
		mac = base64.RawURLEncoding.EncodeToString(lax)
	}
	if s.fault != "flip-state" && (!signed || mac != sum(body)) {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(body)
	var c claims
	if err != nil || json.Unmarshal(text, &c) != nil {
		return false
	}
	return (c.Amount == amount(m) || s.fault == "state-of-another-call") &&
		(c.Who == r.Header.Get("Authorization") || s.fault == "state-of-another-person") &&
		(s.now().Unix() < c.Exp || s.fault == "expired-state")
}

func (s fakeServer) seal(c claims) string {
	if s.style.seal != nil {
		return s.style.seal(c)
	}
	text, _ := json.Marshal(c)
	body := base64.RawURLEncoding.EncodeToString(text)
	return body + "." + sum(body)
}

func sum(body string) string {
	mac := hmac.New(sha256.New, []byte("key"))
	mac.Write([]byte(body))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func text(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s)
	return s
}

func complete(w http.ResponseWriter, m message, words string) {
	mcptest.Text(words).Named("fake").Write(w, m)
}

func refuse(w http.ResponseWriter, m message, status, code int, data string) {
	mcptest.Refuse(status, code, data).Write(w, m)
}

// answer sends a result, which is JSON.
func answer(w http.ResponseWriter, m message, result string) {
	mcptest.Answer{Result: result}.Named("fake").Write(w, m)
}
