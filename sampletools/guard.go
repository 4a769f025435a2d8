package sampletools

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// guard makes a sample an OAuth resource server: it admits only requests with an
// access token for this sample (basic/authorization, "Access Token Usage").
type guard struct {
	server   *authserver.Server
	resource string // URL of the sample
	path     string // of the URL
	title    string
	basic    string   // scope of the challenge to a request without a token
	scopes   []string // that tokens for this sample may have
}

// Headers that tell the instances, inside this program, who is signed in and
// with which scopes. What a client sends under these names is removed.
const (
	userHeader  = "Mcp-Sample-User"
	scopeHeader = "Mcp-Sample-Scope"
)

func forgetUser(r *http.Request) {
	r.Header.Del(userHeader)
	r.Header.Del(scopeHeader)
}

// wellKnownResource is where the metadata of a protected resource is, before its
// path (RFC 9728, section 3).
const wellKnownResource = "/.well-known/oauth-protected-resource"

// register adds the metadata and the authorization server to mux.
func (g *guard) register(mux *http.ServeMux) {
	g.server.Register(mux)
	mux.HandleFunc("GET "+wellKnownResource+g.path, g.metadata)
}

// publicURL returns the URL that a client has for the sample because something of this
// program stands in front of it, or "": the address of the server's end of a connection in
// memory. On a socket that is an IP address, whatever the client sends.
func publicURL(r *http.Request) string {
	self, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || !strings.Contains(self.String(), "://") {
		return ""
	}
	return self.String()
}

// identifier returns the identifier of the sample for the client of a request. The query
// of its own URL chooses instances and is part of it, as in the request (RFC 9728,
// section 3.3).
func (g *guard) identifier(r *http.Request) string {
	if url := publicURL(r); url != "" {
		return url
	}
	return g.resource + query(r)
}

// metadata shows where tokens for the sample come from.
func (g *guard) metadata(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(oauthex.ProtectedResourceMetadata{ // the client may be gone
		Resource: g.identifier(r), AuthorizationServers: []string{g.server.Issuer()},
		ScopesSupported: g.scopes, BearerMethodsSupported: []string{"header"}, ResourceName: g.title,
	})
}

// plainQuery is a query that can stand in a header as it is.
var plainQuery = regexp.MustCompile(`^[A-Za-z0-9=&:,._~%+-]{1,500}$`)

// query returns the query of a request with its question mark, or "".
func query(r *http.Request) string {
	if !plainQuery.MatchString(r.URL.RawQuery) {
		return ""
	}
	return "?" + r.URL.RawQuery
}

// admit reports whether a request has a valid access token, and notes its user.
// Otherwise it answers with 401, or with 503 if that cannot be found out now. The
// token goes no further (basic/authorization, "Access Token Privilege
// Restriction").
func (g *guard) admit(w http.ResponseWriter, r *http.Request) bool {
	values := r.Header.Values("Authorization")
	r.Header.Del("Authorization")
	if len(values) == 0 {
		g.challenge(w, r, "", g.basic, "")
		serve.RefuseUnread(w, r, http.StatusUnauthorized, "this server needs an access token")
		return false
	}
	access, err := g.read(values, publicURL(r))
	switch {
	case errors.Is(err, authserver.ErrUnknown):
		serve.RefuseUnread(w, r, http.StatusServiceUnavailable, authserver.ErrUnknown.Error())
		return false
	case err != nil:
		g.challenge(w, r, "invalid_token", g.basic, err.Error())
		serve.RefuseUnread(w, r, http.StatusUnauthorized, err.Error())
		return false
	}
	r.Header.Set(userHeader, access.Subject)
	r.Header.Set(scopeHeader, strings.Join(access.Scopes, " "))
	return true
}

// read returns the content of the access token of a request, or its fault. It
// may be for the URL in front of the sample, which is "" if there is none.
func (g *guard) read(values []string, front string) (authserver.Access, error) {
	scheme, token, _ := strings.Cut(values[0], " ")
	if len(values) != 1 || !strings.EqualFold(scheme, "Bearer") {
		return authserver.Access{}, errors.New("the header Authorization must have one Bearer token")
	}
	access, err := g.server.Verify(strings.TrimLeft(token, " "))
	switch {
	case err != nil:
		return access, err
	case !slices.ContainsFunc(access.Audience, g.isSelf) &&
		(front == "" || !slices.Contains(access.Audience, front)):
		return access, errors.New("the access token is for another resource")
	case personName(access.Subject) == personName(""):
		return access, errors.New("the access token is for an unknown user")
	}
	return access, nil
}

// isSelf reports whether an audience is this sample, with any instances.
func (g *guard) isSelf(audience string) bool {
	bare, _, _ := strings.Cut(audience, "?")
	return bare == g.resource
}

// challenge sets the header that says how to get a token (RFC 6750, section 3;
// RFC 9728, section 5.1). The values need no escapes.
func (g *guard) challenge(w http.ResponseWriter, r *http.Request, code, scope, why string) {
	params := []string{`resource_metadata="` + metadataURL(g.identifier(r)) + `"`, `scope="` + scope + `"`}
	if code != "" {
		params = slices.Insert(params, 0, `error="`+code+`"`, `error_description="`+why+`"`)
	}
	w.Header().Set("WWW-Authenticate", "Bearer "+strings.Join(params, ", "))
}

// metadataURL returns where the metadata of a resource is: the well-known part stands
// between its host and its path (RFC 9728, section 3.1).
func metadataURL(resource string) string {
	scheme, rest, _ := strings.Cut(resource, "://")
	host, path, _ := strings.Cut(rest, "/")
	return scheme + "://" + host + wellKnownResource + "/" + path
}

// denyScope answers a call whose token lacks the scope that its tool needs
// (basic/authorization, "Scope Challenge Handling"), or returns false.
func (h *host) denyScope(m *serve.Envelope, w http.ResponseWriter, r *http.Request) bool {
	var name string
	if m.Method != "tools/call" || json.Unmarshal(m.Params["name"], &name) != nil {
		return false
	}
	scope := h.scopes[name]
	if scope == "" || slices.Contains(strings.Fields(r.Header.Get(scopeHeader)), scope) {
		return false
	}
	h.guard.challenge(w, r, "insufficient_scope", scope, "this tool needs the scope "+scope)
	f := serve.Refuse(m.ID, jsonrpc.CodeInvalidRequest, "the access token lacks the scope "+scope)
	f.Status = http.StatusForbidden
	f.Write(w)
	return true
}
