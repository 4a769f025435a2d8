// Package signin shows a sign-in, step by step, and the offer of one. Neither a
// token nor a secret of a client is in its models.
package signin

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Offer is the button that begins a sign-in to a server.
type Offer struct {
	Path     string   // of the form
	Exchange string   // whose newest request goes on after it; empty for the connection
	Back     string   // the place in a lesson that the form is on; empty for others
	Scopes   []string // that the server asks for
	StepUp   bool     // the token is good, but not for this request
	Again    bool     // the server refused the token that was sent
}

// Asks returns the sentence of a refusal as one that asks for a sign-in.
func (o *Offer) Asks(s prose.Sentence) prose.Sentence {
	s.Try = ""
	switch {
	case o.StepUp:
		s.What = doctor.MoreRights
	case o.Again:
		s.What = doctor.TokenRefused
	}
	return s
}

// SignedIn is the part of the page of a server about the user's sign-in to it.
type SignedIn struct {
	Path    string // of the sign-in
	Action  string // of the form that signs out
	Issuer  string
	Scopes  []string
	Expires time.Time // zero if that is not known
	Expired bool
	Renews  bool // it is renewed when it has expired
	// Deviations are those of the sign-in, which the user chose.
	Deviations []playground.Deviation
}

// Stage is how far a sign-in is.
type Stage string

// Stages of a sign-in.
const (
	None    Stage = "none"         // none was begun
	Ready   Stage = "ready"        // the user can leave for the authorization server
	Client  Stage = "needs_client" // the user has to enter a client ID
	Done    Stage = "done"
	Out     Stage = "out" // it was done, and this browser has no token of it any more
	Refused Stage = "refused"
	Expired Stage = "expired" // the user did not come back in time
	Cut     Stage = "cut"     // this program stopped in the middle
)

// Next is how an exchange goes on after a sign-in.
type Next string

// How an exchange goes on.
const (
	Resends Next = ""        // the refused request is sent again
	Sends   Next = "sends"   // what the user had chosen is sent
	Returns Next = "returns" // the user comes back to the call as it was
)

// SignIn is the page of one sign-in.
type SignIn struct {
	ID        string
	Server    string // its name
	Sample    bool   // the server is a sample of this program
	Path      string // of this page, without a query
	Stage     Stage
	Tried     doctor.List          // if it was refused
	Anyway    playground.Deviation // that the user may choose to go on with; empty for none
	Authorize string               // where the user signs in
	Issuer    string
	Client    string // client ID
	// Redirect is where the authorization server, and no other, sends the browser
	// back to. SharedRedirect is for clients that are registered with it already.
	Redirect, SharedRedirect string
	Scopes                   []string
	Offer                    *Offer // if none was begun and the server asks for one
	Exchange                 string // that goes on after it; empty for none
	Next                     Next   // how the exchange goes on
	Back                     string // where the user came from
	Steps                    []Step
	Drawing                  drawing.Drawing
	Words                    []string // the drawing in words
}

// Fault is something that a server does wrong.
type Fault struct {
	Says   string
	Clause string // its name; empty for none
	Link   string
	Fatal  bool // it ended the sign-in
	Waived bool // the user went on in spite of it
}

// NewFault returns a fault with the link to the clause that it breaks.
func NewFault(says, clause string, fatal, waived bool) Fault {
	return Fault{
		Says: says, Clause: clause, Link: doctor.Link(clause), Fatal: fatal && !waived, Waived: waived,
	}
}

// Step is one step of a sign-in.
type Step struct {
	N       int
	Purpose string // an auth.Purpose
	Title   string
	URL     string
	Found   string
	Faults  []Fault
	// Parameters are those of the URL of a step of the browser.
	Parameters []Parameter
	Request    *wireview.Frame // nil for a step of the browser
	Response   *wireview.Frame
	Failure    string // why there is no response
	Status     int    // of the response
	LastFault  bool   // a fault of this step ended the sign-in
	Deliberate bool   // this client deviates from the specification, because the user chose so
}

// Parameter is one parameter that the browser carries.
type Parameter struct {
	Name, Value, Meaning string
}

// maxParameters is how many parameters of a URL are listed.
const maxParameters = 30

// meanings has the purposes of the parameters of OAuth.
var meanings = map[string]string{
	"response_type":         "an authorization code is wanted",
	"client_id":             "the client",
	"redirect_uri":          "where the browser is sent afterwards",
	"scope":                 "what the token should be good for (scopes)",
	"resource":              "the MCP server that the token is for (RFC 8707)",
	"state":                 "ties the answer to this browser",
	"code_challenge":        "the hash of the PKCE verifier, without which a client cannot use the code",
	"code_challenge_method": "the hash is SHA-256",
	"prompt":                "ask the user again, which a refresh token requires",
	"code":                  "the authorization code, good once and for a short time",
	"iss":                   "which authorization server answers (RFC 9207)",
}

// signInParameters returns the parameters of a URL in their order.
func signInParameters(rawURL string) []Parameter {
	_, query, _ := strings.Cut(rawURL, "?")
	var list []Parameter
	for pair := range strings.SplitSeq(query, "&") {
		name, value, found := strings.Cut(pair, "=")
		plainName, err := url.QueryUnescape(name)
		plain, wrong := url.QueryUnescape(value)
		if !found || err != nil || wrong != nil || len(list) >= maxParameters {
			continue
		}
		list = append(list, Parameter{
			text.Visible(plainName, 60), text.Visible(plain, 200), meanings[plainName],
		})
	}
	return list
}

// address is the URL of a step without its parameters, if they are listed.
func (s Step) address() string {
	if len(s.Parameters) == 0 {
		return s.URL
	}
	path, _, _ := strings.Cut(s.URL, "?")
	return path
}

// NewStep returns the view of step n. trip is its request and response;
// nil for a step of the browser. whole is the address of whole bodies.
func NewStep(n int, purpose, rawURL, found string, faults []Fault, trip *playground.Round,
	whole wireview.FramePath) Step {
	s := Step{
		N: n, Purpose: purpose, Title: doctor.SignInTitle(purpose), URL: rawURL, Found: found, Faults: faults,
	}
	for _, f := range faults {
		s.LastFault = s.LastFault || f.Fatal
	}
	if trip == nil {
		s.Parameters = signInParameters(rawURL)
		return s
	}
	k := wireview.FrameMaker{N: n, Formatted: true, Exact: true, Whole: whole}
	request := k.Frame("request", "", trip.Request, trip.RequestSeq)
	request.Line = strings.TrimSuffix(request.Line, " HTTP/1.1")
	k.FormatBody(&request, trip.Request.Body)
	s.Request = &request
	if len(trip.Response.Head)+len(trip.Response.Body) == 0 {
		s.Failure = text.Visible(trip.Detail, 400)
		return s
	}
	response := k.Frame("response", "", trip.Response, trip.ResponseSeq)
	_, response.Line, _ = strings.Cut(response.Line, " ")
	k.FormatBody(&response, trip.Response.Body)
	s.Response, s.Status = &response, trip.Head.Status
	return s
}

// Draw draws the steps.
func (s *SignIn) Draw() {
	var steps []picture.SignInStep
	for _, step := range s.Steps {
		p := picture.SignInStep{
			N: step.N, Purpose: step.Purpose, Failed: step.LastFault, Lost: step.Request != nil &&
				step.Response == nil, Sentence: step.says(),
		}
		if step.Status != 0 && step.Status/100 != 2 {
			p.Answer = fmt.Sprint(step.Status)
		}
		steps = append(steps, p)
	}
	s.Drawing, s.Words = drawSignIn(steps, true)
}

// WholeSignIn is the drawing of a sign-in in which nothing goes wrong, and its words.
func WholeSignIn() (drawing.Drawing, []string) {
	var steps []picture.SignInStep
	for i, purpose := range []string{"challenge", "resource_metadata", "server_metadata", "registration",
		"authorization", "return", "token"} {
		steps = append(steps, picture.SignInStep{N: i + 1, Purpose: purpose})
	}
	return drawSignIn(steps, false)
}

// drawSignIn draws steps, with links to them if they are on the page.
func drawSignIn(steps []picture.SignInStep, links bool) (drawing.Drawing, []string) {
	p := picture.SignIn(steps)
	if links {
		p.Link = func(round int) string { return fmt.Sprintf("#step-%d", round) }
	}
	wide := string(p.SVG())
	narrow := string(picture.NarrowSignIn(p).SVG())
	return drawing.Drawing{Class: "drawn-sign-in", Wide: wide, Narrow: narrow}, p.Text()
}

// says returns the finding of a step, in one sentence.
func (s Step) says() string {
	for _, f := range s.Faults {
		if f.Fatal {
			return f.Says
		}
	}
	return s.Found
}

// host returns the host of an address, for people.
func (s SignIn) host() string {
	u, err := url.Parse(s.Authorize)
	if err != nil {
		return "the authorization server"
	}
	return text.Visible(u.Host, 80)
}

// there names where the user signs in, for the link that leads there.
func (s SignIn) there() string {
	if s.Sample {
		return "the sample authorization server"
	}
	return s.host()
}

// headline says how far the sign-in is.
func (s SignIn) headline() string {
	switch s.Stage {
	case None:
		return "You have not signed in to this server"
	case Ready:
		return "Sign in at " + s.there()
	case Client:
		return "The authorization server does not know this program yet"
	case Done:
		return "You are signed in"
	case Out:
		return "You are not signed in any more"
	case Expired:
		return "This sign-in has expired"
	case Cut:
		return "This sign-in was interrupted"
	}
	return "The sign-in failed"
}

// warnings counts the faults that did not end the sign-in.
func (s SignIn) warnings() int {
	n := 0
	for _, step := range s.Steps {
		for _, f := range step.Faults {
			if !f.Fatal && !f.Waived {
				n++
			}
		}
	}
	return n
}

// deviations names those of the sign-in.
func (s SignedIn) deviations() string {
	var list []string
	for _, d := range s.Deviations {
		list = append(list, doctor.WordsOf(d).Name)
	}
	return prose.List(list)
}
