package doctor

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// SignIn is a recorded sign-in: what package auth did, as far as the doctor reads it.
type SignIn struct {
	Attempts []Attempt
	// NeedsClient says that the authorization server has no way to register this client.
	NeedsClient bool
	// Lost says that the browser left and did not come back.
	Lost   bool
	Anyway playground.Deviation // that goes on after the fault; empty if none does

	Server     string // URL of the MCP server
	Resource   string // that the token is for
	Issuer     string // of the authorization server, as the MCP server names it
	ItsIssuer  string // as the metadata of the authorization server name it
	Client     string // client ID
	Registered bool   // this program registered the client by itself
	Redirect   string // redirect URI of a client that is registered by hand
	AnyPort    bool   // the port of Redirect changes with each sign-in
	Scopes     []string
	ScopesFrom ScopeSource
}

// ScopeSource is where the scopes of a sign-in come from; empty for an earlier sign-in.
type ScopeSource string

// The sources of scopes.
const (
	FromChallenge ScopeSource = "challenge"
	FromMetadata  ScopeSource = "metadata"
)

// Attempt is one step of a recorded sign-in.
type Attempt struct {
	Purpose string // an auth.Purpose
	URL     string // without secrets
	Found   string
	Faults  []Fault
	Anyway  playground.Deviation
	Trip    *playground.Round // its request and response; nil for a step of the browser
}

// Fault is a fault that package auth found.
type Fault struct {
	ID, Says, Clause string
	Ends             bool // it ended the sign-in
	Waived           bool // the user went on in spite of it
}

// Purposes of attempts, as in package auth.
const (
	challenged   = "challenge"
	askResource  = "resource_metadata"
	askServer    = "server_metadata"
	register     = "registration"
	leave        = "authorization"
	comeBack     = "return"
	askToken     = "token"
	refreshToken = "refresh"
	revokeToken  = "revocation"
	goOn         = "anyway"
)

// signInTitles are the titles of the steps of a sign-in, by purpose.
var signInTitles = map[string]string{
	challenged:   "The server refuses the request",
	askResource:  "Get the metadata of the server",
	askServer:    "Get the metadata of the authorization server",
	register:     "Register as a client",
	leave:        "You sign in",
	comeBack:     "The browser comes back",
	askToken:     "Exchange the code for a token",
	refreshToken: "Renew the token",
	revokeToken:  "Revoke the token",
	goOn:         "You go on anyway",
}

// SignInTitle returns the title of a step of a sign-in.
func SignInTitle(purpose string) string { return signInTitles[purpose] }

// inOrder are the purposes of a whole sign-in.
var inOrder = []string{challenged, askResource, askServer, register, leave, comeBack, askToken}

// List returns the list of a sign-in.
func (in SignIn) List() List {
	var list List
	last := 0
	for _, a := range in.Attempts {
		last = max(last, slices.Index(inOrder, a.Purpose))
		s := a.step()
		s.Do = in.fill(s.Do, a)
		list = append(list, s)
	}
	switch n := len(list) - 1; {
	case in.NeedsClient:
		last = slices.Index(inOrder, register)
		list = append(list, in.noRegistration())
	case in.Lost && n >= 0:
		list[n].Outcome, list[n].Came = verdict.Failed, "The browser did not come back."
		list[n].Do = in.fill("You: sign in again. If the authorization server showed an error, its page "+
			"says why; nothing of it reaches this program. Then the authorization server's operator: "+
			"often it does not know the client ID, {client}, or the redirect URI.", in.Attempts[n])
		list[n].Clause = "RFC 6749, section 4.1.2.1"
	}
	failed := list.Failed()
	if failed == nil {
		return list
	}
	failed.Anyway = in.Anyway
	if in.guessed() && last >= slices.Index(inOrder, register) {
		failed.Do = in.fill(author+"serve protected resource metadata at {document}, and name the "+
			"authorization server there. The authorization server's operator: serve its metadata at "+
			"{metadata}. Without them this program used a default address of MCP 2025-03-26, which "+
			"does not work.", Attempt{})
		failed.Do = strings.Replace(failed.Do, "{document}", shown(in.firstOf(askResource)), 1)
		failed.Flags = ""
	}
	for i := range list {
		if list[i].Outcome == verdict.Advisory && in.Attempts[i].isMinor() {
			list[i].Do = strings.TrimSpace(list[i].Do + " This is not why the sign-in failed.")
			list[i].Clause = ""
		}
	}
	for _, purpose := range inOrder[last+1:] {
		list = append(list, Step{ID: purpose, Title: signInTitles[purpose], Outcome: verdict.NotReached})
	}
	return list
}

// noRegistration is the step of a registration for which there is no way.
func (in SignIn) noRegistration() Step {
	return Step{
		ID: register, Title: signInTitles[register], Outcome: verdict.Failed,
		Came: "The authorization server " + text.Visible(in.Issuer, 200) + " offers no way to register by " +
			"itself that this program can use: its metadata names no registration_endpoint.",
		Do: in.fill("You, if the authorization server lets you, or else its operator: "+byHand+
			" (Or the operator: offer registration.)", Attempt{}),
		Flags:  "-client-id ID",
		Clause: "basic/authorization/client-registration",
	}
}

// step returns the step of an attempt. Its words are those of the faults, and it fails with
// the one that ended the sign-in.
func (a Attempt) step() Step {
	s := Step{ID: a.Purpose, Title: signInTitles[a.Purpose], Outcome: verdict.Passed, Came: a.Found}
	if a.Anyway != "" {
		words := WordsOf(a.Anyway)
		s.Deliberate, s.Came, s.Clause = true, words.Did, words.Clause
		return s
	}
	var do []string
	for _, f := range a.Faults {
		s.Came = strings.TrimSpace(s.Came + " " + f.Says)
		r := faultRemedies[f.ID]
		switch {
		case f.Ends:
			s.Outcome, s.Do, s.Flags, s.Clause = verdict.Failed, r.do, r.flags, f.Clause
		case s.Outcome != verdict.Failed:
			s.Outcome = verdict.Advisory
			s.Clause = f.Clause
			if r.do != "" && !f.Waived && !slices.Contains(do, r.do) {
				do = append(do, r.do)
			}
		}
	}
	if s.Outcome == verdict.Advisory {
		s.Do = strings.Join(do, " ")
	}
	if s.Outcome == verdict.Passed && a.Trip != nil && a.Trip.Head.Status/100 != 2 {
		s.Outcome = verdict.NotJudged
	}
	if (a.Purpose == askResource || a.Purpose == askServer) && !strings.Contains(s.Came, a.URL) {
		s.URL = text.Visible(a.URL, 300)
	}
	s.Came = harmless(s.Came)
	if s.Wrong() && a.Trip != nil && a.Trip.Head.Status/100 != 2 && !quotes(s.Came, a.Trip) {
		s.Body = bodyOf(*a.Trip)
	}
	return s
}

// quotes reports whether words quote what the body of a response says: the description of an
// error of OAuth.
func quotes(words string, r *playground.Round) bool {
	said := bodyOf(*r)
	return said == "" || strings.Contains(said, "error_description") && strings.Contains(words, ": ")
}

// guessed reports whether default addresses were used, because there is no metadata.
func (in SignIn) guessed() bool {
	return slices.ContainsFunc(in.Attempts, func(a Attempt) bool {
		return slices.ContainsFunc(a.Faults, func(f Fault) bool { return f.ID == "default-endpoints" })
	})
}

// minor are the faults that cannot be why a later step fails.
var minor = []string{
	"iss-unsupported", "offline-access-listed", "not-json-type", "secret-expiry", "no-token-type",
	"token-form", "resource-unnamed", "no-challenge", "resource-page", "server-page", "not-https",
}

// isMinor reports whether the faults of an attempt cannot be why a later step fails.
func (a Attempt) isMinor() bool {
	return !slices.ContainsFunc(a.Faults, func(f Fault) bool { return !slices.Contains(minor, f.ID) })
}
