package auth

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// register finds the client ID in the order of
// basic/authorization/client-registration: one that is known already, the
// metadata document, dynamic registration, and last the user. It returns false
// if the sign-in has ended or waits for the user.
func (f *flow) register() bool {
	s := f.s
	known, ok := f.known(s.Issuer)
	switch {
	case ok && f.foreign(known):
		f.last().fault(fatal("other-issuer", clauseBinding,
			"The client ID %s belongs to the authorization server %s, but the MCP server now names %s.",
			f.visible(known.ID, 80), f.visible(known.Issuer, 200), s.Issuer))
		return false
	case ok && !f.expired(known):
		return f.use(known)
	case f.c.Document != nil && s.Metadata.ClientIDMetadataDocumentSupported:
		address, own := f.c.Document(s.Issuer)
		return f.use(Registration{Kind: MetadataDocument, ID: address, Own: own, Method: methodNone})
	case s.Metadata.RegistrationEndpoint != "":
		return f.registerDynamically()
	}
	s.Stage = NeedsClient
	return false
}

// foreign reports whether a registration belongs to another authorization
// server.
func (f *flow) foreign(r Registration) bool {
	return r.Issuer != "" && r.Issuer != f.s.Issuer && r.Kind != MetadataDocument
}

func (f *flow) expired(r Registration) bool {
	return !r.Expires.IsZero() && !f.c.Now().Before(r.Expires)
}

// use goes on with a registration. It returns false if the authorization server
// knows no way of authentication that the client has.
func (f *flow) use(r Registration) bool {
	s := f.s
	r.Issuer = s.Issuer
	if r.Method == "" {
		r.Method = chooseMethod(r, s.Metadata.TokenEndpointAuthMethodsSupported)
	}
	if r.Method == "" {
		f.last().fault(fatal("no-auth-method", clauseRFC8414,
			"The token endpoint accepts only %s, which this client cannot do with what it has.",
			f.visible(strings.Join(s.Metadata.TokenEndpointAuthMethodsSupported, ", "), 120)))
		return false
	}
	f.hide(r.Secret)
	s.Private.Secret, s.Private.key = r.Secret, r.Key
	r.Secret, r.Key = "", nil
	s.Client = r
	return true
}

// chooseMethod returns the authentication at the token endpoint, or "" if none
// that the client can do is supported. Without a list it is
// client_secret_basic (RFC 8414, section 2).
func chooseMethod(r Registration, supported []string) string {
	var able []string
	switch {
	case r.Key != nil:
		able = []string{methodJWT}
	case r.Secret != "":
		able = []string{methodBasic, methodPost, methodNone}
	default:
		able = []string{methodNone}
	}
	if len(supported) == 0 || r.Key == nil && r.Secret == "" {
		return able[0] // a public client authenticates with nothing, whatever is listed
	}
	for _, method := range able {
		if slices.Contains(supported, method) {
			return method
		}
	}
	return ""
}

// registerDynamically registers the client at the authorization server (RFC
// 7591; deprecated in MCP). It returns false if that is refused.
func (f *flow) registerDynamically() bool {
	s := f.s
	kind := "native"
	if u, err := url.Parse(f.c.Redirect); err == nil && !isLoopback(u.Hostname()) {
		kind = "web"
	}
	grants := []string{"authorization_code"}
	if f.c.Offline {
		grants = append(grants, "refresh_token")
	}
	body, _ := json.Marshal(oauthex.ClientRegistrationMetadata{ // strings only: cannot fail
		ClientName: f.c.Name, RedirectURIs: []string{f.c.RedirectOf(s.Issuer)}, GrantTypes: grants,
		ResponseTypes: []string{"code"}, ApplicationType: kind,
		TokenEndpointAuthMethod: registrationMethod(s.Metadata.TokenEndpointAuthMethodsSupported),
	})
	step := f.post(Register, s.Metadata.RegistrationEndpoint, "application/json", body)
	if step.failure != nil {
		step.fault(connectionFault(s.Metadata.RegistrationEndpoint, step.failure))
		return false
	}
	if step.head.Status != http.StatusCreated && step.head.Status != http.StatusOK {
		id := "registration-refused"
		if step.oauthError() == "invalid_redirect_uri" {
			id = "redirect-refused"
		}
		step.fault(refusedBy(step, id, clauseRegistration,
			"The authorization server refused to register this client"))
		return false
	}
	var got struct {
		ID        string    `json:"client_id"`
		Secret    string    `json:"client_secret"`
		Method    string    `json:"token_endpoint_auth_method"`
		Expires   any       `json:"client_secret_expires_at"`
		Redirects *[]string `json:"redirect_uris"`
	}
	if fault := readDocument(step, "registration", clauseRFC7591, &got); fault != nil {
		step.fault(*fault)
		return false
	}
	f.hide(got.Secret)
	if got.ID == "" {
		step.fault(fatal("no-client-id", clauseRFC7591, "The registration has no client_id."))
		return false
	}
	if len(got.ID) > maxClientText || len(got.Secret) > maxClientText {
		step.fault(fatal("registration-long", clauseRFC7591,
			"The registration has a client_id or client_secret of more than %d bytes.", maxClientText))
		return false
	}
	r := Registration{Kind: Dynamic, Own: true, ID: got.ID, Secret: got.Secret, Method: got.Method}
	expires, isNumber := got.Expires.(float64)
	switch {
	case got.Expires == nil && got.Secret != "":
		step.warn("secret-expiry", clauseRFC7591, "The registration has a client_secret without "+
			"client_secret_expires_at, which is required with one. 0 means that it does not expire.")
	case got.Expires == nil:
	case !isNumber:
		step.warn("secret-expiry", clauseRFC7591, "The registration has the wrong type in "+
			"client_secret_expires_at: %s instead of a number.", typeOf(got.Expires))
	case expires > latest || expires < 0:
		step.warn("secret-expiry", clauseRFC7591,
			"client_secret_expires_at is %v, which is no time in seconds since 1970.", expires)
	case expires > 0:
		r.Expires = time.Unix(int64(expires), 0)
	}
	if own := f.c.RedirectOf(s.Issuer); got.Redirects != nil && !slices.Contains(*got.Redirects, own) {
		step.warn("redirect-lost", clauseRFC7591,
			"The registration does not have the redirect URI %s that this client asked for.", own)
	}
	if r.Secret == "" && r.Method != methodNone {
		r.Method = methodNone
	}
	step.found("The authorization server registered this client as %s.", f.visible(r.ID, 80))
	return f.use(r)
}

// maxClientText is how long a client ID or a client secret may be, in bytes.
const maxClientText = 4096

// latest is the last second of the year 9999, in seconds since 1970.
const latest = 253402300799

// registrationMethod returns the authentication to register with: the first
// that the server supports, and without a list none, because a program on a
// user's machine cannot keep a secret.
func registrationMethod(supported []string) string {
	for _, method := range []string{methodNone, methodBasic, methodPost} {
		if slices.Contains(supported, method) {
			return method
		}
	}
	return methodNone
}
