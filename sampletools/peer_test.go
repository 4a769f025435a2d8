package sampletools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver/authtest"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// clock is a clock that tests advance.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }
func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// peer is a minimal client of 2026-07-28 that can also send invalid requests.
type peer struct {
	t     testing.TB
	url   string // base URL of the program
	clock *clock
	keys  *seal.Keys
	caps  string
	auth  string // bearer token
	id    int

	samples *sampletools.Catalog
	token   string // that enter got, which listen uses too
}

// enter gives the peer the token that a sample needs, if it needs one.
func (p *peer) enter(slug string) {
	p.t.Helper()
	p.auth, p.token = "", ""
	if slug != "protected" {
		return
	}
	token, err := authtest.Token(p.t.Context(), p.samples, "alice", "notes:read", "notes:write")
	if err != nil {
		p.t.Fatal(err)
	}
	p.auth, p.token = token, token
}

const allCaps = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// newPeer starts the samples with a clock of their own and no waiting.
func newPeer(t testing.TB, change ...func(*sampletools.Config)) *peer {
	t.Helper()
	keys := seal.Generate()
	c := &clock{now: time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)}
	srv := httptest.NewUnstartedServer(nil)
	config := sampletools.Config{
		Keys: keys, Now: c.Now, BaseURL: "http://" + srv.Listener.Addr().String(),
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Places: func(inAll, each int) sampletools.Places {
			return places.New(places.Limits{InAll: inAll, Each: each})
		},
	}
	for _, f := range change {
		f(&config)
	}
	catalog, err := sampletools.New(config)
	if err != nil {
		t.Fatal(err)
	}
	srv.Config.Handler = catalog
	srv.Start()
	t.Cleanup(func() { catalog.Close(); srv.Close() })
	return &peer{t: t, url: srv.URL, samples: catalog, clock: c, keys: config.Keys, caps: allCaps}
}

// reply is the response to one request.
type reply struct {
	status int
	header http.Header
	body   []byte
	Result map[string]json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

func (r reply) code() int {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

func (r reply) resultType() string { return unquote(r.Result["resultType"]) }
func (r reply) state() string      { return unquote(r.Result["requestState"]) }
func (r reply) instance() string   { return r.header.Get("Mcp-Sample-Instance") }

// text returns the first text of a tool's, prompt's or resource's result.
func (r reply) text() string {
	var content []struct {
		Text    string                `json:"text"`
		Content struct{ Text string } `json:"content"`
	}
	for _, name := range []string{"content", "messages", "contents"} {
		if json.Unmarshal(r.Result[name], &content) == nil && len(content) > 0 {
			return content[0].Text + content[0].Content.Text
		}
	}
	return ""
}

func (r reply) questions() map[string]question {
	var q map[string]question
	_ = json.Unmarshal(r.Result["inputRequests"], &q) // no inputRequests: no questions
	return q
}

func unquote(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // no requestState: ""
	return s
}

// send sends one request. The extra params are added to those of the call.
func (p *peer) send(path, method, params string, extra map[string]any) reply {
	p.t.Helper()
	all := map[string]any{}
	if err := json.Unmarshal([]byte(params), &all); err != nil {
		p.t.Fatal(err)
	}
	name, _ := all["name"].(string)
	for _, key := range []string{"uri", "taskId"} {
		if s, ok := all[key].(string); ok {
			name = s
		}
	}
	all["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(p.caps),
	}
	for k, v := range extra {
		all[k] = v
	}
	p.id++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": all})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.post(path, string(body), map[string]string{"Mcp-Method": method, "Mcp-Name": name})
}

// post sends any body.
func (p *peer) post(path, body string, header map[string]string) reply {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), "POST", p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	if p.auth != "" {
		req.Header.Set("Authorization", "Bearer "+p.auth)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	r := reply{status: res.StatusCode, header: res.Header}
	if r.body, err = io.ReadAll(res.Body); err != nil {
		p.t.Fatal(err)
	}
	_ = json.Unmarshal(lastEvent(res.Header, r.body), &r) // tests check the reply instead
	return r
}

// lastEvent returns the last message of a stream, or a body that is not one.
func lastEvent(h http.Header, body []byte) []byte {
	if !strings.HasPrefix(h.Get("Content-Type"), "text/event-stream") {
		return body
	}
	events := bytes.Split(bytes.TrimSpace(body), []byte("\n\n"))
	_, data, _ := bytes.Cut(events[len(events)-1], []byte("data: "))
	return data
}

// maxRounds stops a scenario that never ends.
const maxRounds = 20

// drive answers round after round until the call ends. path returns the URL of
// each round.
func (p *peer) drive(path func(round int) string, method, params string) (last reply, instances []string) {
	p.t.Helper()
	var extra map[string]any
	for n := 1; n <= maxRounds; n++ {
		last = p.send(path(n), method, params, extra)
		instances = append(instances, last.instance())
		if last.resultType() != "input_required" {
			return last, instances
		}
		extra = p.answers(last)
	}
	p.t.Fatalf("%s is not done after %d rounds", params, maxRounds)
	return last, instances
}

// answers builds the retry: one answer per key, and the unchanged state.
func (p *peer) answers(r reply) map[string]any {
	extra := map[string]any{}
	if qs := r.questions(); len(qs) > 0 {
		all := map[string]any{}
		for key, q := range qs {
			all[key] = q.answer(p.visit)
		}
		extra["inputResponses"] = all
	}
	if _, ok := r.Result["requestState"]; ok {
		extra["requestState"] = r.state()
	}
	return extra
}

// visit finishes a sign-in page as a user would.
func (p *peer) visit(link string) {
	p.t.Helper()
	person := strings.TrimPrefix(p.auth, "demo-")
	if person == "" {
		person = "anonymous"
	}
	if status := p.finishPage(link, person); status != http.StatusOK {
		p.t.Errorf("sign-in page: status %d", status)
	}
}

func (p *peer) finishPage(link, person string) int {
	p.t.Helper()
	page, ticket, _ := strings.Cut(link, "?ticket=")
	res, err := http.PostForm(page, map[string][]string{"ticket": {ticket}, "person": {person}})
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

const resolve4522 = `{"name":"update_work_item","arguments":{"workItemId":4522,` +
	`"fields":{"System.State":"Resolved"}}}`

func accept(content string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"action":"accept","content":%s}`, content))
}

func toolNames(t *testing.T, r reply) []string {
	t.Helper()
	var tools []struct{ Name string }
	if err := json.Unmarshal(r.Result["tools"], &tools); err != nil {
		t.Fatalf("tools: %v in %.200s", err, r.body)
	}
	names := make([]string, len(tools))
	for i, tool := range tools {
		names[i] = tool.Name
	}
	return names
}
