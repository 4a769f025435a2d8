package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// maxToken is how long an access token and its refresh token may be together, in
// bytes.
const maxToken = 16 << 10

// grantRefused is the fault of a code or refresh token that is not good any
// more.
const grantRefused = "grant-refused"

// GrantRefused reports whether a refresh token was refused for good. Any other
// failure may pass.
func (s *SignIn) GrantRefused() bool {
	f := s.Fault()
	return f != nil && (f.ID == grantRefused || f.ID == "client-refused" || f.ID == "token-long")
}

// Token is an access token with everything that its use, refresh and revocation
// need. All of it is secret.
type Token struct {
	Access  string    `json:"access"`
	Refresh string    `json:"refresh,omitempty"`
	Expires time.Time `json:"expires,omitzero"` // zero if the server does not say
	Scopes  []string  `json:"scopes,omitempty"` // granted, or else requested
	// Requested are the scopes that were asked for, which a later sign-in asks
	// for again.
	Requested []string     `json:"requested,omitempty"`
	Resource  string       `json:"resource"`
	Issuer    string       `json:"issuer"`
	Endpoint  string       `json:"endpoint"` // token endpoint
	Revoke    string       `json:"revoke,omitempty"`
	Client    Registration `json:"client"` // with its secret
	// Replaced are refresh tokens of the same client that this token has replaced,
	// and that are revoked with it.
	Replaced []string `json:"replaced,omitempty"`
	// Deviations are those of the sign-in that the token came from.
	Deviations []playground.Deviation `json:"deviations,omitempty"`
}

// Field returns the header field that carries the token (RFC 6750, section
// 2.1).
func (t Token) Field() wire.Field {
	return wire.Field{Name: "Authorization", Value: "Bearer " + t.Access}
}

// Expired reports whether the token is no longer good at a time, with some
// seconds for the way.
func (t Token) Expired(now time.Time) bool {
	return !t.Expires.IsZero() && !now.Add(5*time.Second).Before(t.Expires)
}

// Fewer returns the scopes of the token without the last one, which a server
// asked for last. It is nil if there is no other.
func (t Token) Fewer() []string {
	scopes := slices.DeleteFunc(slices.Clone(t.Scopes), func(s string) bool { return s == offlineAccess })
	if len(scopes) < 2 {
		return nil
	}
	scopes = scopes[:len(scopes)-1]
	if slices.Contains(t.Scopes, offlineAccess) {
		scopes = append(scopes, offlineAccess)
	}
	return scopes
}

// Narrow requests a second token with fewer scopes (RFC 6749, section 6). kept is
// t as it is good after that: authorization servers replace refresh tokens. narrow
// is nil if there is none; the SignIn has the reason.
func (c Client) Narrow(ctx context.Context, server string, t Token) (in *SignIn, narrow *Token, kept Token) {
	less := t
	if less.Requested = t.Fewer(); t.Refresh == "" || less.Requested == nil {
		return nil, nil, t
	}
	in, narrow = c.Refresh(ctx, server, less)
	if narrow != nil {
		t.Refresh = narrow.Refresh
	}
	return in, narrow, t
}

// exchange exchanges an authorization code for a token.
func (f *flow) exchange(code string) *Token {
	return f.token(AskToken, func(ctx context.Context) (*oauth2.Token, error) {
		options := f.options(oauth2.VerifierOption(f.s.Private.Verifier))
		for name, values := range f.assertion() {
			options = append(options, oauth2.SetAuthURLParam(name, values[0]))
		}
		return f.config().Exchange(ctx, code, options...)
	})
}

// Credentials signs the client in for itself, without a user: with its ID and
// its secret or key (the client_credentials grant). The SignIn has the result;
// the Token is nil if it failed.
func (c Client) Credentials(ctx context.Context, server string, challenge Challenge, k Known) (*SignIn,
	*Token) {
	s := &SignIn{Server: server, Challenge: challenge, Stage: Discovering}
	s.Before, _ = union(nil, k.Scopes)
	f := c.flow(ctx, s)
	f.machine = true
	f.begin(k)
	if !f.discover() || !f.register() {
		return s, nil
	}
	f.leaveOut()
	params := url.Values{"resource": {s.Resource}}
	if s.leavesOut() {
		params = url.Values{}
	}
	return s, f.grant(AskToken, params)
}

// Refresh exchanges a refresh token for a new access token. The SignIn has the
// result; the Token is nil if it failed.
func (c Client) Refresh(ctx context.Context, server string, t Token) (*SignIn, *Token) {
	s := &SignIn{Server: server, Stage: Exchanging, Resource: t.Resource, Issuer: t.Issuer,
		Scopes: t.Requested}
	f := c.flow(ctx, s)
	s.Metadata.Issuer, s.Metadata.TokenEndpoint, s.Metadata.RevocationEndpoint = t.Issuer, t.Endpoint,
		t.Revoke
	s.Client, s.Private.Secret, s.Private.key = t.Client, t.Client.Secret, t.Client.Key
	s.Client.Secret, s.Client.Key = "", nil
	f.hideToken(t)
	params := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {t.Refresh}}
	if slices.Contains(t.Deviations, playground.DeviateResource) {
		f.deviate(playground.DeviateResource)
	} else {
		params.Set("resource", s.Resource)
	}
	fresh := f.grant(RefreshToken, params)
	if fresh == nil {
		return s, nil
	}
	if fresh.Refresh == "" {
		fresh.Refresh = t.Refresh // the server did not rotate it (RFC 6749, section 6)
	}
	fresh.Replaced, fresh.Deviations = t.Replaced, t.Deviations
	return s, fresh
}

// grant requests a token with these parameters, for a client that acts without
// the browser.
func (f *flow) grant(p Purpose, params url.Values) *Token {
	c := f.config()
	for name, values := range f.assertion() {
		params[name] = values
	}
	library := clientcredentials.Config{
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, TokenURL: c.Endpoint.TokenURL,
		AuthStyle: c.Endpoint.AuthStyle, Scopes: c.Scopes, EndpointParams: params,
	}
	return f.token(p, library.Token)
}

// token requests a token and reads the response.
func (f *flow) token(p Purpose, request func(context.Context) (*oauth2.Token, error)) *Token {
	s := f.s
	step := f.step(p, s.Metadata.TokenEndpoint)
	ctx := context.WithValue(f.wire.ctx, oauth2.HTTPClient, f.wire.client())
	got, err := request(ctx)
	step.sent(f.wire)
	if err != nil {
		step.fault(tokenFault(step, s.Metadata.TokenEndpoint, err))
		s.Private.State, s.Private.Verifier = "", ""
		return nil
	}
	identity, _ := got.Extra("id_token").(string)
	f.hide(got.AccessToken, got.RefreshToken, identity)
	if !strings.EqualFold(got.Type(), "Bearer") {
		step.fault(fatal("token-type", clauseToken,
			"The token is of the type %s, but this client can send only Bearer tokens.",
			f.visible(got.TokenType, 40)))
		return nil
	}
	if len(got.AccessToken)+len(got.RefreshToken) > maxToken {
		step.fault(fatal("token-long", clauseToken,
			"The tokens have more than %d bytes, so they are not kept.", maxToken))
		return nil
	}
	t := &Token{
		Access: got.AccessToken, Refresh: got.RefreshToken, Expires: got.Expiry, Requested: s.Scopes,
		Scopes: s.Scopes, Resource: s.Resource, Issuer: s.Issuer, Endpoint: s.Metadata.TokenEndpoint,
		Revoke: s.Metadata.RevocationEndpoint, Client: s.Client, Deviations: s.Deviations,
	}
	t.Client.Secret, t.Client.Key = s.Private.Secret, s.Private.key
	if scope, ok := got.Extra("scope").(string); ok && scope != "" {
		t.Scopes, _ = union(nil, strings.Fields(f.mask(scope)))
	}
	if wire.CheckField(t.Field()) != nil {
		step.fault(fatal("token-bytes", clauseToken,
			"The access token has characters that a header cannot carry."))
		return nil
	}
	step.judge(*t, got)
	s.Private.State, s.Private.Verifier = "", ""
	s.Stage = Done
	return t
}

// judge records the content of the token response, and its gaps.
func (r *request) judge(t Token, got *oauth2.Token) {
	if json.Valid(r.response.Body) {
		r.checkType(clauseToken)
	} else {
		r.warn("token-form", clauseToken, "The token response is a form instead of JSON.")
	}
	if got.TokenType == "" {
		r.warn("no-token-type", clauseToken, "The token response has no token_type, which is required.")
	}
	var missing []string
	for _, scope := range t.Requested {
		if !slices.Contains(t.Scopes, scope) && scope != offlineAccess {
			missing = append(missing, scope)
		}
	}
	if len(missing) > 0 {
		r.warn("scopes-missing", clauseToken, "The token was granted without the requested scopes %s.",
			r.flow.visible(strings.Join(missing, " "), 200))
	}
	if t.Expires.IsZero() {
		r.found("The authorization server gave an access token. It does not say how long it is good for.")
		return
	}
	left := t.Expires.Sub(r.flow.c.Now()).Round(time.Second)
	r.found("The authorization server gave an access token that is good for %s.", lifetime(left))
}

// lifetime returns how long a token is good, in words.
func lifetime(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return text.Plural(int(d/time.Hour), "hour")
	case d >= time.Minute && d%time.Minute == 0:
		return text.Plural(int(d/time.Minute), "minute")
	}
	return text.Plural(int(d/time.Second), "second")
}

// tokenFault returns the fault of a token request that failed.
func tokenFault(r *request, endpoint string, err error) Fault {
	var refused *oauth2.RetrieveError
	switch {
	case r.failure != nil:
		return connectionFault(endpoint, r.failure)
	case errors.As(err, &refused) && refusesResource(refused.ErrorCode, refused.ErrorDescription) &&
		!r.flow.s.leavesOut():
		return refusedBy(r, resourceRefused, clauseResourceIndicator,
			"The authorization server does not accept the parameter resource")
	case errors.As(err, &refused) && refused.ErrorCode == "invalid_client":
		return refusedBy(r, "client-refused", clauseToken,
			"The authorization server did not accept this client")
	case errors.As(err, &refused) && refused.ErrorCode == "invalid_grant":
		return refusedBy(r, grantRefused, clauseToken, "The authorization server gave no token")
	case errors.As(err, &refused):
		return refusedBy(r, "token-refused", clauseToken, "The authorization server gave no token")
	case !json.Valid(r.response.Body):
		return fatal("not-json", clauseToken, "The token response is not JSON, and its Content-Type is %q.",
			r.flow.visible(r.head.Get("Content-Type"), 80))
	case r.head.Status/100 == 2:
		return fatal("no-access-token", clauseToken,
			"The token response has no access_token that can be used.")
	}
	return fatal("token-refused", clauseToken, "The authorization server gave no token: %s",
		r.flow.visible(err.Error(), 200))
}
