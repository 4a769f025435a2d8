package signin

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ClientDocument is a client ID metadata document
// (basic/authorization/client-registration): with the redirect URI for one
// authorization server, or with the one that all share.
func (s *Pages) ClientDocument(c echo.Context) error {
	base, redirect := web.VisitOf(c).Origin, app.CallbackPath
	if name := c.Param("issuer"); name != "" {
		issuer := app.DocumentName.FindStringSubmatch(name)
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

// SignIn begins a sign-in to a server, goes on with one that needs a client ID,
// or signs out.
func (s *Pages) SignIn(c echo.Context) error {
	values, err := s.FormValues(c)
	if err != nil {
		return err
	}
	k, err := s.Find(web.VisitOf(c), c.Param("id"))
	if err != nil {
		return err
	}
	switch values.Get("do") {
	case "out":
		return s.signOut(c, k)
	case "client":
		return s.supplyClient(c, k, values)
	}
	path, err := s.BeginSignIn(c, k, values.Get("exchange"),
		Waiting{Back: web.BackToLesson(values.Get("back"))})
	if err != nil {
		return err
	}
	return web.SeeOther(c, path)
}

// BeginSignIn begins a sign-in for what a server refused last: the newest
// request of an exchange, or the connection. w says how the user goes on after
// it. It returns the page of the sign-in.
func (s *Pages) BeginSignIn(c echo.Context, k app.KnownServer, exchange string, w Waiting) (string, error) {
	visit := web.VisitOf(c)
	refused, challenge, err := s.challenge(c, k, exchange)
	if err != nil {
		return "", err
	}
	workspace, err := visit.Writing()
	if err != nil {
		return "", err
	}
	row := server.SignIn{ID: s.NewID(), Target: k.Target.ID, Exchange: exchange, Created: s.Now()}
	if err := s.Admit(visit, playground.Exchange{ID: row.ID, Target: k.Target}); err != nil {
		return "", err
	}
	v, err := visit.NewVault()
	if err != nil {
		return "", err
	}
	known := auth.Known{Registered: s.Registered(visit, v)}
	if before := s.TokenOf(visit, k.Target); before != nil {
		known.Scopes = before.Requested
	}
	s.ForgetUnused(visit, k.Target.ID)
	ctx, stop := app.SignInContext(visit.Context(), k.Target)
	defer stop()
	w.SignIn = s.AuthClient(visit, row.ID).Begin(ctx, refused, challenge, known)
	if row, err = sealSignIn(v, row, w); err != nil {
		return "", err
	}
	err = s.Write(visit, len(row.Record)+len(row.Sealed), func() error {
		return s.Store.AddSignIn(ctx, workspace, row)
	})
	return signInPath(row), err
}

// signInPath returns the page of a sign-in.
func signInPath(row server.SignIn) string {
	return "/servers/" + row.Target + "/sign-in?" + url.Values{"id": {row.ID}}.Encode()
}

// challenge returns how the server refused the newest request of an exchange,
// or of connecting if exchange is "", and the URL of that request.
func (s *Pages) challenge(c echo.Context, k app.KnownServer, exchange string) (
	raw string, challenge auth.Challenge, err error,
) {
	v := web.VisitOf(c)
	refused := app.Refuse(http.StatusConflict, "no_sign_in", "This server does not ask for a sign-in now.",
		"Nothing was sent. Go back and reload the page.")
	if exchange == "" {
		if challenge, ok := app.ConnectChallenge(k.Connection); ok {
			return resourceURL(k.Target.URL), challenge, nil
		}
		return "", auth.Challenge{}, refused
	}
	x, err := s.Load(v, exchange)
	if err != nil {
		return "", auth.Challenge{}, err
	}
	f := x.Fold()
	challenge, ok := callChallenge(f)
	if !ok && s.IsSignedOut(c, x, f) {
		challenge, ok = s.challengedBefore(c, k, f)
	}
	if !ok || x.Target.ID != k.Target.ID {
		return "", auth.Challenge{}, refused
	}
	raw = resourceURL(x.Target.ToInstance(f.Last().Decision.Instance))
	n, err := s.Store.CountSignIns(v.Context(), v.Workspace(), exchange)
	if err == nil && n >= app.MaxSignIns {
		err = app.Refuse(http.StatusConflict, "too_many_sign_ins",
			fmt.Sprintf("You have signed in %d times for this call, and the server still refuses it.", n),
			"Nothing was sent. Compare the scopes that the server asks for with those that it was granted.")
	}
	return raw, challenge, err
}

// resourceURL returns the URL that a token is requested for: without its query
// if that has secrets.
func resourceURL(raw string) string {
	if redact.MaskURL(raw) != raw || text.HasMask([]byte(raw)) {
		return app.WithoutQuery(raw)
	}
	return raw
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

// supplyClient goes on with a client ID that the user entered.
func (s *Pages) supplyClient(c echo.Context, k app.KnownServer, values url.Values) error {
	visit := web.VisitOf(c)
	ctx, workspace := visit.Context(), visit.Workspace()
	row, err := s.Store.SignIn(ctx, workspace, values.Get("id"))
	if err != nil {
		return err
	}
	v, err := visit.NewVault()
	if err != nil {
		return err
	}
	w, ok := openSignIn(v, row)
	in := w.SignIn
	if !ok || in.Stage != auth.NeedsClient || row.Target != k.Target.ID {
		return web.SeeOther(c, signInPath(row))
	}
	r := auth.Registration{
		Kind: auth.Preregistered, Issuer: in.Issuer, ID: strings.TrimSpace(values.Get("client_id")),
		Secret: strings.TrimSpace(values.Get("client_secret")), Own: values.Get("redirect") == "own",
	}
	if r.ID == "" || len(r.ID) > app.MaxClientText || len(r.Secret) > app.MaxClientText {
		return app.Refuse(http.StatusUnprocessableEntity, "no_client_id", "Enter the client ID.",
			"The operator of the authorization server gives it to you when you register a client there. "+
				"Go back and try again.")
	}
	if err := s.KeepRegistration(visit, v, r); err != nil {
		return err
	}
	s.AuthClient(visit, row.ID).Supply(ctx, in, r)
	from := row.Stage
	if row, err = sealSignIn(v, row, w); err != nil {
		return err
	}
	if err := s.Store.SetSignIn(ctx, workspace, row, from); err != nil {
		return err
	}
	return web.SeeOther(c, signInPath(row))
}

// SignedIn takes the return of the browser from an authorization server. Its
// state says which sign-in it belongs to; only the browser that began it can go
// on with it, and only once.
func (s *Pages) SignedIn(c echo.Context) error {
	visit := web.VisitOf(c)
	c.Response().Header().Set("Cache-Control", "no-store") // the address has a code
	ctx, workspace, query := visit.Context(), visit.Workspace(), c.QueryParams()
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
		return web.SeeOther(c, signInPath(row)) // such as a reload
	}
	v := visit.Vault()
	w, ok := openSignIn(v, row)
	in := w.SignIn
	if !ok || s.isLate(row) || !sameState(query.Get("state"), in.Private.State) {
		return unknownSignIn()
	}
	k, err := s.Find(visit, row.Target)
	if err != nil {
		return err
	}
	if err := s.Admit(visit, playground.Exchange{ID: row.ID, Target: k.Target}); err != nil {
		return err
	}
	row.Stage = string(auth.Exchanging)
	if err := s.Store.SetSignIn(ctx, workspace, row, string(auth.Ready)); err != nil {
		if errors.Is(err, playground.ErrNotFound) { // another request was faster
			return web.SeeOther(c, signInPath(row))
		}
		return err
	}
	toServers, stop := app.SignInContext(visit.ToTheEnd(), k.Target)
	defer stop()
	token := s.AuthClient(visit, row.ID).Return(toServers, in, visit.Origin+c.Request().URL.Path, query)
	if err := s.finishSignIn(c, v, k, row, in, token); err != nil || token == nil {
		if err == nil {
			err = web.SeeOther(c, signInPath(row))
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
	return app.Refuse(http.StatusNotFound, "unknown_sign_in",
		"No sign-in of this browser is waiting for this answer.",
		"Nothing was sent. It may have expired, or it began in another browser. "+
			"Go back to the server's page and sign in again.")
}

// isLate reports whether the time for a sign-in is over.
func (s *Pages) isLate(row server.SignIn) bool { return s.Now().Sub(row.Created) > app.SignInTime }

// finishSignIn stores the end of a sign-in, with the token if there is one.
func (s *Pages) finishSignIn(
	c echo.Context, v app.Vault, k app.KnownServer, row server.SignIn, in *auth.SignIn, token *auth.Token,
) error {
	if token != nil {
		defer s.LockToken(web.VisitOf(c), k.Target.ID)()
		if err := s.TakeToken(web.VisitOf(c), v, k.Target, row.ID, in, *token); err != nil {
			return err
		}
	}
	from := row.Stage
	row, err := sealSignIn(v, row, Waiting{SignIn: in})
	if err != nil {
		return err
	}
	return s.Store.SetSignIn(web.VisitOf(c).ToTheEnd(), web.VisitOf(c).Workspace(), row, from)
}

// goOn continues where the user was: the refused request of the exchange is sent
// again, or what the user had chosen is sent, or the server is connected to.
func (s *Pages) goOn(c echo.Context, k app.KnownServer, row server.SignIn, w Waiting) error {
	v := web.VisitOf(c)
	if row.Exchange == "" {
		if k.Sample != nil {
			return web.SeeOther(c, "/servers/"+k.Target.ID)
		}
		workspace, again := v.Workspace(), playground.Target{Name: k.Target.Name, URL: k.Target.URL}
		return s.ConnectAgain(c, workspace, k.Target.ID, again)
	}
	x, err := s.Load(v, row.Exchange)
	if err != nil {
		return err
	}
	if err := s.sealExchange(c, x); err != nil {
		return err
	}
	if x, err = s.Load(v, row.Exchange); err != nil {
		return err
	}
	f, then := x.Fold(), w.Then
	if _, refused := callChallenge(f); refused {
		then = playground.Decision{Action: playground.ActionResend, Round: f.Last().N + 1}
		then.Instance = f.Last().Decision.Instance
	}
	if then.Action != "" {
		if x, err = s.SendDecision(c, x, f, then); err != nil && !app.IsOutdated(err) {
			return err
		}
		s.Await(v.Context(), x.ID)
	}
	if w.Back != "" {
		return web.SeeOther(c, w.Back)
	}
	return web.SeeOther(c, "/x/"+row.Exchange)
}

// sealExchange gives an exchange that began without secrets what keeps the
// token out of its record.
func (s *Pages) sealExchange(c echo.Context, x playground.Exchange) error {
	v := web.VisitOf(c)
	if len(x.Sealed) > 0 {
		return nil
	}
	x, err := s.LockExchange(v, s.WithToken(v, x))
	if err != nil || len(x.Sealed) == 0 {
		return err
	}
	err = s.Store.SealExchange(v.Context(), v.Workspace(), x.ID, x.Sealed)
	if errors.Is(err, playground.ErrNotFound) { // another request was faster
		return nil
	}
	return err
}

// Waiting is a sign-in with how the user goes on after it.
type Waiting struct {
	*auth.SignIn
	Back string              // the place in a lesson that the browser goes back to; empty for others
	Then playground.Decision // that could not be sent without a token; empty for none
}

// sealedSignIn is what of a sign-in is stored encrypted.
type sealedSignIn struct {
	Private auth.Private        `json:"private"`
	Back    string              `json:"back,omitempty"`
	Then    playground.Decision `json:"then,omitzero"`
}

// sealSignIn returns the row of a sign-in. Its secrets are sealed for the
// browser, and left out when it has ended.
func sealSignIn(v app.Vault, row server.SignIn, w Waiting) (server.SignIn, error) {
	record, err := json.Marshal(w.SignIn)
	if err != nil {
		return row, fmt.Errorf("encode sign-in: %w", err)
	}
	row.Stage, row.Record, row.Sealed = string(w.Stage), record, nil
	if w.Stage == auth.Ready || w.Stage == auth.NeedsClient {
		plain, err := json.Marshal(sealedSignIn{w.Private, w.Back, w.Then})
		if err != nil {
			return row, fmt.Errorf("encode sign-in: %w", err)
		}
		row.Sealed = v.SealAs(row.ID, plain)
	}
	return row, nil
}

// openSignIn returns a sign-in with its secrets, or false if this browser
// cannot open them. Its SignIn is nil if the record cannot be read.
func openSignIn(v app.Vault, row server.SignIn) (Waiting, bool) {
	in, err := app.ReadSignIn(row)
	if err != nil {
		return Waiting{}, false
	}
	plain, ok := v.OpenAs(row.ID, row.Sealed)
	var kept sealedSignIn
	if !ok || json.Unmarshal(plain, &kept) != nil {
		return Waiting{SignIn: in}, false
	}
	in.Private = kept.Private
	return Waiting{in, kept.Back, kept.Then}, true
}
