// Package authtest signs in to the sample authorization server for tests that
// need an access token and have no browser.
package authtest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
)

const (
	callback = "http://127.0.0.1:49152/callback"
	verifier = "a-verifier-of-the-tests-that-has-43-letters"
)

var sealed = regexp.MustCompile(`name="request" value="([^"]+)"`)

// Token returns an access token for a user of the samples in h, with these
// scopes. Everything that a client and a browser send on the way is sent.
func Token(ctx context.Context, h http.Handler, person string, scopes ...string) (string, error) {
	v := visit{ctx: ctx, h: h, server: "/samples/authorization"}
	var client struct {
		ID string `json:"client_id"`
	}
	v.json(v.send("POST", "/register", `{"redirect_uris":["`+callback+`"],`+
		`"token_endpoint_auth_method":"none"}`), &client)
	digest := sha256.Sum256([]byte(verifier))
	page := v.send("GET", "/authorize?"+url.Values{
		"response_type": {"code"}, "client_id": {client.ID}, "redirect_uri": {callback},
		"scope": {strings.Join(scopes, " ")}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(digest[:])},
	}.Encode(), "")
	page = v.send("GET", strings.TrimPrefix(v.location(page).RequestURI(), v.server), "")
	request := sealed.FindStringSubmatch(page.Body.String())
	if v.err == nil && request == nil {
		v.err = fmt.Errorf("sign in: no form in %s", page.Body)
	}
	if v.err != nil {
		return "", v.err
	}
	back := v.location(v.send("POST", "/consent", url.Values{
		"request": {request[1]}, "person": {person}, "decision": {"allow"}, "scope": scopes,
	}.Encode()))
	var token struct {
		Access string `json:"access_token"`
	}
	v.json(v.send("POST", "/token", url.Values{
		"grant_type": {"authorization_code"}, "code": {back.Query().Get("code")}, "client_id": {client.ID},
		"redirect_uri": {callback}, "code_verifier": {verifier},
	}.Encode()), &token)
	return token.Access, v.err
}

// visit sends requests until one fails.
type visit struct {
	ctx    context.Context
	h      http.Handler
	server string // path of the authorization server
	err    error
}

func (v *visit) send(method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	if v.err != nil {
		return w
	}
	r, err := http.NewRequestWithContext(v.ctx, method, "http://samples"+v.server+path,
		strings.NewReader(body))
	if err != nil {
		v.err = err
		return w
	}
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	v.h.ServeHTTP(w, r)
	if w.Code >= 400 {
		v.err = fmt.Errorf("sign in: %s %s: status %d: %s", method, path, w.Code, w.Body)
	}
	return w
}

func (v *visit) json(w *httptest.ResponseRecorder, into any) {
	if v.err == nil {
		v.err = json.Unmarshal(w.Body.Bytes(), into)
	}
}

func (v *visit) location(w *httptest.ResponseRecorder) *url.URL {
	u, err := url.Parse(w.Header().Get("Location"))
	if err != nil {
		v.err = err
		return &url.URL{}
	}
	return u
}
