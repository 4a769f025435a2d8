package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// offlineAccess is the scope that asks for a refresh token.
const offlineAccess = "offline_access"

// Known has the client's knowledge before a sign-in begins.
type Known struct {
	// Registered returns the registration for an authorization server: one that
	// the user entered, or one that an earlier sign-in made. It may be nil.
	Registered func(issuer string) (Registration, bool)
	// Scopes are those that were requested before. They are requested again, so
	// that a token for further scopes keeps what the old one could do
	// (basic/authorization, "Step-Up Authorization Flow").
	Scopes []string
	// Anyway are the deviations with which the user goes on if a fault calls for them.
	// DeviateResource holds from the beginning.
	Anyway []playground.Deviation
}

// Begin begins a sign-in to the MCP server at the URL server, which answered a
// request with challenge. It goes on until the browser can leave for
// SignIn.Authorize, the user has to enter a client ID, or a Fault ends it.
func (c Client) Begin(ctx context.Context, server string, challenge Challenge, k Known) *SignIn {
	s := &SignIn{Server: server, Challenge: challenge, Stage: Discovering}
	s.Before, _ = union(nil, k.Scopes)
	f := c.flow(ctx, s)
	f.begin(k)
	if f.discover() && f.register() {
		f.leave()
	}
	return s
}

func (f *flow) begin(k Known) {
	if k.Registered != nil {
		f.known = k.Registered
	}
	f.anyway = k.Anyway
	step := f.step(Challenged, f.s.Server)
	switch c := f.s.Challenge; {
	case c.StepUp() && len(c.Scopes) == 0:
		step.warn("no-scope", clauseScopes,
			"The server rejected the token because a scope is missing, but does not say which one.")
	case c.StepUp():
		if c.Error == "" {
			step.warn("no-error", clauseScopeError,
				"The challenge of HTTP status 403 leaves out error=\"insufficient_scope\".")
		}
		step.found("The token is good, but this request needs the scopes %s.",
			f.visible(strings.Join(c.Scopes, " "), 200))
	case !c.Given:
		step.warn("no-challenge", clauseWellKnown,
			"The server answers with HTTP status %d and no Bearer challenge in WWW-Authenticate.", c.Status)
	case c.Error != "":
		step.found("The server did not accept the token: %s.", f.visible(c.Error, 80))
	default:
		step.found("The server requires an access token.")
	}
}

// discover finds the authorization server and its features. It returns false if
// the sign-in has ended.
func (f *flow) discover() bool {
	if !f.findResource() || !f.findServer() {
		return false
	}
	f.s.Scopes = f.scopes()
	return true
}

// scopes returns the scopes to request: those of the challenge, else those that
// the resource's metadata lists, with those requested before
// (basic/authorization, "Scope Selection Strategy").
func (f *flow) scopes() []string {
	s := f.s
	wanted := s.Challenge.Scopes
	if len(wanted) == 0 && !s.Challenge.StepUp() {
		wanted = s.Supported
	}
	wanted, left := union(s.Before, wanted)
	if f.c.Offline && !f.machine && len(wanted) > 0 && // alone it would be all that the token is good for
		slices.Contains(s.Metadata.ScopesSupported, offlineAccess) {
		wanted, _ = union(wanted, []string{offlineAccess})
	}
	if left {
		f.last().warn("scopes-left", clauseScopes,
			"Some scopes are not requested: they are not valid, or beyond the first %d.", maxScopes)
	}
	return wanted
}

// Supply goes on with a client ID that the user entered for a SignIn in the
// stage NeedsClient.
func (c Client) Supply(ctx context.Context, s *SignIn, r Registration) {
	f := c.flow(ctx, s)
	r.Kind = Preregistered
	if f.use(r) {
		f.leave()
	}
}

// leave makes the address that the browser leaves for.
func (f *flow) leave() {
	s := f.s
	f.leaveOut()
	s.Private.State, s.Private.Verifier = f.c.Ticket+rand.Text(), oauth2.GenerateVerifier()
	options := f.options(oauth2.S256ChallengeOption(s.Private.Verifier))
	if slices.Contains(s.Scopes, offlineAccess) {
		// else servers ignore the scope (OpenID Connect Core, section 11)
		options = append(options, oauth2.SetAuthURLParam("prompt", "consent"))
	}
	s.Authorize = f.config().AuthCodeURL(s.Private.State, options...)
	step := f.step(Leave, s.Authorize)
	step.found("You sign in there and decide what to allow.")
	if !s.Metadata.AuthorizationResponseIssParameterSupported {
		step.warn("iss-unsupported", clauseIss,
			"The metadata of the authorization server does not promise the parameter iss, by which a "+
				"client sees that an answer comes from this authorization server and from no other.")
	}
	s.Stage = Ready
}

// config returns the settings of the library for the sign-in.
func (f *flow) config() *oauth2.Config {
	s := f.s
	style := oauth2.AuthStyleInParams
	if s.Client.Method == methodBasic {
		style = oauth2.AuthStyleInHeader
	}
	secret := s.Private.Secret
	if s.Client.Method == methodNone || s.Client.Method == methodJWT {
		secret = ""
	}
	return &oauth2.Config{
		ClientID: s.Client.ID, ClientSecret: secret, RedirectURL: f.c.redirect(s.Client), Scopes: s.Scopes,
		Endpoint: oauth2.Endpoint{
			AuthURL: s.Metadata.AuthorizationEndpoint, TokenURL: s.Metadata.TokenEndpoint, AuthStyle: style,
		},
	}
}

// options returns the options of a request with the resource that the token is
// for (RFC 8707), which is sent whether or not the server knows the parameter.
func (f *flow) options(more ...oauth2.AuthCodeOption) []oauth2.AuthCodeOption {
	if f.s.leavesOut() {
		return more
	}
	return append(more, oauth2.SetAuthURLParam("resource", f.s.Resource))
}

// leaveOut begins the deviation of a client that leaves out the resource, if the user said so
// beforehand.
func (f *flow) leaveOut() {
	if slices.Contains(f.anyway, playground.DeviateResource) && !f.s.leavesOut() {
		f.deviate(playground.DeviateResource)
	}
}

// RedirectOf returns the URL that the browser comes back to from one
// authorization server and from no other, so that the answer of another one is
// recognised even if neither has the parameter iss (RFC 9700, section 4.4.2).
func (c Client) RedirectOf(issuer string) string { return c.Redirect + "/" + Digest(issuer) }

// Digest returns the text that stands for an authorization server in paths.
func Digest(issuer string) string {
	sum := sha256.Sum256([]byte(issuer))
	return hex.EncodeToString(sum[:16])
}

// redirect returns the URL that a registered client has the browser sent back
// to.
func (c Client) redirect(r Registration) string {
	if r.Own {
		return c.RedirectOf(r.Issuer)
	}
	return c.Redirect
}

// Return takes the address that the browser came back to, and its query. If it
// is the answer to this sign-in, the authorization code is exchanged for a token,
// which is returned; else the SignIn has a Fault and the Token is nil.
func (c Client) Return(ctx context.Context, s *SignIn, address string, query url.Values) *Token {
	f := c.flow(ctx, s)
	f.hide(query.Get("code"), s.Private.Verifier, s.Private.Secret)
	step := f.step(Return, address+"?"+query.Encode())
	if fault := f.returnFault(address, query); fault != nil {
		step.fault(*fault)
		s.Private = Private{}
		return nil
	}
	s.Stage = Exchanging
	step.found("The browser is back, with an authorization code for this sign-in.")
	return f.exchange(query.Get("code"))
}

// returnFault returns the fault in the return of the browser, or nil
// (basic/authorization, "Authorization Response Validation"). Until the issuer
// is known to be right, nothing of the error in the query is read.
func (f *flow) returnFault(address string, query url.Values) *Fault {
	s := f.s
	var fault Fault
	iss, state := query.Get("iss"), query.Get("state")
	repeated := ""
	for _, name := range []string{"state", "iss", "code", "error", "error_description"} {
		if len(query[name]) > 1 {
			repeated = name
		}
	}
	switch {
	case s.Stage != Ready || s.Private.State == "":
		fault = fatal("not-expected", clauseState, "No sign-in is waiting for this answer.")
	case repeated != "":
		fault = fatal("repeated-parameter", clauseEndpoint,
			"The answer has the parameter %s more than once. It was not used.", repeated)
	case subtle.ConstantTimeCompare([]byte(state), []byte(s.Private.State)) != 1:
		fault = fatal("state-mismatch", clauseState,
			"The answer does not have the state that this sign-in sent, so it may come from elsewhere.")
	case address != f.c.redirect(s.Client):
		fault = fatal("redirect-mismatch", clauseMixUp,
			"The answer came to another redirect URI than that of the authorization server that was asked. "+
				"It was not used.")
	case query.Has("iss") && iss != s.Metadata.Issuer && !(iss == s.Issuer && s.anyIssuer()):
		fault = fatal("iss-mismatch", clauseIss,
			"The answer is from another authorization server: it has the iss %q, but %q was asked. "+
				"It was not used.",
			f.visible(iss, 200), f.visible(s.Metadata.Issuer, 200))
	case !query.Has("iss") && s.Metadata.AuthorizationResponseIssParameterSupported:
		fault = fatal("iss-missing", clauseIss,
			"The metadata of the authorization server promises the parameter iss in its answers, but this "+
				"answer has none. "+
				"It was not used.")
	case query.Get("error") != "":
		fault = f.authorizationError(query)
	case query.Get("code") == "":
		fault = fatal("no-code-returned", clauseReturn,
			"The answer has neither an authorization code nor an error.")
	default:
		return nil
	}
	return &fault
}

// authorizationError returns the fault for the error of an authorization
// response.
func (f *flow) authorizationError(query url.Values) Fault {
	name := f.visible(query.Get("error"), 80)
	if name == "access_denied" {
		return fatal("access-denied", clauseReturn, "Access was denied at the authorization server.")
	}
	refuses := refusesResource(query.Get("error"), query.Get("error_description"))
	if why := query.Get("error_description"); why != "" {
		name += ": " + strings.TrimRight(f.visible(why, 300), ".")
	}
	if refuses && !f.s.leavesOut() {
		return fatal(resourceRefused, clauseResourceIndicator,
			"The authorization server does not accept the parameter resource (%s).", name)
	}
	return fatal("authorization-refused", clauseReturn,
		"The authorization server did not grant access (%s).", name)
}
