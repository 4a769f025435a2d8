package authserver_test

import (
	"crypto/ed25519"
	"errors"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
)

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
	keys := b.keys.Derive("access tokens")
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
