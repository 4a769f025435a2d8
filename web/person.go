package web

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/gorilla/securecookie"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/people"
)

// Paths of the pages on which people sign in and out.
const (
	SignInPath       = "/sign-in"
	SignInStartPath  = SignInPath + "/start"
	SignedInPath     = SignInPath + "/callback"
	SignOutPath      = "/sign-out"
	signInCookie     = "sign-in"
	signInCookieLife = 10 * 60 // seconds, as long as a ticket
)

// OpenRoute is what can be reached without a sign-in where people sign in.
type OpenRoute struct {
	What   string   // in words
	Routes []string // patterns
	Links  bool     // only if the operator lets everyone read links
}

// OpenRoutes returns everything that can be reached without a sign-in. Every other route asks
// for one.
func OpenRoutes() []OpenRoute {
	return []OpenRoute{
		{What: "Health and version", Routes: []string{"/healthz", "/readyz", "/version"}},
		{What: "Files of the pages", Routes: []string{"/static/*"}},
		{What: "Signing in", Routes: []string{SignInPath, SignInStartPath, SignedInPath, SignOutPath}},
		{What: "Samples, and flows at their addresses: what MCP clients call", Routes: SampleRoutes},
		{What: "Recordings that are served, by their token: what MCP clients call",
			Routes: []string{RecordingPath + ":token"}},
		{What: "Captures, by their token: what MCP clients call",
			Routes: []string{CapturePath + ":token", ResourcePath + CapturePath + ":token"}},
		{What: "The server for agents, which asks for a token of a person", Routes: []string{AgentPath}},
		{What: "Talks, by their code, to read",
			Routes: []string{FollowPath + ":code", FollowPath + ":code/events"}},
		{What: "Shared recordings, by their link, to read", Links: true,
			Routes: []string{"/s/:token", "/s/:token/frames/:seq", "/embed/:token"}},
		{What: "What authorization servers ask for and send the browser back to",
			Routes: []string{
				app.CallbackPath, app.CallbackPath + "/:issuer",
				"/oauth/client.json", "/oauth/client/:issuer",
			}},
	}
}

// IsOpen reports whether a request needs no sign-in.
func (s *App) IsOpen(r *Request) bool { return s.People == nil || s.open[r.Route()] }

// openRoutes returns the patterns of OpenRoutes, as the operator chose for links.
func openRoutes(links bool) map[string]bool {
	open := map[string]bool{}
	for _, one := range OpenRoutes() {
		for _, route := range one.Routes {
			open[route] = links || !one.Links
		}
	}
	return open
}

// userKey is where a request keeps whom the proxy named.
const userKey = "user"

// TakeUser removes the header in which a proxy names the person from a request, before any
// page, recording or capture sees it. It counts only if a trusted proxy has sent it, and
// only if it is there once.
func (s *App) TakeUser(next Handler) Handler {
	return func(r *Request) error {
		if s.People == nil || s.People.Header == "" {
			return next(r)
		}
		named := r.Header.Values(s.People.Header)
		r.Header.Del(s.People.Header)
		if len(named) == 1 && s.isProxy(r.RemoteAddr) {
			r.c.Set(userKey, named[0])
		}
		return next(r)
	}
}

// isProxy reports whether the peer of a connection is a trusted proxy.
func (s *App) isProxy(peer string) bool {
	at, err := netip.ParseAddrPort(peer)
	return err == nil && slices.ContainsFunc(s.Proxies, func(p netip.Prefix) bool {
		return p.Contains(at.Addr().Unmap().WithZone(""))
	})
}

// personOf returns a request to the app with the person whom it comes from, or with why there
// is none.
func (s *App) personOf(r *Request, q app.Request) app.Request {
	p, err := s.person(r)
	if err != nil {
		q.Kind, q.Owner, q.Unknown = app.Unsigned, app.Agent(""), err
		return q
	}
	q.Kind, q.Owner, q.Person = app.ByPerson, s.Member(r.Context(), p), p
	return q
}

func (s *App) person(r *Request) (people.Person, error) {
	if s.People.Header != "" {
		user, _ := r.c.Get(userKey).(string)
		if user == "" {
			return people.Person{}, app.Refuse(app.Unauthorized, "no_user",
				"The proxy in front of this site has not signed you in.",
				"Open the site at "+s.BaseURL+". If you did, tell its operator.")
		}
		return s.PersonNamed(r.Context(), user)
	}
	id, until := s.Owners.signedIn(r)
	switch {
	case id == "":
		return people.Person{}, app.Refuse(app.Unauthorized, "sign_in", "Sign in to use this site.",
			"Nothing was sent.")
	case !s.Now().Before(until):
		return people.Person{}, SignedOut()
	}
	p, err := s.PersonWith(r.Context(), id)
	if errors.Is(err, playground.ErrNotFound) { // the database is another one
		return p, SignedOut()
	}
	return p, err
}

// SignedOut returns the refusal for a sign-in that has ended.
func SignedOut() *app.Refusal {
	return app.Refuse(app.Unauthorized, "signed_out_here", "Your sign-in to this site has ended.",
		"Nothing was sent. Sign in again.")
}

// signedIn returns the id of the person who has signed in with this browser, and until when.
func (o Owners) signedIn(r *Request) (id string, until time.Time) {
	values := o.session(r).Values
	id, _ = values["person"].(string)
	seconds, _ := values["until"].(int64)
	return id, time.Unix(seconds, 0)
}

// SignIn makes the browser of a request that of a person, until a time. Nothing that its
// cookie had before stays in it.
func (o Owners) SignIn(r *Request, person string, until time.Time) error {
	session := o.session(r)
	clear(session.Values)
	session.Values["person"], session.Values["until"] = person, until.Unix()
	return o.renew(r)
}

// SignOut makes the browser of a request that of no one.
func (o Owners) SignOut(r *Request) error {
	session := o.session(r)
	clear(session.Values)
	options := *session.Options
	options.MaxAge = Past
	session.Options = &options
	return o.renew(r)
}

// derived returns a key of 32 bytes for a purpose from each key of cookies (RFC 5869).
func derived(keys [][]byte, purpose string) [][]byte {
	var list [][]byte
	for _, key := range keys {
		made, err := hkdf.Key(sha256.New, key, nil, purpose, app.SecretKeySize)
		if err != nil {
			panic(err) // the size is right
		}
		list = append(list, made)
	}
	return list
}

// personKeys returns the keys of app.People.
func personKeys(cookies func(now bool) [][]byte) func() [][]byte {
	return func() [][]byte { return derived(cookies(false), "mrtr-playground: keys of people") }
}

// ticketCodecs returns what signs and encrypts the tickets of sign-ins.
func (s *App) ticketCodecs() []securecookie.Codec {
	var pairs [][]byte
	for _, key := range s.CookieKeys(true) {
		pairs = append(pairs, key, derived([][]byte{key}, "mrtr-playground: tickets of sign-ins")[0])
	}
	codecs := securecookie.CodecsFromPairs(pairs...)
	for _, c := range codecs {
		if c, ok := c.(*securecookie.SecureCookie); ok {
			c.SetSerializer(securecookie.JSONEncoder{})
		}
	}
	return codecs
}

// KeepTicket makes the browser keep the ticket of a sign-in.
func (s *App) KeepTicket(r *Request, t people.Ticket) error {
	value, err := securecookie.EncodeMulti(signInCookie, t, s.ticketCodecs()...)
	if err == nil {
		s.KeepCookie(r, signInCookie, value, signInCookieLife)
	}
	return err
}

// TakeTicket returns the ticket that the browser keeps, and makes it forget it. It is the zero
// value if there is none.
func (s *App) TakeTicket(r *Request) (t people.Ticket) {
	if securecookie.DecodeMulti(signInCookie, s.Cookie(r, signInCookie), &t, s.ticketCodecs()...) != nil {
		t = people.Ticket{}
	}
	s.KeepCookie(r, signInCookie, "", Past)
	return t
}

// SignInAt returns the address of the page on which to sign in and then go on to a page.
func SignInAt(r *http.Request) string {
	if r.Method != http.MethodGet || r.URL.Path == "/" {
		return SignInPath
	}
	return playground.SetQuery(SignInPath, "next", r.URL.RequestURI())
}
