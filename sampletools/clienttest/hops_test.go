package clienttest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
)

// asked returns the response of a handler to a request of MCP.
func asked(h http.Handler, body string) string { return askedAt(h, "/mcp", body) }

// askedAt is asked for another URL.
func askedAt(h http.Handler, url, body string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, url, strings.NewReader(body)))
	return w.Body.String()
}

// TestServer_Hops: the tools for gateways are beside the test of clients, which has none of them.
func TestServer_Hops(t *testing.T) {
	const (
		list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
		call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hop_result"}}`
	)
	usual := clienttest.New(clienttest.Config{})
	if strings.Contains(asked(usual, list), "hop_") || !strings.Contains(asked(usual, call), "unknown tool") {
		t.Error("the test of clients has tools for gateways")
	}
	page := func(h http.Handler, at string) string {
		page, _, _ := strings.Cut(askedAt(h, at, list), `,"nextCursor"`) // each cursor is another one
		return page
	}
	listed := page(clienttest.New(clienttest.Config{Gateway: true}), "/mcp")
	if n := strings.Count(listed, `"inputSchema"`); n < 30 || !strings.Contains(listed, `"hop_stream"`) ||
		strings.Contains(listed, "endless_loop") {
		t.Errorf("%d tools: %s", n, listed)
	}
	if at := "/mcp?for=gateway"; page(usual, at) != listed ||
		!strings.Contains(askedAt(usual, at, call), "9007199254740993") {
		t.Error("?for=gateway has other tools")
	}
	for _, s := range clienttest.Scenarios() {
		if strings.HasPrefix(s.Name, "hop_") {
			t.Errorf("%s is a scenario of the test of clients", s.Name)
		}
	}
}

// TestServer_Pages: the test of a gateway has its tools on two pages, each once.
func TestServer_Pages(t *testing.T) {
	server := clienttest.New(clienttest.Config{Gateway: true})
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":`
	first := asked(server, list+`null}}`)
	_, cursor, more := strings.Cut(first, `"nextCursor":`)
	cursor, _, _ = strings.Cut(cursor, `,"ttlMs"`)
	second := asked(server, list+cursor+`}}`)
	if !more || strings.Contains(first, "hop_paged") || strings.Count(second, `"inputSchema"`) != 1 ||
		!strings.Contains(second, "hop_paged") || strings.Contains(second, "nextCursor") {
		t.Errorf("cursor %s: %s", cursor, second)
	}
}

// TestServer_Instances: the requests of the test of a gateway go round, but for those that name an
// instance; those of the test of clients name none.
func TestServer_Instances(t *testing.T) {
	server := clienttest.New(clienttest.Config{})
	instance := func(url, cookie string) string {
		r := httptest.NewRequest(http.MethodPost, url, strings.NewReader(`{"id":1,"method":"m"}`))
		if cookie != "" {
			r.Header.Set("Cookie", cookie)
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if name := w.Header().Get("Mcp-Sample-Instance"); name != "" {
			return name + " " + w.Header().Get("Set-Cookie")[:len("mrtr-instance=b")]
		}
		return ""
	}
	const at = "/mcp?for=gateway"
	a, b, c := instance(at, ""), instance(at, ""), instance(at, "")
	if a == b || b == c || c == a || instance(at, "") != a {
		t.Error(a, b, c)
	}
	if got := instance(at, "mrtr-instance=b"); got != "b/v1 mrtr-instance=b" {
		t.Error(got)
	}
	if instance(at, "mrtr-instance=ab") == "" || instance("/mcp", "") != "" {
		t.Error("a cookie of no instance, or an instance in the test of clients")
	}
}

// TestServer_Metadata: the test of a gateway has metadata where its challenge says, and the test of
// clients has none.
func TestServer_Metadata(t *testing.T) {
	server := clienttest.New(clienttest.Config{Base: "https://example.com/mcp/client-test"})
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp/client-test?for=gateway",
		strings.NewReader(`{"id":1,"method":"tools/call","params":{"name":"hop_challenge"}}`)))
	_, at, _ := strings.Cut(w.Header().Get("WWW-Authenticate"), `resource_metadata="https://example.com`)
	at = strings.TrimSuffix(at, `"`)
	get := func(at string) string {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at, nil))
		return w.Body.String()
	}
	if want := `"resource":"https://example.com/mcp/client-test?for=gateway"`; w.Code != 401 ||
		!strings.Contains(get(at), want) {
		t.Errorf("%d, %q: %s", w.Code, at, get(at))
	}
	if plain, _, _ := strings.Cut(at, "?"); strings.Contains(get(plain), "resource") {
		t.Error("the test of clients has metadata")
	}
}

// waiting answers a call that waits, and ends it if the test fails.
func waiting(t *testing.T, h http.Handler, body string) <-chan string {
	t.Helper()
	answer := make(chan string, 1)
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	go func() {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)).WithContext(ctx)
		h.ServeHTTP(w, r)
		answer <- w.Body.String()
	}()
	return answer
}

// shared are notes that several processes have.
type shared struct {
	mu    sync.Mutex
	notes map[string][]string
}

func (s *shared) Add(_, id, note string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes[id] = append(s.notes[id], note)
}

func (s *shared) Of(id string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notes[id])
}

// TestServer_CallsMeet: calls that wait for each other meet in another process, by their marks.
func TestServer_CallsMeet(t *testing.T) {
	notes := &shared{notes: map[string][]string{}}
	process := func() http.Handler {
		return clienttest.New(clienttest.Config{Gateway: true, Hold: time.Hour, Notes: notes})
	}
	call := func(id, tool, mark, more string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool +
			`","arguments":{"mark":"` + mark + `"` + more + `},"_meta":{"progressToken":1,` +
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`
	}
	held := waiting(t, process(), call("1", "hop_stream", "m", ""))
	release := waiting(t, process(), call("2", "hop_stream", "m-release", `,"release":true`))
	if got := <-release; !strings.Contains(got, `"id":2,"result"`) {
		t.Error(got)
	}
	if got := <-held; strings.Count(got, "notifications/progress") != 2 {
		t.Error(got)
	}
	one := waiting(t, process(), call("1", "parallel_calls", "p-1", ""))
	two := waiting(t, process(), call("2", "parallel_calls", "p-2", ""))
	const asks = "input_required"
	if a, b := <-one, <-two; !strings.Contains(a, asks) || !strings.Contains(b, asks) {
		t.Error(a, b)
	}
}
