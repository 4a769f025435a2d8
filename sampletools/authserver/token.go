package authserver

import (
	"crypto"
	"crypto/ed25519"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// grant is the grant of a user to a client. Codes and refresh tokens carry it.
type grant struct {
	ID        string   `json:"id"`
	Client    string   `json:"client"` // ID
	Subject   string   `json:"subject"`
	Scopes    []string `json:"scopes"`
	Resource  string   `json:"resource"`
	Short     bool     `json:"short,omitempty"` // access tokens expire in a minute
	Redirect  string   `json:"redirect,omitempty"`
	Challenge string   `json:"challenge,omitempty"`
}

// tokens returns the response with an access token for some of the granted
// scopes, and with a refresh token if the user has agreed to that.
func (s *Server) tokens(g grant, scopes []string, c op.Client) (*op.Response, error) {
	life := accessLife
	if g.Short {
		life = shortLife
	}
	access, err := s.accessToken(g, scopes, life)
	if err != nil {
		return nil, err
	}
	out := oidc.AccessTokenResponse{
		AccessToken: access, TokenType: oidc.BearerToken, ExpiresIn: uint64(life.Seconds()), Scope: scopes,
	}
	if slices.Contains(g.Scopes, offlineAccess) && op.ValidateGrantType(c, oidc.GrantTypeRefreshToken) {
		g.Redirect, g.Challenge = "", ""
		if out.RefreshToken, err = s.seal(refreshKind, refreshLife, g); err != nil {
			return nil, err
		}
	}
	return op.NewResponse(out), nil
}

// algorithm signs access tokens. Its keys can be derived from a secret.
const algorithm = jose.EdDSA

// tokenType is the type of access tokens (RFC 9068, section 2.1).
const tokenType = "at+jwt"

// private are the claims of an access token that every JWT may have or not (RFC
// 9068, section 2.2).
type private struct {
	Client string `json:"client_id"`
	Scope  string `json:"scope"`
	Grant  string `json:"grant_id"` // names tokens that are revoked together
}

// accessToken returns a JWT.
func (s *Server) accessToken(g grant, scopes []string, life time.Duration) (string, error) {
	keys := s.signingKeys()
	id, err := s.newID()
	if err != nil {
		return "", err
	}
	key := jose.JSONWebKey{Key: keys[0].private, KeyID: keys[0].id}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key},
		(&jose.SignerOptions{}).WithType(tokenType))
	if err != nil {
		return "", err
	}
	now := s.Now()
	scopes = slices.DeleteFunc(slices.Clone(scopes), func(name string) bool { return name == offlineAccess })
	return jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: s.Issuer(), Subject: g.Subject, Audience: jwt.Audience{g.Resource}, ID: id,
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(life)),
	}).Claims(private{g.Client, strings.Join(scopes, " "), g.ID}).Serialize()
}

// signingKey is a key of access tokens.
type signingKey struct {
	id      string
	private ed25519.PrivateKey
}

// signingKeys returns the keys of access tokens; the first signs new ones. They
// follow from the keys of states, so that they rotate and retire with them.
func (s *Server) signingKeys() []signingKey {
	derived := s.Keys.Derive("access tokens")
	keys := make([]signingKey, len(derived))
	for i, k := range derived {
		keys[i] = signingKey{k.ID, ed25519.NewKeyFromSeed(k.Secret)}
	}
	return keys
}

// Access is the content of a valid access token.
type Access struct {
	ID       string
	Subject  string
	Client   string // ID
	Audience []string
	Scopes   []string
}

// Reasons to refuse an access token, in the words of an error_description (RFC
// 6750, section 3).
var (
	ErrNoToken      = errors.New("the access token is not one of this server")
	ErrOtherIssuer  = errors.New("the access token is from another issuer")
	ErrExpiredToken = errors.New("the access token has expired")
	ErrRevoked      = errors.New("the access token was revoked")
)

// ErrUnknown is the error of Verify if the memory cannot say whether a token was
// revoked. It is no reason to refuse the token, nor to accept it.
var ErrUnknown = errors.New("the server cannot find out now whether the access token was revoked; try again")

// maxToken bounds the length of an access token.
const maxToken = 16 << 10

// Verify returns the content of an access token of this server if it is signed
// by it, has not expired and was not revoked. The error is one of the reasons
// above, or ErrUnknown. The audience and the scopes are for the resource server
// to judge.
func (s *Server) Verify(token string) (Access, error) {
	if len(token) > maxToken {
		return Access{}, ErrNoToken
	}
	t, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{algorithm})
	if err != nil || len(t.Headers) != 1 || t.Headers[0].ExtraHeaders[jose.HeaderType] != tokenType {
		return Access{}, ErrNoToken
	}
	key, err := s.publicKey(t.Headers[0].KeyID)
	if err != nil {
		return Access{}, err
	}
	var c jwt.Claims
	var p private
	if t.Claims(key, &c, &p) != nil || c.Expiry == nil {
		return Access{}, ErrNoToken
	}
	switch {
	case c.Issuer != s.Issuer():
		return Access{}, ErrOtherIssuer
	case !s.Now().Before(c.Expiry.Time()):
		return Access{}, ErrExpiredToken
	}
	for _, name := range []string{revokedGrant + p.Grant, revokedToken + c.ID} {
		_, revoked, err := s.Memory.Get(name)
		switch {
		case err != nil:
			return Access{}, fmt.Errorf("%w: %w", ErrUnknown, err)
		case revoked:
			return Access{}, ErrRevoked
		}
	}
	return Access{c.ID, c.Subject, p.Client, c.Audience, strings.Fields(p.Scope)}, nil
}

// publicKey returns the key with an id.
func (s *Server) publicKey(id string) (crypto.PublicKey, error) {
	keys := s.signingKeys()
	for _, k := range keys {
		if k.id == id {
			return k.private.Public(), nil
		}
	}
	return nil, ErrNoToken
}
