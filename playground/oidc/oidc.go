// Package oidc signs people in with OpenID Connect: the authorization code flow with state,
// nonce and a code challenge (OpenID Connect Core 1.0, section 3.1; RFC 7636). The protocol is
// that of github.com/zitadel/oidc.
package oidc

import (
	"cmp"
	"context"
	"crypto"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zitadel/oidc/v3/pkg/client"
	"github.com/zitadel/oidc/v3/pkg/client/rp"
	"github.com/zitadel/oidc/v3/pkg/oidc"

	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/people"
)

// Config says who signs people in.
type Config struct {
	Issuer   string        // URL, as the issuer spells it
	ClientID string        // that the issuer knows this program by
	Secret   string        // of the client; "" for a public one, or one with a Key
	Key      crypto.Signer // with which the client authenticates in place of a secret; may be nil
	Redirect string        // URL that the issuer sends the browser back to
	Require  []Claim       // that an ID token must have, all of them
	Client   *http.Client  // nil means one with a timeout
	Now      func() time.Time
}

// Claim is a claim with the value that it must have, or have among its values.
type Claim struct{ Name, Value string }

// ParseClaim reads NAME=VALUE.
func ParseClaim(text string) (Claim, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" || value == "" {
		return Claim{}, fmt.Errorf("%q is not CLAIM=VALUE, such as hd=example.com", text)
	}
	return Claim{name, value}, nil
}

// What a sign-in can end with, besides an Identity.
var (
	ErrAway    = errors.New("the identity provider does not answer")
	ErrForeign = errors.New("the sign-in belongs to another browser, or has ended")
	ErrInvalid = errors.New("the identity provider's answer is not valid")
	ErrBarred  = errors.New("the account lacks a claim that is required here")
)

// Denied is an error that the provider sent the browser back with (RFC 6749, section
// 4.1.2.1).
type Denied struct{ Code, Description string }

func (d *Denied) Error() string { return "the identity provider refused: " + d.Code }

const (
	patience   = 15 * time.Second // with the provider, for one step
	ticketLife = 10 * time.Minute
)

// Provider signs people in. It asks the issuer for its endpoints when it first needs them, so
// that a start does not depend on it. It may be used from several goroutines.
type Provider struct {
	Config

	mu sync.Mutex
	rp rp.RelyingParty // nil until the issuer has answered
}

// New returns a Provider.
func New(c Config) *Provider {
	if c.Client == nil {
		c.Client = &http.Client{Timeout: patience}
	}
	return &Provider{Config: c}
}

// nonceKey is where a context has the nonce that an ID token must have.
type nonceKey struct{}

// party returns the client of the issuer.
func (p *Provider) party(ctx context.Context) (rp.RelyingParty, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rp != nil {
		return p.rp, nil
	}
	made, err := rp.NewRelyingPartyOIDC(ctx, p.Issuer, p.ClientID, p.Secret, p.Redirect,
		[]string{oidc.ScopeOpenID, oidc.ScopeProfile, oidc.ScopeEmail},
		rp.WithHTTPClient(p.Client), rp.WithSigningAlgsFromDiscovery(),
		rp.WithVerifierOpts(rp.WithNonce(func(ctx context.Context) string {
			nonce, _ := ctx.Value(nonceKey{}).(string)
			return nonce
		})))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	p.rp = made
	return made, nil
}

// Begin returns the URL at which a person signs in, and the ticket of the browser. next is the
// page to open then.
func (p *Provider) Begin(ctx context.Context, next string) (string, people.Ticket, error) {
	party, err := p.party(ctx)
	if err != nil {
		return "", people.Ticket{}, err
	}
	t := people.Ticket{
		State: rand.Text(), Nonce: rand.Text(), Verifier: rand.Text() + rand.Text(), Next: next,
		Until: p.Now().Add(ticketLife).Unix(),
	}
	return rp.AuthURL(t.State, party, rp.WithCodeChallenge(oidc.NewSHACodeChallenge(t.Verifier)),
		rp.AuthURLOpt(rp.WithURLParam("nonce", t.Nonce))), t, nil
}

// Finish returns who has signed in, from what the issuer sent the browser back with, if it
// belongs to the ticket. The caller makes sure that a ticket is used once.
func (p *Provider) Finish(ctx context.Context, t people.Ticket, answer url.Values) (people.Identity, error) {
	var none people.Identity
	switch issuer := answer.Get("iss"); {
	case t.State == "" || answer.Get("state") != t.State || p.Now().Unix() >= t.Until:
		return none, ErrForeign
	case issuer != "" && issuer != p.Issuer: // RFC 9207, section 2.4
		return none, fmt.Errorf("%w: it is of another issuer", ErrInvalid)
	case answer.Get("error") != "":
		return none, &Denied{answer.Get("error"), answer.Get("error_description")}
	case answer.Get("code") == "":
		return none, fmt.Errorf("%w: it has no code", ErrInvalid)
	}
	party, err := p.party(ctx)
	if err != nil {
		return none, err
	}
	options := []rp.CodeExchangeOpt{rp.WithCodeVerifier(t.Verifier)}
	if p.Key != nil {
		signed, err := p.assertion()
		if err != nil {
			return none, err
		}
		options = append(options, rp.WithClientAssertionJWT(signed))
	}
	ctx = context.WithValue(ctx, nonceKey{}, t.Nonce)
	tokens, err := rp.CodeExchange[*oidc.IDTokenClaims](ctx, answer.Get("code"), party, options...)
	if err != nil {
		return none, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return p.identity(tokens.IDTokenClaims, p.askMore(ctx, party, tokens))
}

// askMore returns the claims of the userinfo endpoint if the ID token has no name, or lacks a
// claim: a provider need not put them into the token (OpenID Connect Core 1.0, section 5.4).
// Without an answer it returns none.
func (p *Provider) askMore(
	ctx context.Context, party rp.RelyingParty, tokens *oidc.Tokens[*oidc.IDTokenClaims],
) *oidc.UserInfo {
	c, none := tokens.IDTokenClaims, new(oidc.UserInfo)
	lacks := slices.ContainsFunc(p.Require, func(want Claim) bool { return c.Claims[want.Name] == nil })
	if c.Name != "" && !lacks || party.UserinfoEndpoint() == "" {
		return none
	}
	more, err := rp.Userinfo[*oidc.UserInfo](ctx, tokens.AccessToken, tokens.Type(), c.Subject, party)
	if err != nil { // or it is about someone else
		return none
	}
	return more
}

// assertion returns a signed assertion of the client (RFC 7523, section 2.2).
func (p *Provider) assertion() (string, error) {
	signer, err := auth.Signer(p.Key)
	if err != nil {
		return "", err
	}
	return client.SignedJWTProfileAssertion(p.ClientID, []string{p.Issuer}, time.Minute, signer)
}

// identity returns whom an ID token is about, unless it and the userinfo lack a claim.
func (p *Provider) identity(c *oidc.IDTokenClaims, more *oidc.UserInfo) (people.Identity, error) {
	i := people.Identity{Issuer: p.Issuer, Subject: c.Subject, Name: cmp.Or(
		c.Name, more.Name, c.PreferredUsername, more.PreferredUsername, c.Email, more.Email,
	)}
	for _, want := range p.Require {
		claim := c.Claims[want.Name]
		if claim == nil {
			claim = more.Claims[want.Name]
		}
		if !has(claim, want.Value) {
			return i, fmt.Errorf("%w: %s", ErrBarred, want.Name)
		}
	}
	if !i.IsValid() {
		return i, fmt.Errorf("%w: it has no usable subject", ErrInvalid)
	}
	return i, nil
}

// has reports whether the value of a claim is a text, or has it among its values.
func has(claim any, value string) bool {
	if list, ok := claim.([]any); ok {
		return slices.ContainsFunc(list, func(one any) bool { return has(one, value) })
	}
	return claim != nil && fmt.Sprint(claim) == value
}
