package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		got  []place
		want []string
	}{
		"resource, path": {resourcePlaces(Challenge{}, "https://H.example/public/mcp"), []string{
			"https://h.example/.well-known/oauth-protected-resource/public/mcp",
			"https://h.example/.well-known/oauth-protected-resource",
		}},
		"resource, root": {resourcePlaces(Challenge{}, "https://h.example/"), []string{
			"https://h.example/.well-known/oauth-protected-resource",
		}},
		"resource, query": {resourcePlaces(Challenge{}, "https://h.example/mcp?tenant=1"), []string{
			"https://h.example/.well-known/oauth-protected-resource/mcp?tenant=1",
			"https://h.example/.well-known/oauth-protected-resource",
		}},
		"resource, named": {resourcePlaces(Challenge{Metadata: "https://m.example/r"},
			"https://h.example/mcp"), []string{
			"https://m.example/r", "https://h.example/.well-known/oauth-protected-resource/mcp",
			"https://h.example/.well-known/oauth-protected-resource",
		}},
		"server, root": {serverPlaces("https://a.example"), []string{
			"https://a.example/.well-known/oauth-authorization-server",
			"https://a.example/.well-known/openid-configuration",
		}},
		"server, path": {serverPlaces("https://a.example/tenant1"), []string{
			"https://a.example/.well-known/oauth-authorization-server/tenant1",
			"https://a.example/.well-known/openid-configuration/tenant1",
			"https://a.example/tenant1/.well-known/openid-configuration",
		}},
	} {
		var got []string
		for _, p := range c.got {
			got = append(got, p.url)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for raw, want := range map[string]string{
		"HTTPS://MCP.Example.com/":        "https://mcp.example.com",
		"https://h.example/mcp#x":         "https://h.example/mcp",
		"https://h.example:8443":          "https://h.example:8443",
		"https://u:p@h.example/Mcp":       "https://h.example/Mcp",
		"https://h.example/mcp?api_key=1": "https://h.example/mcp",
		"https://h.example/a/":            "https://h.example/a/",
	} {
		if got := canonical(raw); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		resource string
		want     bool
	}{
		{"https://h.example", true}, {"https://h.example/a", true}, {"https://h.example/a/mcp", true},
		{"https://h.example/a/", true}, {"https://h.example/ab", false}, {"http://h.example/a", false},
		{"https://h.example.evil/a", false}, {"https://h.example/a/mcp/x", false}, {"%", false},
	} {
		if got := covers(c.resource, "https://h.example/a/mcp"); got != c.want {
			t.Errorf("%s: %v", c.resource, got)
		}
	}
}

func TestChallengeIn(t *testing.T) {
	head := func(status int, values ...string) wire.Head {
		h := wire.Head{Status: status}
		for _, v := range values {
			h.Fields = append(h.Fields, wire.Field{Name: "www-authenticate", Value: v})
		}
		return h
	}
	c, asked := ChallengeIn(head(401, `Basic realm="x", bearer resource_metadata="https://m", Scope="a b"`))
	if !asked || !c.Given || c.Metadata != "https://m" || !slices.Equal(c.Scopes, []string{"a", "b"}) {
		t.Errorf("%+v, %v", c, asked)
	}
	for _, c := range []struct {
		head  wire.Head
		asked bool
	}{
		{head(401), true}, {head(403), false}, {head(403, `Bearer error="insufficient_scope"`), true},
		{head(403, `Bearer error="invalid_token"`), false},
		{head(403, `Bearer scope="write"`), true}, {head(200), false}, {wire.Head{}, false},
	} {
		if _, asked := ChallengeIn(c.head); asked != c.asked {
			t.Errorf("%+v: %v", c.head, asked)
		}
	}
}

// TestScopes: the challenge, else what the resource lists, with those requested
// before; offline_access where the authorization server knows it.
func TestScopes(t *testing.T) {
	stepUp := Challenge{Status: 403, Given: true, Error: "insufficient_scope", Scopes: []string{"write"}}
	for name, c := range map[string]struct {
		challenge Challenge
		before    []string
		supported any
		offline   bool
		want      string
	}{
		"challenge":     {Challenge{Scopes: []string{"x"}}, nil, []string{"read"}, false, "x"},
		"supported":     {challenged(), nil, []string{"read", "list"}, false, "read list"},
		"none":          {challenged(), nil, nil, false, ""},
		"step up":       {stepUp, []string{"read"}, []string{"all"}, false, "read write"},
		"offline":       {challenged(), nil, []string{"read"}, true, "read offline_access"},
		"offline, none": {challenged(), nil, nil, true, ""},
		"no scope": {Challenge{Status: 403, Error: "insufficient_scope"}, []string{"read"},
			[]string{"all"}, false, "read"},
		"expired, up": {challenged(), []string{"read", "write"}, []string{"read"}, false, "read write"},
	} {
		w := newWorld(t)
		set(resourcePath, "scopes_supported", c.supported)(w)
		set(serverPath, "scopes_supported", []string{"read", "offline_access"})(w)
		client := w.client()
		client.Offline = c.offline
		s := client.Begin(t.Context(), w.mcp(), c.challenge, Known{Scopes: c.before})
		at, _ := url.Parse(s.Authorize)
		if got := at.Query().Get("scope"); s.Stage != Ready || got != c.want ||
			at.Query().Has("scope") != (c.want != "") {
			t.Errorf("%s: %q, want %q (%s)", name, got, c.want, s.Stage)
		}
	}
}

// TestRegistration: what the user entered, then the metadata document, then
// dynamic registration, then the user is asked.
func TestRegistration(t *testing.T) {
	own := func(issuer string) func(string) (Registration, bool) {
		return func(string) (Registration, bool) {
			return Registration{Kind: Preregistered, Issuer: issuer, ID: "mine", Secret: "my-own-secret"},
				true
		}
	}
	w := newWorld(t)
	c := w.client()
	const document = "https://playground.example/oauth/client.json"
	c.Document = func(string) (string, bool) { return document, true }
	begin := func(k Known) *SignIn { return c.Begin(t.Context(), w.mcp(), challenged(), k) }
	if s := begin(Known{Registered: own(w.URL)}); s.Client.ID != "mine" || s.Client.Method != methodBasic {
		t.Errorf("%+v", s.Client)
	}
	if s := begin(Known{Registered: own("https://other.example")}); s.Fault() == nil ||
		s.Fault().ID != "other-issuer" {
		t.Errorf("the ID of another server was used: %+v", s.Fault())
	}
	if s := begin(Known{}); s.Client.Kind != Dynamic {
		t.Errorf("%+v", s.Client)
	}
	set(serverPath, "client_id_metadata_document_supported", true)(w)
	if s := begin(Known{}); s.Client.Kind != MetadataDocument || s.Client.ID != document {
		t.Errorf("%+v", s.Client)
	}
	set(serverPath, "registration_endpoint", nil)(w)
	s := begin(Known{})
	if s.Stage != NeedsClient || s.Fault() != nil {
		t.Fatalf("%s, %+v", s.Stage, s.Fault())
	}
	c.Supply(t.Context(), s, Registration{ID: "typed"})
	if s.Stage != Ready || !strings.Contains(s.Authorize, "client_id=typed") {
		t.Errorf("%s, %s", s.Stage, s.Authorize)
	}
}

// TestOldServer: without any metadata, the rules of 2025-03-26 hold.
func TestOldServer(t *testing.T) {
	w := newWorld(t)
	answer(resourcePath, 404, "text/plain", "")(w)
	answer(serverPath, 404, "text/plain", "")(w)
	s := w.client().Begin(t.Context(), w.mcp(), Challenge{Status: 401}, Known{})
	if s.Stage != Ready || !s.Old || !strings.HasPrefix(s.Authorize, w.URL+"/authorize?") {
		t.Fatalf("%s, %s", s.Stage, s.Authorize)
	}
	q := w.returning(s)
	q.Del("iss")
	if token := w.client().Return(t.Context(), s, w.address(s), q); token == nil {
		t.Errorf("%+v", s.Fault())
	}
	for _, id := range []string{"no-challenge", "no-resource-metadata", "default-endpoints"} {
		if !slices.ContainsFunc(s.Warnings(), func(f Fault) bool { return f.ID == id }) {
			t.Errorf("no warning %s in %v", id, s.Warnings())
		}
	}
}

// token signs in at w and returns the token.
func (w *world) token(k Known) *Token {
	w.t.Helper()
	s := w.client().Begin(w.t.Context(), w.mcp(), challenged(), k)
	token := w.client().Return(w.t.Context(), s, w.address(s), w.returning(s))
	if token == nil {
		w.t.Fatalf("no token: %+v", s.Fault())
	}
	return token
}

func TestRefresh(t *testing.T) {
	w := newWorld(t)
	token := w.token(Known{})
	if !token.Expired(time.Now().Add(time.Minute)) || token.Expired(time.Now()) {
		t.Errorf("expires %v", token.Expires)
	}
	set("/token", "refresh_token", nil)(w)
	s, fresh := w.client().Refresh(t.Context(), w.mcp(), *token)
	if fresh == nil || fresh.Refresh != token.Refresh {
		t.Fatalf("%+v, %+v", fresh, s.Fault())
	}
	form := w.tokens[1]
	if form.Get("grant_type") != "refresh_token" || form.Get("refresh_token") != token.Refresh ||
		form.Get("resource") != w.mcp() || form.Get("client_id") != "client-1" {
		t.Errorf("%v", form)
	}
	set("/token", "refresh_token", "refresh-token-2")(w)
	if _, fresh := w.client().Refresh(t.Context(), w.mcp(), *token); fresh.Refresh != "refresh-token-2" {
		t.Errorf("the new refresh token was not taken: %+v", fresh)
	}
	answer("/token", 400, "application/json", `{"error":"invalid_grant"}`)(w)
	if s, fresh := w.client().Refresh(t.Context(), w.mcp(), *token); fresh != nil || s.Fault() == nil {
		t.Errorf("%+v", fresh)
	}
}

func TestSignOut(t *testing.T) {
	w := newWorld(t)
	token := w.token(Known{})
	s := w.client().SignOut(t.Context(), w.mcp(), *token)
	if len(s.Warnings()) > 0 || w.seen[len(w.seen)-1] != "POST /revoke" {
		t.Errorf("%v, %v", s.Warnings(), w.seen)
	}
	answer("/revoke", 503, "text/plain", "")(w)
	if s := w.client().SignOut(t.Context(), w.mcp(), *token); len(s.Warnings()) != 1 {
		t.Errorf("%v", s.Warnings())
	}
	token.Revoke = ""
	if s := w.client().SignOut(t.Context(), w.mcp(), *token); len(s.Steps) > 0 {
		t.Errorf("%v", s.Steps)
	}
}

// TestAuthentication: each way to prove the client at the token endpoint.
func TestAuthentication(t *testing.T) {
	for method, check := range map[string]func(form url.Values, authorization string) bool{
		methodNone: func(form url.Values, authorization string) bool {
			return form.Get("client_id") == "mine" && !form.Has("client_secret") && authorization == ""
		},
		methodPost: func(form url.Values, authorization string) bool {
			return form.Get("client_id") == "mine" && form.Get("client_secret") == "s" && authorization == ""
		},
		methodBasic: func(form url.Values, authorization string) bool {
			return !form.Has("client_secret") && authorization == "Basic bWluZTpz"
		},
	} {
		w := newWorld(t)
		w.token(Known{Registered: func(string) (Registration, bool) {
			return Registration{ID: "mine", Secret: "s", Method: method}, true
		}})
		authorization := w.headers[len(w.headers)-1].Get("Authorization")
		if !check(w.tokens[0], authorization) {
			t.Errorf("%s: %v, %q", method, w.tokens[0], authorization)
		}
	}
}

// TestCredentials: a client signs in for itself, with a key of each kind.
func TestCredentials(t *testing.T) {
	curve := func(c elliptic.Curve) crypto.Signer {
		key, err := ecdsa.GenerateKey(c, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	factors, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for algorithm, key := range map[jose.SignatureAlgorithm]crypto.Signer{
		jose.ES256: curve(elliptic.P256()), jose.ES384: curve(elliptic.P384()),
		jose.ES512: curve(elliptic.P521()), jose.EdDSA: edwards, jose.RS256: factors,
	} {
		w := newWorld(t)
		set(serverPath, "token_endpoint_auth_methods_supported", []string{methodJWT})(w)
		s, token := w.client().Credentials(t.Context(), w.mcp(), challenged(), Known{
			Registered: func(string) (Registration, bool) {
				return Registration{ID: "robot", Key: key}, true
			},
		})
		if token == nil {
			t.Fatalf("%s: %+v", algorithm, s.Fault())
		}
		form := w.tokens[0]
		if form.Get("grant_type") != "client_credentials" || form.Get("resource") != w.mcp() {
			t.Errorf("%s: %v", algorithm, form)
		}
		signed := form.Get("client_assertion")
		parsed, err := jwt.ParseSigned(signed, []jose.SignatureAlgorithm{algorithm})
		if err != nil {
			t.Fatalf("%s: %v", algorithm, err)
		}
		var claims jwt.Claims
		err = parsed.Claims(key.Public(), &claims)
		if err != nil || claims.Subject != "robot" || claims.Issuer != "robot" || claims.ID == "" ||
			!claims.Audience.Contains(w.URL) || claims.Expiry == nil || claims.IssuedAt == nil {
			t.Errorf("%s: %+v, %v", algorithm, claims, err)
		}
		record, _ := json.Marshal(s)
		if strings.Contains(string(record), signed) {
			t.Errorf("%s: the record has the assertion", algorithm)
		}
	}
}

// TestRedirects: metadata may move, and a registration is not sent on.
func TestRedirects(t *testing.T) {
	w := newWorld(t)
	doc, err := json.Marshal(w.document(serverPath))
	if err != nil {
		t.Fatal(err)
	}
	w.resp[serverPath] = reply{status: 302, to: "/moved"}
	answer("/moved", 200, "application/json", string(doc))(w)
	w.resp["/register"] = reply{status: 307, to: "/register2"}
	s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{})
	if f := s.Fault(); f == nil || f.ID != "registration-refused" {
		t.Errorf("%+v", f)
	}
	for _, h := range w.headers {
		if h.Get("Referer") != "" {
			t.Errorf("a request says where it comes from: %v", h)
		}
	}
	want := []string{"GET " + resourcePath, "GET " + serverPath, "GET /moved", "POST /register"}
	if !slices.Equal(w.seen, want) {
		t.Errorf("%v, want %v", w.seen, want)
	}
}

// TestBegin_NamedMetadataIsAPage: a page where the challenge names metadata is named, and the
// other addresses are tried, as after a 404.
func TestBegin_NamedMetadataIsAPage(t *testing.T) {
	for name, more := range map[string]func(*world){
		"metadata elsewhere": func(*world) {},
		"no metadata":        answer(resourcePath, 404, "text/plain", ""),
	} {
		for _, status := range []int{200, 404} {
			w := newWorld(t)
			answer("/named", status, "text/html", "<!doctype html><p>Welcome")(w)
			more(w)
			c := challenged()
			c.Metadata = w.URL + "/named"
			s := w.client().Begin(t.Context(), w.mcp(), c, Known{})
			if s.Stage != Ready || s.Old != (name == "no metadata") ||
				!slices.ContainsFunc(s.Warnings(), func(f Fault) bool {
					return f.ID == "resource-missing" &&
						strings.Contains(f.Says, "The challenge names metadata")
				}) {
				t.Errorf("%s, %d: %s, %+v, %+v", name, status, s.Stage, s.Fault(), s.Warnings())
			}
		}
	}
}

// A public site is not sent to addresses inside by what a server says: neither
// by its challenge nor by the places that are tried after it.
func TestBegin_StaysOutside(t *testing.T) {
	for _, inside := range []string{
		"https://169.254.169.254", "https://127.0.0.1", "https://[::1]", "https://10.0.0.1:8443",
		"https://localhost",
	} {
		c := Client{
			Sender: wire.New(wire.Config{Reach: wire.PublicOnly(), Limits: Limits()}), Name: "test",
			Strict:   true,
			Redirect: "https://play.example/oauth/callback", Now: time.Now,
		}
		s := c.Begin(t.Context(), inside+"/mcp", Challenge{Status: 401, Given: true, Metadata: inside + "/m"},
			Known{})
		if f := s.Fault(); s.Stage != Refused || f == nil || f.ID != "unreachable" {
			t.Errorf("%s: %s, %+v", inside, s.Stage, f)
		}
		for _, e := range s.Log {
			if e.Kind == "received" {
				t.Errorf("%s answered", inside)
			}
		}
	}
}
