package authserver_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

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
	keys := seal.Generate()
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
		"another machine":      {[]string{"resource", "http://127.0.0.1/c/x"}, "invalid_target"},
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
