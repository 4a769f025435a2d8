package authserver

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// protocol has the functions that the library calls once it has read a request.
type protocol struct {
	op.UnimplementedServer
	s *Server
}

// Errors of RFC 6749, section 4.1.2.1, and RFC 9101, section 7, that the
// library has no name for.
const (
	unsupportedResponseType = "unsupported_response_type"
	requestURINotSupported  = "request_uri_not_supported"
	temporarilyUnavailable  = "temporarily_unavailable"
)

// Keys returns the public keys of access tokens.
func (p protocol) Keys(context.Context, *op.Request[struct{}]) (*op.Response, error) {
	keys := p.s.signingKeys()
	set := jose.JSONWebKeySet{}
	for _, k := range keys {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: k.private.Public(), KeyID: k.id,
			Algorithm: string(algorithm), Use: "sig"})
	}
	return op.NewResponse(set), nil
}

// VerifyAuthRequest returns the client of a request. Its errors are shown to
// the user: without a known client and address there is nowhere to go back to.
func (p protocol) VerifyAuthRequest(_ context.Context, r *op.Request[oidc.AuthRequest]) (
	*op.ClientRequest[oidc.AuthRequest], error) {
	c, err := p.s.client(r.Data.ClientID)
	if err != nil {
		return nil, oidc.ErrInvalidRequestRedirectURI().
			WithDescription("the client_id is not one of this server")
	}
	if !c.accepts(r.Data.RedirectURI) {
		return nil, oidc.ErrInvalidRequestRedirectURI().
			WithDescription("the redirect_uri is not one that the client has registered")
	}
	// The library has other words for a response type that is not supported;
	// Authorize refuses it.
	c.responses = []oidc.ResponseType{r.Data.ResponseType}
	if len(r.Data.Scopes) == 0 {
		r.Data.Scopes = oidc.SpaceDelimitedArray{p.s.Scopes[0].Name}
	}
	return &op.ClientRequest[oidc.AuthRequest]{Request: r, Client: c}, nil
}

// pending is an authorization request that waits for the user.
type pending struct {
	Client    string   `json:"client"` // ID
	Name      string   `json:"name,omitempty"`
	Redirect  string   `json:"redirect"`
	State     string   `json:"state,omitempty"`
	Challenge string   `json:"challenge"`
	Scopes    []string `json:"scopes"`
	Resource  string   `json:"resource"`
}

// challengePattern is a code challenge of S256 (RFC 7636, section 4.2).
var challengePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// Authorize checks the rest of a request and sends the user to the page. Errors
// go to the client.
func (p protocol) Authorize(_ context.Context, r *op.ClientRequest[oidc.AuthRequest]) (*op.Redirect, error) {
	d := r.Data
	resource, err := p.s.resource(r.Form)
	switch {
	case d.ResponseType != oidc.ResponseTypeCode:
		return nil, &oidc.Error{ErrorType: unsupportedResponseType, Description: "response_type must be code"}
	case d.ResponseMode != "" && d.ResponseMode != oidc.ResponseModeQuery:
		return nil, oidc.ErrInvalidRequest().WithDescription("response_mode must be query")
	case d.RequestParam != "":
		return nil, oidc.ErrRequestNotSupported()
	case r.Form.Has("request_uri"):
		return nil, &oidc.Error{ErrorType: requestURINotSupported}
	case slices.Contains(d.Prompt, oidc.PromptNone):
		return nil, oidc.ErrInteractionRequired().WithDescription("the user has to decide")
	case d.CodeChallenge == "":
		return nil, oidc.ErrInvalidRequest().WithDescription("code_challenge is missing: PKCE is required")
	case d.CodeChallengeMethod != oidc.CodeChallengeMethodS256:
		return nil, oidc.ErrInvalidRequest().WithDescription("code_challenge_method must be S256")
	case !challengePattern.MatchString(d.CodeChallenge):
		return nil, oidc.ErrInvalidRequest().WithDescription("code_challenge is no SHA-256 in base64url")
	case !p.s.knows(d.Scopes):
		return nil, oidc.ErrInvalidScope().WithDescription("a scope is not one of this server")
	case err != nil:
		return nil, err
	}
	c, _ := r.Client.(*client)
	sealed, err := p.s.seal(requestKind, requestLife, pending{
		Client: c.id, Name: c.Name, Redirect: d.RedirectURI, State: d.State, Challenge: d.CodeChallenge,
		Scopes: once(d.Scopes), Resource: resource,
	})
	if err != nil {
		return nil, err
	}
	return op.NewRedirect(p.s.Issuer() + "/consent?request=" + url.QueryEscape(sealed)), nil
}

// once returns the scopes without those that are repeated.
func once(scopes []string) []string {
	var list []string
	for _, scope := range scopes {
		if !slices.Contains(list, scope) {
			list = append(list, scope)
		}
	}
	return list
}

// knows reports whether the server has all these scopes.
func (s *Server) knows(scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(name string) bool {
		return name != offlineAccess && s.meaning(name) == ""
	})
}

// meaning returns the permission of a scope, or "" if the server does not have
// it.
func (s *Server) meaning(scope string) string {
	for _, x := range s.Scopes {
		if x.Name == scope {
			return x.Meaning
		}
	}
	return ""
}

// resource returns the resource that a token is to be for (RFC 8707): any MCP
// server of this program, so that a token for another one than the protected
// can be tried, or the address of a capture in front of one.
func (s *Server) resource(form url.Values) (string, error) {
	list := form["resource"]
	if len(list) == 0 || list[0] == "" {
		return s.Resource, nil
	}
	u, err := url.Parse(list[0])
	if err != nil || !s.isOwn(u) || u.User != nil || strings.Contains(list[0], "#") ||
		!strings.HasPrefix(u.Path, "/mcp/") && !strings.HasPrefix(u.Path, "/c/") ||
		len(list[0]) > maxResource {
		return "", invalidTarget("the resource is not one of this server's")
	}
	return list[0], nil
}

const maxResource = 1000

// isOwn reports whether a URL is one of this program, which on the machine of the user has
// several names.
func (s *Server) isOwn(u *url.URL) bool {
	base, err := url.Parse(s.BaseURL)
	return originOf(u) == s.BaseURL || err == nil && u.Scheme == base.Scheme && u.Port() == base.Port() &&
		isLoopback(u.Hostname()) && isLoopback(base.Hostname())
}

// VerifyClient returns the client of a request for a token.
func (p protocol) VerifyClient(_ context.Context, r *op.Request[op.ClientCredentials]) (op.Client, error) {
	c, err := p.s.client(r.Data.ClientID)
	if err == nil {
		err = p.s.authenticate(c, r.Data.ClientSecret, r.Header.Get("Authorization") != "")
	}
	if err != nil {
		return nil, op.NewStatusError(oidc.ErrInvalidClient().WithDescription("%s", err),
			http.StatusUnauthorized)
	}
	return c, nil
}

// CodeExchange exchanges a code for tokens. A code that comes a second time
// ends the grant that it began (RFC 6749, section 4.1.2).
func (p protocol) CodeExchange(ctx context.Context, r *op.ClientRequest[oidc.AccessTokenRequest]) (
	*op.Response, error) {
	var g grant
	id, err := p.s.open(codeKind, r.Data.Code, &g)
	switch {
	case err != nil:
		return nil, invalidGrant("the code is unknown or has expired")
	case g.Client != r.Client.GetID():
		return nil, invalidGrant("the code belongs to another client")
	case r.Data.RedirectURI != unsaid && r.Data.RedirectURI != g.Redirect:
		return nil, invalidGrant("the redirect_uri is not that of the authorization request")
	}
	challenge := &oidc.CodeChallenge{Challenge: g.Challenge, Method: oidc.CodeChallengeMethodS256}
	if err := op.AuthorizeCodeChallenge(r.Data.CodeVerifier, challenge); err != nil {
		return nil, err
	}
	if err := p.s.checkResource(r.Form, g); err != nil {
		return nil, err
	}
	if err := p.s.use(ctx, "code "+id, g, codeLife); err != nil {
		return nil, err
	}
	return p.s.tokens(g, g.Scopes, r.Client)
}

// RefreshToken exchanges a refresh token for an access token and another refresh
// token. One that comes a second time ends its grant (OAuth 2.1, section 4.3.1).
func (p protocol) RefreshToken(ctx context.Context, r *op.ClientRequest[oidc.RefreshTokenRequest]) (
	*op.Response, error) {
	var g grant
	id, err := p.s.open(refreshKind, r.Data.RefreshToken, &g)
	switch {
	case err != nil:
		return nil, invalidGrant("the refresh token is unknown or has expired")
	case g.Client != r.Client.GetID():
		return nil, invalidGrant("the refresh token belongs to another client")
	}
	scopes := g.Scopes
	if len(r.Data.Scopes) > 0 {
		scopes = r.Data.Scopes
	}
	for _, scope := range scopes {
		if !slices.Contains(g.Scopes, scope) {
			return nil, oidc.ErrInvalidScope().WithDescription("the user did not grant all of these scopes")
		}
	}
	if err := p.s.checkResource(r.Form, g); err != nil {
		return nil, err
	}
	if err := p.s.use(ctx, "refresh "+id, g, refreshLife); err != nil {
		return nil, err
	}
	return p.s.tokens(g, scopes, r.Client)
}

// checkResource compares the resource of a token request with that of the
// authorization request.
func (s *Server) checkResource(form url.Values, g grant) error {
	if form.Get("resource") == "" {
		return nil
	}
	if resource, err := s.resource(form); err != nil || resource != g.Resource {
		return invalidTarget("the user granted access to another resource")
	}
	return nil
}

// use records the only use of a code or a refresh token.
func (s *Server) use(ctx context.Context, name string, g grant, life time.Duration) error {
	_, revoked, err := s.Memory.Get(revokedGrant + g.ID)
	switch {
	case err != nil:
		return s.unavailable(err)
	case revoked:
		return invalidGrant("the grant was revoked")
	}
	first, err := s.Memory.Put(name, "", callerFrom(ctx), life+skew)
	if err != nil {
		return s.unavailable(err)
	}
	if first {
		return nil
	}
	if err := s.revoke(ctx, revokedGrant+g.ID); err != nil {
		return err
	}
	return invalidGrant("it was used before, so everything that was granted with it is revoked")
}

// Revocation revokes a token (RFC 7009): a refresh token with its grant, or one
// access token. A token that is not known is revoked already.
func (p protocol) Revocation(ctx context.Context, r *op.ClientRequest[oidc.RevocationRequest]) (
	*op.Response, error) {
	var g grant
	name := ""
	if _, err := p.s.open(refreshKind, r.Data.Token, &g); err == nil {
		name = revokedGrant + g.ID
	} else if a, err := p.s.Verify(r.Data.Token); err == nil {
		g.Client, name = a.Client, revokedToken+a.ID
	} else if errors.Is(err, ErrUnknown) {
		return nil, p.s.unavailable(err)
	}
	switch {
	case name == "":
		return op.NewResponse(nil), nil
	case g.Client != r.Client.GetID():
		return nil, invalidGrant("the token belongs to another client")
	}
	if err := p.s.revoke(ctx, name); err != nil {
		return nil, err
	}
	return op.NewResponse(nil), nil
}

// Names of revoked things in the memory.
const (
	revokedGrant = "revoked grant "
	revokedToken = "revoked token "
)

// revoke remembers that something is revoked until it has expired.
func (s *Server) revoke(ctx context.Context, name string) error {
	if _, err := s.Memory.Put(name, "", callerFrom(ctx), refreshLife+skew); err != nil {
		return s.unavailable(err)
	}
	return nil
}

// unavailable returns the answer to a request when the memory has failed with err.
func (s *Server) unavailable(err error) error {
	description := "the tokens cannot be read or written now; try again"
	if errors.Is(err, ErrFull) {
		s.Refused()
		description = "too many tokens are in use; try again tomorrow"
	}
	return op.NewStatusError(&oidc.Error{ErrorType: temporarilyUnavailable, Description: description},
		http.StatusServiceUnavailable)
}

func invalidGrant(description string) error {
	return oidc.ErrInvalidGrant().WithDescription("%s", description)
}
