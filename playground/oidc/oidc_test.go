package oidc_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/oidc"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc/oidctest"
	"github.com/mrtr-playground/mrtr-playground/playground/people"
)

const redirect = "https://play.example/sign-in/callback"

func newProvider(p *oidctest.Provider, require ...oidc.Claim) *oidc.Provider {
	return oidc.New(oidc.Config{
		Issuer: p.URL, ClientID: "play", Secret: "s3cret", Redirect: redirect, Require: require,
		Now: time.Now,
	})
}

func TestProvider_SignsIn(t *testing.T) {
	idp := oidctest.New(t)
	idp.Claims = map[string]any{"groups": []string{"a", "mcp"}}
	p := newProvider(idp, oidc.Claim{Name: "groups", Value: "mcp"})
	to, ticket, err := p.Begin(t.Context(), "/x/1")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "play", "redirect_uri": redirect, "state": ticket.State,
		"nonce": ticket.Nonce, "code_challenge_method": "S256", "scope": "openid profile email",
	} {
		if got := u.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	got, err := p.Finish(t.Context(), ticket, idp.Back(t, to).Query())
	want := people.Identity{Issuer: idp.URL, Subject: "ada", Name: "Ada Lovelace"}
	if got != want || err != nil || ticket.Next != "/x/1" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestProvider_WithKey(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	idp := oidctest.New(t)
	p := oidc.New(oidc.Config{Issuer: idp.URL, ClientID: "play", Key: key, Redirect: redirect, Now: time.Now})
	to, ticket, err := p.Begin(t.Context(), "/")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Finish(t.Context(), ticket, idp.Back(t, to).Query()); err != nil {
		t.Error(err)
	}
	if idp.Form.Get("client_assertion") == "" || idp.Form.Get("client_secret") != "" {
		t.Errorf("the token endpoint got %v", idp.Form)
	}
}

// attempt is a sign-in that something changes on its way.
type attempt struct {
	idp    *oidctest.Provider
	ticket people.Ticket
	answer url.Values
}

// TestProvider_Refuses: what does not belong to the ticket, or is not vouched for, signs no one in.
func TestProvider_Refuses(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*attempt)
		want   error
	}{
		"another state": {func(a *attempt) { a.answer.Set("state", "x") }, oidc.ErrForeign},
		"no state":      {func(a *attempt) { a.answer.Del("state") }, oidc.ErrForeign},
		"no ticket":     {func(a *attempt) { a.ticket = people.Ticket{} }, oidc.ErrForeign},
		"no ticket, none": {func(a *attempt) {
			a.ticket = people.Ticket{}
			a.answer.Del("state")
		}, oidc.ErrForeign},
		"too late":     {func(a *attempt) { a.ticket.Until = time.Now().Unix() - 1 }, oidc.ErrForeign},
		"no code":      {func(a *attempt) { a.answer.Del("code") }, oidc.ErrInvalid},
		"another code": {func(a *attempt) { a.answer.Set("code", "x") }, oidc.ErrInvalid},
		"another issuer": {func(a *attempt) { a.answer.Set("iss", "https://evil.example") },
			oidc.ErrInvalid},
		"another verifier": {func(a *attempt) { a.ticket.Verifier = "x" }, oidc.ErrInvalid},
		"another nonce":    {func(a *attempt) { a.idp.Nonce = "x" }, oidc.ErrInvalid},
		"a forged token":   {func(a *attempt) { a.idp.Forge = true }, oidc.ErrInvalid},
		"another audience": {func(a *attempt) { a.idp.Claims["aud"] = "other" }, oidc.ErrInvalid},
		"an old token":     {func(a *attempt) { a.idp.Claims["exp"] = 1 }, oidc.ErrInvalid},
		"no subject":       {func(a *attempt) { a.idp.Claims["sub"] = "" }, oidc.ErrInvalid},
		"a lacking claim":  {func(a *attempt) { a.idp.Claims["hd"] = "evil.example" }, oidc.ErrBarred},
	} {
		t.Run(name, func(t *testing.T) {
			idp := oidctest.New(t)
			idp.Claims = map[string]any{"hd": "team.example"}
			p := newProvider(idp, oidc.Claim{Name: "hd", Value: "team.example"})
			to, ticket, err := p.Begin(t.Context(), "/")
			if err != nil {
				t.Fatal(err)
			}
			q := idp.Back(t, to).Query()
			a := &attempt{idp, ticket, q}
			tt.change(a)
			if got, err := p.Finish(t.Context(), a.ticket, a.answer); !errors.Is(err, tt.want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestProvider_CodeWorksOnce(t *testing.T) {
	idp := oidctest.New(t)
	p := newProvider(idp)
	to, ticket, err := p.Begin(t.Context(), "/")
	if err != nil {
		t.Fatal(err)
	}
	q := idp.Back(t, to).Query()
	if _, err := p.Finish(t.Context(), ticket, q); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Finish(t.Context(), ticket, q); !errors.Is(err, oidc.ErrInvalid) {
		t.Error(err)
	}
}

func TestProvider_Denied(t *testing.T) {
	idp := oidctest.New(t)
	p := newProvider(idp)
	_, ticket, err := p.Begin(t.Context(), "/")
	if err != nil {
		t.Fatal(err)
	}
	var denied *oidc.Denied
	_, err = p.Finish(t.Context(), ticket, url.Values{"state": {ticket.State}, "error": {"access_denied"}})
	if !errors.As(err, &denied) || denied.Code != "access_denied" {
		t.Error(err)
	}
}

// TestProvider_Away: an issuer that does not answer is asked again at the next sign-in.
func TestProvider_Away(t *testing.T) {
	idp := oidctest.New(t)
	p := newProvider(idp)
	here := p.Issuer
	p.Issuer = "http://127.0.0.1:1"
	if _, _, err := p.Begin(t.Context(), "/"); !errors.Is(err, oidc.ErrAway) {
		t.Error(err)
	}
	p.Issuer = here
	if _, _, err := p.Begin(t.Context(), "/"); err != nil {
		t.Error(err)
	}
}

func TestParseClaim(t *testing.T) {
	if c, err := oidc.ParseClaim("groups=a=b"); c != (oidc.Claim{Name: "groups", Value: "a=b"}) ||
		err != nil {
		t.Error(c, err)
	}
	for _, text := range []string{"", "groups", "=a", "groups="} {
		if _, err := oidc.ParseClaim(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// TestProvider_AsksForMore: a name, and a claim that is required, may be at the userinfo endpoint
// alone; what that says of someone else does not count.
func TestProvider_AsksForMore(t *testing.T) {
	for subject, want := range map[string]error{"ada": nil, "bob": oidc.ErrBarred} {
		idp := oidctest.New(t)
		idp.Claims = map[string]any{"name": nil}
		idp.Info = map[string]any{"sub": subject, "name": "Ada", "groups": []string{"mcp"}}
		p := newProvider(idp, oidc.Claim{Name: "groups", Value: "mcp"})
		to, ticket, err := p.Begin(t.Context(), "/")
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Finish(t.Context(), ticket, idp.Back(t, to).Query())
		if !errors.Is(err, want) || want == nil && got.Name != "Ada" {
			t.Errorf("userinfo of %s: %+v, %v", subject, got, err)
		}
	}
}
