// Package oidctest has an identity provider of tests: OpenID Connect with what a sign-in
// needs, and the faults of a bad one. It signs in without a question.
package oidctest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// Provider signs in the person that a test sets.
type Provider struct {
	URL    string
	Claims map[string]any // of the next ID token, besides those that every one has
	Info   map[string]any // of the userinfo endpoint; nil if there is none
	Nonce  string         // of the next ID token, in place of the one that was sent
	Forge  bool           // the next ID token is signed with a key of someone else
	Form   url.Values     // that the token endpoint got last

	t      *testing.T
	mu     sync.Mutex
	issued map[string]url.Values // by code: the request that it was issued for
	key    *ecdsa.PrivateKey
}

// New starts a provider for the time of a test.
func New(t *testing.T) *Provider {
	t.Helper()
	p := &Provider{t: t, issued: map[string]url.Values{}, key: newKey(t)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.userinfo)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	document := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"jwks_uri": p.URL + "/keys", "response_types_supported": []string{"code"},
		"id_token_signing_alg_values_supported": []string{"ES256"},
		"subject_types_supported":               []string{"public"},
		"code_challenge_methods_supported":      []string{"S256"},
	}
	if p.Info != nil {
		document["userinfo_endpoint"] = p.URL + "/userinfo"
	}
	p.write(w, document)
}

// userinfo answers who has the access token.
func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer access" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.write(w, p.Info)
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.write(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: p.key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"},
	}})
}

// authorize sends the browser back at once.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q, code := r.URL.Query(), rand.Text()
	p.mu.Lock()
	p.issued[code] = q
	p.mu.Unlock()
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.URL}}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// token redeems a code, once, for the verifier of its challenge.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Form = r.PostForm
	q, known := p.issued[r.PostForm.Get("code")]
	delete(p.issued, r.PostForm.Get("code"))
	sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
	if !known || q.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) {
		w.WriteHeader(http.StatusBadRequest)
		p.write(w, map[string]string{"error": "invalid_grant"})
		return
	}
	p.write(w, map[string]any{
		"access_token": "access", "token_type": "Bearer", "expires_in": 60, "id_token": p.idToken(q),
	})
}

// idToken returns the ID token for a request. p.mu must be held.
func (p *Provider) idToken(q url.Values) string {
	now, key := time.Now(), p.key
	if p.Forge {
		key = newKey(p.t)
	}
	claims := map[string]any{
		"iss": p.URL, "sub": "ada", "aud": q.Get("client_id"), "nonce": q.Get("nonce"),
		"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "name": "Ada Lovelace",
	}
	if p.Nonce != "" {
		claims["nonce"] = p.Nonce
	}
	for name, value := range p.Claims {
		claims[name] = value
	}
	signer, err := jose.NewSigner(jose.SigningKey{
		Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "1"},
	}, nil)
	if err != nil {
		p.t.Error(err)
		return ""
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		p.t.Error(err)
	}
	return text
}

func (p *Provider) write(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		p.t.Error(err)
	}
}

// Back returns where the provider sends a browser that opened a URL of Begin.
func (p *Provider) Back(t *testing.T, to string) *url.URL {
	t.Helper()
	c := &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := c.Get(to)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	back, err := res.Location()
	if err != nil {
		t.Fatal(fmt.Errorf("%d: %w", res.StatusCode, err))
	}
	return back
}
