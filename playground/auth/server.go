package auth

import (
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// serverDocument is the name of the metadata in sentences.
const serverDocument = "authorization server metadata"

// findServer looks for the metadata of the authorization server. It returns
// false if the sign-in has ended.
func (f *flow) findServer() bool {
	s := f.s
	places := serverPlaces(s.Issuer)
	var unread *Fault // of an address that answers with a page or an error
	for i, p := range places {
		step := f.get(AskServer, p.url)
		switch {
		case step.failure != nil:
			step.fault(connectionFault(p.url, step.failure))
			return false
		case step.head.Status == http.StatusOK && i+1 < len(places) && step.isPage():
			unread = readDocument(step, serverDocument, clauseServer, &struct{}{})
			step.warn("server-page", clauseServer,
				"%s answers with a page and no metadata. The next address is tried.", p.url)
			continue
		case step.head.Status == http.StatusOK:
			return f.readServer(step, p)
		case step.head.Status/100 == 5:
			fault := fatal("server-error", clauseServer,
				"The authorization server %s answers with HTTP status %d when asked for its metadata.",
				s.Issuer, step.head.Status)
			unread = &fault
			if i+1 < len(places) {
				step.warn(fault.ID, clauseServer, "HTTP status %d. The next address is tried.",
					step.head.Status)
			}
			continue
		}
		step.nothing(i+1 < len(places))
	}
	if unread != nil {
		f.last().fault(*unread)
		return false
	}
	if !s.Old {
		f.last().fault(fatal("no-server-metadata", clauseServer,
			"The authorization server %s has no metadata at any of the well-known addresses.", s.Issuer))
		return false
	}
	s.Metadata = oauthex.AuthServerMeta{
		Issuer: s.Issuer, AuthorizationEndpoint: s.Issuer + "/authorize", TokenEndpoint: s.Issuer + "/token",
		RegistrationEndpoint: s.Issuer + "/register",
	}
	f.last().warn("default-endpoints", clauseServer,
		"The authorization server has no metadata, either. So the default addresses of MCP 2025-03-26 "+
			"are used: /authorize, /token and /register. Whether it supports PKCE cannot be known.")
	return true
}

// readServer reads the metadata of the authorization server. It returns false if
// the sign-in cannot go on with it.
func (f *flow) readServer(step *request, p place) bool {
	m := &f.s.Metadata
	if fault := readDocument(step, serverDocument, clauseServer, m); fault != nil {
		step.fault(*fault)
		return false
	}
	step.checkType(clauseRFC8414)
	return f.checkServer(step, p.identifier)
}

// checkServer checks the metadata of the authorization server. It returns false if the sign-in
// cannot go on with it.
func (f *flow) checkServer(step *request, issuer string) bool {
	m := &f.s.Metadata
	for {
		fault := f.serverFault(issuer)
		if fault == nil {
			break
		}
		fault.Waived = f.waives(*fault)
		step.fault(*fault)
		if !fault.Waived {
			return false
		}
		f.deviate(deviations[fault.ID])
	}
	for _, e := range []struct{ name, url string }{
		{"authorization endpoint", m.AuthorizationEndpoint}, {"token endpoint", m.TokenEndpoint},
		{"registration endpoint", m.RegistrationEndpoint}, {"revocation endpoint", m.RevocationEndpoint},
	} {
		if e.url != "" && !f.checkAddress(step, e.name, e.url) {
			return false
		}
	}
	if !f.checkQuery(step, m.AuthorizationEndpoint) {
		return false
	}
	if m.ResponseTypesSupported != nil && !slices.Contains(m.ResponseTypesSupported, "code") {
		step.warn("no-code", clauseRFC8414,
			"The metadata does not list the response type code, so there is no authorization code.")
	}
	step.found("The authorization server is %s.", f.visible(m.Issuer, 200))
	return true
}

// serverFault returns the fault that makes the metadata of an authorization
// server unusable, or nil.
func (f *flow) serverFault(issuer string) *Fault {
	var fault Fault
	m := f.s.Metadata
	anyIssuer := f.s.anyIssuer()
	switch {
	case m.Issuer == "":
		fault = fatal("issuer-missing", clauseServer, "The authorization server metadata has no issuer.")
	case m.Issuer != issuer && !anyIssuer && strings.TrimSuffix(m.Issuer,
		"/") == strings.TrimSuffix(issuer, "/"):
		fault = fatal("issuer-slash", clauseServer,
			"The authorization server calls itself %q, but the MCP server names it %q. "+
				"The two must be identical, to the last slash.",
			f.visible(m.Issuer, 200), f.visible(issuer, 200))
	case m.Issuer != issuer && !anyIssuer:
		fault = fatal("issuer-mismatch", clauseServer,
			"The metadata says that it belongs to the authorization server %q, but the MCP server "+
				"names %q.", f.visible(m.Issuer, 200), f.visible(issuer, 200))
	case m.AuthorizationEndpoint == "" && !f.machine:
		fault = fatal("no-authorization-endpoint", clauseRFC8414,
			"The authorization server metadata has no authorization_endpoint.")
	case m.TokenEndpoint == "":
		fault = fatal("no-token-endpoint", clauseRFC8414,
			"The authorization server metadata has no token_endpoint.")
	case f.machine:
		return nil
	case len(m.CodeChallengeMethodsSupported) == 0 && slices.Contains(f.s.Deviations, playground.DeviatePKCE):
		return nil
	case len(m.CodeChallengeMethodsSupported) == 0:
		fault = fatal("no-pkce", clausePKCE,
			"The authorization server metadata has no code_challenge_methods_supported. So nothing shows "+
				"that the authorization server supports PKCE, and the specification forbids to go on.")
	case !slices.Contains(m.CodeChallengeMethodsSupported, "S256"):
		fault = fatal("no-s256", clausePKCE,
			"The authorization server does not list the PKCE method S256, only %s.",
			f.visible(strings.Join(m.CodeChallengeMethodsSupported, ", "), 80))
	default:
		return nil
	}
	return &fault
}
