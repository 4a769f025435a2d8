package authserver_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/oauth2"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const (
	base     = "https://play.example"
	issuer   = base + "/samples/authorization"
	resource = base + "/mcp/protected"
	loopback = "http://127.0.0.1:49152/callback"
	remote   = "https://client.example/callback?tenant=1"
)

// memory is a Memory with room for some names, which may be away.
type memory struct {
	room  int
	names map[string]bool
	away  error
}

func (m *memory) Put(name, _, _ string, _ time.Duration) (bool, error) {
	if m.away != nil {
		return false, m.away
	}
	if m.names[name] {
		return false, nil
	}
	if len(m.names) >= m.room {
		return false, authserver.ErrFull
	}
	m.names[name] = true
	return true, nil
}

func (m *memory) Get(name string) (string, bool, error) { return "", m.names[name], m.away }

// bench is a server with the clock of its test.
type bench struct {
	t       *testing.T
	now     time.Time
	memory  *memory
	refused int
	keys    *seal.Keys
	server  *authserver.Server
	mux     *http.ServeMux
}

func newBench(t *testing.T) *bench {
	t.Helper()
	keys, err := seal.Generate()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, now: time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC), mux: http.NewServeMux(),
		keys: keys, memory: &memory{room: 100, names: map[string]bool{}}}
	b.server = authserver.New(authserver.Config{
		BaseURL: base, Path: "/samples/authorization", Resource: resource,
		Scopes: []authserver.Scope{{Name: "read", Meaning: "read"}, {Name: "write", Meaning: "write"}},
		Users:  []authserver.User{{Subject: "alice", Name: "Alice"}, {Subject: "bob", Name: "Bob"}},
		Keys:   keys, Memory: b.memory, Now: func() time.Time { return b.now }, Rand: rand.Reader,
		Log:    slog.New(slog.DiscardHandler),
		Caller: func(remote string) string { return remote }, Refused: func() { b.refused++ },
	})
	b.server.Register(b.mux)
	return b
}

func (b *bench) send(method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	b.mux.ServeHTTP(w, r)
	return w
}

func (b *bench) post(path string, form url.Values, header ...string) *httptest.ResponseRecorder {
	return b.send("POST", issuer+path, form.Encode(), header...)
}

// fields returns the strings of a JSON object.
func (b *bench) fields(w *httptest.ResponseRecorder) map[string]any {
	b.t.Helper()
	var m map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
		b.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return m
}

// client is a registered client.
type client struct{ id, secret string }

func (b *bench) register(method string) client {
	b.t.Helper()
	w := b.send("POST", issuer+"/register", `{"redirect_uris":["`+loopback+`","`+remote+`"],`+
		`"client_name":"Test",`+
		`"grant_types":["authorization_code","refresh_token"],"token_endpoint_auth_method":"`+method+`"}`)
	m := b.fields(w)
	id, _ := m["client_id"].(string)
	secret, _ := m["client_secret"].(string)
	if w.Code != http.StatusCreated || id == "" || (secret == "") != (method == "none") {
		b.t.Fatalf("register: %d %s", w.Code, w.Body)
	}
	return client{id, secret}
}

var verifier = oauth2.GenerateVerifier()

// params returns a good authorization request with changes; a value of "-"
// leaves the parameter out.
func (c client) params(change ...string) url.Values {
	v := url.Values{
		"response_type": {"code"}, "client_id": {c.id}, "redirect_uri": {loopback}, "state": {"s&t=1"},
		"scope": {"read write offline_access"}, "resource": {resource}, "code_challenge_method": {"S256"},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)},
	}
	edit(v, change)
	return v
}

func edit(v url.Values, change []string) {
	for i := 0; i < len(change); i += 2 {
		if change[i+1] == "-" {
			v.Del(change[i])
		} else {
			v.Set(change[i], change[i+1])
		}
	}
}

var requestField = regexp.MustCompile(`name="request" value="([^"]+)"`)

// ask sends an authorization request and returns the page of the user.
func (b *bench) ask(params url.Values) *httptest.ResponseRecorder {
	b.t.Helper()
	w := b.send("GET", issuer+"/authorize?"+params.Encode(), "")
	if w.Code != http.StatusFound {
		b.t.Fatalf("authorize: %d %s", w.Code, w.Body)
	}
	return b.send("GET", w.Header().Get("Location"), "")
}

// decide sends the form of the page and returns where the browser goes.
func (b *bench) decide(page *httptest.ResponseRecorder, change ...string) *url.URL {
	b.t.Helper()
	m := requestField.FindStringSubmatch(page.Body.String())
	if m == nil {
		b.t.Fatalf("no form: %d %s", page.Code, page.Body)
	}
	form := url.Values{"request": {m[1]}, "person": {"alice"}, "decision": {"allow"},
		"scope": {"read", "write", "offline_access"}}
	edit(form, change)
	w := b.post("/consent", form)
	if w.Code != http.StatusSeeOther {
		b.t.Fatalf("consent: %d %s", w.Code, w.Body)
	}
	u, err := url.Parse(w.Header().Get("Location"))
	if err != nil {
		b.t.Fatal(err)
	}
	return u
}

// code returns an authorization code.
func (b *bench) code(c client, change ...string) string {
	b.t.Helper()
	return b.decide(b.ask(c.params()), change...).Query().Get("code")
}

// exchange returns the form of a good exchange of a code, with changes.
func (c client) exchange(code string, change ...string) url.Values {
	v := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {loopback},
		"code_verifier": {verifier}, "client_id": {c.id}, "resource": {resource}}
	edit(v, change)
	return v
}

// tokens signs in and returns the token response.
func (b *bench) tokens(c client) (access, refresh string) {
	b.t.Helper()
	w := b.post("/token", c.exchange(b.code(c)))
	m := b.fields(w)
	access, _ = m["access_token"].(string)
	refresh, _ = m["refresh_token"].(string)
	if w.Code != http.StatusOK || access == "" || refresh == "" || m["token_type"] != "Bearer" ||
		m["scope"] != "read write offline_access" || m["expires_in"] != 600.0 ||
		w.Header().Get("Cache-Control") != "no-store" {
		b.t.Fatalf("token: %d %s", w.Code, w.Body)
	}
	return access, refresh
}

func TestMetadata_IsWhereClientsLook(t *testing.T) {
	b := newBench(t)
	for _, path := range []string{
		"/.well-known/oauth-authorization-server/samples/authorization",
		"/.well-known/openid-configuration/samples/authorization",
		"/samples/authorization/.well-known/openid-configuration",
	} {
		w := b.send("GET", base+path, "")
		m := b.fields(w)
		for name, want := range map[string]string{
			"issuer": `"` + issuer + `"`, "code_challenge_methods_supported": `["S256"]`,
			"authorization_response_iss_parameter_supported": "true", "response_types_supported": `["code"]`,
			"authorization_endpoint":                `"` + issuer + `/authorize"`,
			"token_endpoint":                        `"` + issuer + `/token"`,
			"registration_endpoint":                 `"` + issuer + `/register"`,
			"revocation_endpoint":                   `"` + issuer + `/revoke"`,
			"grant_types_supported":                 `["authorization_code","refresh_token"]`,
			"token_endpoint_auth_methods_supported": `["none","client_secret_basic","client_secret_post"]`,
		} {
			if got, _ := json.Marshal(m[name]); string(got) != want {
				t.Errorf("%s: %s is %s, want %s", path, name, got, want)
			}
		}
		if _, ok := m["client_id_metadata_document_supported"]; ok {
			t.Errorf("%s: client ID metadata documents are not read", path)
		}
	}
	keys := b.fields(b.send("GET", issuer+"/keys", ""))
	if list, _ := keys["keys"].([]any); len(list) != 1 || strings.Contains(w(list), `"d"`) {
		t.Errorf("keys: %v", keys)
	}
}

func w(v any) string { b, _ := json.Marshal(v); return string(b) }

// Errors go to the client when its address is known, with the state and the
// issuer.
func TestAuthorize_ErrorsForTheClient(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	for name, tt := range map[string]struct {
		change []string
		want   string
	}{
		"no PKCE":              {[]string{"code_challenge", "-"}, "invalid_request"},
		"plain PKCE":           {[]string{"code_challenge_method", "plain"}, "invalid_request"},
		"PKCE of no method":    {[]string{"code_challenge_method", "-"}, "invalid_request"},
		"PKCE of other method": {[]string{"code_challenge_method", "S512"}, "invalid_request"},
		"short challenge":      {[]string{"code_challenge", "abc"}, "invalid_request"},
		"unknown scope":        {[]string{"scope", "read admin"}, "invalid_scope"},
		"scope of OpenID":      {[]string{"scope", "openid"}, "invalid_scope"},
		"other resource":       {[]string{"resource", "https://other.example/mcp/x"}, "invalid_target"},
		"resource elsewhere":   {[]string{"resource", base + "/x"}, "invalid_target"},
		"fragment":             {[]string{"resource", resource + "#x"}, "invalid_target"},
		"token response":       {[]string{"response_type", "token"}, "unsupported_response_type"},
		"no response type":     {[]string{"response_type", "-"}, "invalid_request"},
		"fragment response":    {[]string{"response_mode", "form_post"}, "invalid_request"},
		"request object":       {[]string{"request", "e30."}, "request_not_supported"},
		"request URI":          {[]string{"request_uri", "https://x.example"}, "request_uri_not_supported"},
		"no page wanted":       {[]string{"prompt", "none"}, "interaction_required"},
	} {
		got := b.send("GET", issuer+"/authorize?"+c.params(tt.change...).Encode(), "")
		u, err := url.Parse(got.Header().Get("Location"))
		if err != nil || got.Code != http.StatusFound {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
			continue
		}
		q := u.Query()
		if !strings.HasPrefix(u.String(), loopback+"?") || q.Get("error") != tt.want ||
			q.Get("iss") != issuer || q.Get("state") != "s&t=1" {
			t.Errorf("%s: goes to %s", name, u)
		}
	}
}

// Without a client and an address that belongs to it, the user stays here.
func TestAuthorize_ErrorsForTheUser(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	long := strings.Repeat("a", 9000)
	for name, change := range map[string][]string{
		"unknown client":       {"client_id", "x"},
		"no client":            {"client_id", "-"},
		"secret as ID":         {"client_id", c.id + "x"},
		"other address":        {"redirect_uri", "https://evil.example/callback"},
		"no address":           {"redirect_uri", "-"},
		"longer path":          {"redirect_uri", loopback + "/x"},
		"other query":          {"redirect_uri", loopback + "?x=1"},
		"fragment":             {"redirect_uri", loopback + "#x"},
		"other loopback":       {"redirect_uri", "http://localhost:49152/callback"},
		"https on loopback":    {"redirect_uri", "https://127.0.0.1:49152/callback"},
		"user in the address":  {"redirect_uri", "http://x@127.0.0.1:49152/callback"},
		"upper case":           {"redirect_uri", "HTTPS://client.example/callback?tenant=1"},
		"other port elsewhere": {"redirect_uri", "https://client.example:8443/callback?tenant=1"},
		"script":               {"redirect_uri", "javascript:alert(1)"},
		"long state":           {"state", long},
		"long scope":           {"scope", long},
	} {
		got := b.send("GET", issuer+"/authorize?"+c.params(change...).Encode(), "")
		if got.Code != http.StatusBadRequest || got.Header().Get("Location") != "" ||
			!strings.Contains(got.Body.String(), "The request is not valid") ||
			strings.Contains(got.Body.String(), "<a ") {
			t.Errorf("%s: %d %s %s", name, got.Code, got.Header().Get("Location"), got.Body)
		}
	}
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "&p%d=1", i)
	}
	for name, query := range map[string]string{
		"repeated": c.params().Encode() + "&state=2", "two resources": c.params().Encode() + "&resource=x",
		"no query": "", "broken": "a=%zz", "many": c.params().Encode() + many.String(),
	} {
		if got := b.send("GET", issuer+"/authorize?"+query, ""); got.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	if got := b.ask(c.params("redirect_uri", "http://127.0.0.1:1/callback")); got.Code != http.StatusOK {
		t.Errorf("another port of the same machine: %d %s", got.Code, got.Body)
	}
}

// Anyone can register an address, so no error sends the browser there before a
// user has agreed (RFC 9700, section 4.11.2).
func TestAuthorize_IsNoOpenRedirector(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	got := b.send("GET", issuer+"/authorize?"+c.params("redirect_uri", remote, "scope", "x").Encode(), "")
	if got.Code != http.StatusBadRequest || got.Header().Get("Location") != "" ||
		!strings.Contains(got.Body.String(), `<a href="https://client.example/callback?`) ||
		!strings.Contains(got.Body.String(), "invalid_scope") {
		t.Errorf("%d %s %s", got.Code, got.Header().Get("Location"), got.Body)
	}
}

func TestConsent_Page(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	page := b.ask(c.params("redirect_uri", remote, "scope", "read read"))
	policy := page.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'; style-src 'sha256-", "frame-ancestors 'none'",
		"; form-action 'self' https://client.example; base-uri 'none'; "} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %q", policy)
		}
	}
	if page.Header().Get("Cache-Control") != "no-store" ||
		page.Header().Get("Referrer-Policy") != "same-origin" {
		t.Errorf("headers %v", page.Header())
	}
	body := page.Body.String()
	for _, want := range []string{"It never asks for a password", "Alice", "Bob", `value="read" checked`,
		"https://client.example", "“Test”", "expire in a minute"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q: %s", want, body)
		}
	}
	if strings.Count(body, `name="scope"`) != 1 {
		t.Errorf("scopes of the page: %s", body)
	}
	back := b.decide(page, "scope", "read")
	if q := back.Query(); back.Host != "client.example" || q.Get("tenant") != "1" || q.Get("code") == "" ||
		q.Get("iss") != issuer || q.Get("state") != "s&t=1" {
		t.Errorf("back at %s", back)
	}
	b.now = b.now.Add(11 * time.Minute)
	m := requestField.FindStringSubmatch(body)
	for name, request := range map[string]string{
		"expired": m[1], "none": "", "a client": c.id, "other": "<script>",
	} {
		got := b.post("/consent", url.Values{"request": {request}, "person": {"alice"},
			"decision": {"allow"}})
		if got.Code != http.StatusNotFound || strings.Contains(got.Body.String(), "<script") {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
}

// A policy has no way to name an IPv6 address.
func TestConsent_PolicyOfIPv6(t *testing.T) {
	b := newBench(t)
	const six = "http://[::1]:49152/callback"
	w := b.send("POST", issuer+"/register", `{"redirect_uris":["`+six+`"],`+
		`"token_endpoint_auth_method":"none"}`)
	id, _ := b.fields(w)["client_id"].(string)
	page := b.ask(client{id: id}.params("redirect_uri", six))
	policy := page.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "form-action 'self' http:; ") {
		t.Errorf("policy %q", policy)
	}
	if back := b.decide(page); !strings.HasPrefix(back.String(), six+"?") {
		t.Errorf("back at %s", back)
	}
}

func TestConsent_NeedsTheUser(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	m := requestField.FindStringSubmatch(b.ask(c.params()).Body.String())
	good := url.Values{"request": {m[1]}, "person": {"alice"}, "decision": {"allow"}, "scope": {"read"}}
	got := b.post("/consent", good, "Sec-Fetch-Site", "cross-site")
	if got.Code != http.StatusForbidden {
		t.Errorf("posted by another site: %d", got.Code)
	}
	if got := b.send("GET", issuer+"/consent?"+good.Encode(), ""); got.Code != http.StatusOK {
		t.Errorf("GET decides: %d", got.Code)
	}
	for name, change := range map[string][]string{
		"no user": {"person", "-"}, "a stranger": {"person", "carol"}, "no decision": {"decision", "-"},
	} {
		form := url.Values{"request": {m[1]}, "person": {"alice"}, "decision": {"allow"}}
		edit(form, change)
		if got := b.post("/consent", form); got.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, got.Code)
		}
	}
}

func TestRegister_NamesAreHarmless(t *testing.T) {
	b := newBench(t)
	w := b.send("POST", issuer+"/register", `{"redirect_uris":["`+loopback+`"],`+
		`"client_name":"<script>\u202e\u0000alert","token_endpoint_auth_method":"none"}`)
	id, _ := b.fields(w)["client_id"].(string)
	page := b.ask(client{id: id}.params()).Body.String()
	if strings.Contains(page, "<script") || strings.Contains(page, "\u202e") ||
		!strings.Contains(page, "alert") {
		t.Error(page)
	}
}

func TestRegister_Errors(t *testing.T) {
	b := newBench(t)
	redirects := func(list ...string) string { return `{"redirect_uris":` + w(list) + `}` }
	for name, tt := range map[string]struct{ body, want string }{
		"no JSON":  {`{`, "invalid_client_metadata"},
		"an array": {`[]`, "invalid_client_metadata"},
		"too long": {`{"client_name":"` + strings.Repeat("a", 70000) + `"}`,
			"invalid_client_metadata"},
		"no address": {`{}`, "invalid_redirect_uri"},
		"six addresses": {redirects(loopback, loopback, loopback, loopback, loopback, loopback),
			"invalid_redirect_uri"},
		"http":               {redirects("http://client.example/"), "invalid_redirect_uri"},
		"script":             {redirects("javascript:alert(1)"), "invalid_redirect_uri"},
		"data":               {redirects("data:text/html,x"), "invalid_redirect_uri"},
		"own scheme":         {redirects("com.example:/callback"), "invalid_redirect_uri"},
		"relative":           {redirects("/callback"), "invalid_redirect_uri"},
		"fragment":           {redirects(remote + "#x"), "invalid_redirect_uri"},
		"empty fragment":     {redirects(remote + "#"), "invalid_redirect_uri"},
		"a user":             {redirects("https://u:p@client.example/"), "invalid_redirect_uri"},
		"policy in the host": {redirects("https://a.example;script-src/x"), "invalid_redirect_uri"},
		"star in the host":   {redirects("https://*.example/x"), "invalid_redirect_uri"},
		"long":               {redirects(remote + strings.Repeat("a", 500)), "invalid_redirect_uri"},
		"long name": {`{"redirect_uris":["` + remote + `"],"client_name":"` + strings.Repeat("a", 101) + `"}`,
			"invalid_client_metadata"},
		"key": {`{"redirect_uris":["` + remote + `"],"token_endpoint_auth_method":"private_key_jwt"}`,
			"invalid_client_metadata"},
		"no code": {`{"redirect_uris":["` + remote + `"],"grant_types":["client_credentials"]}`,
			"invalid_client_metadata"},
		"implicit": {`{"redirect_uris":["` + remote + `"],"response_types":["token"]}`,
			"invalid_client_metadata"},
	} {
		got := b.send("POST", issuer+"/register", tt.body)
		if got.Code != http.StatusBadRequest || b.fields(got)["error"] != tt.want {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	m := b.fields(b.send("POST", issuer+"/register", redirects(remote)))
	if m["token_endpoint_auth_method"] != "client_secret_basic" || m["client_secret_expires_at"] != 0.0 ||
		w(m["grant_types"]) != `["authorization_code"]` {
		t.Errorf("defaults: %v", m)
	}
}

func TestToken_Errors(t *testing.T) {
	b := newBench(t)
	c, other := b.register("none"), b.register("none")
	_, refresh := b.tokens(c)
	used := b.code(c)
	b.post("/token", c.exchange(used))
	refreshing := func(change ...string) url.Values {
		v := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}, "client_id": {c.id}}
		edit(v, change)
		return v
	}
	code := b.code(c)
	for name, tt := range map[string]struct {
		form   url.Values
		status int
		want   string
	}{
		"no grant": {url.Values{"client_id": {c.id}}, 400, "invalid_request"},
		"other grant": {url.Values{"grant_type": {"password"}, "client_id": {c.id}},
			400, "unsupported_grant_type"},
		"client credentials": {url.Values{"grant_type": {"client_credentials"}, "client_id": {c.id}},
			400, "unauthorized_client"},
		"no client":            {c.exchange(code, "client_id", "-"), 400, "invalid_request"},
		"unknown client":       {c.exchange(code, "client_id", "x"), 401, "invalid_client"},
		"a secret of nothing":  {c.exchange(code, "client_secret", "x"), 401, "invalid_client"},
		"no code":              {c.exchange(code, "code", "-"), 400, "invalid_request"},
		"unknown code":         {c.exchange(code, "code", "x"), 400, "invalid_grant"},
		"used code":            {c.exchange(used), 400, "invalid_grant"},
		"a refresh token":      {c.exchange(refresh), 400, "invalid_grant"},
		"code of another":      {other.exchange(code), 400, "invalid_grant"},
		"other address":        {c.exchange(code, "redirect_uri", remote), 400, "invalid_grant"},
		"no verifier":          {c.exchange(code, "code_verifier", "-"), 400, "invalid_request"},
		"wrong verifier":       {c.exchange(code, "code_verifier", verifier+"x"), 400, "invalid_grant"},
		"other resource":       {c.exchange(code, "resource", base+"/mcp/confirm"), 400, "invalid_target"},
		"foreign resource":     {c.exchange(code, "resource", "https://x.example"), 400, "invalid_target"},
		"no refresh token":     {refreshing("refresh_token", "-"), 400, "invalid_request"},
		"unknown refresh":      {refreshing("refresh_token", "x"), 400, "invalid_grant"},
		"a code":               {refreshing("refresh_token", code), 400, "invalid_grant"},
		"refresh of another":   {refreshing("client_id", other.id), 400, "invalid_grant"},
		"more scope":           {refreshing("scope", "read admin"), 400, "invalid_scope"},
		"refresh elsewhere":    {refreshing("resource", base+"/mcp/confirm"), 400, "invalid_target"},
		"a parameter too long": {refreshing("scope", strings.Repeat("a", 9000)), 400, "invalid_request"},
		"a body too large":     {refreshing("scope", strings.Repeat("a", 70000)), 413, "invalid_request"},
	} {
		got := b.post("/token", tt.form)
		if got.Code != tt.status || b.fields(got)["error"] != tt.want ||
			got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	if got := b.send("POST", issuer+"/token?"+c.exchange(code).Encode(), ""); got.Code != 400 {
		t.Errorf("parameters in the address: %d %s", got.Code, got.Body)
	}
	if got := b.send("GET", issuer+"/token?"+c.exchange(code).Encode(), ""); got.Code != 405 {
		t.Errorf("GET: %d %s", got.Code, got.Body)
	}
	repeated := c.exchange(code).Encode() + "&code=x"
	if got := b.send("POST", issuer+"/token", repeated); b.fields(got)["error"] != "invalid_request" {
		t.Errorf("repeated: %s", got.Body)
	}
	// None of that has used the code or the token up.
	if got := b.post("/token", refreshing("scope", "read")); got.Code != 200 ||
		b.fields(got)["scope"] != "read" {
		t.Errorf("fewer scopes: %d %s", got.Code, got.Body)
	}
	if got := b.post("/token", c.exchange(code, "redirect_uri", "-")); got.Code != 200 {
		t.Errorf("no redirect_uri, as OAuth 2.1 has it: %d %s", got.Code, got.Body)
	}
}

func TestToken_CodesEnd(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	code := b.code(c)
	b.now = b.now.Add(61 * time.Second)
	if got := b.post("/token", c.exchange(code)); b.fields(got)["error"] != "invalid_grant" {
		t.Errorf("after a minute: %s", got.Body)
	}
	code = b.code(c)
	first := b.fields(b.post("/token", c.exchange(code)))
	access, _ := first["access_token"].(string)
	if _, err := b.server.Verify(access); err != nil {
		t.Fatal(err)
	}
	// A code that is used twice was stolen: its tokens end.
	b.post("/token", c.exchange(code))
	if _, err := b.server.Verify(access); !errors.Is(err, authserver.ErrRevoked) {
		t.Errorf("access token of a code used twice: %v", err)
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {first["refresh_token"].(string)},
		"client_id": {c.id}}
	if got := b.post("/token", form); b.fields(got)["error"] != "invalid_grant" {
		t.Errorf("refresh token of a code used twice: %s", got.Body)
	}
}

func TestToken_ClientsWithASecret(t *testing.T) {
	b := newBench(t)
	basic, post := b.register("client_secret_basic"), b.register("client_secret_post")
	authorization := func(id, secret string) []string {
		r := httptest.NewRequest("POST", "/", nil)
		r.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
		return []string{"Authorization", r.Header.Get("Authorization")}
	}
	noID := []string{"client_id", "-"}
	for name, tt := range map[string]struct {
		client client
		change []string
		header []string
		status int
	}{
		"basic":               {basic, noID, authorization(basic.id, basic.secret), 200},
		"basic, wrong secret": {basic, noID, authorization(basic.id, post.secret), 401},
		"basic, in the body":  {basic, []string{"client_secret", basic.secret}, nil, 401},
		"basic, no secret":    {basic, nil, nil, 401},
		"post":                {post, []string{"client_secret", post.secret}, nil, 200},
		"post, wrong secret":  {post, []string{"client_secret", basic.secret}, nil, 401},
		"post, in the header": {post, noID, authorization(post.id, post.secret), 401},
		"post, no secret":     {post, nil, nil, 401},
		"other than bearer":   {basic, noID, []string{"Authorization", "Bearer x"}, 400},
		"both at once": {basic, []string{"client_secret", basic.secret},
			authorization(basic.id, basic.secret), 400},
		"malformed in percent": {basic, noID, []string{"Authorization", "Basic JTo="}, 400},
	} {
		got := b.post("/token", tt.client.exchange(b.code(tt.client), tt.change...), tt.header...)
		if got.Code != tt.status {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
		challenged := strings.HasPrefix(got.Header().Get("WWW-Authenticate"), "Basic ")
		if challenged != (got.Code == 401 && tt.header != nil) {
			t.Errorf("%s: challenge %q", name, got.Header().Get("WWW-Authenticate"))
		}
	}
}

func TestRevoke(t *testing.T) {
	b := newBench(t)
	c, other := b.register("none"), b.register("none")
	access, refresh := b.tokens(c)
	revoke := func(c client, token string) *httptest.ResponseRecorder {
		return b.post("/revoke", url.Values{"token": {token}, "client_id": {c.id}})
	}
	for name, tt := range map[string]struct {
		client client
		token  string
		status int
	}{
		"of another client":         {other, refresh, 400},
		"access of another client":  {other, access, 400},
		"unknown":                   {c, "x", 200},
		"no token":                  {c, "", 400},
		"unknown client":            {client{id: "x"}, refresh, 401},
		"a code is no token":        {c, b.code(c), 200},
		"a client ID is no token":   {c, c.id, 200},
		"a changed token is no one": {c, access[:len(access)-4] + "AAAA", 200},
	} {
		if got := revoke(tt.client, tt.token); got.Code != tt.status {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	if _, err := b.server.Verify(access); err != nil {
		t.Fatalf("nothing was revoked yet: %v", err)
	}
	if got := revoke(c, access); got.Code != 200 {
		t.Errorf("access token: %d %s", got.Code, got.Body)
	}
	if _, err := b.server.Verify(access); !errors.Is(err, authserver.ErrRevoked) {
		t.Errorf("revoked access token: %v", err)
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}, "client_id": {c.id}}
	fresh := b.fields(b.post("/token", form))
	second, _ := fresh["access_token"].(string)
	if _, err := b.server.Verify(second); err != nil {
		t.Fatalf("the grant goes on: %v", err)
	}
	if got := revoke(c, fresh["refresh_token"].(string)); got.Code != 200 {
		t.Errorf("refresh token: %d %s", got.Code, got.Body)
	}
	if _, err := b.server.Verify(second); !errors.Is(err, authserver.ErrRevoked) {
		t.Errorf("access token of a revoked grant: %v", err)
	}
}

// A JWT of the same key that is no access token is refused (RFC 9068, section
// 4).
func TestVerify_WantsAnAccessToken(t *testing.T) {
	b := newBench(t)
	keys, err := b.keys.Derive("access tokens")
	if err != nil {
		t.Fatal(err)
	}
	sign := func(kind string, claims jwt.Claims) string {
		key := jose.JSONWebKey{Key: ed25519.NewKeyFromSeed(keys[0].Secret), KeyID: keys[0].ID}
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: key},
			(&jose.SignerOptions{}).WithType(jose.ContentType(kind)))
		if err != nil {
			t.Fatal(err)
		}
		token, err := jwt.Signed(signer).Claims(claims).Serialize()
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	good := jwt.Claims{Issuer: issuer, Subject: "alice", Expiry: jwt.NewNumericDate(b.now.Add(time.Second))}
	if _, err := b.server.Verify(sign("at+jwt", good)); err != nil {
		t.Fatalf("an access token: %v", err)
	}
	if _, err := b.server.Verify(sign("JWT", good)); !errors.Is(err, authserver.ErrNoToken) {
		t.Errorf("another type: %v", err)
	}
	endless := good
	endless.Expiry = nil
	if _, err := b.server.Verify(sign("at+jwt", endless)); !errors.Is(err, authserver.ErrNoToken) {
		t.Errorf("without an end: %v", err)
	}
	b.now = b.now.Add(time.Second)
	if _, err := b.server.Verify(sign("at+jwt", good)); !errors.Is(err, authserver.ErrExpiredToken) {
		t.Errorf("at its end: %v", err)
	}
}

// wantUnavailable expects that neither a code nor tokens can be used or revoked now.
func (b *bench) wantUnavailable(c client, code, access, refresh string) {
	b.t.Helper()
	for name, got := range map[string]*httptest.ResponseRecorder{
		"code": b.post("/token", c.exchange(code)),
		"refresh": b.post("/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh},
			"client_id": {c.id}}),
		"revoke": b.post("/revoke", url.Values{"token": {access}, "client_id": {c.id}}),
	} {
		if got.Code != http.StatusServiceUnavailable || b.fields(got)["error"] != "temporarily_unavailable" {
			b.t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
}

// What cannot be remembered is refused: a code would otherwise count twice.
func TestMemory_IsBounded(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	access, refresh := b.tokens(c)
	b.memory.room = len(b.memory.names)
	b.wantUnavailable(c, b.code(c), access, refresh)
	if b.refused != 3 {
		t.Errorf("%d refusals counted", b.refused)
	}
}

// While the memory is away, no token counts as valid, revoked or used: it may have
// been revoked in another process.
func TestMemory_MayBeAway(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	access, refresh := b.tokens(c)
	code := b.code(c)
	b.memory.away = errors.New("no database")
	if _, err := b.server.Verify(access); !errors.Is(err, authserver.ErrUnknown) {
		t.Errorf("access token: %v", err)
	}
	b.wantUnavailable(c, code, access, refresh)
	if b.refused != 0 {
		t.Errorf("%d refusals counted, although there is room", b.refused)
	}
	b.memory.away = nil
	if _, err := b.server.Verify(access); err != nil {
		t.Errorf("when it is back: %v", err)
	}
	if got := b.post("/token", c.exchange(code)); got.Code != http.StatusOK {
		t.Errorf("the code, when it is back: %d %s", got.Code, got.Body)
	}
}
