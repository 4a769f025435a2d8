package sitetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// Protected is an MCP server with a tool of two rounds, and the authorization
// server that its tokens come from, on one port.
type Protected struct {
	URL      string
	Closed   bool // clients cannot register
	Slash    bool // its issuer ends with a slash that it should not have
	NoPKCE   bool // it does not list its methods of PKCE
	Lifetime int  // of tokens, in seconds
	Outage   bool // the token endpoint is down
	StepUp   bool // calls need a scope that the first token lacks
	Refusal  any  // what the token endpoint answers, with 401; nil for tokens
	Task     bool // the tool goes on as a task
	Broken   bool // tools/call is answered with HTTP status 500

	Mu      sync.Mutex
	Valid   string              // the only good token
	tokens  int                 // how many were issued
	Asked   []url.Values        // forms that the token endpoint got
	Basic   []string            // their Authorization
	Revoked []string            // tokens
	Metas   []map[string]any    // bodies of registrations
	Calls   []map[string]string // params of tools/call that were let in, by member
	Refused []map[string]string // and those that were not
	Tasks   []string            // requests of tasks/update and tasks/cancel that were let in
}

// NewProtected starts a protected server. Its tokens live for an hour.
func NewProtected(t *testing.T) *Protected {
	p := &Protected{Lifetime: 3600}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// ServeHTTP answers as the MCP server or the authorization server.
func (p *Protected) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	send := func(status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		send(200, map[string]any{"resource": p.URL + "/mcp", "authorization_servers": []string{p.URL}})
	case "/.well-known/oauth-authorization-server":
		m := map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL +
				"/token",
			"revocation_endpoint": p.URL + "/revoke", "code_challenge_methods_supported": []string{"S256"},
			"scopes_supported": []string{"offline_access"},
		}
		if p.Slash {
			m["issuer"] = p.URL + "/"
		}
		if p.NoPKCE {
			delete(m, "code_challenge_methods_supported")
		}
		if !p.Closed {
			m["registration_endpoint"] = p.URL + "/register"
		}
		send(200, m)
	case "/register":
		var meta map[string]any
		_ = json.NewDecoder(r.Body).Decode(&meta)
		p.Metas = append(p.Metas, meta)
		send(201, map[string]any{"client_id": "registered"})
	case "/token":
		if p.Outage {
			send(503, map[string]any{"error": "temporarily_unavailable"})
			return
		}
		if p.Refusal != nil {
			send(401, p.Refusal)
			return
		}
		check := r.ParseForm()
		p.Asked, p.Basic = append(p.Asked, r.PostForm), append(p.Basic, r.Header.Get("Authorization"))
		good := r.PostForm.Get("code") == "planted-code-0001" || strings.HasPrefix(
			r.PostForm.Get("refresh_token"), "planted-refresh-")
		if check != nil || !good {
			send(400, map[string]any{"error": "invalid_grant"})
			return
		}
		p.tokens++
		p.Valid = fmt.Sprintf("planted-access-%04d", p.tokens)
		send(200, map[string]any{
			"access_token": p.Valid, "token_type": "Bearer", "expires_in": p.Lifetime,
			"refresh_token": fmt.Sprintf("planted-refresh-%04d", p.tokens),
		})
	case "/revoke":
		_ = r.ParseForm()
		p.Revoked = append(p.Revoked, r.PostForm.Get("token"))
	default:
		p.mcp(w, r)
	}
}

// mcp answers the requests of MCP.
func (p *Protected) mcp(w http.ResponseWriter, r *http.Request) {
	m := mcptest.Read(r)
	params := map[string]string{}
	for name, value := range m.Params.Members() {
		params[name] = string(value)
	}
	letIn := p.Valid != "" && r.Header.Get("Authorization") == "Bearer "+p.Valid
	if letIn && p.StepUp && m.Method == "tools/call" && p.tokens < 2 {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="deploy"`)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if m.Method == "tools/call" && letIn {
		p.Calls = append(p.Calls, params)
	} else if m.Method == "tools/call" {
		p.Refused = append(p.Refused, params)
	}
	if !letIn {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+p.URL+
			`/.well-known/oauth-protected-resource/mcp", scope="deploy"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	answers := map[string]string{
		"server/discover": Offered + `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"protected","version":"1"}}}`,
		"tools/list": Offered + `"tools":[{"name":"deploy","inputSchema":{"type":"object"}}]}`,
		"tools/call": `{"resultType":"input_required","requestState":"state-of-round-1","inputRequests":{` +
			`"sure":{"method":"elicitation/create","params":{"mode":"form","message":"Sure?",` +
			`"requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}}}}`,
	}
	if p.Broken && m.Method == "tools/call" {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	result := answers[m.Method]
	if p.Task {
		result = p.ofTask(m.Method, string(m.Body), result)
	}
	if params["inputResponses"] != "" {
		result = `{"resultType":"complete","content":[{"type":"text","text":"deployed by ` + p.Valid + `"}]}`
	}
	mcptest.Answer{Result: result}.Write(w, m)
}

// ofTask answers the requests of a task that asks one question; result is the
// answer to all others.
func (p *Protected) ofTask(method, body, result string) string {
	const task = `"taskId":"T","createdAt":"2026-11-22T10:00:00Z","lastUpdatedAt":"2026-11-22T10:00:00Z",` +
		`"ttlMs":null,"pollIntervalMs":1,"status":`
	switch method {
	case "tools/call":
		return `{"resultType":"task",` + task + `"working"}`
	case "tasks/update", "tasks/cancel":
		p.Tasks = append(p.Tasks, body)
		return `{"resultType":"complete"}`
	case "tasks/get":
		done := strings.Join(p.Tasks, "")
		switch {
		case strings.Contains(done, "tasks/cancel"):
			return `{"resultType":"complete",` + task + `"cancelled"}`
		case done != "":
			return `{"resultType":"complete",` + task + `"completed","result":{"content":[]}}`
		}
		return `{"resultType":"complete",` + task + `"input_required","inputRequests":{` +
			`"sure":{"method":"elicitation/create","params":{"mode":"form","message":"Sure?",` +
			`"requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}}}}`
	}
	return result
}

// TokenRequests returns how often tokens were asked for.
func (p *Protected) TokenRequests() int {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	return len(p.Asked)
}

// Forget ends the token.
func (p *Protected) Forget() {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	p.Valid = "expired"
}

// Leave begins a sign-in and returns the address that the browser leaves for.
func (s *Site) Leave(id, exchange string) *url.URL {
	s.T.Helper()
	page := s.Follow("/servers/"+id+"/sign-in", url.Values{"exchange": {exchange}})
	u, err := url.Parse(Value(s.T, page.Body, "[data-do=leave]", "href"))
	Check(s.T, err)
	return u
}

// Back returns the address that an authorization server sends the browser to.
func Back(leave *url.URL, more ...string) string {
	q := url.Values{"state": {leave.Query().Get("state")}, "code": {"planted-code-0001"}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	to, _ := url.Parse(leave.Query().Get("redirect_uri"))
	return to.Path + "?" + q.Encode()
}

// SignedIn connects to p and signs in. It returns the id of the server.
func (s *Site) SignedIn(p *Protected) string {
	s.T.Helper()
	page := s.ConnectTo(p.URL + "/mcp")
	page.Has(s.T,
		`[data-error="http_401"]`, `[data-do="sign-in"]`)
	id := strings.TrimPrefix(s.Last, "/servers/")
	got := s.Page(Back(s.Leave(id, "")))
	if got.Status != http.StatusSeeOther || s.Last != "/servers/"+id {
		s.T.Fatalf("after the return: %d %s", got.Status, s.Last)
	}
	s.Page(s.Last).Has(s.T,
		`[data-status="connected"]`, "[data-signed-in]")
	return id
}
