package app

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

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

// IsSignedOut reports whether a call was sent with the token of a sign-in that
// this browser does not have any more.
func (s *App) IsSignedOut(v *Visit, x playground.Exchange, f playground.Transcript) (bool, error) {
	if !x.UsesSignIn(f) {
		return false, nil
	}
	token, err := s.TokenOf(v, x.Target)
	return token == nil, err
}

// BeginSignIn begins a sign-in for what a server refused last: the newest
// request of an exchange, or the connection. w says how the user goes on after
// it.
func (s *App) BeginSignIn(v *Visit, k KnownServer, exchange string, w Waiting) (server.SignIn, error) {
	row := server.SignIn{ID: s.NewID(), Target: k.Target.ID, Exchange: exchange, Created: s.Now()}
	refused, challenge, err := s.challenge(v, k, exchange)
	if err != nil {
		return row, err
	}
	workspace, err := v.Writing()
	if err != nil {
		return row, err
	}
	if err := s.Admit(v, playground.Exchange{ID: row.ID, Target: k.Target}); err != nil {
		return row, err
	}
	vault, err := v.NewVault()
	if err != nil {
		return row, err
	}
	known := auth.Known{Registered: s.registered(v, vault)}
	before, err := s.TokenOf(v, k.Target)
	if err != nil {
		return row, err
	}
	if before != nil {
		known.Scopes = before.Requested
	}
	s.forgetUnused(v, k.Target.ID)
	ctx, stop := signInContext(v.Context(), k.Target)
	defer stop()
	w.SignIn = s.AuthClient(v, row.ID).Begin(ctx, refused, challenge, known)
	if row, err = sealSignIn(vault, row, w); err != nil {
		return row, err
	}
	return row, s.Write(v, len(row.Record)+len(row.Sealed), func() error {
		return s.Store.AddSignIn(ctx, workspace, row)
	})
}

// challenge returns how the server refused the newest request of an exchange,
// or of connecting if exchange is "", and the URL of that request.
func (s *App) challenge(v *Visit, k KnownServer, exchange string) (
	raw string, challenge auth.Challenge, err error,
) {
	refused := Refuse(Conflict, "no_sign_in", "This server does not ask for a sign-in now.",
		"Nothing was sent. Go back and reload the page.")
	if exchange == "" {
		if challenge, ok := ConnectChallenge(k.Connection); ok {
			return resourceURL(k.Target.URL), challenge, nil
		}
		return "", auth.Challenge{}, refused
	}
	x, err := s.Load(v, exchange)
	if err != nil {
		return "", auth.Challenge{}, err
	}
	f := x.Fold()
	challenge, ok := CallChallenge(f)
	if !ok {
		out, err := s.IsSignedOut(v, x, f)
		if err != nil {
			return "", auth.Challenge{}, err
		}
		if out {
			challenge, ok = s.challengedBefore(v, k, f)
		}
	}
	if !ok || x.Target.ID != k.Target.ID {
		return "", auth.Challenge{}, refused
	}
	raw = resourceURL(x.Target.ToInstance(f.Last().Decision.Instance))
	n, err := s.Store.CountSignIns(v.Context(), v.Workspace(), exchange)
	if err == nil && n >= maxSignIns {
		err = Refuse(Conflict, "too_many_sign_ins",
			fmt.Sprintf("You have signed in %d times for this call, and the server still refuses it.", n),
			"Nothing was sent. Compare the scopes that the server asks for with those that it was granted.")
	}
	return raw, challenge, err
}

// challengedBefore returns how a server asked for a sign-in before: in a call,
// when it was connected to, or at the newest sign-in. What it said of the token
// of that time is left out.
func (s *App) challengedBefore(
	v *Visit, k KnownServer, f playground.Transcript,
) (challenge auth.Challenge, found bool) {
	for i := len(f.Rounds) - 1; i >= 0 && !found; i-- {
		challenge, found = auth.ChallengeOf(f.Rounds[i])
	}
	if !found {
		challenge, found = ConnectChallenge(k.Connection)
	}
	if !found {
		row, err := s.Store.LastSignIn(v.Context(), v.Workspace(), k.Target.ID)
		if err != nil {
			return auth.Challenge{}, false
		}
		in, err := ReadSignIn(row)
		if err != nil {
			return auth.Challenge{}, false
		}
		challenge = in.Challenge
	}
	if !challenge.StepUp() {
		challenge.Error, challenge.Description = "", ""
	}
	return challenge, true
}

// resourceURL returns the URL that a token is requested for: without its query
// if that has secrets.
func resourceURL(raw string) string {
	if redact.MaskURL(raw) != raw || text.HasMask([]byte(raw)) {
		return WithoutQuery(raw)
	}
	return raw
}

// CallChallenge returns how a server refused the newest request of a call, and
// whether a sign-in can help.
func CallChallenge(f playground.Transcript) (auth.Challenge, bool) {
	last := f.Last()
	if last == nil || !last.Unauthorized() {
		return auth.Challenge{}, false
	}
	return auth.ChallengeOf(*last)
}

// SupplyClient goes on with a client ID that the user entered for the sign-in with an id.
// One that does not wait for it stays as it is.
func (s *App) SupplyClient(v *Visit, k KnownServer, id string, r auth.Registration) (server.SignIn, error) {
	row, err := s.Store.SignIn(v.Context(), v.Workspace(), id)
	if err != nil {
		return row, err
	}
	vault, err := v.NewVault()
	if err != nil {
		return row, err
	}
	w, ok := OpenSignIn(vault, row)
	in := w.SignIn
	if !ok || in.Stage != auth.NeedsClient || row.Target != k.Target.ID {
		return row, nil
	}
	if r.ID == "" || len(r.ID) > maxClientText || len(r.Secret) > maxClientText {
		return row, Refuse(Invalid, "no_client_id", "Enter the client ID.",
			"The operator of the authorization server gives it to you when you register a client there. "+
				"Go back and try again.")
	}
	r.Kind, r.Issuer = auth.Preregistered, in.Issuer
	if err := s.keepRegistration(v, vault, r); err != nil {
		return row, err
	}
	s.AuthClient(v, row.ID).Supply(v.Context(), in, r)
	from := row.Stage
	if row, err = sealSignIn(vault, row, w); err != nil {
		return row, err
	}
	return row, s.Store.SetSignIn(v.Context(), v.Workspace(), row, from)
}

// Returned is a sign-in after the browser came back from the authorization server.
type Returned struct {
	server.SignIn
	Signed  bool // there is a token now, and GoOn goes on with it
	waiting Waiting
	known   KnownServer
}

// Back returns the place in a lesson that the browser goes back to, or "".
func (r Returned) Back() string { return r.waiting.Back }

// Return takes the return of the browser from an authorization server to a path of this
// program. The state in the query says which sign-in it belongs to; only the browser that
// began it can go on with it, and only once.
func (s *App) Return(v *Visit, path string, query url.Values) (Returned, error) {
	if len(query["state"]) > 1 { // a parameter must not be repeated (RFC 6749, section 3.1)
		return Returned{}, unknownSignIn()
	}
	id, _, _ := strings.Cut(query.Get("state"), ".")
	row, err := s.Store.SignIn(v.Context(), v.Workspace(), id)
	r := Returned{SignIn: row}
	switch {
	case errors.Is(err, playground.ErrNotFound):
		return r, unknownSignIn()
	case err != nil:
		return r, err
	case row.Stage != string(auth.Ready):
		return r, nil // such as a reload
	}
	var ok bool
	if r.waiting, ok = OpenSignIn(v.Vault(), row); !ok || s.IsLate(row) ||
		!sameState(query.Get("state"), r.waiting.Private.State) {
		return r, unknownSignIn()
	}
	if r.known, err = s.Find(v, row.Target); err != nil {
		return r, err
	}
	if err := s.Admit(v, playground.Exchange{ID: row.ID, Target: r.known.Target}); err != nil {
		return r, err
	}
	unlock, err := s.LockToken(v, r.known.Target.ID) // before the code is used, which works once
	if err != nil {
		return r, err
	}
	defer unlock()
	row.Stage = string(auth.Exchanging)
	if err := s.Store.SetSignIn(v.Context(), v.Workspace(), row, string(auth.Ready)); err != nil {
		if errors.Is(err, playground.ErrNotFound) { // another request was faster
			return r, nil
		}
		return r, err
	}
	in := r.waiting.SignIn
	toServers, stop := signInContext(v.ToTheEnd(), r.known.Target)
	defer stop()
	token := s.AuthClient(v, row.ID).Return(toServers, in, v.Origin+path, query)
	r.Signed = token != nil
	return r, s.finishSignIn(v, r.known, row, in, token)
}

// sameState compares the state of a return with that of a sign-in.
func sameState(got, want string) bool {
	return want != "" && subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}

func unknownSignIn() error {
	return Refuse(Missing, "unknown_sign_in",
		"No sign-in of this browser is waiting for this answer.",
		"Nothing was sent. It may have expired, or it began in another browser. "+
			"Go back to the server's page and sign in again.")
}

// GoOn continues where the user was: the refused request of the exchange is sent
// again, or what the user had chosen is sent, or the server is connected to.
func (s *App) GoOn(v *Visit, r Returned) error {
	if r.Exchange == "" {
		t := r.known.Target
		if r.known.Sample != nil {
			return nil
		}
		return s.ConnectAgain(v, v.Workspace(), t.ID, playground.Target{Name: t.Name, URL: t.URL})
	}
	x, err := s.Load(v, r.Exchange)
	if err != nil {
		return err
	}
	if err := s.sealExchange(v, x); err != nil {
		return err
	}
	if x, err = s.Load(v, r.Exchange); err != nil {
		return err
	}
	f, then := x.Fold(), r.waiting.Then
	if _, refused := CallChallenge(f); refused {
		then = playground.Decision{Action: playground.ActionResend, Round: f.Last().N + 1}
		then.Instance = f.Last().Decision.Instance
	}
	if then.Action == "" {
		return nil
	}
	if x, err = s.Send(v, x, f, then); err != nil && !IsOutdated(err) {
		return err
	}
	s.Await(v.Context(), x.ID)
	return nil
}

// IsLate reports whether the time for a sign-in is over.
func (s *App) IsLate(row server.SignIn) bool { return s.Now().Sub(row.Created) > signInTime }

// finishSignIn stores the end of a sign-in, with the token if there is one. The caller holds
// the lock of the token.
func (s *App) finishSignIn(
	v *Visit, k KnownServer, row server.SignIn, in *auth.SignIn, token *auth.Token,
) error {
	vault := v.Vault()
	if token != nil {
		if err := s.takeToken(v, vault, k.Target, row.ID, in, *token); err != nil {
			return err
		}
	}
	from := row.Stage
	row, err := sealSignIn(vault, row, Waiting{SignIn: in})
	if err != nil {
		return err
	}
	return s.Store.SetSignIn(v.ToTheEnd(), v.Workspace(), row, from)
}

// sealExchange gives an exchange that began without secrets what keeps the
// token out of its record.
func (s *App) sealExchange(v *Visit, x playground.Exchange) error {
	if len(x.Sealed) > 0 {
		return nil
	}
	x, err := s.WithToken(v, x)
	if err == nil {
		x, err = s.LockExchange(v, x)
	}
	if err != nil || len(x.Sealed) == 0 {
		return err
	}
	err = s.Store.SealExchange(v.Context(), v.Workspace(), x.ID, x.Sealed)
	if errors.Is(err, playground.ErrNotFound) { // another request was faster
		return nil
	}
	return err
}

// sealSignIn returns the row of a sign-in. Its secrets are sealed for the
// browser, and left out when it has ended.
func sealSignIn(vault Vault, row server.SignIn, w Waiting) (server.SignIn, error) {
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
		row.Sealed = vault.SealAs(row.ID, plain)
	}
	return row, nil
}

// OpenSignIn returns a sign-in with its secrets, or false if this browser
// cannot open them. Its SignIn is nil if the record cannot be read.
func OpenSignIn(vault Vault, row server.SignIn) (Waiting, bool) {
	in, err := ReadSignIn(row)
	if err != nil {
		return Waiting{}, false
	}
	plain, ok := vault.OpenAs(row.ID, row.Sealed)
	var kept sealedSignIn
	if !ok || json.Unmarshal(plain, &kept) != nil {
		return Waiting{SignIn: in}, false
	}
	in.Private = kept.Private
	return Waiting{in, kept.Back, kept.Then}, true
}

// SignOut revokes the token for a server where its authorization server offers
// that, and deletes it. It is deleted whatever comes of that, but not while it is locked.
func (s *App) SignOut(v *Visit, k KnownServer) error {
	unlock, err := s.LockToken(v, k.Target.ID)
	if err != nil {
		return err
	}
	defer unlock()
	token, err := s.TokenOf(v, k.Target)
	if err != nil {
		return err
	}
	if token != nil {
		if err := s.revoke(v, k.Target, *token); err != nil {
			s.Logger.Error("revoke a token", "err", err)
		}
	}
	return s.Store.DeleteToken(v.ToTheEnd(), v.Workspace(), k.Target.ID)
}

// revoke revokes a token, if the user may send requests now.
func (s *App) revoke(v *Visit, t playground.Target, token auth.Token) error {
	var refused *Refusal
	if err := s.Admit(v, playground.Exchange{ID: t.ID, Target: t}); errors.As(err, &refused) {
		return nil
	} else if err != nil {
		return err
	}
	ctx, stop := signInContext(v.ToTheEnd(), t)
	defer stop()
	err := s.appendSteps(v, t, s.AuthClient(v, "").SignOut(ctx, WithoutQuery(t.URL), token))
	if errors.Is(err, playground.ErrNotFound) {
		return nil
	}
	return err
}
