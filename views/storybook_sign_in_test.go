package views_test

import (
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	signinview "github.com/mrtr-playground/mrtr-playground/views/signin"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// signInTrip is one request of a sign-in with its response.
func signInTrip(request, response string) *playground.Round {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	log := []playground.Event{{Seq: 1, At: at, Conn: 1, Kind: playground.Sent, Data: []byte(request)}}
	if response != "" {
		log = append(log,
			playground.Event{Seq: 2, At: at, Conn: 1, Kind: playground.Received, Data: []byte(response)})
	}
	return &playground.Trips(log)[0]
}

// signIn returns the page of a sign-in with so many of its steps.
func signIn(stage signinview.Stage, steps int, faults ...signinview.Fault) signinview.SignIn {
	const issuer = "https://login.example.com"
	json := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
	get := func(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n" }
	whole := wireview.FramesAt("/servers/T1/sign-in", "?id=S1")
	leave := issuer + "/authorize?client_id=c1&code_challenge=abc&code_challenge_method=S256&" +
		"redirect_uri=http%3A%2F%2F127.0.0.1%2Foauth%2Fcallback&" +
		"resource=https%3A%2F%2Fshop.example.com%2Fmcp&response_type=code&scope=orders&state=S1.XYZ"
	all := []signinview.Step{
		signinview.NewStep(1, "challenge", "https://shop.example.com/mcp",
			"The server wants to know who is calling.", nil, nil, whole),
		signinview.NewStep(2, "resource_metadata", "", "The server accepts tokens of "+issuer+".", nil,
			signInTrip(get("/.well-known/oauth-protected-resource/mcp"), json+`{"authorization_servers":["`+
				issuer+`"]}`), whole),
		signinview.NewStep(3, "server_metadata", "", "The authorization server is "+issuer+".", nil,
			signInTrip(get("/.well-known/oauth-authorization-server"), json+`{"issuer":"`+issuer+`"}`),
			whole),
		signinview.NewStep(4, "registration", "", "The authorization server registered this client as "+
			"c1.", nil,
			signInTrip("POST /register HTTP/1.1\r\nContent-Type: "+
				"application/json\r\n\r\n{\"client_name\":\"x\"}",
				json+`{"client_id":"c1"}`), whole),
		signinview.NewStep(5, "authorization", leave, "You sign in there and decide what to allow.", nil,
			nil,
			whole),
		signinview.NewStep(6, "return", "http://127.0.0.1/oauth/callback?code=****&state=S1.XYZ",
			"The browser is back, with an authorization code for this sign-in.", nil, nil, whole),
		signinview.NewStep(7, "token", "", "The authorization server gave an access token that is good for "+
			"10 minutes.", nil, signInTrip("POST /token HTTP/1.1\r\n"+
			"Content-Type: application/x-www-form-urlencoded\r\n\r\ncode=****&grant_type=authorization_code",
			json+`{"access_token":"*****","token_type":"Bearer","expires_in":600}`), whole),
	}
	s := signinview.SignIn{
		ID: "S1", Server: "The shop at shop.example.com", Path: "/servers/T1/sign-in", Stage: stage,
		Issuer: issuer, Scopes: []string{"orders"}, Back: "/x/X1", Exchange: "X1",
		Redirect:       "http://127.0.0.1/oauth/callback/4be8a5e1cd1a4a0c6b2a7c5f0c9d1e3f",
		SharedRedirect: "http://127.0.0.1/oauth/callback", Steps: all[:steps],
	}
	if steps > 3 {
		s.Client = "c1"
	}
	if steps > 4 {
		s.Authorize = leave
	}
	last := &s.Steps[len(s.Steps)-1]
	for _, f := range faults {
		last.Faults = append(last.Faults, f)
		if last.LastFault = f.Fatal; f.Fatal {
			last.Found, s.Tried = "", triedOf(s.Steps, "no-pkce", "")
		}
	}
	s.Draw()
	return s
}

// triedOf returns the list of the steps of a sign-in, of which the last one fails with a fault.
func triedOf(steps []signinview.Step, fault string, anyway playground.Deviation) doctor.List {
	in := doctor.SignIn{Anyway: anyway}
	for _, s := range steps {
		a := doctor.Attempt{Purpose: s.Purpose, URL: s.URL, Found: s.Found}
		for _, f := range s.Faults {
			a.Faults = append(a.Faults, doctor.Fault{ID: fault, Says: f.Says, Clause: f.Clause,
				Ends: f.Fatal})
		}
		in.Attempts = append(in.Attempts, a)
	}
	return in.List()
}

func signInStories() []story {
	page := func(name string, s signinview.SignIn) story {
		return story{group: "sign-in", name: name, page: func(p layout.Page) templ.Component {
			return signinview.Page(p, s)
		}}
	}
	warning := signinview.NewFault("The token response has no token_type, which is required.",
		"RFC 6749, section 5", false, false)
	fatal := signinview.NewFault("The authorization server metadata has no "+
		"code_challenge_methods_supported. So nothing shows that the authorization server supports PKCE, "+
		"and the specification forbids to go on.",
		"basic/authorization/security-considerations#authorization-code-protection", true, false)
	lost := signIn(signinview.Refused, 2)
	lost.Steps = append(lost.Steps, signinview.NewStep(3, "server_metadata", "", "",
		[]signinview.Fault{signinview.NewFault("https://login.example.com cannot be reached: no such host.",
			"", true, false)}, signInTrip("GET / HTTP/1.1\r\n\r\n", ""), nil))
	lost.Tried = triedOf(lost.Steps, "unreachable", "")
	lost.Draw()
	choice := signIn(signinview.Refused, 3, fatal)
	choice.Anyway, choice.Tried = playground.DeviatePKCE, triedOf(choice.Steps, "no-pkce",
		playground.DeviatePKCE)
	wentOn := signIn(signinview.Ready, 5)
	waived := signinview.NewFault(fatal.Says, fatal.Clause, true, true)
	wentOn.Steps[2].Faults = []signinview.Fault{waived}
	chosen := signinview.NewStep(4, "anyway", "", doctor.WordsOf(playground.DeviatePKCE).Did, nil, nil, nil)
	chosen.Deliberate = true
	wentOn.Steps = append(wentOn.Steps[:3:3], append([]signinview.Step{chosen}, wentOn.Steps[3:]...)...)
	wentOn.Draw()
	none := signinview.SignIn{Server: "The shop", Stage: signinview.None, Back: "/servers/T1"}
	asked := none
	asked.Offer = &signinview.Offer{Path: "/servers/T1/sign-in", Scopes: []string{"orders"}}
	return []story{
		page("none", none).of(".sign-in", ""),
		page("none-asked", asked).of(".sign-in", ""),
		page("ready", signIn(signinview.Ready, 5)),
		page("needs-client", signIn(signinview.Client, 3)).of(".sign-in-now", ".facts, label .muted"),
		whole("sign-in", page("", signIn(signinview.Done, 7, warning)).page).
			of("main", "li:not(:last-child) .frames, .json"),
		page("refused", signIn(signinview.Refused, 3, fatal)).
			of(".sign-in, .sign-in-steps > :last-child", ".facts, svg, .frames"),
		page("refused-tried", choice).of(".tried", ""),
		page("went-on", wentOn).of(".sign-in-steps > :nth-child(3), .sign-in-steps > :nth-child(4)",
			".frames"),
		page("unreachable", lost).of(".sign-in-now, .sign-in-steps > :last-child", ".facts"),
		story{group: "sign-in", name: "signed-in", page: func(layout.Page) templ.Component {
			return signinview.SignedInView(signinview.SignedIn{
				Path: "/servers/T1/sign-in", Action: "/servers/T1/sign-in", Scopes: []string{"orders"},
			})
		}}.of("[data-signed-in] > *", ""),
		page("signed-out", signIn(signinview.Out, 7)).of(".sign-in-now", ".facts"),
		page("expired", signIn(signinview.Expired, 5)),
		page("interrupted", signIn(signinview.Cut, 6)),
	}
}
