package auth

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"golang.org/x/oauth2"
)

// maxReplaced is how many replaced refresh tokens are kept for revocation.
const maxReplaced = 10

// hints are the types of tokens (RFC 7009, section 2.1).
const (
	hintAccess  = "access_token"
	hintRefresh = "refresh_token"
)

// Replacing returns the token, which a step-up gave, and the token that is
// revoked together with it later, the refresh token of the old one. Many
// authorization servers keep one grant for a user and a client, and revoking a
// refresh token revokes its grant, so doing that now would end the new token
// too.
func (t Token) Replacing(old Token) Token {
	if !t.sharesGrant(old) {
		return t
	}
	t.Replaced = slices.Clone(old.Replaced)
	if old.Refresh != "" && old.Refresh != t.Refresh {
		t.Replaced = append(t.Replaced, old.Refresh)
	}
	t.Replaced = t.Replaced[max(0, len(t.Replaced)-maxReplaced):]
	return t
}

// sharesGrant reports whether the authorization server may keep one grant for
// two tokens.
func (t Token) sharesGrant(other Token) bool {
	return t.Issuer == other.Issuer && t.Client.ID == other.Client.ID
}

// RevokeReplaced revokes a token that a step-up has replaced by fresh, where the
// authorization server offers that (RFC 7009): its access token, and everything
// that fresh does not share a grant with. The SignIn has the result; it has no
// steps if there is nothing to revoke.
func (c Client) RevokeReplaced(ctx context.Context, server string, old, fresh Token) *SignIn {
	if !fresh.sharesGrant(old) {
		return c.SignOut(ctx, server, old)
	}
	f := c.revoking(ctx, server, old)
	if old.Revoke != "" && old.Access != fresh.Access && !old.Expired(c.Now()) {
		f.revoke(old, old.Access, hintAccess)
	}
	return f.s
}

// SignOut revokes a token where the authorization server offers that (RFC 7009),
// with the refresh tokens that it has replaced. The SignIn has the result.
func (c Client) SignOut(ctx context.Context, server string, t Token) *SignIn {
	f := c.revoking(ctx, server, t)
	if t.Revoke == "" {
		return f.s
	}
	if t.Refresh != "" {
		f.revoke(t, t.Refresh, hintRefresh)
	} else {
		f.revoke(t, t.Access, hintAccess)
	}
	for _, token := range t.Replaced {
		f.revoke(t, token, hintRefresh)
	}
	return f.s
}

// revoking returns a flow that revokes tokens of t.
func (c Client) revoking(ctx context.Context, server string, t Token) *flow {
	f := c.flow(ctx, &SignIn{Server: server, Stage: Done, Issuer: t.Issuer, Resource: t.Resource})
	s := f.s
	s.Client, s.Private.Secret, s.Private.key = t.Client, t.Client.Secret, t.Client.Key
	s.Client.Secret, s.Client.Key = "", nil
	s.Metadata.TokenEndpoint, s.Metadata.Issuer = t.Endpoint, t.Issuer
	f.hideToken(t)
	return f
}

// revoke revokes one of the tokens of t.
func (f *flow) revoke(t Token, token, hint string) {
	step := f.postForm(RevokeToken, t.Revoke, url.Values{"token": {token}, "token_type_hint": {hint}})
	switch {
	case step.failure != nil:
		step.warn("unreachable", "", "%s cannot be reached: %s", t.Revoke, reason(step.failure))
	case step.oauthError() == "unsupported_token_type": // RFC 7009, section 2.2.1
		step.found("The authorization server cannot revoke a token of this kind. " +
			"It stays good until it expires, but is deleted here.")
	case step.head.Status != http.StatusOK:
		fault := refusedBy(step, "revocation-refused", "RFC 7009, section 2.2",
			"The authorization server did not revoke the token")
		fault.Fatal = false
		step.add(fault)
	case token == t.Refresh:
		step.found("The authorization server revoked the token.")
	case hint == hintRefresh:
		step.found("The authorization server revoked a refresh token that was replaced before.")
	default:
		step.found("The authorization server revoked the access token.")
	}
}

// postForm posts a form with the client's authentication.
func (f *flow) postForm(p Purpose, to string, form url.Values) *request {
	c := f.config()
	for name, values := range f.assertion() {
		form[name] = values
	}
	r, err := http.NewRequestWithContext(f.wire.ctx, http.MethodPost, to, nil)
	if err == nil {
		if c.Endpoint.AuthStyle == oauth2.AuthStyleInHeader {
			r.SetBasicAuth(url.QueryEscape(c.ClientID), url.QueryEscape(c.ClientSecret))
		} else {
			form.Set("client_id", c.ClientID)
			if c.ClientSecret != "" {
				form.Set("client_secret", c.ClientSecret)
			}
		}
		r = withForm(r, form)
	}
	return f.do(p, to, r, err)
}
