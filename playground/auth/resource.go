package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// findResource looks for the metadata of the protected resource and sets what
// follows from it. Without any, the rules of 2025-03-26 hold: the host of the
// MCP server is the authorization server. It returns false if the sign-in has
// ended.
func (f *flow) findResource() bool {
	s := f.s
	places := resourcePlaces(s.Challenge, s.Server)
	unread := false
	var page *Fault // of an address that answers with a page
	for i, p := range places {
		step := f.get(AskResource, p.url)
		named := i == 0 && s.Challenge.Metadata != ""
		switch {
		case step.failure != nil && (!named || step.failure.Class == wire.TooLarge):
			step.fault(connectionFault(p.url, step.failure))
			return false
		case step.failure != nil:
			unread = true
			step.warn("resource-unreachable", clauseWellKnown,
				"The challenge names metadata at %s, which cannot be read: %s", p.url, reason(step.failure))
		case step.head.Status == http.StatusOK && named && step.isPage():
			step.warn("resource-missing", clauseWellKnown,
				"The challenge names metadata at %s, which answers with a page and no metadata.", p.url)
		case step.head.Status == http.StatusOK && i+1 < len(places) && step.isPage():
			page = readDocument(step, "protected resource metadata", clauseResource, &struct{}{})
			step.warn("resource-page", clauseWellKnown,
				"%s answers with a page and no metadata. The next address is tried.", p.url)
		case step.head.Status == http.StatusOK:
			return f.readResource(step, p)
		case step.head.Status/100 == 5:
			unread = true
			step.warn("server-error", clauseWellKnown,
				"The server answers with HTTP status %d when asked for its metadata at %s.", step.head.Status,
				p.url)
		case named:
			step.warn("resource-missing", clauseWellKnown,
				"The challenge names metadata at %s, which answers with HTTP status %d.", p.url,
				step.head.Status)
		default:
			step.nothing(i+1 < len(places))
		}
	}
	if page != nil {
		f.last().fault(*page)
		return false
	}
	if unread {
		f.last().fault(fatal("metadata-unread", clauseWellKnown,
			"There is protected resource metadata that cannot be read. "+
				"The rules of 2025-03-26 are for servers without it, so they are not used."))
		return false
	}
	u := origin(mustParse(s.Server))
	s.Old, s.Issuer, s.Resource = true, u, canonical(s.Server)
	f.last().warn("no-resource-metadata", clauseResource,
		"The server has no protected resource metadata, which would name its authorization server. "+
			"MCP 2025-03-26 had none: the host of the server was its authorization server. So %s is "+
			"asked next.", u)
	return true
}

// readResource reads the metadata of the protected resource. It returns false if
// the sign-in cannot go on with it.
func (f *flow) readResource(step *request, p place) bool {
	s := f.s
	var m oauthex.ProtectedResourceMetadata
	if fault := readDocument(step, "protected resource metadata", clauseResource, &m); fault != nil {
		step.fault(*fault)
		return false
	}
	step.checkType(clauseRFC9728)
	switch {
	case m.Resource == "":
		step.warn("resource-unnamed", clauseRFC9728, "The metadata has no resource, which is required.")
		m.Resource = p.identifier
	case canonical(m.Resource) == p.identifier:
	case covers(m.Resource, s.Server):
		step.warn("resource-wider", clauseRFC9728,
			"The metadata is for %s, and not for %s itself.", f.visible(m.Resource, 200), p.identifier)
	default:
		step.fault(fatal("resource-mismatch", clauseRFC9728,
			"The metadata is for another resource, %s, so a token for it must not be sent to %s.",
			f.visible(m.Resource, 200), p.identifier))
		return false
	}
	if len(m.AuthorizationServers) == 0 {
		step.fault(fatal("no-authorization-servers", clauseResource,
			"The metadata names no authorization server in authorization_servers."))
		return false
	}
	s.Resource, s.Issuer = m.Resource, m.AuthorizationServers[0]
	s.Supported, _ = union(nil, m.ScopesSupported)
	if len(m.AuthorizationServers) > 1 {
		step.found("The server accepts tokens of %d authorization servers; the first is %s.",
			len(m.AuthorizationServers), f.visible(s.Issuer, 200))
	} else {
		step.found("The server accepts tokens of %s.", f.visible(s.Issuer, 200))
	}
	for _, scope := range m.ScopesSupported {
		if scope == offlineAccess {
			step.warn("offline-access-listed", clauseRefresh,
				"The metadata lists the scope offline_access, which is not a requirement of a resource.")
		}
	}
	if strings.Contains(s.Issuer, "?") {
		step.fault(fatal("bad-issuer", clauseRFC8414,
			"The authorization server %s has a query, which an issuer must not have.", f.visible(s.Issuer,
				200)))
		return false
	}
	return f.checkAddress(step, "authorization server", s.Issuer)
}

// checkAddress checks an address that the sign-in uses. It returns false if the
// sign-in cannot go on with it.
func (f *flow) checkAddress(step *request, name, raw string) bool {
	switch {
	case !isAddress(raw):
		step.fault(fatal("bad-address", clauseHTTPS,
			"The %s %q is not an absolute http or https URL.", name, f.visible(raw, 200)))
		return false
	case strings.Contains(raw, "#"):
		step.fault(fatal("fragment", clauseEndpoint,
			"The %s %s has a fragment, which is not allowed: parameters after it would never arrive.", name,
			f.visible(raw, 200)))
		return false
	case isSafe(raw):
		return true
	case f.c.Strict:
		step.fault(fatal("not-https", clauseHTTPS,
			"The %s %s does not use https, so anyone on the way could read the token.", name,
			f.visible(raw, 200)))
		return false
	}
	step.warn("not-https", clauseHTTPS, "The %s %s does not use https.", name, f.visible(raw, 200))
	return true
}

// reservedParameters are those that the client sends to the authorization
// endpoint, and those that would stand for them there.
var reservedParameters = []string{
	"response_type", "response_mode", "client_id", "redirect_uri", "scope", "state", "code_challenge",
	"code_challenge_method", "resource", "prompt", "request", "request_uri",
}

// checkQuery checks the query of the authorization endpoint, to which the client
// adds its parameters (RFC 6749, section 3.1). It returns false if the sign-in
// cannot go on with it.
func (f *flow) checkQuery(step *request, endpoint string) bool {
	_, raw, _ := strings.Cut(endpoint, "?")
	query, err := url.ParseQuery(raw)
	if err != nil {
		step.fault(fatal("bad-query", clauseEndpoint,
			"The query of the authorization endpoint %s is not encoded as a form.", f.visible(endpoint, 200)))
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch {
		case slices.Contains(reservedParameters, name):
			step.fault(fatal("reserved-parameter", clauseEndpoint,
				"The authorization endpoint %s sets the parameter %s itself, which is for the client to set.",
				f.visible(endpoint, 200), name))
			return false
		case len(query[name]) > 1:
			step.fault(fatal("repeated-parameter", clauseEndpoint,
				"The authorization endpoint %s has the parameter %s more than once.", f.visible(endpoint,
					200),
				f.visible(name, 80)))
			return false
		}
	}
	return true
}

// readDocument decodes the JSON object of a response into v.
func readDocument(step *request, name, clause string, v any) *Fault {
	var wrong *json.UnmarshalTypeError
	err := json.Unmarshal(step.response.Body, v)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		f := fatal("wrong-type", clause, "The %s has the wrong type in %s: %s instead of %s.",
			name, wrong.Field, wrong.Value, typeName(wrong.Type.Kind().String()))
		return &f
	case errors.As(err, &wrong):
		f := fatal("not-an-object", clause, "The %s is not a JSON object.", name)
		return &f
	}
	f := fatal("not-json", clause, "The %s is not JSON: %s", name, step.begins())
	return &f
}

// isPage reports whether a response is a page for people, or nothing, as a web server sends
// for every address that it has nothing else for.
func (r *request) isPage() bool {
	return !strings.HasSuffix(r.head.MediaType(), "json") && !json.Valid(r.response.Body)
}

// typeName returns the JSON name of a kind of Go.
func typeName(kind string) string {
	switch kind {
	case "slice":
		return "an array"
	case "bool":
		return "true or false"
	case "string":
		return "a string"
	case "int64", "float64":
		return "a number"
	}
	return "an object"
}

// typeOf returns the JSON name of the type of a decoded value that is neither null nor a
// number.
func typeOf(value any) string {
	switch value.(type) {
	case string:
		return "a string"
	case bool:
		return "true or false"
	case []any:
		return "an array"
	}
	return "an object"
}

// begins returns how the body begins, as the end of a sentence.
func (r *request) begins() string {
	if len(r.response.Body) == 0 {
		return "the body is empty."
	}
	return fmt.Sprintf("it begins with %q.", r.flow.visible(string(r.response.Body), 40))
}
