package web

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// signInStore keeps sign-ins to protected servers, and what they result in.
type signInStore interface {
	AddSignIn(ctx context.Context, workspace string, n server.SignIn) error
	SetSignIn(ctx context.Context, workspace string, n server.SignIn, from string) error
	SignIn(ctx context.Context, workspace, id string) (server.SignIn, error)
	LastSignIn(ctx context.Context, workspace, target string) (server.SignIn, error)
	CountSignIns(ctx context.Context, workspace, exchange string) (int, error)
	SealExchange(ctx context.Context, workspace, id string, sealed []byte) error
	tokenStore
}

// Limits of sign-ins.
const (
	// maxSignIns is how many sign-ins one call may have. A server that refuses
	// the token again and again would ask for ever (basic/authorization,
	// "Step-Up Authorization Flow").
	maxSignIns = 5
	// signInTime is how long the user has to come back.
	signInTime = 30 * time.Minute
	// signInWait is how long this program talks to servers for one step.
	signInWait = 40 * time.Second
	// maxSteps is how many steps a record of a sign-in may have.
	maxSteps = 40
	// maxClientText is the longest client ID or secret, in bytes.
	maxClientText = 4096
)

// callbackPath is where an authorization server sends the browser back to: to
// this path if the client was registered with it by hand, else to one below it
// that is for this authorization server alone.
const callbackPath = "/oauth/callback"

// ownURL returns the URL of this program as the browser knows it, because its
// cookies belong to that host.
func (s *app) ownURL(c echo.Context) string {
	if s.Mode == Public {
		return s.BaseURL
	}
	scheme, _, _ := strings.Cut(s.BaseURL, "://")
	return scheme + "://" + c.Request().Host
}

// authClient returns this program as an OAuth client, for the sign-in with an
// id.
func (s *app) authClient(c echo.Context, id string) auth.Client {
	return auth.Client{
		Sender: s.SignIns, Name: "MRTR Playground", Redirect: s.ownURL(c) + callbackPath,
		Document: s.documents(), Ticket: id + ".", Offline: true, Strict: s.Mode == Public, Now: s.Now,
	}
}

// documents returns the addresses of the client ID metadata documents, or nil if
// no authorization server can read them there.
func (s *app) documents() func(issuer string) (string, bool) {
	if s.Mode != Public || !strings.HasPrefix(s.BaseURL, "https://") {
		return nil
	}
	return func(issuer string) (string, bool) {
		return s.BaseURL + "/oauth/client/" + auth.Digest(issuer) + ".json", true
	}
}

// documentName matches the name of the document for one authorization server.
var documentName = regexp.MustCompile(`^([0-9a-f]{32})\.json$`)

// clientDocument is a client ID metadata document
// (basic/authorization/client-registration): with the redirect URI for one
// authorization server, or with the one that all share.
func (s *app) clientDocument(c echo.Context) error {
	base, redirect := s.ownURL(c), callbackPath
	if name := c.Param("issuer"); name != "" {
		issuer := documentName.FindStringSubmatch(name)
		if issuer == nil {
			return playground.ErrNotFound
		}
		redirect += "/" + issuer[1]
	}
	return c.JSON(http.StatusOK, map[string]any{
		"client_id": base + c.Request().URL.Path, "client_name": "MRTR Playground", "client_uri": base,
		"redirect_uris": []string{base + redirect}, "response_types": []string{"code"},
		"grant_types":                []string{"authorization_code", "refresh_token"},
		"token_endpoint_auth_method": "none",
	})
}

// signIn begins a sign-in to a server, goes on with one that needs a client ID,
// or signs out.
func (s *app) signIn(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	k, err := s.find(c, c.Param("id"))
	if err != nil {
		return err
	}
	switch values.Get("do") {
	case "out":
		return s.signOut(c, k)
	case "client":
		return s.supplyClient(c, k, values)
	}
	path, err := s.beginSignIn(c, k, values.Get("exchange"),
		waiting{back: backToLesson(values.Get("back"))})
	if err != nil {
		return err
	}
	return seeOther(c, path)
}

// beginSignIn begins a sign-in for what a server refused last: the newest
// request of an exchange, or the connection. w says how the user goes on after
// it. It returns the page of the sign-in.
func (s *app) beginSignIn(c echo.Context, k knownServer, exchange string, w waiting) (string, error) {
	refused, challenge, err := s.challenge(c, k, exchange)
	if err != nil {
		return "", err
	}
	workspace, err := s.owners.writing(c)
	if err != nil {
		return "", err
	}
	row := server.SignIn{ID: s.NewID(), Target: k.target.ID, Exchange: exchange, Created: s.Now()}
	if err := s.admit(c, playground.Exchange{ID: row.ID, Target: k.target}); err != nil {
		return "", err
	}
	v, err := s.owners.newVault(c)
	if err != nil {
		return "", err
	}
	known := auth.Known{Registered: s.registered(c, v)}
	if before := s.tokenOf(c, k.target); before != nil {
		known.Scopes = before.Requested
	}
	s.forgetUnused(c, k.target.ID)
	ctx, stop := signInContext(c.Request().Context(), k.target)
	defer stop()
	w.SignIn = s.authClient(c, row.ID).Begin(ctx, refused, challenge, known)
	if row, err = sealSignIn(v, row, w); err != nil {
		return "", err
	}
	err = s.store(c, len(row.Record)+len(row.Sealed), func() error {
		return s.Store.AddSignIn(ctx, workspace, row)
	})
	return signInPath(row), err
}

// signInPath returns the page of a sign-in.
func signInPath(row server.SignIn) string {
	return "/servers/" + row.Target + "/sign-in?" + url.Values{"id": {row.ID}}.Encode()
}

// signInContext returns the context of the requests of a sign-in to a server.
func signInContext(ctx context.Context, t playground.Target) (context.Context, context.CancelFunc) {
	return context.WithTimeout(wire.WithTrust(ctx, t.Trust), signInWait)
}

// challenge returns how the server refused the newest request of an exchange,
// or of connecting if exchange is "", and the URL of that request.
func (s *app) challenge(c echo.Context, k knownServer, exchange string) (
	raw string, challenge auth.Challenge, err error,
) {
	refused := refuse(http.StatusConflict, "no_sign_in", "This server does not ask for a sign-in now.",
		"Nothing was sent. Go back and reload the page.")
	if exchange == "" {
		if challenge, ok := connectChallenge(k.connection); ok {
			return resourceURL(k.target.URL), challenge, nil
		}
		return "", auth.Challenge{}, refused
	}
	x, err := s.load(c, exchange)
	if err != nil {
		return "", auth.Challenge{}, err
	}
	f := x.Fold()
	challenge, ok := callChallenge(f)
	if !ok && s.isSignedOut(c, x, f) {
		challenge, ok = s.challengedBefore(c, k, f)
	}
	if !ok || x.Target.ID != k.target.ID {
		return "", auth.Challenge{}, refused
	}
	raw = resourceURL(x.Target.ToInstance(f.Last().Decision.Instance))
	n, err := s.Store.CountSignIns(c.Request().Context(), s.owners.reading(c), exchange)
	if err == nil && n >= maxSignIns {
		err = refuse(http.StatusConflict, "too_many_sign_ins",
			fmt.Sprintf("You have signed in %d times for this call, and the server still refuses it.", n),
			"Nothing was sent. Compare the scopes that the server asks for with those that it was granted.")
	}
	return raw, challenge, err
}

// resourceURL returns the URL that a token is requested for: without its query
// if that has secrets.
func resourceURL(raw string) string {
	if redact.MaskURL(raw) != raw || text.HasMask([]byte(raw)) {
		return withoutQuery(raw)
	}
	return raw
}

// connectChallenge returns how a server refused to be connected to, and whether
// a sign-in can help.
func connectChallenge(conn server.Connection) (auth.Challenge, bool) {
	if conn.Status != server.ConnectFailed || len(conn.Trips) == 0 {
		return auth.Challenge{}, false
	}
	return auth.ChallengeIn(conn.Trips[len(conn.Trips)-1].Head)
}

// callChallenge returns how a server refused the newest request of a call, and
// whether a sign-in can help.
func callChallenge(f playground.Transcript) (auth.Challenge, bool) {
	last := f.Last()
	if last == nil || !last.Unauthorized() {
		return auth.Challenge{}, false
	}
	return auth.ChallengeOf(*last)
}

// withoutQuery returns the URL of a server without its query. A token is sent
// whatever the query.
func withoutQuery(raw string) string {
	path, _, _ := strings.Cut(raw, "?")
	return path
}

// supplyClient goes on with a client ID that the user entered.
func (s *app) supplyClient(c echo.Context, k knownServer, values url.Values) error {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	row, err := s.Store.SignIn(ctx, workspace, values.Get("id"))
	if err != nil {
		return err
	}
	v, err := s.owners.newVault(c)
	if err != nil {
		return err
	}
	w, ok := openSignIn(v, row)
	in := w.SignIn
	if !ok || in.Stage != auth.NeedsClient || row.Target != k.target.ID {
		return seeOther(c, signInPath(row))
	}
	r := auth.Registration{
		Kind: auth.Preregistered, Issuer: in.Issuer, ID: strings.TrimSpace(values.Get("client_id")),
		Secret: strings.TrimSpace(values.Get("client_secret")), Own: values.Get("redirect") == "own",
	}
	if r.ID == "" || len(r.ID) > maxClientText || len(r.Secret) > maxClientText {
		return refuse(http.StatusUnprocessableEntity, "no_client_id", "Enter the client ID.",
			"The operator of the authorization server gives it to you when you register a client there. "+
				"Go back and try again.")
	}
	if err := s.keepRegistration(c, v, r); err != nil {
		return err
	}
	s.authClient(c, row.ID).Supply(ctx, in, r)
	from := row.Stage
	if row, err = sealSignIn(v, row, w); err != nil {
		return err
	}
	if err := s.Store.SetSignIn(ctx, workspace, row, from); err != nil {
		return err
	}
	return seeOther(c, signInPath(row))
}

// signedIn takes the return of the browser from an authorization server. Its
// state says which sign-in it belongs to; only the browser that began it can go
// on with it, and only once.
func (s *app) signedIn(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store") // the address has a code
	ctx, workspace, query := c.Request().Context(), s.owners.reading(c), c.QueryParams()
	if len(query["state"]) > 1 { // a parameter must not be repeated (RFC 6749, section 3.1)
		return unknownSignIn()
	}
	id, _, _ := strings.Cut(query.Get("state"), ".")
	row, err := s.Store.SignIn(ctx, workspace, id)
	if errors.Is(err, playground.ErrNotFound) {
		return unknownSignIn()
	}
	if err != nil {
		return err
	}
	if row.Stage != string(auth.Ready) {
		return seeOther(c, signInPath(row)) // such as a reload
	}
	v := s.owners.vault(c)
	w, ok := openSignIn(v, row)
	in := w.SignIn
	if !ok || s.isLate(row) || !sameState(query.Get("state"), in.Private.State) {
		return unknownSignIn()
	}
	k, err := s.find(c, row.Target)
	if err != nil {
		return err
	}
	if err := s.admit(c, playground.Exchange{ID: row.ID, Target: k.target}); err != nil {
		return err
	}
	row.Stage = string(auth.Exchanging)
	if err := s.Store.SetSignIn(ctx, workspace, row, string(auth.Ready)); err != nil {
		if errors.Is(err, playground.ErrNotFound) { // another request was faster
			return seeOther(c, signInPath(row))
		}
		return err
	}
	toServers, stop := signInContext(toTheEnd(c), k.target)
	defer stop()
	token := s.authClient(c, row.ID).Return(toServers, in, s.ownURL(c)+c.Request().URL.Path, query)
	if err := s.finishSignIn(c, v, k, row, in, token); err != nil || token == nil {
		if err == nil {
			err = seeOther(c, signInPath(row))
		}
		return err
	}
	return s.goOn(c, k, row, w)
}

// sameState compares the state of a return with that of a sign-in.
func sameState(got, want string) bool {
	return want != "" && subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}

func unknownSignIn() error {
	return refuse(http.StatusNotFound, "unknown_sign_in",
		"No sign-in of this browser is waiting for this answer.",
		"Nothing was sent. It may have expired, or it began in another browser. Go back to the server's "+
			"page and sign in again.")
}

// isLate reports whether the time for a sign-in is over.
func (s *app) isLate(row server.SignIn) bool { return s.Now().Sub(row.Created) > signInTime }

// finishSignIn stores the end of a sign-in, with the token if there is one.
func (s *app) finishSignIn(
	c echo.Context, v vault, k knownServer, row server.SignIn, in *auth.SignIn, token *auth.Token,
) error {
	if token != nil {
		defer s.lockToken(c, k.target.ID)()
		if err := s.takeToken(c, v, k.target, row.ID, in, *token); err != nil {
			return err
		}
	}
	from := row.Stage
	row, err := sealSignIn(v, row, waiting{SignIn: in})
	if err != nil {
		return err
	}
	return s.Store.SetSignIn(toTheEnd(c), s.owners.reading(c), row, from)
}

// goOn continues where the user was: the refused request of the exchange is sent
// again, or what the user had chosen is sent, or the server is connected to.
func (s *app) goOn(c echo.Context, k knownServer, row server.SignIn, w waiting) error {
	if row.Exchange == "" {
		if k.sample != nil {
			return seeOther(c, "/servers/"+k.target.ID)
		}
		workspace, again := s.owners.reading(c), playground.Target{Name: k.target.Name, URL: k.target.URL}
		return s.connectAgain(c, workspace, k.target.ID, again)
	}
	x, err := s.load(c, row.Exchange)
	if err != nil {
		return err
	}
	if err := s.sealExchange(c, x); err != nil {
		return err
	}
	if x, err = s.load(c, row.Exchange); err != nil {
		return err
	}
	f, then := x.Fold(), w.then
	if _, refused := callChallenge(f); refused {
		then = playground.Decision{Action: playground.ActionResend, Round: f.Last().N + 1}
		then.Instance = f.Last().Decision.Instance
	}
	if then.Action != "" {
		if x, err = s.sendDecision(c, x, f, then); err != nil && !isOutdated(err) {
			return err
		}
		s.settle(c.Request().Context(), x.ID)
	}
	if w.back != "" {
		return seeOther(c, w.back)
	}
	return seeOther(c, "/x/"+row.Exchange)
}

// sealExchange gives an exchange that began without secrets what keeps the
// token out of its record.
func (s *app) sealExchange(c echo.Context, x playground.Exchange) error {
	if len(x.Sealed) > 0 {
		return nil
	}
	x, err := s.lockExchange(c, s.withToken(c, x))
	if err != nil || len(x.Sealed) == 0 {
		return err
	}
	err = s.Store.SealExchange(c.Request().Context(), s.owners.reading(c), x.ID, x.Sealed)
	if errors.Is(err, playground.ErrNotFound) { // another request was faster
		return nil
	}
	return err
}

// waiting is a sign-in with how the user goes on after it.
type waiting struct {
	*auth.SignIn
	back string              // the place in a lesson that the browser goes back to; empty for others
	then playground.Decision // that could not be sent without a token; empty for none
}

// sealedSignIn is what of a sign-in is stored encrypted.
type sealedSignIn struct {
	Private auth.Private        `json:"private"`
	Back    string              `json:"back,omitempty"`
	Then    playground.Decision `json:"then,omitzero"`
}

// sealSignIn returns the row of a sign-in. Its secrets are sealed for the
// browser, and left out when it has ended.
func sealSignIn(v vault, row server.SignIn, w waiting) (server.SignIn, error) {
	record, err := json.Marshal(w.SignIn)
	if err != nil {
		return row, fmt.Errorf("encode sign-in: %w", err)
	}
	row.Stage, row.Record, row.Sealed = string(w.Stage), record, nil
	if w.Stage == auth.Ready || w.Stage == auth.NeedsClient {
		plain, err := json.Marshal(sealedSignIn{w.Private, w.back, w.then})
		if err != nil {
			return row, fmt.Errorf("encode sign-in: %w", err)
		}
		row.Sealed = v.seal(row.ID, plain)
	}
	return row, nil
}

// readSignIn returns the record of a sign-in.
func readSignIn(row server.SignIn) (*auth.SignIn, error) {
	var in auth.SignIn
	if err := json.Unmarshal(row.Record, &in); err != nil {
		return nil, fmt.Errorf("read sign-in: %w", err)
	}
	return &in, nil
}

// openSignIn returns a sign-in with its secrets, or false if this browser
// cannot open them. Its SignIn is nil if the record cannot be read.
func openSignIn(v vault, row server.SignIn) (waiting, bool) {
	in, err := readSignIn(row)
	if err != nil {
		return waiting{}, false
	}
	plain, ok := v.open(row.ID, row.Sealed)
	var kept sealedSignIn
	if !ok || json.Unmarshal(plain, &kept) != nil {
		return waiting{SignIn: in}, false
	}
	in.Private = kept.Private
	return waiting{in, kept.Back, kept.Then}, true
}
