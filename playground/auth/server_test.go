package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// world is an MCP server with an authorization server on one address. Every
// response can be replaced, to break it.
type world struct {
	*httptest.Server
	t           *testing.T
	resp        map[string]reply
	seen        []string     // requests, as "METHOD path"
	tokens      []url.Values // forms of token requests
	headers     []http.Header
	revocations []url.Values // forms of revocation requests
	registered  []oauthex.ClientRegistrationMetadata
	change      map[string]func(map[string]any) // of documents, by path
}

type reply struct {
	status int
	kind   string
	body   string
	to     string // of a redirect
}

const (
	resourcePath = "/.well-known/oauth-protected-resource/mcp"
	serverPath   = "/.well-known/oauth-authorization-server"
)

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, resp: map[string]reply{}, change: map[string]func(map[string]any){}}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

func (w *world) mcp() string { return w.URL + "/mcp" }

func (w *world) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.seen = append(w.seen, r.Method+" "+r.URL.Path)
	w.headers = append(w.headers, r.Header.Clone())
	if err := r.ParseForm(); err != nil {
		w.t.Error(err)
	}
	if r.URL.Path == "/revoke" {
		w.revocations = append(w.revocations, r.PostForm)
	}
	if r.URL.Path == "/register" {
		var m oauthex.ClientRegistrationMetadata
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			w.t.Error(err)
		}
		w.registered = append(w.registered, m)
	}
	if r.URL.Path == "/token" {
		w.tokens = append(w.tokens, r.PostForm)
	}
	if own, ok := w.resp[r.URL.Path]; ok {
		rw.Header().Set("Content-Type", own.kind)
		if own.to != "" {
			rw.Header().Set("Location", own.to)
		}
		rw.WriteHeader(own.status)
		fmt.Fprint(rw, own.body)
		return
	}
	doc := w.document(r.URL.Path)
	if doc == nil {
		http.NotFound(rw, r)
		return
	}
	if change := w.change[r.URL.Path]; change != nil {
		change(doc)
	}
	rw.Header().Set("Content-Type", "application/json")
	if r.URL.Path == "/register" {
		rw.WriteHeader(http.StatusCreated)
	}
	_ = json.NewEncoder(rw).Encode(doc)
}

func (w *world) document(path string) map[string]any {
	switch path {
	case resourcePath:
		return map[string]any{
			"resource": w.mcp(), "authorization_servers": []string{w.URL},
			"scopes_supported": []string{"read"},
		}
	case serverPath:
		return map[string]any{
			"issuer": w.URL, "authorization_endpoint": w.URL + "/authorize", "token_endpoint": w.URL +
				"/token",
			"registration_endpoint": w.URL + "/register", "revocation_endpoint": w.URL + "/revoke",
			"code_challenge_methods_supported": []string{"S256"},
			"response_types_supported":         []string{"code"},
			"token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic",
				"client_secret_post"},
			"authorization_response_iss_parameter_supported": true,
		}
	case "/register":
		return map[string]any{"client_id": "client-1", "token_endpoint_auth_method": "none"}
	case "/token":
		return map[string]any{
			"access_token": "access-token-1", "token_type": "Bearer", "expires_in": 60,
			"refresh_token": "refresh-token-1",
		}
	case "/revoke":
		return map[string]any{}
	}
	return nil
}

func (w *world) client() Client {
	return Client{
		Sender: wire.New(wire.Config{Limits: wire.Limits{FirstByte: time.Hour, Total: time.Hour,
			Body: Limits().Body}}),
		Name: "Test", Redirect: "http://127.0.0.1:1/callback", Now: time.Now,
	}
}

func challenged() Challenge { return Challenge{Status: 401, Given: true} }

// address is where the browser comes back to.
func (w *world) address(s *SignIn) string { return mustParse(s.Authorize).Query().Get("redirect_uri") }

// returning is the query with which the browser comes back from a good server.
func (w *world) returning(s *SignIn) url.Values {
	return url.Values{"code": {"code-1234"}, "state": {s.Private.State}, "iss": {w.URL}}
}

// TestBegin_ToToken drives the whole way, and looks at the requests.
func TestBegin_ToToken(t *testing.T) {
	w := newWorld(t)
	c := w.client()
	s := c.Begin(t.Context(), w.mcp(), challenged(), Known{})
	if s.Stage != Ready {
		t.Fatalf("%s: %+v", s.Stage, s.Fault())
	}
	at, err := url.Parse(s.Authorize)
	if err != nil {
		t.Fatal(err)
	}
	q := at.Query()
	sum := sha256.Sum256([]byte(s.Private.Verifier))
	for name, want := range map[string]string{
		"client_id": "client-1", "response_type": "code", "redirect_uri": c.RedirectOf(w.URL),
		"scope": "read",
		"state": s.Private.State, "resource": w.mcp(), "code_challenge_method": "S256",
		"code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]),
	} {
		if got := q.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	token := c.Return(t.Context(), s, w.address(s), w.returning(s))
	if token == nil {
		t.Fatalf("no token: %+v", s.Fault())
	}
	if token.Access != "access-token-1" || token.Refresh != "refresh-token-1" || s.Stage != Done {
		t.Errorf("%+v, %s", token, s.Stage)
	}
	form := w.tokens[0]
	if form.Get("code") != "code-1234" || form.Get("resource") != w.mcp() || form.Get("code_verifier") == "" {
		t.Errorf("token request %v", form)
	}
	want := []string{
		"GET " + resourcePath, "GET " + serverPath, "POST /register", "POST /token",
	}
	if !slices.Equal(w.seen, want) {
		t.Errorf("requests %v, want %v", w.seen, want)
	}
	if len(s.Warnings()) > 0 {
		t.Errorf("warnings %v", s.Warnings())
	}
	record, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	all.Write(record)
	for _, e := range s.Log {
		all.Write(e.Data)
	}
	for _, secret := range []string{"access-token-1", "refresh-token-1", "code-1234",
		form.Get("code_verifier")} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("the record has %q", secret)
		}
	}
	if c.Return(t.Context(), s, w.address(s), w.returning(s)) != nil {
		t.Error("the same answer was taken twice")
	}
}

// broken is one fault of a server: how it is made, and the fault and a part of
// the sentence that names it.
type broken struct {
	id, says string
	breaks   func(*world)
	query    func(*world, *SignIn, url.Values) // of the return
	warning  bool
}

func set(path, name string, value any) func(*world) {
	return func(w *world) {
		w.change[path] = func(doc map[string]any) {
			if value == nil {
				delete(doc, name)
				return
			}
			doc[name] = value
		}
	}
}

func answer(path string, status int, kind, body string) func(*world) {
	return func(w *world) { w.resp[path] = reply{status: status, kind: kind, body: body} }
}

// endpoint is the fault of an authorization endpoint with this after its path.
func endpoint(id, more string) broken {
	return broken{id: id, says: "authorization endpoint", breaks: func(w *world) {
		set(serverPath, "authorization_endpoint", w.URL+"/authorize"+more)(w)
	}}
}

// servers are wrong in one way each.
var servers = map[string]broken{
	"resource metadata is HTML": {id: "not-json", says: "it begins with", breaks: answer(
		resourcePath, 200, "text/html", "<html>login</html>")},
	"resource metadata is a list": {id: "not-an-object", says: "not a JSON object", breaks: answer(
		resourcePath, 200, "application/json", "[]")},
	"resource metadata is empty": {id: "not-json", says: "the body is empty", breaks: answer(
		resourcePath, 200, "application/json", "")},
	"resource of another host": {id: "resource-mismatch", says: "https://evil.example/mcp", breaks: set(
		resourcePath, "resource", "https://evil.example/mcp")},
	"resource of another path": {id: "resource-mismatch", says: "another resource", breaks: func(w *world) {
		set(resourcePath, "resource", w.URL+"/other")(w)
	}},
	"resource is the host": {id: "resource-wider", warning: true, says: "not for", breaks: func(w *world) {
		set(resourcePath, "resource", w.URL)(w)
	}},
	"resource missing": {id: "resource-unnamed", warning: true, says: "has no resource", breaks: set(
		resourcePath, "resource", nil)},
	"no authorization server": {id: "no-authorization-servers", says: "authorization_servers", breaks: set(
		resourcePath, "authorization_servers", []string{})},
	"authorization server is no URL": {id: "bad-address", says: `"auth.example"`, breaks: set(
		resourcePath, "authorization_servers", []string{"auth.example"})},
	"authorization server is a script": {id: "bad-address", says: "javascript", breaks: set(
		resourcePath, "authorization_servers", []string{"javascript:alert(1)"})},
	"authorization servers are a string": {id: "wrong-type", says: "authorization_servers", breaks: set(
		resourcePath, "authorization_servers", "https://auth.example")},
	"offline_access as a scope of the resource": {id: "offline-access-listed", warning: true,
		says:   "offline_access",
		breaks: set(resourcePath, "scopes_supported", []string{"read", "offline_access"})},
	"resource metadata is a page at the path": {id: "resource-page", warning: true, says: "a page",
		breaks: func(w *world) {
			doc, _ := json.Marshal(w.document(resourcePath))
			answer(resourcePath, 200, "text/html", "<!doctype html><p>Welcome")(w)
			answer("/.well-known/oauth-protected-resource", 200, "application/json", string(doc))(w)
		}},
	"resource metadata is a text at the path": {id: "resource-page", warning: true, says: "a page",
		breaks: func(w *world) {
			doc, _ := json.Marshal(w.document(resourcePath))
			answer(resourcePath, 200, "text/plain", "OK")(w)
			answer("/.well-known/oauth-protected-resource", 200, "application/json", string(doc))(w)
		}},
	"no server metadata": {id: "no-server-metadata", says: "no metadata at any", breaks: answer(
		serverPath, 404, "text/plain", "not found")},
	"server metadata fails": {id: "server-error", says: "HTTP status 503", breaks: answer(
		serverPath, 503, "text/plain", "")},
	"server metadata is not JSON": {id: "not-json", says: "authorization server metadata", breaks: answer(
		serverPath, 200, "application/json", "{")},
	"server metadata is a page at the first address": {id: "server-page", warning: true, says: "a page",
		breaks: func(w *world) {
			doc, _ := json.Marshal(w.document(serverPath))
			answer(serverPath, 200, "text/html", "<!doctype html><p>Welcome")(w)
			answer("/.well-known/openid-configuration", 200, "application/json", string(doc))(w)
		}},
	"server metadata fails at the first address": {id: "server-error", warning: true, says: "HTTP status 500",
		breaks: func(w *world) {
			doc, _ := json.Marshal(w.document(serverPath))
			answer(serverPath, 500, "text/html", "<h1>Error</h1>")(w)
			answer("/.well-known/openid-configuration", 200, "application/json", string(doc))(w)
		}},
	"server metadata is a text at the first address": {id: "server-page", warning: true, says: "a page",
		breaks: func(w *world) {
			doc, _ := json.Marshal(w.document(serverPath))
			answer(serverPath, 200, "text/plain", "Not found")(w)
			answer("/.well-known/openid-configuration", 200, "application/json", string(doc))(w)
		}},
	"server metadata is empty at the first address": {id: "server-page", warning: true, says: "a page",
		breaks: func(w *world) {
			doc, _ := json.Marshal(w.document(serverPath))
			answer(serverPath, 200, "", "")(w)
			answer("/.well-known/openid-configuration", 200, "application/json", string(doc))(w)
		}},
	"server metadata is a page, then nothing": {id: "not-json", says: "authorization server metadata",
		breaks: answer(serverPath, 200, "text/html", "<!doctype html><p>Welcome")},
	"server metadata is a page everywhere": {id: "not-json", says: "authorization server metadata",
		breaks: func(w *world) {
			answer(serverPath, 200, "text/html", "<!doctype html><p>Welcome")(w)
			answer("/.well-known/openid-configuration", 200, "text/html", "<!doctype html><p>Welcome")(w)
		}},
	"server metadata as text": {id: "not-json-type", warning: true, says: `"text/plain"`,
		breaks: func(w *world) {
			doc, _ := json.Marshal(w.document(serverPath))
			answer(serverPath, 200, "text/plain", string(doc))(w)
		}},
	"issuer missing": {id: "issuer-missing", says: "has no issuer", breaks: set(serverPath, "issuer", nil)},
	"issuer of another": {id: "issuer-mismatch", says: "https://honest.example", breaks: set(
		serverPath, "issuer", "https://honest.example")},
	"issuer with a slash": {id: "issuer-slash", says: "to the last slash", breaks: func(w *world) {
		set(serverPath, "issuer", w.URL+"/")(w)
	}},
	"no authorization endpoint": {id: "no-authorization-endpoint", says: "authorization_endpoint",
		breaks: set(
			serverPath, "authorization_endpoint", nil)},
	"no token endpoint": {id: "no-token-endpoint", says: "token_endpoint", breaks: set(
		serverPath, "token_endpoint", nil)},
	"authorization endpoint is a script": {id: "bad-address", says: "authorization endpoint", breaks: set(
		serverPath, "authorization_endpoint", "javascript:alert(1)")},
	"token endpoint without TLS": {id: "not-https", says: "does not use https", warning: true, breaks: set(
		serverPath, "token_endpoint", "http://auth.example/token")},
	"no PKCE": {id: "no-pkce", says: "nothing shows that the authorization server supports PKCE", breaks: set(
		serverPath, "code_challenge_methods_supported", nil)},
	"PKCE plain only": {id: "no-s256", says: "only plain", breaks: set(
		serverPath, "code_challenge_methods_supported", []string{"plain"})},
	"no code flow": {id: "no-code", warning: true, says: "response type code", breaks: set(
		serverPath, "response_types_supported", []string{"token"})},
	"registration refused": {id: "registration-refused", says: "access_denied: by hand only",
		breaks: answer("/register", 403, "application/json",
			`{"error":"access_denied","error_description":"by hand only"}`)},
	"redirect URI refused": {id: "redirect-refused", says: "HTTP status 400, invalid_redirect_uri: " +
		"no loopback",
		breaks: answer("/register", 400, "application/json",
			`{"error":"invalid_redirect_uri","error_description":"no loopback."}`)},
	"registration without an ID": {id: "no-client-id", says: "no client_id", breaks: set(
		"/register", "client_id", nil)},
	"registration is HTML": {id: "not-json", says: "registration", breaks: answer(
		"/register", 201, "text/html", "<p>ok")},
	"authentication by certificate only": {id: "no-auth-method", says: "tls_client_auth",
		breaks: func(w *world) {
			set("/register", "client_secret", "a-secret-of-the-client")(w)
			drop := w.change["/register"]
			w.change["/register"] = func(doc map[string]any) {
				drop(doc)
				delete(doc,
					"token_endpoint_auth_method")
			}
			set(serverPath, "token_endpoint_auth_methods_supported", []string{"tls_client_auth"})(w)
		}},
	"resource metadata too large": {id: "too-large", says: "larger than 131072 bytes", breaks: answer(
		resourcePath, 200, "application/json", `{"x":"`+strings.Repeat("x", 200<<10)+`"}`)},
	"resource metadata fails": {id: "metadata-unread", says: "cannot be read", breaks: answer(
		resourcePath, 503, "text/plain", "")},
	"server metadata too large": {id: "too-large", says: "larger than 131072 bytes", breaks: answer(
		serverPath, 200, "application/json", `{"x":"`+strings.Repeat("x", 200<<10)+`"}`)},
	"issuer with a query": {id: "bad-issuer", says: "has a query", breaks: func(w *world) {
		set(resourcePath, "authorization_servers", []string{w.URL + "?tenant=1"})(w)
	}},
	"issuer with a fragment": {id: "fragment", says: "has a fragment", breaks: func(w *world) {
		set(resourcePath, "authorization_servers", []string{w.URL + "#x"})(w)
	}},
	"authorization endpoint with a fragment":        endpoint("fragment", "#x"),
	"authorization endpoint with an empty fragment": endpoint("fragment", "?a=b#"),
	"authorization endpoint with a state":           endpoint("reserved-parameter", "?a=b&state=mine"),
	"authorization endpoint with a redirect URI": endpoint("reserved-parameter",
		"?%72edirect_uri=https://evil.example"),
	"authorization endpoint with a challenge": endpoint("reserved-parameter", "?code_challenge=x"),
	"authorization endpoint with a client":    endpoint("reserved-parameter", "?client_id="),
	"authorization endpoint with a request":   endpoint("reserved-parameter", "?request_uri=urn:x"),
	"authorization endpoint with a resource":  endpoint("reserved-parameter", "?resource=https://h"),
	"authorization endpoint with a mode": endpoint("reserved-parameter",
		"?response_mode=fragment"),
	"authorization endpoint with a parameter twice": endpoint("repeated-parameter", "?a=1&a=2"),
	"authorization endpoint with a semicolon":       endpoint("bad-query", "?a=1;state=2"),
	"token endpoint with a fragment": {id: "fragment", says: "token endpoint", breaks: func(w *world) {
		set(serverPath, "token_endpoint", w.URL+"/token#x")(w)
	}},
	"state twice": {id: "repeated-parameter", says: "state more than once", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Add("state", "other")
	}},
	"code twice": {id: "repeated-parameter", says: "code more than once", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Add("code", "other")
	}},
	"issuer twice": {id: "repeated-parameter", says: "iss more than once", query: func(
		w *world, _ *SignIn, q url.Values) {
		q.Add("iss", w.URL)
	}},
	"another state": {id: "state-mismatch", says: "does not have the state", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Set("state", "other")
	}},
	"no state": {id: "state-mismatch", says: "does not have the state", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Del("state")
	}},
	"another issuer": {id: "iss-mismatch", says: "another authorization server", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Set("iss", "https://evil.example")
	}},
	"another issuer, with an error": {id: "iss-mismatch", says: "another authorization server", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Set("iss", "https://evil.example")
		q.Set("error", "EVIL")
		q.Set("error_description", "EVIL")
	}},
	"issuer with a slash in the answer": {id: "iss-mismatch", says: "It was not used", query: func(
		w *world, _ *SignIn, q url.Values) {
		q.Set("iss", w.URL+"/")
	}},
	"promised issuer missing": {id: "iss-missing", says: "this answer has none", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Del("iss")
	}},
	"access denied": {id: "access-denied", says: "Access was denied", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Del("code")
		q.Set("error", "access_denied")
	}},
	"server error at the authorization endpoint": {id: "authorization-refused",
		says: "temporarily_unavailable: back soon", query: func(_ *world, _ *SignIn, q url.Values) {
			q.Del("code")
			q.Set("error", "temporarily_unavailable")
			q.Set("error_description", "back soon.")
		}},
	"neither code nor error": {id: "no-code-returned", says: "neither", query: func(
		_ *world, _ *SignIn, q url.Values) {
		q.Del("code")
	}},
	"token refused": {id: "grant-refused", says: "HTTP status 400, invalid_grant", breaks: answer(
		"/token", 400, "application/json", `{"error":"invalid_grant"}`)},
	"client refused": {id: "client-refused", says: "did not accept this client", breaks: answer(
		"/token", 401, "application/json", `{"error":"invalid_client"}`)},
	"token endpoint fails": {id: "token-refused", says: "HTTP status 500", breaks: answer(
		"/token", 500, "text/plain", "oops")},
	"token response is HTML": {id: "not-json", says: "token response is not JSON", breaks: answer(
		"/token", 200, "text/html", "<html>")},
	"no access token": {id: "no-access-token", says: "no access_token", breaks: set(
		"/token", "access_token", nil)},
	"token of another type": {id: "token-type", says: "DPoP", breaks: set("/token", "token_type", "DPoP")},
	"token with a line break": {id: "token-bytes", says: "characters", breaks: set(
		"/token", "access_token", "a\r\nX-Evil: 1")},
	"fewer scopes": {id: "scopes-missing", warning: true, says: "without the requested scopes read",
		breaks: set(
			"/token", "scope", "write")},
	"no token type": {id: "no-token-type", warning: true, says: "no token_type", breaks: set(
		"/token", "token_type", nil)},
}

// TestBrokenServers: every fault has its own sentence.
func TestBrokenServers(t *testing.T) {
	for name, b := range servers {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if b.breaks != nil {
				b.breaks(w)
			}
			c := w.client()
			s := c.Begin(t.Context(), w.mcp(), challenged(), Known{})
			var token *Token
			if s.Stage == Ready && name != "token endpoint without TLS" {
				q := w.returning(s)
				if b.query != nil {
					b.query(w, s, q)
				}
				token = c.Return(t.Context(), s, w.address(s), q)
			}
			f := s.Fault()
			if b.warning {
				i := slices.IndexFunc(s.Warnings(), func(x Fault) bool { return x.ID == b.id })
				if f != nil || i < 0 {
					t.Fatalf("fault %+v, warnings %+v", f, s.Warnings())
				}
				f = &s.Warnings()[i]
			} else if f == nil || s.Stage != Refused || token != nil {
				t.Fatalf("no fault: %s, %+v", s.Stage, s.Steps)
			}
			if f.ID != b.id || !strings.Contains(f.Says, b.says) {
				t.Errorf("%s: %q, want %s with %q", f.ID, f.Says, b.id, b.says)
			}
			if strings.Contains(f.Says, "EVIL") {
				t.Errorf("a message of another server is shown: %q", f.Says)
			}
			if !strings.HasSuffix(f.Says, ".") || strings.Contains(f.Says, "..") {
				t.Errorf("not a sentence: %q", f.Says)
			}
		})
	}
}

// A challenge that names metadata which is too large or cannot be read does not
// lead to an older revision, where PKCE is not required.
func TestBegin_NamedMetadataThatCannotBeRead(t *testing.T) {
	large := `{"x":"` + strings.Repeat("x", 200<<10) + `"}`
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		url string
		id  string
		set func(*world)
	}{
		"too large": {"/m", "too-large", answer("/m", 200, "application/json", large)},
		"fails":     {"/m", "metadata-unread", answer("/m", 500, "text/plain", "")},
		"gone":      {gone.URL, "metadata-unread", func(*world) {}},
	} {
		w := newWorld(t)
		answer(resourcePath, 404, "text/plain", "")(w)
		c.set(w)
		challenge := challenged()
		if challenge.Metadata = c.url; strings.HasPrefix(c.url, "/") {
			challenge.Metadata = w.URL + c.url
		}
		s := w.client().Begin(t.Context(), w.mcp(), challenge, Known{})
		if f := s.Fault(); s.Old || s.Stage != Refused || f == nil || f.ID != c.id {
			t.Errorf("%s: %s, %+v", name, s.Stage, f)
		}
	}
}

// Each parameter is once in the address that the browser leaves for, which keeps
// the query of the endpoint.
func TestBegin_EachParameterOnce(t *testing.T) {
	w := newWorld(t)
	set(serverPath, "authorization_endpoint", w.URL+"/authorize?p=policy&x=")(w)
	set(resourcePath, "scopes_supported", []string{"read"})(w)
	w.change[serverPath] = both(w.change[serverPath], func(doc map[string]any) {
		doc["scopes_supported"] = []string{"offline_access"}
	})
	c := w.client()
	c.Offline = true
	s := c.Begin(t.Context(), w.mcp(), challenged(), Known{})
	at, err := url.Parse(s.Authorize)
	if err != nil || at.Fragment != "" {
		t.Fatalf("%v: %s", err, s.Authorize)
	}
	q := at.Query()
	for name, values := range q {
		if len(values) != 1 {
			t.Errorf("%s is there %d times", name, len(values))
		}
		if name != "p" && name != "x" && !slices.Contains(reservedParameters, name) {
			t.Errorf("%s is sent and not reserved", name)
		}
	}
	if q.Get("p") != "policy" || !q.Has("x") || q.Get("prompt") != "consent" {
		t.Errorf("%s", s.Authorize)
	}
}

func both(a, b func(map[string]any)) func(map[string]any) {
	return func(doc map[string]any) {
		a(doc)
		b(doc)
	}
}

// TestUnreachable: a server that is gone is named.
func TestUnreachable(t *testing.T) {
	w := newWorld(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	set(resourcePath, "authorization_servers", []string{gone.URL})(w)
	s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{})
	if f := s.Fault(); f == nil || f.ID != "unreachable" || !strings.Contains(f.Says, gone.URL) {
		t.Errorf("%+v", f)
	}
}

// TestStrict: with strangers about, an endpoint without TLS ends the sign-in.
func TestStrict(t *testing.T) {
	w := newWorld(t)
	set(serverPath, "token_endpoint", "http://auth.example/token")(w)
	c := w.client()
	c.Strict = true
	s := c.Begin(context.Background(), w.mcp(), challenged(), Known{})
	if f := s.Fault(); f == nil || f.ID != "not-https" {
		t.Errorf("%+v", f)
	}
}
