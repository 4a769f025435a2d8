package site_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// protected is an MCP server with a tool of two rounds, and the authorization
// server that its tokens come from, on one port.
type protected struct {
	url      string
	closed   bool // clients cannot register
	lifetime int  // of tokens, in seconds
	outage   bool // the token endpoint is down
	stepUp   bool // calls need a scope that the first token lacks
	refusal  any  // what the token endpoint answers, with 401; nil for tokens
	task     bool // the tool goes on as a task
	broken   bool // tools/call is answered with HTTP status 500

	mu      sync.Mutex
	valid   string              // the only good token
	tokens  int                 // how many were issued
	asked   []url.Values        // forms that the token endpoint got
	basic   []string            // their Authorization
	revoked []string            // tokens
	metas   []map[string]any    // bodies of registrations
	calls   []map[string]string // params of tools/call that were let in, by member
	refused []map[string]string // and those that were not
	tasks   []string            // requests of tasks/update and tasks/cancel that were let in
}

func newProtected(t *testing.T) *protected {
	p := &protected{lifetime: 3600}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *protected) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	send := func(status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		send(200, map[string]any{"resource": p.url + "/mcp", "authorization_servers": []string{p.url}})
	case "/.well-known/oauth-authorization-server":
		m := map[string]any{
			"issuer": p.url, "authorization_endpoint": p.url + "/authorize", "token_endpoint": p.url +
				"/token",
			"revocation_endpoint": p.url + "/revoke", "code_challenge_methods_supported": []string{"S256"},
			"scopes_supported": []string{"offline_access"},
		}
		if !p.closed {
			m["registration_endpoint"] = p.url + "/register"
		}
		send(200, m)
	case "/register":
		var meta map[string]any
		_ = json.NewDecoder(r.Body).Decode(&meta)
		p.metas = append(p.metas, meta)
		send(201, map[string]any{"client_id": "registered"})
	case "/token":
		if p.outage {
			send(503, map[string]any{"error": "temporarily_unavailable"})
			return
		}
		if p.refusal != nil {
			send(401, p.refusal)
			return
		}
		check := r.ParseForm()
		p.asked, p.basic = append(p.asked, r.PostForm), append(p.basic, r.Header.Get("Authorization"))
		good := r.PostForm.Get("code") == "planted-code-0001" || strings.HasPrefix(
			r.PostForm.Get("refresh_token"), "planted-refresh-")
		if check != nil || !good {
			send(400, map[string]any{"error": "invalid_grant"})
			return
		}
		p.tokens++
		p.valid = fmt.Sprintf("planted-access-%04d", p.tokens)
		send(200, map[string]any{
			"access_token": p.valid, "token_type": "Bearer", "expires_in": p.lifetime,
			"refresh_token": fmt.Sprintf("planted-refresh-%04d", p.tokens),
		})
	case "/revoke":
		_ = r.ParseForm()
		p.revoked = append(p.revoked, r.PostForm.Get("token"))
	default:
		p.mcp(w, r)
	}
}

// mcp answers the requests of MCP.
func (p *protected) mcp(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
		Params map[string]json.RawMessage
	}
	_ = json.Unmarshal(body, &m)
	params := map[string]string{}
	for name, value := range m.Params {
		params[name] = string(value)
	}
	letIn := p.valid != "" && r.Header.Get("Authorization") == "Bearer "+p.valid
	if letIn && p.stepUp && m.Method == "tools/call" && p.tokens < 2 {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="deploy"`)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if m.Method == "tools/call" && letIn {
		p.calls = append(p.calls, params)
	} else if m.Method == "tools/call" {
		p.refused = append(p.refused, params)
	}
	if !letIn {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+p.url+
			`/.well-known/oauth-protected-resource/mcp", scope="deploy"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	answers := map[string]string{
		"server/discover": offered + `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"protected","version":"1"}}}`,
		"tools/list": offered + `"tools":[{"name":"deploy","inputSchema":{"type":"object"}}]}`,
		"tools/call": `{"resultType":"input_required","requestState":"state-of-round-1","inputRequests":{` +
			`"sure":{"method":"elicitation/create","params":{"mode":"form","message":"Sure?",` +
			`"requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}}}}`,
	}
	if p.broken && m.Method == "tools/call" {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	result := answers[m.Method]
	if p.task {
		result = p.ofTask(m.Method, string(body), result)
	}
	if params["inputResponses"] != "" {
		result = `{"resultType":"complete","content":[{"type":"text","text":"deployed by ` + p.valid + `"}]}`
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// ofTask answers the requests of a task that asks one question; result is the
// answer to all others.
func (p *protected) ofTask(method, body, result string) string {
	const task = `"taskId":"T","createdAt":"2026-11-22T10:00:00Z","lastUpdatedAt":"2026-11-22T10:00:00Z",` +
		`"ttlMs":null,"pollIntervalMs":1,"status":`
	switch method {
	case "tools/call":
		return `{"resultType":"task",` + task + `"working"}`
	case "tasks/update", "tasks/cancel":
		p.tasks = append(p.tasks, body)
		return `{"resultType":"complete"}`
	case "tasks/get":
		done := strings.Join(p.tasks, "")
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

func (p *protected) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.valid = "expired"
}

func (p *protected) tokenRequests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked)
}

// leave begins a sign-in and returns the address that the browser leaves for.
func (s *testSite) leave(id, exchange string) *url.URL {
	s.t.Helper()
	page := s.follow("/servers/"+id+"/sign-in", url.Values{"exchange": {exchange}})
	u, err := url.Parse(value(s.t, page.body, "[data-do=leave]", "href"))
	check(s.t, err)
	return u
}

// back returns the address that an authorization server sends the browser to.
func back(leave *url.URL, more ...string) string {
	q := url.Values{"state": {leave.Query().Get("state")}, "code": {"planted-code-0001"}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	to, _ := url.Parse(leave.Query().Get("redirect_uri"))
	return to.Path + "?" + q.Encode()
}

// signedIn connects to p and signs in. It returns the id of the server.
func (s *testSite) signedIn(p *protected) string {
	s.t.Helper()
	page := s.connectTo(p.url + "/mcp")
	page.has(s.t,
		`[data-error="http_401"]`, `[data-do="sign-in"]`)
	id := strings.TrimPrefix(s.last, "/servers/")
	got := s.page(back(s.leave(id, "")))
	if got.status != http.StatusSeeOther || s.last != "/servers/"+id {
		s.t.Fatalf("after the return: %d %s", got.status, s.last)
	}
	s.page(s.last).has(s.t,
		`[data-status="connected"]`, "[data-signed-in]")
	return id
}

// In the middle of a call the token is not accepted any more. After a sign-in
// the same Round is sent again, with the same answers and the state untouched.
func TestSignIn_InTheMiddleOfACall(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	id := s.signedIn(p)
	page := s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	page.has(t,
		`[data-status="waiting"]`)
	exchange := strings.TrimPrefix(s.last, "/x/")
	p.forget()
	page = s.follow("/x/"+exchange+"/rounds", url.Values{
		"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"true"},
	})
	page.has(t,
		`[data-error="http_401"]`, `[data-do="sign-in"]`, `"the same request is sent again"`,
		`.bench-head "sign-in needed"`)
	page.hasNot(t, `.outcome-fail`, `.bench-head "failed"`) // a challenge is no failure
	s.page("/history").has(t, `[data-session] "sign-in needed"`)
	got := s.page(back(s.leave(id, exchange)))
	if got.status != http.StatusSeeOther || s.last != "/x/"+exchange {
		t.Fatalf("after the return: %d %s", got.status, s.last)
	}
	s.page(s.last).has(t,
		`[data-status="complete"]`, `"deployed by *******"`)

	p.mu.Lock()
	defer p.mu.Unlock()
	refused, retried := p.refused[len(p.refused)-1], p.calls[len(p.calls)-1]
	for _, member := range []string{"name", "arguments", "inputResponses", "requestState"} {
		if refused[member] != retried[member] || retried["requestState"] != `"state-of-round-1"` {
			t.Errorf("%s was sent as %s, and then as %s", member, refused[member], retried[member])
		}
	}
	if len(retried["inputResponses"]) < 10 {
		t.Errorf("no answers in %v", retried)
	}
	secrets := []string{
		"planted-access-0001", "planted-access-0002", "planted-refresh-0001", "planted-refresh-0002",
		"planted-code-0001", p.asked[0].Get("code_verifier"), p.asked[1].Get("code_verifier"),
	}
	var found []string
	for where, data := range s.stored() {
		found = append(found, leaks(where, data, secrets)...)
	}
	for _, path := range []string{
		"/x/" + exchange, "/x/" + exchange + ".json", "/x/" + exchange + ".har", "/x/" + exchange + ".md",
		"/x/" + exchange + "?panel=wire&view=exact", "/servers/" + id, "/servers/" + id + "/sign-in",
		"/sessions/" + s.sessionOf() + "/share", "/x/" + exchange + "/edit?round=2",
	} {
		found = append(found, leaks(path, []byte(s.page(path).body), secrets)...)
	}
	if len(found) > 0 {
		t.Errorf("secrets can be read: %v", found)
	}
	for _, suffix := range []string{".json", ".har"} { // the challenge is evidence
		if !strings.Contains(s.page("/x/"+exchange+suffix).body, "Bearer resource_metadata=") {
			t.Errorf("%s: the challenge is masked", suffix)
		}
	}
	s.noErrors()
}

// Only the browser that began a sign-in goes on with it, with the right state,
// once.
func TestSignIn_BelongsToItsBrowser(t *testing.T) {
	t.Parallel()
	p, local := newProtected(t), newSite(t, app.Local)
	local.connectTo(p.url + "/mcp")
	id := strings.TrimPrefix(local.last, "/servers/")
	leave := local.leave(id, "")

	other := local.visitor(t) // no cookie, and therefore no key
	for name, path := range map[string]string{
		"another browser": back(leave), "no state": "/oauth/callback?code=planted-code-0001",
		"no state, elsewhere": "/oauth/callback/x?code=planted-code-0001",
		"made up":             back(leave, "state", "id9.XXXX"),
	} {
		if got := other.page(path); got.status != http.StatusNotFound ||
			!got.html().Has(`[data-error="unknown_sign_in"]`) {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	forged := leave.Query().Get("state")
	forged = forged[:len(forged)-1] + string('A'+(forged[len(forged)-1]-'A'+1)%26)
	if got := local.page(back(leave, "state", forged)); got.status != http.StatusNotFound {
		t.Errorf("a forged state: %d", got.status)
	}
	for _, path := range []string{back(leave) + "&state=x", back(leave) + "&%73tate=" + forged} {
		if got := local.page(path); got.status != http.StatusNotFound {
			t.Errorf("a state that is repeated: %d", got.status)
		}
	}
	if n := p.tokenRequests(); n != 0 {
		t.Errorf("the code was sent %d times", n)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			browser := local.visitor(t)
			browser.cookies = local.cookies
			if got := browser.page(back(leave)); got.status != http.StatusSeeOther {
				t.Errorf("the right return: %d", got.status)
			}
		})
	}
	wait.Wait()
	if n := p.tokenRequests(); n != 1 {
		t.Errorf("the code was sent %d times, want once", n)
	}
}

// An answer of another authorization server is not used, and nothing of its
// error is shown (RFC 9207).
func TestSignIn_MixUp(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	s.connectTo(p.url + "/mcp")
	id := strings.TrimPrefix(s.last, "/servers/")
	for _, more := range [][]string{
		{"iss", "https://evil.example"},
		{"iss", "https://evil.example", "error", "planted_error", "error_description", "planted text"},
	} {
		got := s.page(back(s.leave(id, ""), more...))
		if got.status != http.StatusSeeOther || !strings.HasPrefix(s.last, "/servers/"+id+"/sign-in?id=") {
			t.Fatalf("%d, to %s", got.status, s.last)
		}
		page := s.page(s.last)
		page.has(t,
			`[data-sign-in-stage="refused"]`, `"another authorization server"`)
		if before, _, _ := strings.Cut(page.body, "What was sent"); strings.Contains(before, "planted") {
			t.Error("the error of another server is shown")
		}
	}
	if n := p.tokenRequests(); n != 0 {
		t.Errorf("the code was sent %d times", n)
	}
}

// The return leads to a page of this site only, whatever its query says.
func TestSignIn_RedirectsOnlyHere(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	s.connectTo(p.url + "/mcp")
	id := strings.TrimPrefix(s.last, "/servers/")
	for _, name := range []string{"redirect_uri", "next", "return_to", "url"} {
		got := s.page(back(s.leave(id, ""), name, "https://evil.example/"))
		if to := got.header.Get("Location"); !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") {
			t.Errorf("%s leads to %s", name, to)
		}
		p.forget()
		s.connectTo(p.url + "/mcp")
	}
}

func TestSignIn_EndsAfterHalfAnHour(t *testing.T) {
	t.Parallel()
	var late time.Duration
	p := newProtected(t)
	s := newSiteWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Now = func() time.Time { return time.Now().Add(late) }
	})
	s.connectTo(p.url + "/mcp")
	id := strings.TrimPrefix(s.last, "/servers/")
	leave := s.leave(id, "")
	late = 31 * time.Minute
	if got := s.page(back(leave)); got.status != http.StatusNotFound {
		t.Errorf("%d", got.status)
	}
	s.page("/servers/"+id+"/sign-in").has(t,
		`[data-sign-in-stage="expired"]`, `[data-do="sign-in"]`)
}

// A token that has expired is renewed before the next request, once.
func TestSignIn_Renews(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	p.lifetime = 1
	id := s.signedIn(p)
	before := p.tokenRequests()
	p.mu.Lock()
	p.lifetime = 3600
	p.mu.Unlock()
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}}).has(t,
		`[data-status="waiting"]`)
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}}).has(t,
		`[data-status="waiting"]`)
	p.mu.Lock()
	defer p.mu.Unlock()
	renewals := slices.DeleteFunc(p.asked[before:],
		func(f url.Values) bool { return f.Get("refresh_token") == "" })
	if len(renewals) != 1 {
		t.Errorf("renewed %d times, want once", len(renewals))
	}
	s.page("/servers/"+id+"/sign-in").has(t,
		`[data-purpose="refresh"]`)
}

// An outage of the authorization server does not cost the refresh token.
func TestSignIn_RenewsAfterAnOutage(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	p.lifetime = 1
	id := s.signedIn(p)
	p.mu.Lock()
	p.lifetime, p.outage = 3600, true
	p.mu.Unlock()
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	p.mu.Lock()
	p.outage = false
	p.mu.Unlock()
	before := p.tokenRequests()
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	if p.tokenRequests() == before {
		t.Error("the token was not renewed after the outage")
	}
}

// Eight requests at once use the refresh token once.
func TestSignIn_RenewsOnceForManyRequests(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	p.lifetime = 1
	id := s.signedIn(p)
	before := p.tokenRequests()
	p.mu.Lock()
	p.lifetime = 3600
	p.mu.Unlock()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			browser := s.visitor(t)
			browser.cookies = s.cookies
			browser.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
		})
	}
	all.Wait()
	if n := p.tokenRequests() - before; n != 1 {
		t.Errorf("%d token requests", n)
	}
}

// A client ID that a user entered is asked for once.
func TestSignIn_KeepsAClientID(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	p.closed = true
	s.connectTo(p.url + "/mcp")
	id := strings.TrimPrefix(s.last, "/servers/")
	s.follow("/servers/"+id+"/sign-in", url.Values{})
	s.follow("/servers/"+id+"/sign-in", url.Values{
		"do": {"client"}, "id": {find(t, s.last, `id=(\w+)`)}, "client_id": {"mine"},
	})
	s.follow("/servers/"+id+"/sign-in", url.Values{}).has(t,
		`[data-sign-in-stage="ready"]`)
}

func TestSignIn_SignOutRevokes(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	id := s.signedIn(p)
	s.page("/servers/"+id+"/sign-in").has(t, `[data-sign-in-stage="done"]`)
	page := s.follow("/servers/"+id+"/sign-in", url.Values{"do": {"out"}})
	if page.html().Has("[data-signed-in]") {
		t.Error("still signed in")
	}
	s.page("/servers/"+id+"/sign-in").has(t, `[data-sign-in-stage="out"]`, `h2 "not signed in any more"`,
		`[data-do="sign-in"]`)
	if got := p.revoked; !slices.Equal(got, []string{"planted-refresh-0001"}) {
		t.Errorf("revoked %q", got)
	}
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}}).has(t,
		`[data-error="http_401"]`)
}

// A token is sent to the URL that it is for and to no other.
func TestSignIn_TokenIsForOneURL(t *testing.T) {
	t.Parallel()
	p, other, s := newProtected(t), newProtected(t), newSite(t, app.Local)
	id := s.signedIn(p)
	other.valid = p.valid // it would be let in
	page := s.connectTo(other.url+"/mcp", "id", id)
	page.has(t,
		`[data-error="http_401"]`)
	if page.html().Has("[data-signed-in]") {
		t.Error("the page says that the user is signed in")
	}
}

// Without registration the user enters what the operator gave them.
func TestSignIn_WithClientID(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	p.closed = true
	s.connectTo(p.url + "/mcp")
	id := strings.TrimPrefix(s.last, "/servers/")
	page := s.follow("/servers/"+id+"/sign-in", url.Values{})
	page.has(t, `[data-sign-in-stage="needs_client"]`, `code "/oauth/callback"`,
		`code "/oauth/callback/`+auth.Digest(p.url)+`"`, `[name="client_secret"]`)
	row := find(t, s.last, `id=(\w+)`)
	refused := s.follow("/servers/"+id+"/sign-in", url.Values{"do": {"client"}, "id": {row},
		"client_id": {" "}})
	if refused.status != http.StatusUnprocessableEntity {
		t.Errorf("without a client ID: %d", refused.status)
	}
	page = s.follow("/servers/"+id+"/sign-in", url.Values{
		"do": {"client"}, "id": {row}, "client_id": {"mine"}, "client_secret": {"planted-secret-0009"},
	})
	u, err := url.Parse(value(t, page.body, "[data-do=leave]", "href"))
	check(t, err)
	if got := s.page(back(u)); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	if user, secret, ok := (&http.Request{Header: http.Header{
		"Authorization": {p.basic[0]}}}).BasicAuth(); !ok || user != "mine" ||
		secret != "planted-secret-0009" {
		t.Errorf("the token endpoint got %q", p.basic[0])
	}
	for where, data := range s.stored() {
		if found := leaks(where, data, []string{"planted-secret-0009"}); len(found) > 0 {
			t.Error(found)
		}
	}
}

// A server that refuses every token does not make the user sign in for ever.
func TestSignIn_HasALimitForEachCall(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	id := s.signedIn(p)
	p.forget()
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	exchange := strings.TrimPrefix(s.last, "/x/")
	for range 5 {
		s.page(back(s.leave(id, exchange), "code", "wrong"))
	}
	got := s.follow("/servers/"+id+"/sign-in", url.Values{"exchange": {exchange}})
	got.has(t,
		`[data-error="too_many_sign_ins"]`)
}

// A client document names the address that it is at, and one redirect URI.
func TestSignIn_ClientDocument(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	digest := auth.Digest("https://as.example")
	for path, redirect := range map[string]string{
		"/oauth/client.json":                "/oauth/callback",
		"/oauth/client/" + digest + ".json": "/oauth/callback/" + digest,
	} {
		var got struct {
			ID        string   `json:"client_id"`
			Redirects []string `json:"redirect_uris"`
		}
		check(t, json.Unmarshal([]byte(s.get(path).body), &got))
		if !strings.HasSuffix(got.ID, path) || len(got.Redirects) != 1 ||
			!strings.HasSuffix(got.Redirects[0], redirect) {
			t.Errorf("%s: %+v", path, got)
		}
	}
	for _, path := range []string{"/oauth/client/x.json", "/oauth/client/" + digest} {
		if got := s.get(path); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// Each authorization server has its own redirect URI, and the answer of one that
// arrives at another's is not used, although neither has the parameter iss.
func TestSignIn_RedirectOfEachServer(t *testing.T) {
	t.Parallel()
	p, other, s := newProtected(t), newProtected(t), newSite(t, app.Local)
	var leaves []*url.URL
	for _, server := range []*protected{p, other} {
		s.connectTo(server.url + "/mcp")
		leaves = append(leaves, s.leave(strings.TrimPrefix(s.last, "/servers/"), ""))
		redirect := leaves[len(leaves)-1].Query().Get("redirect_uri")
		if registered := fmt.Sprint(server.metas[0]["redirect_uris"]); registered != "["+redirect+"]" ||
			!strings.HasSuffix(redirect, "/oauth/callback/"+auth.Digest(server.url)) {
			t.Errorf("registered %s, sent %s", registered, redirect)
		}
	}
	q := url.Values{"state": {leaves[0].Query().Get("state")}, "code": {"planted-code-0001"}}
	elsewhere, _, _ := strings.Cut(back(leaves[1]), "?")
	for _, path := range []string{elsewhere, "/oauth/callback"} {
		s.page(path + "?" + q.Encode())
		if page := s.page(s.last); path == elsewhere {
			page.has(t, `[data-sign-in-stage="refused"]`, `"another redirect URI"`)
		}
	}
	if n := p.tokenRequests() + other.tokenRequests(); n != 0 {
		t.Errorf("the code was sent %d times", n)
	}
}

// A client that was registered by hand goes on with the redirect URI that it is
// registered with, also after the ID was kept.
func TestSignIn_RedirectOfAClientID(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]string{"": "/oauth/callback", "shared": "/oauth/callback",
		"own": "/oauth/callback/"} {
		p, s := newProtected(t), newSite(t, app.Local)
		p.closed = true
		if want == "/oauth/callback/" {
			want += auth.Digest(p.url)
		}
		s.connectTo(p.url + "/mcp")
		path := s.last + "/sign-in"
		s.follow(path, url.Values{})
		s.follow(path, url.Values{"do": {"client"}, "id": {find(t, s.last, `id=(\w+)`)},
			"client_id": {"mine"}, "redirect": {choice}})
		for range 2 {
			leave := s.leave(strings.TrimSuffix(strings.TrimPrefix(path, "/servers/"), "/sign-in"), "")
			if got := leave.Query().Get("redirect_uri"); !strings.HasSuffix(got, want) {
				t.Errorf("%q: %s", choice, got)
			}
			s.page(back(leave))
			s.page(s.last).has(t, `[data-signed-in]`)
			p.forget()
			s.connectTo(p.url+"/mcp", "id", strings.Split(path, "/")[2])
		}
	}
}

// The access token that a step-up replaced is revoked, and its refresh token with
// the new one when the user signs out.
func TestSignIn_StepUpRevokes(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	p.stepUp = true
	id := s.signedIn(p)
	page := s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	page.has(t, `[data-error="http_403"]`, `[data-do="sign-in"]`)
	exchange := strings.TrimPrefix(s.last, "/x/")
	s.page(back(s.leave(id, exchange)))
	s.page(s.last).has(t, `[data-status="waiting"]`)
	if !slices.Equal(p.revoked, []string{"planted-access-0001"}) {
		t.Errorf("revoked %q", p.revoked)
	}
	page = s.page("/servers/" + id + "/sign-in")
	page.has(t, `[data-purpose="revocation"]`, `"revoked the access token"`)
	s.follow("/servers/"+id+"/sign-in", url.Values{"do": {"out"}})
	if !slices.Equal(p.revoked[1:], []string{"planted-refresh-0002", "planted-refresh-0001"}) {
		t.Errorf("then revoked %q", p.revoked[1:])
	}
	for where, data := range s.stored() {
		if found := leaks(where, data, p.revoked); len(found) > 0 {
			t.Error(found)
		}
	}
}

// A sign-in for any other reason revokes nothing: what the server refused may be
// good elsewhere.
func TestSignIn_AgainRevokesNothing(t *testing.T) {
	t.Parallel()
	p, s := newProtected(t), newSite(t, app.Local)
	id := s.signedIn(p)
	p.forget()
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	exchange := strings.TrimPrefix(s.last, "/x/")
	s.page(back(s.leave(id, exchange)))
	s.page(s.last).has(t, `[data-status="waiting"]`)
	if len(p.revoked) > 0 {
		t.Errorf("revoked %q", p.revoked)
	}
}
