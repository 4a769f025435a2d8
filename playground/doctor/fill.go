package doctor

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// fill returns a remedy with the addresses and names of this sign-in in place of the words in
// braces. a is the attempt with the fault.
func (in SignIn) fill(do string, a Attempt) string {
	do = strings.NewReplacer("{unreachable}", unreachable(a.Purpose), "{authorization}", in.authorization(a),
		"{client-refused}", in.clientRefused(), "{token-refused}", tokenRefused(a)).Replace(do)
	return strings.NewReplacer(
		"{owner}", strings.TrimSuffix(owner(a.Purpose), ": "), "{address}", shown(a.URL),
		"{server}", shown(in.Server), "{named}", shown(in.Issuer), "{issuer}", shown(in.ItsIssuer),
		"{iss}", shown(parameter(a.URL, "iss")), "{resource}", shown(cmp.Or(in.Resource, in.Server)),
		"{redirect}", in.redirect(), "{asked}", shown(askedRedirect(a)), "{client}", shown(in.Client),
		"{metadata}", shown(in.firstOf(askServer)),
	).Replace(do)
}

// shown returns a text of a server as part of a sentence, or a word for one that is not known.
func shown(s string) string { return text.Visible(cmp.Or(s, "(unknown)"), 200) }

// owner returns whose document or endpoint an attempt is about.
func owner(purpose string) string {
	if purpose == askResource || purpose == challenged {
		return author
	}
	return operator
}

// endpoints are the members of the metadata of an authorization server that name the address of
// an attempt.
var endpoints = map[string]string{
	register: "registration_endpoint", leave: "authorization_endpoint", askToken: "token_endpoint",
	refreshToken: "token_endpoint", revokeToken: "revocation_endpoint",
}

// unreachable returns what to do about an address that cannot be reached.
func unreachable(purpose string) string {
	switch purpose {
	case askResource:
		return author + "let clients reach this address of the server."
	case askServer:
		return author + "correct the authorization server in authorization_servers of the server's " +
			"metadata, if {named} is wrong. If it is right, the authorization server's operator: start " +
			"it, and let clients reach it."
	}
	return operator + "correct " + endpoints[purpose] + " in the metadata of the authorization server, " +
		"if this address is wrong. If it is right, let clients find and reach what should answer there: " +
		"its name in DNS, its port, its certificate."
}

// redirect returns the redirect URI to register by hand.
func (in SignIn) redirect() string {
	if in.AnyPort {
		return shown(in.Redirect) + " (with any port: it changes with each sign-in)"
	}
	return shown(in.Redirect)
}

// askedRedirect returns the redirect URI that the request of an attempt asked to register.
func askedRedirect(a Attempt) string {
	if a.Trip == nil {
		return ""
	}
	var body struct {
		Redirects []string `json:"redirect_uris"`
	}
	_ = json.Unmarshal(a.Trip.Request.Body, &body)
	return strings.Join(body.Redirects, ", ")
}

// parameter returns a parameter of the query of an address, or "".
func parameter(address, name string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Query().Get(name)
}

// firstOf returns the address of the first attempt with a purpose, or "".
func (in SignIn) firstOf(purpose string) string {
	i := slices.IndexFunc(in.Attempts, func(a Attempt) bool { return a.Purpose == purpose })
	if i < 0 {
		return ""
	}
	return in.Attempts[i].URL
}

// said returns the words of the faults of an attempt.
func said(a Attempt) string {
	var list []string
	for _, f := range a.Faults {
		list = append(list, f.Says)
	}
	return strings.Join(list, " ")
}

// authorization returns what to do about an error that the browser came back with.
func (in SignIn) authorization(a Attempt) string {
	switch why := said(a); {
	case strings.Contains(why, "(invalid_scope"):
		return in.scope()
	case strings.Contains(why, "(unauthorized_client"):
		return operator + "allow the client {client} the grant authorization_code."
	case strings.Contains(why, "(server_error"), strings.Contains(why, "(temporarily_unavailable"):
		return "You: sign in again later. If it stays so, the authorization server's operator: check the log."
	case strings.Contains(why, "(invalid_request"), strings.Contains(why, "(unsupported_response_type"):
		return operator + "the log says what it does not accept in the request: often the redirect URI, " +
			"or a parameter that it does not know."
	}
	return operator + "the log says why access was not granted, if the reason above does not."
}

// scope returns what to do about scopes that the authorization server does not accept.
func (in SignIn) scope() string {
	if len(in.Scopes) == 0 {
		return operator + "this program asked for no scope, so correct the scopes that the authorization " +
			"server gives by itself."
	}
	asked, from := text.Visible(strings.Join(in.Scopes, " "), 200), ""
	switch in.ScopesFrom {
	case FromChallenge:
		from = "scope of WWW-Authenticate"
	case FromMetadata:
		from = "scopes_supported of the server's metadata"
	default:
		return operator + "allow the scopes that this program asked for, as in an earlier sign-in: " +
			asked + "."
	}
	return author + "correct " + from + ", if it names scopes that the authorization server does not have: " +
		"this program asked for those, " + asked + ". If they are right, the " +
		"authorization server's operator: allow them."
}

// clientRefused returns what to do about a client that the token endpoint does not accept.
func (in SignIn) clientRefused() string {
	if in.Registered {
		return againElse + "the client {client}, which this program registered there by itself, is not " +
			"known to the token endpoint. Check that the registration endpoint and the token endpoint " +
			"share their clients."
	}
	return "You: check the client ID {client}, its secret, and whether the client may authenticate in " +
		"this way. If they are right, the authorization server's operator: the log says what does not fit."
}

// tokenRefused returns what to do about a token endpoint that gives no token.
func tokenRefused(a Attempt) string {
	switch why := said(a); {
	case a.Trip != nil && a.Trip.Head.Status/100 == 5:
		return operator + "check the log: the token endpoint failed, and gave no reason that a client " +
			"can use. You: sign in again when it works."
	case strings.Contains(why, "unauthorized_client"), strings.Contains(why, "unsupported_grant_type"):
		return operator + "allow the client {client} the grant authorization_code."
	case strings.Contains(why, "invalid_scope"):
		return operator + "allow the scopes of the request."
	}
	return againElse + "the log says why there is no token, if the reason above does not."
}
