package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// In the middle of a call the token is not accepted any more. After a sign-in
// the same Round is sent again, with the same answers and the state untouched.
func TestSignIn_InTheMiddleOfACall(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	id := s.SignedIn(p)
	page := s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	page.Has(t,
		`[data-status="waiting"]`)
	exchange := strings.TrimPrefix(s.Last, "/x/")
	p.Forget()
	page = s.Follow("/x/"+exchange+"/rounds", url.Values{
		"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"true"},
	})
	page.Has(t,
		`[data-error="http_401"]`, `[data-do="sign-in"]`, `"the same request is sent again"`,
		`.bench-head "sign-in needed"`)
	page.HasNot(t, `.outcome-fail`, `.bench-head "failed"`) // a challenge is no failure
	s.Page("/history").Has(t, `[data-session] "sign-in needed"`)
	got := s.Page(sitetest.Back(s.Leave(id, exchange)))
	if got.Status != http.StatusSeeOther || s.Last != "/x/"+exchange {
		t.Fatalf("after the return: %d %s", got.Status, s.Last)
	}
	s.Page(s.Last).Has(t,
		`[data-status="complete"]`, `"deployed by *******"`)

	p.Mu.Lock()
	defer p.Mu.Unlock()
	refused, retried := p.Refused[len(p.Refused)-1], p.Calls[len(p.Calls)-1]
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
		"planted-code-0001", p.Asked[0].Get("code_verifier"), p.Asked[1].Get("code_verifier"),
	}
	var found []string
	for where, data := range s.Stored() {
		found = append(found, sitetest.Leaks(where, data, secrets)...)
	}
	for _, path := range []string{
		"/x/" + exchange, "/x/" + exchange + ".json", "/x/" + exchange + ".har", "/x/" + exchange + ".md",
		"/x/" + exchange + "?panel=wire&view=exact", "/servers/" + id, "/servers/" + id + "/sign-in",
		"/sessions/" + s.SessionOf() + "/share", "/x/" + exchange + "/edit?round=2",
	} {
		found = append(found, sitetest.Leaks(path, []byte(s.Page(path).Body), secrets)...)
	}
	if len(found) > 0 {
		t.Errorf("secrets can be read: %v", found)
	}
	for _, suffix := range []string{".json", ".har"} { // the challenge is evidence
		if !strings.Contains(s.Page("/x/"+exchange+suffix).Body, "Bearer resource_metadata=") {
			t.Errorf("%s: the challenge is masked", suffix)
		}
	}
	s.NoErrors()
}

// An answer of another authorization server is not used, and nothing of its
// error is shown (RFC 9207).
func TestSignIn_MixUp(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	s.ConnectTo(p.URL + "/mcp")
	id := strings.TrimPrefix(s.Last, "/servers/")
	for _, more := range [][]string{
		{"iss", "https://evil.example"},
		{"iss", "https://evil.example", "error", "planted_error", "error_description", "planted text"},
	} {
		got := s.Page(sitetest.Back(s.Leave(id, ""), more...))
		if got.Status != http.StatusSeeOther || !strings.HasPrefix(s.Last, "/servers/"+id+"/sign-in?id=") {
			t.Fatalf("%d, to %s", got.Status, s.Last)
		}
		page := s.Page(s.Last)
		page.Has(t,
			`[data-sign-in-stage="refused"]`, `"another authorization server"`)
		if before, _, _ := strings.Cut(page.Body, "What was sent"); strings.Contains(before, "planted") {
			t.Error("the error of another server is shown")
		}
	}
	if n := p.TokenRequests(); n != 0 {
		t.Errorf("the code was sent %d times", n)
	}
}

// The return leads to a page of this site only, whatever its query says.
func TestSignIn_RedirectsOnlyHere(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	s.ConnectTo(p.URL + "/mcp")
	id := strings.TrimPrefix(s.Last, "/servers/")
	for _, name := range []string{"redirect_uri", "next", "return_to", "url"} {
		got := s.Page(sitetest.Back(s.Leave(id, ""), name, "https://evil.example/"))
		if to := got.Header.Get("Location"); !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") {
			t.Errorf("%s leads to %s", name, to)
		}
		p.Forget()
		s.ConnectTo(p.URL + "/mcp")
	}
}

func TestSignIn_EndsAfterHalfAnHour(t *testing.T) {
	t.Parallel()
	var late time.Duration
	p := sitetest.NewProtected(t)
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Now = func() time.Time { return time.Now().Add(late) }
	})
	s.ConnectTo(p.URL + "/mcp")
	id := strings.TrimPrefix(s.Last, "/servers/")
	leave := s.Leave(id, "")
	late = 31 * time.Minute
	if got := s.Page(sitetest.Back(leave)); got.Status != http.StatusNotFound {
		t.Errorf("%d", got.Status)
	}
	s.Page("/servers/"+id+"/sign-in").Has(t,
		`[data-sign-in-stage="expired"]`, `[data-do="sign-in"]`)
}

// A token that has expired is renewed before the next request, once.
func TestSignIn_Renews(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.Lifetime = 1
	id := s.SignedIn(p)
	before := p.TokenRequests()
	p.Mu.Lock()
	p.Lifetime = 3600
	p.Mu.Unlock()
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}}).Has(t,
		`[data-status="waiting"]`)
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}}).Has(t,
		`[data-status="waiting"]`)
	p.Mu.Lock()
	defer p.Mu.Unlock()
	renewals := slices.DeleteFunc(p.Asked[before:],
		func(f url.Values) bool { return f.Get("refresh_token") == "" })
	if len(renewals) != 1 {
		t.Errorf("renewed %d times, want once", len(renewals))
	}
	s.Page("/servers/"+id+"/sign-in").Has(t,
		`[data-purpose="refresh"]`)
}

// An outage of the authorization server does not cost the refresh token.
func TestSignIn_RenewsAfterAnOutage(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.Lifetime = 1
	id := s.SignedIn(p)
	p.Mu.Lock()
	p.Lifetime, p.Outage = 3600, true
	p.Mu.Unlock()
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	p.Mu.Lock()
	p.Outage = false
	p.Mu.Unlock()
	before := p.TokenRequests()
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	if p.TokenRequests() == before {
		t.Error("the token was not renewed after the outage")
	}
}

// A client ID that a user entered is asked for once.
func TestSignIn_KeepsAClientID(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.Closed = true
	s.ConnectTo(p.URL + "/mcp")
	id := strings.TrimPrefix(s.Last, "/servers/")
	s.Follow("/servers/"+id+"/sign-in", url.Values{})
	s.Follow("/servers/"+id+"/sign-in", url.Values{
		"do": {"client"}, "id": {sitetest.Find(t, s.Last, `id=(\w+)`)}, "client_id": {"mine"},
	})
	s.Follow("/servers/"+id+"/sign-in", url.Values{}).Has(t,
		`[data-sign-in-stage="ready"]`)
}

func TestSignIn_SignOutRevokes(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	id := s.SignedIn(p)
	s.Page("/servers/"+id+"/sign-in").Has(t, `[data-sign-in-stage="done"]`)
	page := s.Follow("/servers/"+id+"/sign-in", url.Values{"do": {"out"}})
	if page.HTML().Has("[data-signed-in]") {
		t.Error("still signed in")
	}
	s.Page("/servers/"+id+"/sign-in").Has(t, `[data-sign-in-stage="out"]`, `h2 "not signed in any more"`,
		`[data-do="sign-in"]`)
	if got := p.Revoked; !slices.Equal(got, []string{"planted-refresh-0001"}) {
		t.Errorf("revoked %q", got)
	}
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}}).Has(t,
		`[data-error="http_401"]`)
}

// A token is sent to the URL that it is for and to no other.
func TestSignIn_TokenIsForOneURL(t *testing.T) {
	t.Parallel()
	p, other, s := sitetest.NewProtected(t), sitetest.NewProtected(t), sitetest.New(t, app.Local)
	id := s.SignedIn(p)
	other.Valid = p.Valid // it would be let in
	page := s.ConnectTo(other.URL+"/mcp", "id", id)
	page.Has(t,
		`[data-error="http_401"]`)
	if page.HTML().Has("[data-signed-in]") {
		t.Error("the page says that the user is signed in")
	}
}

// Without registration the user enters what the operator gave them.
func TestSignIn_WithClientID(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.Closed = true
	s.ConnectTo(p.URL + "/mcp")
	id := strings.TrimPrefix(s.Last, "/servers/")
	page := s.Follow("/servers/"+id+"/sign-in", url.Values{})
	page.Has(t, `[data-sign-in-stage="needs_client"]`, `code "/oauth/callback"`,
		`code "/oauth/callback/`+auth.Digest(p.URL)+`"`, `[name="client_secret"]`)
	row := sitetest.Find(t, s.Last, `id=(\w+)`)
	refused := s.Follow("/servers/"+id+"/sign-in", url.Values{"do": {"client"}, "id": {row},
		"client_id": {" "}})
	if refused.Status != http.StatusUnprocessableEntity {
		t.Errorf("without a client ID: %d", refused.Status)
	}
	page = s.Follow("/servers/"+id+"/sign-in", url.Values{
		"do": {"client"}, "id": {row}, "client_id": {"mine"}, "client_secret": {"planted-secret-0009"},
	})
	u, err := url.Parse(sitetest.Value(t, page.Body, "[data-do=leave]", "href"))
	sitetest.Check(t, err)
	if got := s.Page(sitetest.Back(u)); got.Status != http.StatusSeeOther {
		t.Fatal(got.Status)
	}
	if user, secret, ok := (&http.Request{Header: http.Header{
		"Authorization": {p.Basic[0]}}}).BasicAuth(); !ok || user != "mine" ||
		secret != "planted-secret-0009" {
		t.Errorf("the token endpoint got %q", p.Basic[0])
	}
	for where, data := range s.Stored() {
		if found := sitetest.Leaks(where, data, []string{"planted-secret-0009"}); len(found) > 0 {
			t.Error(found)
		}
	}
}

// A server that refuses every token does not make the user sign in for ever.
func TestSignIn_HasALimitForEachCall(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	id := s.SignedIn(p)
	p.Forget()
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	exchange := strings.TrimPrefix(s.Last, "/x/")
	for range 5 {
		s.Page(sitetest.Back(s.Leave(id, exchange), "code", "wrong"))
	}
	got := s.Follow("/servers/"+id+"/sign-in", url.Values{"exchange": {exchange}})
	got.Has(t,
		`[data-error="too_many_sign_ins"]`)
}

// A client document names the address that it is at, and one redirect URI.
func TestSignIn_ClientDocument(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	digest := auth.Digest("https://as.example")
	for path, redirect := range map[string]string{
		"/oauth/client.json":                "/oauth/callback",
		"/oauth/client/" + digest + ".json": "/oauth/callback/" + digest,
	} {
		var got struct {
			ID        string   `json:"client_id"`
			Redirects []string `json:"redirect_uris"`
		}
		sitetest.Check(t, json.Unmarshal([]byte(s.Get(path).Body), &got))
		if !strings.HasSuffix(got.ID, path) || len(got.Redirects) != 1 ||
			!strings.HasSuffix(got.Redirects[0], redirect) {
			t.Errorf("%s: %+v", path, got)
		}
	}
	for _, path := range []string{"/oauth/client/x.json", "/oauth/client/" + digest} {
		if got := s.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
}

// Each authorization server has its own redirect URI, and the answer of one that
// arrives at another's is not used, although neither has the parameter iss.
func TestSignIn_RedirectOfEachServer(t *testing.T) {
	t.Parallel()
	p, other, s := sitetest.NewProtected(t), sitetest.NewProtected(t), sitetest.New(t, app.Local)
	var leaves []*url.URL
	for _, server := range []*sitetest.Protected{p, other} {
		s.ConnectTo(server.URL + "/mcp")
		leaves = append(leaves, s.Leave(strings.TrimPrefix(s.Last, "/servers/"), ""))
		redirect := leaves[len(leaves)-1].Query().Get("redirect_uri")
		if registered := fmt.Sprint(server.Metas[0]["redirect_uris"]); registered != "["+redirect+"]" ||
			!strings.HasSuffix(redirect, "/oauth/callback/"+auth.Digest(server.URL)) {
			t.Errorf("registered %s, sent %s", registered, redirect)
		}
	}
	q := url.Values{"state": {leaves[0].Query().Get("state")}, "code": {"planted-code-0001"}}
	elsewhere, _, _ := strings.Cut(sitetest.Back(leaves[1]), "?")
	for _, path := range []string{elsewhere, "/oauth/callback"} {
		s.Page(path + "?" + q.Encode())
		if page := s.Page(s.Last); path == elsewhere {
			page.Has(t, `[data-sign-in-stage="refused"]`, `"another redirect URI"`)
		}
	}
	if n := p.TokenRequests() + other.TokenRequests(); n != 0 {
		t.Errorf("the code was sent %d times", n)
	}
}

// A client that was registered by hand goes on with the redirect URI that it is
// registered with, also after the ID was kept.
func TestSignIn_RedirectOfAClientID(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]string{"": "/oauth/callback", "shared": "/oauth/callback",
		"own": "/oauth/callback/"} {
		p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
		p.Closed = true
		if want == "/oauth/callback/" {
			want += auth.Digest(p.URL)
		}
		s.ConnectTo(p.URL + "/mcp")
		path := s.Last + "/sign-in"
		s.Follow(path, url.Values{})
		s.Follow(path, url.Values{"do": {"client"}, "id": {sitetest.Find(t, s.Last, `id=(\w+)`)},
			"client_id": {"mine"}, "redirect": {choice}})
		for range 2 {
			leave := s.Leave(strings.TrimSuffix(strings.TrimPrefix(path, "/servers/"), "/sign-in"), "")
			if got := leave.Query().Get("redirect_uri"); !strings.HasSuffix(got, want) {
				t.Errorf("%q: %s", choice, got)
			}
			s.Page(sitetest.Back(leave))
			s.Page(s.Last).Has(t, `[data-signed-in]`)
			p.Forget()
			s.ConnectTo(p.URL+"/mcp", "id", strings.Split(path, "/")[2])
		}
	}
}

// The access token that a step-up replaced is revoked, and its refresh token with
// the new one when the user signs out.
func TestSignIn_StepUpRevokes(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.StepUp = true
	id := s.SignedIn(p)
	page := s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	page.Has(t, `[data-error="http_403"]`, `[data-do="sign-in"]`)
	exchange := strings.TrimPrefix(s.Last, "/x/")
	s.Page(sitetest.Back(s.Leave(id, exchange)))
	s.Page(s.Last).Has(t, `[data-status="waiting"]`)
	if !slices.Equal(p.Revoked, []string{"planted-access-0001"}) {
		t.Errorf("revoked %q", p.Revoked)
	}
	page = s.Page("/servers/" + id + "/sign-in")
	page.Has(t, `[data-purpose="revocation"]`, `"revoked the access token"`)
	s.Follow("/servers/"+id+"/sign-in", url.Values{"do": {"out"}})
	if !slices.Equal(p.Revoked[1:], []string{"planted-refresh-0002", "planted-refresh-0001"}) {
		t.Errorf("then revoked %q", p.Revoked[1:])
	}
	for where, data := range s.Stored() {
		if found := sitetest.Leaks(where, data, p.Revoked); len(found) > 0 {
			t.Error(found)
		}
	}
}

// A sign-in for any other reason revokes nothing: what the server refused may be
// good elsewhere.
func TestSignIn_AgainRevokesNothing(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	id := s.SignedIn(p)
	p.Forget()
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
	exchange := strings.TrimPrefix(s.Last, "/x/")
	s.Page(sitetest.Back(s.Leave(id, exchange)))
	s.Page(s.Last).Has(t, `[data-status="waiting"]`)
	if len(p.Revoked) > 0 {
		t.Errorf("revoked %q", p.Revoked)
	}
}
