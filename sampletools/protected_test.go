package sampletools_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// oauthClient is a client of the protected sample, made of golang.org/x/oauth2
// and go-sdk's oauthex.
type oauthClient struct {
	t        *testing.T
	meta     *oauthex.AuthServerMeta
	resource string
	oauth2.Config
}

const callback = "http://127.0.0.1:49152/callback"

// newOAuthClient finds the authorization server as a client does, from a 401,
// and registers.
func newOAuthClient(t *testing.T, p *peer) *oauthClient {
	t.Helper()
	r := p.send("/mcp/protected", "tools/list", `{}`, nil)
	if r.status != http.StatusUnauthorized {
		t.Fatalf("no token: %d %s", r.status, r.body)
	}
	challenges, err := oauthex.ParseWWWAuthenticate(r.header.Values("WWW-Authenticate"))
	if err != nil || len(challenges) != 1 {
		t.Fatalf("challenge %v: %v", r.header.Values("WWW-Authenticate"), err)
	}
	resource, err := oauthex.GetProtectedResourceMetadata(t.Context(),
		challenges[0].Params["resource_metadata"], p.url+"/mcp/protected", http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	issuer := resource.AuthorizationServers[0]
	path := strings.TrimPrefix(issuer, p.url)
	meta, err := oauthex.GetAuthServerMeta(t.Context(), p.url+"/.well-known/oauth-authorization-server"+path,
		issuer, http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	client, err := oauthex.RegisterClient(t.Context(), meta.RegistrationEndpoint,
		&oauthex.ClientRegistrationMetadata{
			RedirectURIs: []string{callback}, ClientName: "Test", TokenEndpointAuthMethod: "none",
			GrantTypes: []string{"authorization_code", "refresh_token"},
		}, http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	return &oauthClient{t: t, meta: meta, resource: resource.Resource, Config: oauth2.Config{
		ClientID: client.ClientID, RedirectURL: callback,
		Endpoint: oauth2.Endpoint{AuthURL: meta.AuthorizationEndpoint, TokenURL: meta.TokenEndpoint,
			AuthStyle: oauth2.AuthStyleInParams},
	}}
}

// signIn returns a token for a user. The form is sent as it stands on the page,
// with the values that are changed.
func (c *oauthClient) signIn(person string, scopes []string, change url.Values) *oauth2.Token {
	c.t.Helper()
	token, err := c.try(c.resource, person, scopes, change)
	if err != nil {
		c.t.Fatal(err)
	}
	return token
}

// try is signIn for any resource, with the error of either server.
func (c *oauthClient) try(
	resource, person string, scopes []string, change url.Values,
) (*oauth2.Token, error) {
	c.t.Helper()
	config := c.Config
	config.Scopes = scopes
	verifier := oauth2.GenerateVerifier()
	back, err := decide(config.AuthCodeURL("the state", oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("resource", resource)), person, change)
	if err != nil {
		c.t.Fatal(err)
	}
	if !strings.HasPrefix(back.String(), callback+"?") || back.Query().Get("state") != "the state" ||
		back.Query().Get("iss") != c.meta.Issuer {
		c.t.Fatalf("back at %s", back)
	}
	if code := back.Query().Get("error"); code != "" {
		return nil, errors.New(code)
	}
	return config.Exchange(c.t.Context(), back.Query().Get("code"), oauth2.VerifierOption(verifier),
		oauth2.SetAuthURLParam("resource", resource))
}

var input = regexp.MustCompile(`<input type="(hidden|checkbox)" name="([^"]+)" value="([^"]*)"( checked)?`)

// decide is a user with a browser: it opens an address, sends the form of the
// page and returns where that leads.
func decide(address, person string, change url.Values) (*url.URL, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Port() == "49152" {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	res, err := browser.Get(address)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusFound {
		return res.Location()
	}
	page, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	form := url.Values{"person": {person}, "decision": {"allow"}}
	for _, m := range input.FindAllStringSubmatch(string(page), -1) {
		if m[1] == "hidden" || m[4] != "" {
			form.Add(m[2], m[3])
		}
	}
	for name, values := range change {
		form[name] = values
	}
	res, err = browser.PostForm(strings.Split(res.Request.URL.String(), "?")[0], form)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		body, _ := io.ReadAll(res.Body)
		return nil, errors.New(res.Status + ": " + string(body))
	}
	return res.Location()
}

const sendShopping = `{"name":"send_note","arguments":{"note":"shopping"}}`

func TestProtected_TwoRoundsBelongToOneUser(t *testing.T) {
	p := newPeer(t)
	c := newOAuthClient(t, p)
	alice := c.signIn("alice", []string{"notes:read"}, nil)
	bob := c.signIn("bob", []string{"notes:read"}, nil)

	p.auth = alice.AccessToken
	one := p.send("/mcp/protected?instances=a,b&next=a", "tools/call", sendShopping, nil)
	if one.resultType() != "input_required" || one.state() == "" {
		t.Fatalf("round 1: %s", one.body)
	}
	retry := p.answers(one)
	p.auth = bob.AccessToken
	two := p.send("/mcp/protected?instances=a,b&next=b", "tools/call", sendShopping, retry)
	if two.code() != -32602 || strings.Contains(string(two.body), "Bread") {
		t.Errorf("answered by another user: %d %s", two.status, two.body)
	}
	p.auth = c.signIn("alice", []string{"notes:read"}, nil).AccessToken
	two = p.send("/mcp/protected?instances=a,b&next=b", "tools/call", sendShopping, retry)
	if !strings.HasPrefix(two.text(), "Alice sent “Bread, coffee") {
		t.Errorf("answered with another token of the same user: %s", two.body)
	}
}

func TestProtected_NotesAreThoseOfTheUser(t *testing.T) {
	p := newPeer(t)
	c := newOAuthClient(t, p)
	for person, want := range map[string]string{"alice": "Notes of Alice:", "bob": "Water the tomatoes"} {
		p.auth = c.signIn(person, []string{"notes:read"}, nil).AccessToken
		r := p.send("/mcp/protected", "tools/call", `{"name":"list_notes","arguments":{}}`, nil)
		if !strings.Contains(r.text(), want) {
			t.Errorf("%s: %s", person, r.body)
		}
	}
}

func TestProtected_StepUp(t *testing.T) {
	p := newPeer(t)
	c := newOAuthClient(t, p)
	const call = `{"name":"delete_note","arguments":{"note":"talk"}}`
	p.auth = c.signIn("alice", []string{"notes:read"}, nil).AccessToken
	r := p.send("/mcp/protected", "tools/call", call, nil)
	challenge := r.header.Get("WWW-Authenticate")
	if r.status != http.StatusForbidden || !strings.Contains(challenge, `error="insufficient_scope"`) ||
		!strings.Contains(challenge, `scope="notes:write"`) ||
		!strings.Contains(challenge, `resource_metadata="`+p.url+
			`/.well-known/oauth-protected-resource/mcp/protected"`) {
		t.Fatalf("without notes:write: %d %q", r.status, challenge)
	}
	p.auth = c.signIn("alice", []string{"notes:read", "notes:write"}, nil).AccessToken
	last, rounds := p.drive(func(int) string { return "/mcp/protected" }, "tools/call", call)
	if len(rounds) != 2 || !strings.HasPrefix(last.text(), "Alice deleted") {
		t.Errorf("with notes:write: %d rounds, %s", len(rounds), last.body)
	}
	p.auth = c.signIn("alice", []string{"notes:read", "notes:write"},
		url.Values{"scope": {"notes:write"}}).AccessToken
	if r := p.send("/mcp/protected", "tools/call", sendShopping, nil); r.status != http.StatusForbidden {
		t.Errorf("with notes:write alone: %d %s", r.status, r.body)
	}
	if r := p.send("/mcp/protected", "tools/list", `{}`, nil); len(toolNames(t, r)) != 3 {
		t.Errorf("a list needs no scope: %s", r.body)
	}
}

// A batch of a legacy client is refused as a whole.
func TestProtected_StepUpInABatch(t *testing.T) {
	p := newPeer(t)
	p.auth = newOAuthClient(t, p).signIn("alice", []string{"notes:read"}, nil).AccessToken
	r := p.post("/mcp/protected", `[{"jsonrpc":"2.0","id":1,"method":"tools/list"},`+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_note","arguments":{}}}]`,
		map[string]string{"Mcp-Protocol-Version": "2025-03-26", "Mcp-Session-Id": "a.x"})
	challenge := r.header.Get("WWW-Authenticate")
	if r.status != http.StatusForbidden || !strings.Contains(challenge, "notes:write") {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
}

// The scope that a tool needs holds whatever name another reader of the message
// finds.
func TestProtected_TwoNamesDoNotHideATool(t *testing.T) {
	p := newPeer(t)
	p.auth = newOAuthClient(t, p).signIn("alice", []string{"notes:read"}, nil).AccessToken
	for _, names := range []string{
		`"name":"list_notes","Name":"delete_note"`, `"Name":"delete_note","name":"list_notes"`,
		`"name":"delete_note","name":"list_notes"`, `"name":"list_notes","name":"delete_note"`,
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + names +
			`,"arguments":{"note":"talk"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":` + allCaps + `}}}`
		for _, name := range []string{"list_notes", "delete_note"} {
			r := p.post("/mcp/protected", body,
				map[string]string{"Mcp-Method": "tools/call", "Mcp-Name": name})
			if strings.Contains(string(r.body), "Delete the note") {
				t.Errorf("%s as %s: %s", names, name, r.body)
			}
		}
	}
}

func TestProtected_RefusesTokens(t *testing.T) {
	p := newPeer(t)
	c := newOAuthClient(t, p)
	good := c.signIn("alice", []string{"notes:read"}, nil).AccessToken
	other, err := c.try(p.url+"/mcp/confirm", "alice", []string{"notes:read"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stranger := newPeer(t) // same clock, other keys and issuer
	foreign := newOAuthClient(t, stranger).signIn("alice", []string{"notes:read"}, nil).AccessToken
	twin := newPeer(t, func(c *sampletools.Config) { c.Keys = p.keys }) // same keys, other issuer
	issuer := newOAuthClient(t, twin).signIn("alice", []string{"notes:read"}, nil).AccessToken
	parts := strings.Split(good, ".")
	for name, tt := range map[string]struct{ token, want string }{
		"demo bearer":     {"demo-alice", "not one of this server"},
		"empty":           {" ", "not one of this server"},
		"other audience":  {other.AccessToken, "for another resource"},
		"other keys":      {foreign, "not one of this server"},
		"other issuer":    {issuer, "from another issuer"},
		"changed claims":  {parts[0] + "." + flip(parts[1], 20) + "." + parts[2], "not one of this server"},
		"changed seal":    {parts[0] + "." + parts[1] + "." + flip(parts[2], 20), "not one of this server"},
		"no signature":    {parts[0] + "." + parts[1] + ".", "not one of this server"},
		"alg none":        {"eyJhbGciOiJub25lIn0." + parts[1] + ".", "not one of this server"},
		"a client ID":     {c.ClientID, "not one of this server"},
		"very long":       {strings.Repeat("a.", 9000), "not one of this server"},
		"not one of text": {"\u2028", "not one of this server"},
	} {
		p.auth = tt.token
		r := p.send("/mcp/protected", "tools/list", `{}`, nil)
		challenge := r.header.Get("WWW-Authenticate")
		if r.status != http.StatusUnauthorized || !strings.Contains(challenge, `error="invalid_token"`) ||
			!strings.Contains(challenge, tt.want) {
			t.Errorf("%s: %d %q", name, r.status, challenge)
		}
	}
	p.auth = good
	if r := p.send("/mcp/protected", "tools/list", `{}`, nil); r.status != http.StatusOK {
		t.Fatalf("a good token: %d %s", r.status, r.body)
	}
	p.clock.pass(11 * time.Minute)
	r := p.send("/mcp/protected", "tools/list", `{}`, nil)
	if r.status != http.StatusUnauthorized ||
		!strings.Contains(r.header.Get("WWW-Authenticate"), "has expired") {
		t.Errorf("11 minutes later: %d %q", r.status, r.header)
	}
}

func TestProtected_ClientsCannotNameTheUser(t *testing.T) {
	p := newPeer(t)
	c := newOAuthClient(t, p)
	headers := map[string]string{"Mcp-Method": "tools/call", "Mcp-Name": "list_notes",
		"Mcp-Sample-User": "bob", "Mcp-Sample-Scope": "notes:read notes:write"}
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_notes","arguments":{},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	if r := p.post("/mcp/protected", body, headers); r.status != http.StatusUnauthorized {
		t.Errorf("without a token: %d %s", r.status, r.body)
	}
	p.auth = c.signIn("alice", []string{"notes:read"}, nil).AccessToken
	if r := p.post("/mcp/protected", body, headers); !strings.Contains(r.text(), "Alice") {
		t.Errorf("as Alice: %s", r.body)
	}
	p.auth = "demo-alice"
	r := p.post("/mcp/voucher", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+
		`"name":"redeem_voucher","arguments":{"value":5},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":`+allCaps+`}}}`,
		map[string]string{"Mcp-Method": "tools/call", "Mcp-Name": "redeem_voucher", "Mcp-Sample-User": "bob"})
	e := seal.Explain(r.state(), p.keys, p.clock.Now())
	if e.Claims == nil || e.Claims.Request.Principal != "alice" {
		t.Errorf("at another sample: %s %+v", r.body, e.Claims)
	}
}

func TestProtected_ShortTokensAndRefresh(t *testing.T) {
	p := newPeer(t)
	c := newOAuthClient(t, p)
	token := c.signIn("alice", []string{"notes:read", "offline_access"}, url.Values{"short": {"1"}})
	if token.RefreshToken == "" || token.ExpiresIn != 60 {
		t.Fatalf("token: %+v", token)
	}
	p.clock.pass(61 * time.Second)
	p.auth = token.AccessToken
	if r := p.send("/mcp/protected", "tools/list", `{}`, nil); r.status != http.StatusUnauthorized {
		t.Fatalf("after a minute: %d", r.status)
	}
	old := *token
	old.Expiry = time.Now().Add(-time.Hour)
	fresh, err := c.TokenSource(t.Context(), &old).Token()
	if err != nil || fresh.RefreshToken == token.RefreshToken || fresh.ExpiresIn != 60 {
		t.Fatalf("refreshed: %+v, %v", fresh, err)
	}
	p.auth = fresh.AccessToken
	if r := p.send("/mcp/protected", "tools/list", `{}`, nil); r.status != http.StatusOK {
		t.Fatalf("with a fresh token: %d %s", r.status, r.body)
	}
	// A refresh token that is used twice was stolen: all its tokens end.
	if _, err := c.TokenSource(t.Context(), &old).Token(); !isOAuth(err, "invalid_grant") {
		t.Errorf("used twice: %v", err)
	}
	if r := p.send("/mcp/protected", "tools/list", `{}`, nil); r.status != http.StatusUnauthorized ||
		!strings.Contains(r.header.Get("WWW-Authenticate"), "was revoked") {
		t.Errorf("after the theft: %d %q", r.status, r.header)
	}
}

func isOAuth(err error, code string) bool {
	var e *oauth2.RetrieveError
	return errors.As(err, &e) && e.ErrorCode == code
}

func TestProtected_UserGrantsLessOrNothing(t *testing.T) {
	p := newPeer(t)
	c := newOAuthClient(t, p)
	all := []string{"notes:read", "notes:write", "offline_access"}
	less := c.signIn("alice", all, url.Values{"scope": {"notes:read"}})
	if less.Extra("scope") != "notes:read" || less.RefreshToken != "" {
		t.Errorf("granted: %v", less.Extra("scope"))
	}
	for name, change := range map[string]url.Values{
		"denied": {"decision": {"deny"}}, "nothing ticked": {"scope": nil},
		"only to stay signed in":     {"scope": {"offline_access"}},
		"one that was not asked for": {"scope": {"x"}},
	} {
		if _, err := c.try(c.resource, "alice", all, change); err == nil || err.Error() != "access_denied" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Any process with the same keys goes on with what another has given out, and
// knows tokens from before a rotation of the keys.
func TestProtected_AnotherProcessGoesOn(t *testing.T) {
	p := newPeer(t)
	c := newOAuthClient(t, p)
	token := c.signIn("alice", []string{"notes:read", "offline_access"}, nil)
	rotated := p.keys.Rotate()
	retired := rotated.Retire()
	for name, tt := range map[string]struct {
		config func(*sampletools.Config)
		status int
	}{
		"same keys":    {func(c *sampletools.Config) { c.Keys = p.keys }, http.StatusOK},
		"rotated keys": {func(c *sampletools.Config) { c.Keys = rotated }, http.StatusOK},
		"retired keys": {func(c *sampletools.Config) { c.Keys = retired }, http.StatusUnauthorized},
	} {
		other := newPeer(t, tt.config, func(c *sampletools.Config) { c.BaseURL = p.url })
		other.auth = token.AccessToken
		if r := other.send("/mcp/protected", "tools/list", `{}`, nil); r.status != tt.status {
			t.Errorf("%s: %d %q", name, r.status, r.header.Get("WWW-Authenticate"))
		}
		form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token.RefreshToken},
			"client_id": {c.ClientID}}
		res, err := http.PostForm(other.url+"/samples/authorization/token", form)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != tt.status {
			t.Errorf("%s: refresh gives %d", name, res.StatusCode)
		}
	}
}

// awayTable is a Table that cannot be read or written now.
type awayTable struct{ sampletools.Table }

func (awayTable) Ticket(context.Context, string, string) (string, bool, error) {
	return "", false, errors.New("no database")
}

// While it cannot be found out whether a token was revoked, it is neither accepted nor
// refused.
func TestProtected_NoTokenCountsWhileTheTableIsAway(t *testing.T) {
	p := newPeer(t)
	token := newOAuthClient(t, p).signIn("alice", []string{"notes:read"}, nil).AccessToken
	synctest.Test(t, func(t *testing.T) {
		catalog, err := sampletools.New(sampletools.Config{
			Keys: p.keys, Now: p.clock.Now, BaseURL: p.url, Table: awayTable{},
			Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer catalog.Close()
		for bearer, want := range map[string]int{
			token: http.StatusServiceUnavailable, token + "x": http.StatusUnauthorized,
		} {
			r := httptest.NewRequest(http.MethodPost, p.url+"/mcp/protected", strings.NewReader("{}"))
			r.Header.Set("Authorization", "Bearer "+bearer)
			got := httptest.NewRecorder()
			catalog.ServeHTTP(got, r)
			if got.Code != want {
				t.Errorf("%d, want %d: %s", got.Code, want, got.Body)
			}
		}
	})
}

// The identifier of a resource has the query of its URL, which chooses
// instances.
func TestProtected_MetadataKeepsTheQuery(t *testing.T) {
	p := newPeer(t)
	r := p.send("/mcp/protected?instances=a:v1&stream=0", "tools/list", `{}`, nil)
	challenges, err := oauthex.ParseWWWAuthenticate(r.header.Values("WWW-Authenticate"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := oauthex.GetProtectedResourceMetadata(t.Context(),
		challenges[0].Params["resource_metadata"], p.url+"/mcp/protected?instances=a:v1&stream=0",
		http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	c := newOAuthClient(t, p)
	token, err := c.try(m.Resource, "alice", []string{"notes:read"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.auth = token.AccessToken
	if r := p.send("/mcp/protected", "tools/list", `{}`, nil); r.status != http.StatusOK {
		t.Errorf("%d %s", r.status, r.body)
	}
	for _, query := range []string{`stream=%22"`, "a=\\", "a=" + strings.Repeat("b", 600)} {
		res, err := http.Get(p.url + "/.well-known/oauth-protected-resource/mcp/protected?" + query)
		if err != nil {
			continue // the client refuses to send it
		}
		var m oauthex.ProtectedResourceMetadata
		err = json.NewDecoder(res.Body).Decode(&m)
		res.Body.Close()
		if err != nil || m.Resource != p.url+"/mcp/protected" {
			t.Errorf("query %q: %q, %v", query, m.Resource, err)
		}
	}
}
