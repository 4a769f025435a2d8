package authserver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// client is a registered client. Its ID carries all of it.
type client struct {
	id        string
	responses []oidc.ResponseType // that the current request may ask for

	Name      string          `json:"name,omitempty"`
	Redirects []string        `json:"redirects"`
	Method    oidc.AuthMethod `json:"method"`
	Refresh   bool            `json:"refresh,omitempty"` // may have refresh tokens
}

// client returns the client with an ID.
func (s *Server) client(id string) (*client, error) {
	if id == "" || len(id) > maxClientID {
		return nil, errors.New("unknown client_id")
	}
	c := &client{id: id}
	if _, err := s.open(clientKind, id, c); err != nil {
		return nil, errors.New("unknown client_id")
	}
	return c, nil
}

// accepts reports whether the browser may go to an address: it is exactly one
// of the registered ones, or on this machine with another port (RFC 8252,
// section 7.3).
func (c *client) accepts(redirect string) bool {
	return slices.ContainsFunc(c.Redirects, func(registered string) bool {
		return registered == redirect || sameButPort(registered, redirect)
	})
}

func sameButPort(registered, redirect string) bool {
	a, err := url.Parse(registered)
	if err != nil || a.Scheme != "http" || !isLoopback(a.Hostname()) {
		return false
	}
	b, err := url.Parse(redirect)
	if err != nil || b.Hostname() != a.Hostname() || b.Port() == "" {
		return false
	}
	b.Host = a.Host
	return b.String() == registered
}

// RFC 7591, section 3.2.2.
const (
	invalidRedirect = "invalid_redirect_uri"
	invalidMetadata = "invalid_client_metadata"
)

// Bounds of a registration.
const (
	maxRedirects = 5
	maxRedirect  = 500
	maxName      = 100
)

// registration is the self-description of a client (RFC 7591, section 2).
type registration struct {
	RedirectURIs  []string         `json:"redirect_uris"`
	Name          string           `json:"client_name,omitempty"`
	Method        oidc.AuthMethod  `json:"token_endpoint_auth_method,omitempty"`
	GrantTypes    []oidc.GrantType `json:"grant_types,omitempty"`
	ResponseTypes []string         `json:"response_types,omitempty"`
}

// registered is the answer to a registration (RFC 7591, section 3.2.1).
type registered struct {
	ID       string `json:"client_id"`
	IssuedAt int64  `json:"client_id_issued_at"`
	Secret   string `json:"client_secret,omitempty"`
	Expires  *int64 `json:"client_secret_expires_at,omitempty"` // 0: it does not
	registration
}

// register registers a client (RFC 7591, section 3). It stores nothing.
func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	var in registration
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in)
	if err != nil {
		refuseRegistration(w, invalidMetadata, "the body is not a JSON object of client metadata")
		return
	}
	if code, why := in.check(); code != "" {
		refuseRegistration(w, code, why)
		return
	}
	out, err := s.registered(in)
	if err != nil {
		s.Log.Error("register client", "err", err)
		writeJSON(w, http.StatusInternalServerError, map[string]string{"error": "server_error"})
		return
	}
	writeJSON(w, http.StatusCreated, out)
}

// registered returns the answer to a registration that was checked.
func (s *Server) registered(in registration) (registered, error) {
	c := client{Name: in.Name, Redirects: in.RedirectURIs, Method: in.Method,
		Refresh: slices.Contains(in.GrantTypes, oidc.GrantTypeRefreshToken)}
	id, err := s.seal(clientKind, clientLife, c)
	if err != nil {
		return registered{}, err
	}
	out := registered{ID: id, IssuedAt: s.Now().Unix(), registration: in}
	if c.Method == oidc.AuthMethodNone {
		return out, nil
	}
	secrets := s.secrets(id)
	out.Secret, out.Expires = secrets[0], new(int64)
	return out, nil
}

func refuseRegistration(w http.ResponseWriter, code, why string) {
	writeJSON(w, http.StatusBadRequest, map[string]string{"error": code, "error_description": why})
}

// check completes the registration with defaults. It returns an error code if
// the client cannot be registered, and why.
func (in *registration) check() (code, why string) {
	if len(in.RedirectURIs) == 0 || len(in.RedirectURIs) > maxRedirects {
		return invalidRedirect, "redirect_uris must have one to five addresses"
	}
	for _, uri := range in.RedirectURIs {
		if !isRedirect(uri) {
			return invalidRedirect,
				"a redirect URI must use https (http on loopback), no fragment, and at most 500 characters"
		}
	}
	if in.Method == "" {
		in.Method = oidc.AuthMethodBasic
	}
	if in.GrantTypes == nil {
		in.GrantTypes = []oidc.GrantType{oidc.GrantTypeCode}
	}
	if in.ResponseTypes == nil {
		in.ResponseTypes = []string{"code"}
	}
	in.Name = printable(in.Name)
	switch {
	case len(in.Name) > maxName:
		return invalidMetadata, "client_name is too long"
	case in.Method != oidc.AuthMethodNone && in.Method != oidc.AuthMethodBasic &&
		in.Method != oidc.AuthMethodPost:
		return invalidMetadata,
			"token_endpoint_auth_method must be none, client_secret_basic or client_secret_post"
	case !slices.Contains(in.GrantTypes, oidc.GrantTypeCode):
		return invalidMetadata, "grant_types must have authorization_code"
	case !slices.Contains(in.ResponseTypes, "code"):
		return invalidMetadata, "response_types must have code"
	}
	in.GrantTypes = slices.DeleteFunc(in.GrantTypes, func(g oidc.GrantType) bool {
		return g != oidc.GrantTypeCode && g != oidc.GrantTypeRefreshToken
	})
	in.GrantTypes = slices.Compact(slices.Sorted(slices.Values(in.GrantTypes)))
	in.ResponseTypes = []string{"code"}
	return "", ""
}

// printable returns the name without characters that cannot be seen or that
// change the direction of text.
func printable(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name))
}

// hostPattern is a host and port that a policy header can name.
var hostPattern = regexp.MustCompile(`^([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?$`)

// isRedirect reports whether an address can be registered.
func isRedirect(uri string) bool {
	u, err := url.Parse(uri)
	return err == nil && len(uri) <= maxRedirect && !strings.Contains(uri, "#") && u.User == nil &&
		hostPattern.MatchString(u.Host) &&
		(u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()))
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

func originOf(u *url.URL) string { return u.Scheme + "://" + u.Host }

// secrets returns the secrets that the client with an ID may have, one for each
// key; the first is that of new clients.
func (s *Server) secrets(id string) []string {
	keys := s.Keys.Derive("secrets of clients")
	list := make([]string, len(keys))
	for i, k := range keys {
		h := hmac.New(sha256.New, k.Secret)
		h.Write([]byte(id))
		list[i] = base64.RawURLEncoding.EncodeToString(h.Sum(nil))
	}
	return list
}

// authenticate checks how a client proves itself at an endpoint.
func (s *Server) authenticate(c *client, secret string, basic bool) error {
	used := oidc.AuthMethodNone
	switch {
	case basic:
		used = oidc.AuthMethodBasic
	case secret != "":
		used = oidc.AuthMethodPost
	}
	if used != c.Method {
		return errors.New("the client is registered for " + string(c.Method) + " and used " + string(used))
	}
	if used == oidc.AuthMethodNone {
		return nil
	}
	secrets := s.secrets(c.id)
	for _, own := range secrets {
		if hmac.Equal([]byte(own), []byte(secret)) {
			return nil
		}
	}
	return errors.New("wrong client_secret")
}

// The methods of op.Client.

// GetID returns the client_id.
func (c *client) GetID() string { return c.id }

// RedirectURIs returns the registered addresses.
func (c *client) RedirectURIs() []string { return c.Redirects }

// PostLogoutRedirectURIs returns none: there is no logout.
func (c *client) PostLogoutRedirectURIs() []string { return nil }

// ApplicationType permits redirects to loopback addresses.
func (c *client) ApplicationType() op.ApplicationType { return op.ApplicationTypeNative }

// AuthMethod returns how the client proves itself.
func (c *client) AuthMethod() oidc.AuthMethod { return c.Method }

// ResponseTypes returns the response types that the client may ask for.
func (c *client) ResponseTypes() []oidc.ResponseType { return c.responses }

// GrantTypes returns the kinds of grants that the client may exchange for
// tokens.
func (c *client) GrantTypes() []oidc.GrantType {
	if c.Refresh {
		return []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
	}
	return []oidc.GrantType{oidc.GrantTypeCode}
}

// LoginURL is not used: the page needs more than an id.
func (c *client) LoginURL(string) string { return "" }

// AccessTokenType says that access tokens are JWTs.
func (c *client) AccessTokenType() op.AccessTokenType { return op.AccessTokenTypeJWT }

// IDTokenLifetime is not used: there are no ID tokens.
func (c *client) IDTokenLifetime() time.Duration { return 0 }

// DevMode is off.
func (c *client) DevMode() bool { return false }

// RestrictAdditionalIdTokenScopes is not used: there are no ID tokens.
//
//revive:disable-next-line:var-naming the library's name
func (c *client) RestrictAdditionalIdTokenScopes() func([]string) []string { return unchanged }

// RestrictAdditionalAccessTokenScopes restricts nothing.
func (c *client) RestrictAdditionalAccessTokenScopes() func([]string) []string { return unchanged }

func unchanged(scopes []string) []string { return scopes }

// IsScopeAllowed lets every scope pass: the library would drop others without a
// word.
func (c *client) IsScopeAllowed(string) bool { return true }

// IDTokenUserinfoClaimsAssertion is not used: there are no ID tokens.
func (c *client) IDTokenUserinfoClaimsAssertion() bool { return false }

// ClockSkew is zero.
func (c *client) ClockSkew() time.Duration { return 0 }
