package agent_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// methods is a server that notes the methods of its requests.
type methods struct {
	http.Handler
	mu   sync.Mutex
	list []string
}

func (m *methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	m.list = append(m.list, r.Header.Get("Mcp-Method"))
	m.mu.Unlock()
	m.Handler.ServeHTTP(w, r)
}

// TestAgent_ConnectsBeforeItAsks: whether a server may be tested is asked once it is seen
// to have the tool, and before anything but correct requests.
func TestAgent_ConnectsBeforeItAsks(t *testing.T) {
	t.Parallel()
	seen := &methods{Handler: peers.Table("")}
	server := httptest.NewServer(seen)
	t.Cleanup(server.Close)
	closed := httptest.NewServer(seen)
	closed.Close()
	a := sitetest.New(t, app.Local).Agent()
	for address, want := range map[string]string{
		closed.URL:       "No server is listening on this port. ",
		server.URL + " ": `The server has no tool "other". It has: book_table.`,
		"see " + server.URL: "The text contains more than a URL. Did you mean " + server.URL +
			"?",
		sitetest.Base + web.AgentPath:     "such as " + sitetest.Base + "/mcp/",
		sitetest.Base + "/learn":          "which does not call itself. Give the URL of your own server",
		"npx server":                      "can only be reached by the program that starts it",
		"stdio:0123456789abcdef":          "This program was not started with this command.",
		sitetest.Base + "/mcp/naughty?x=": "The server has no tool",
	} {
		got := a.Call("check_server", map[string]any{"url": address, "tool": "other"}, sitetest.ToolResult{})
		if !got.IsError || got.Questions != nil || !strings.Contains(got.Words(), want) ||
			strings.Contains(got.Words(), "  ") {
			t.Errorf("%s: %+v", address, got)
		}
	}
	seen.list = nil
	in := map[string]any{"url": server.URL, "tool": exercise.Tool}
	if got := a.Call("check_server", in, sitetest.ToolResult{}); got.Questions["mine"] == nil {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(seen.list, []string{"server/discover", "tools/list"}) {
		t.Errorf("before the question: %q", seen.list)
	}
	a.NoErrors()
}

// careless is a server without caching hints, which does not look at Mcp-Name.
type careless struct{ http.Handler }

func (s careless) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Mcp-Method") == playground.ToolsCall {
		r.Header.Set("Mcp-Name", exercise.Tool)
	}
	got := httptest.NewRecorder()
	s.Handler.ServeHTTP(got, r)
	body, _ := io.ReadAll(got.Body) // from memory
	body = regexp.MustCompile(`"ttlMs":\d+,|"cacheScope":"\w+",|,"ttlMs":\d+|,"cacheScope":"\w+"`).
		ReplaceAll(body, nil)
	w.Header().Set("Content-Type", got.Header().Get("Content-Type"))
	w.WriteHeader(got.Code)
	_, _ = io.Copy(w, bytes.NewReader(body))
}

// TestAgent_SaysEachFaultOnce: a report names each result that a rule found a fault in,
// relates an experiment to the rule about the same fault, and gives a reason once.
func TestAgent_SaysEachFaultOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(careless{peers.Table("no state")})
	t.Cleanup(server.Close)
	a := sitetest.New(t, app.Local).Agent()
	in := map[string]any{"url": server.URL, "tool": exercise.Tool}
	got := checked(a, in, true)
	if n := strings.Count(got.Words(), "requirements: it cannot be judged until this one is met: "); n != 1 {
		t.Errorf("not judged is said %d times:\n%s", n, got.Words())
	}
	type found struct {
		ID, Rule, Found, Exchange string
		Experiments               []string
	}
	var r struct{ Findings []found }
	got.Read(t, &r)
	byID := map[string]found{}
	for _, f := range r.Findings {
		byID[f.ID] = f
	}
	for _, method := range []string{"server/discover", "tools/list"} {
		if words := byID["cache-hints"].Found; !strings.Contains(words, "A result of "+method+" must have") {
			t.Errorf("no %s: %s", method, words)
		}
	}
	wrong := byID["wrong-name-header"]
	if wrong.Rule != "header-mismatch" ||
		!strings.Contains(got.Words(), "wrong-name-header (rule header-mismatch)") {
		t.Errorf("%+v", wrong)
	}
	var read struct{ Findings []found }
	a.Call("read_exchange", map[string]any{"id": wrong.Exchange}, sitetest.ToolResult{}).Read(t, &read)
	if i := slices.IndexFunc(read.Findings, func(f found) bool { return f.ID == wrong.Rule }); i < 0 ||
		!slices.Equal(read.Findings[i].Experiments, []string{wrong.ID}) {
		t.Errorf("%+v", read)
	}
	right := checked(a, in, false)
	if n := strings.Count(strings.ToLower(right.Words()), "only the correct call was made"); n != 1 {
		t.Errorf("%d times: %s", n, right.Words())
	}
	var stopped map[string]json.RawMessage
	if right.Read(t, &stopped); stopped["detail"] != nil {
		t.Errorf("%s", stopped["detail"])
	}
}

// TestAgent_RefusesAnswersOfAWrongShape: an answer that the question cannot have is not
// sent, and the error shows what is needed.
func TestAgent_RefusesAnswersOfAWrongShape(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table(""))
	t.Cleanup(server.Close)
	a := sitetest.New(t, app.Local).Agent()
	in := map[string]any{"url": server.URL, "tool": exercise.Tool,
		"arguments": map[string]any{"restaurant": "Roma", "day": "Monday"},
		"answers":   map[string]any{"people": map[string]any{"people": 4}, "time": "19:00"}}
	for _, got := range []sitetest.ToolResult{checked(a, in, true),
		a.Call("call_tool", in, sitetest.ToolResult{})} {
		want := `the answer to "time" must be the content of the form, an object, or {"action":"accept",`
		if !got.IsError || !strings.Contains(got.Words(), want) {
			t.Errorf("%+v", got)
		}
	}
	a.NoErrors()
}

// TestAgent_ExplainsRequirements: an explanation says more than the requirement does.
func TestAgent_ExplainsRequirements(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	for id, want := range map[string]string{
		"capability": "Note: Each request declares its own capabilities",
		"books":      "Note: The other words and their order are free.",
	} {
		got := a.Call("explain_finding", map[string]any{"id": id}, sitetest.ToolResult{}).Words()
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s", id, got)
		}
	}
	a.NoErrors()
}
