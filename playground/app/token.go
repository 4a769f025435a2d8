package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

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

// CallbackPath is where an authorization server sends the browser back to: to
// this path if the client was registered with it by hand, else to one below it
// that is for this authorization server alone.
const CallbackPath = "/oauth/callback"

// AuthClient returns this program as an OAuth client, for the sign-in with an
// id.
func (s *App) AuthClient(v *Visit, id string) auth.Client {
	return auth.Client{
		Sender: s.SignIns, Name: "MRTR Playground", Redirect: v.Origin + CallbackPath,
		Document: s.documents(), Ticket: id + ".", Offline: true, Strict: !s.Reach.Plain(), Now: s.Now,
	}
}

// documents returns the addresses of the client ID metadata documents, or nil if
// no authorization server can read them there.
func (s *App) documents() func(issuer string) (string, bool) {
	if s.Mode != Public || !strings.HasPrefix(s.BaseURL, "https://") {
		return nil
	}
	return func(issuer string) (string, bool) {
		return s.BaseURL + "/oauth/client/" + auth.Digest(issuer) + ".json", true
	}
}

// DocumentName matches the name of the document for one authorization server.
var DocumentName = regexp.MustCompile(`^([0-9a-f]{32})\.json$`)

// signInContext returns the context of the requests of a sign-in to a server.
func signInContext(ctx context.Context, t playground.Target) (context.Context, context.CancelFunc) {
	return context.WithTimeout(wire.WithTrust(ctx, t.Trust), signInWait)
}

// ConnectChallenge returns how a server refused to be connected to, and whether
// a sign-in can help.
func ConnectChallenge(conn server.Connection) (auth.Challenge, bool) {
	refused, sent := conn.Failed()
	if conn.Status != server.ConnectFailed || !sent {
		return auth.Challenge{}, false
	}
	return auth.ChallengeIn(refused.Head)
}

// WithoutQuery returns the URL of a server without its query. A token is sent
// whatever the query.
func WithoutQuery(raw string) string {
	path, _, _ := strings.Cut(raw, "?")
	return path
}

// ReadSignIn returns the record of a sign-in.
func ReadSignIn(row server.SignIn) (*auth.SignIn, error) {
	var in auth.SignIn
	if err := json.Unmarshal(row.Record, &in); err != nil {
		return nil, fmt.Errorf("read sign-in: %w", err)
	}
	return &in, nil
}

// WithToken returns an exchange whose target has the token of the user's sign-in
// to it, if there is one that this browser can open.
func (s *App) WithToken(v *Visit, x playground.Exchange) (playground.Exchange, error) {
	token, err := s.currentToken(v, x.Target)
	if token != nil {
		x.Target = x.Target.WithToken(token.Field(), v.Vault().Of(x.ID))
	}
	return x, err
}

// TargetWithToken is WithToken for a target outside an exchange.
func (s *App) TargetWithToken(v *Visit, t playground.Target) (playground.Target, error) {
	token, err := s.currentToken(v, t)
	if token != nil {
		t = t.WithToken(token.Field(), v.Vault().Of(t.ID))
	}
	return t, err
}

// currentToken returns the token for a target, or nil. A form renews one that
// has expired. If it cannot be renewed now, the server is left to refuse it.
func (s *App) currentToken(v *Visit, t playground.Target) (*auth.Token, error) {
	token, err := s.TokenOf(v, t)
	if token == nil || token.Refresh == "" || !token.Expired(s.Now()) || v.Looks {
		return token, err
	}
	unlock, err := s.LockToken(v, t.ID)
	if err != nil {
		s.logError(v, "renew a token", err)
		return token, nil
	}
	defer unlock()
	fresh, err := s.renew(v, t)
	if err != nil {
		s.logError(v, "renew a token", err)
	}
	if fresh == nil {
		return token, nil
	}
	return fresh, nil
}

// TokenOf returns the stored token for a target, or nil if there is none that this browser can
// open. The error is one of the storage.
func (s *App) TokenOf(v *Visit, t playground.Target) (*auth.Token, error) {
	row, err := s.Store.Token(v.Context(), v.Workspace(), t.ID)
	switch {
	case errors.Is(err, playground.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return openToken(v.Vault(), row, t), nil
}

// openToken returns a stored token, or nil if it is for another URL or this
// browser cannot open it.
func openToken(v Vault, row server.SealedToken, t playground.Target) *auth.Token {
	if row.URL != WithoutQuery(t.URL) {
		return nil
	}
	plain, ok := v.OpenAs(tokenRow(row.Target), row.Sealed)
	var token auth.Token
	if !ok || json.Unmarshal(plain, &token) != nil {
		return nil
	}
	return &token
}

// tokenRow and clientRow are what ciphertexts are bound to.
func tokenRow(target string) string  { return "token " + target }
func clientRow(issuer string) string { return "client " + issuer }

// keepToken stores the token for a server at a URL, which a sign-in gave.
func (s *App) keepToken(
	v *Visit, vault Vault, target, signIn, url string, token auth.Token,
) error {
	plain, err := json.Marshal(token)
	if err != nil {
		return fmt.Errorf("encode token: %w", err)
	}
	return s.Write(v, len(plain), func() error {
		return s.Store.SetToken(v.ToTheEnd(), v.Workspace(), server.SealedToken{
			Target: target, URL: WithoutQuery(url), SignIn: signIn,
			Sealed: vault.SealAs(tokenRow(target), plain), Added: s.Now(),
		})
	})
}

// takeToken stores the token that a sign-in gave, and how its authorization
// server knows this program. The token that a step-up has replaced is revoked,
// once the new one is stored.
func (s *App) takeToken(
	v *Visit, vault Vault, t playground.Target, signIn string, in *auth.SignIn, token auth.Token,
) error {
	var old *auth.Token
	if in.Challenge.StepUp() {
		var err error
		if old, err = s.TokenOf(v, t); err != nil {
			return err
		}
	}
	if old != nil {
		token = token.Replacing(*old)
	}
	if err := s.keepToken(v, vault, t.ID, signIn, in.Server, token); err != nil {
		return err
	}
	if err := s.keepRegistration(v, vault, token.Client); err != nil {
		return err
	}
	if old != nil {
		ctx, stop := signInContext(v.ToTheEnd(), t)
		defer stop()
		in.Append(s.AuthClient(v, "").RevokeReplaced(ctx, in.Server, *old, token))
	}
	return nil
}

// renew exchanges the refresh token of a server for a new token, and stores it.
// A refresh token that was refused is not used again; any other failure may
// pass. It returns nil if there is no new token. The caller holds the lock of
// the token.
func (s *App) renew(v *Visit, t playground.Target) (*auth.Token, error) {
	vault := v.Vault()
	token, err := s.TokenOf(v, t)
	if err != nil {
		return nil, err
	}
	if token == nil || token.Refresh == "" || !token.Expired(s.Now()) {
		return token, nil // another request was faster
	}
	if err := s.Admit(v, playground.Exchange{ID: t.ID, Target: t}); err != nil {
		var refused *Refusal
		if errors.As(err, &refused) {
			return nil, nil
		}
		return nil, err
	}
	ctx, stop := signInContext(v.ToTheEnd(), t)
	defer stop()
	in, fresh := s.AuthClient(v, "").Refresh(ctx, WithoutQuery(t.URL), *token)
	switch {
	case fresh != nil:
		token = fresh
	case in.GrantRefused():
		token.Refresh = ""
	default:
		return nil, s.appendSteps(v, t, in)
	}
	if err := s.replaceToken(v, vault, t, in, *token); err != nil {
		return nil, err
	}
	return fresh, nil
}

// replaceToken stores the token that follows the stored one, and the steps that
// led to it.
func (s *App) replaceToken(
	v *Visit, vault Vault, t playground.Target, in *auth.SignIn, token auth.Token,
) error {
	kept, err := s.Store.Token(v.ToTheEnd(), v.Workspace(), t.ID)
	if err != nil {
		return err
	}
	if err := s.keepToken(v, vault, t.ID, kept.SignIn, in.Server, token); err != nil {
		return err
	}
	return s.appendSteps(v, t, in)
}

// NarrowToken returns the header field with a token that has fewer scopes than
// the user's for a target, or none.
func (s *App) NarrowToken(v *Visit, t playground.Target) []wire.Field {
	unlock, err := s.LockToken(v, t.ID)
	if err != nil {
		s.logError(v, "narrow a token", err)
		return nil
	}
	defer unlock()
	token, err := s.TokenOf(v, t)
	if err != nil {
		s.logError(v, "narrow a token", err)
	}
	if token == nil {
		return nil
	}
	ctx, stop := signInContext(v.ToTheEnd(), t)
	defer stop()
	in, narrow, kept := s.AuthClient(v, "").Narrow(ctx, WithoutQuery(t.URL), *token)
	if narrow == nil {
		return nil
	}
	if err := s.replaceToken(v, v.Vault(), t, in, kept); err != nil {
		s.Logger.Error("keep a token", "err", err)
	}
	return []wire.Field{narrow.Field()}
}

// appendSteps adds steps that followed a sign-in to its record, as long as that
// is short and there is room.
func (s *App) appendSteps(v *Visit, t playground.Target, more *auth.SignIn) error {
	ctx, workspace := v.ToTheEnd(), v.Workspace()
	kept, err := s.Store.Token(ctx, workspace, t.ID)
	if err != nil {
		return err
	}
	row, err := s.Store.SignIn(ctx, workspace, kept.SignIn)
	if errors.Is(err, playground.ErrNotFound) { // deleted for newer ones
		return nil
	}
	if err != nil {
		return err
	}
	in, err := ReadSignIn(row)
	if err != nil || len(in.Steps) >= maxSteps {
		return err
	}
	before := len(row.Record)
	in.Append(more)
	if row.Record, err = json.Marshal(in); err != nil {
		return fmt.Errorf("encode sign-in: %w", err)
	}
	err = s.Write(v, len(row.Record)-before, func() error {
		return s.Store.SetSignIn(ctx, workspace, row, row.Stage)
	})
	var full *Refusal
	if errors.Is(err, playground.ErrNotFound) || errors.As(err, &full) {
		err = nil
	}
	return err
}

// registration is how an authorization server knows this program, with the
// address that the browser comes back to.
type registration struct {
	auth.Registration
	Redirect string `json:"redirect"`
}

// registered returns a function that returns what an authorization server knows
// this program as.
func (s *App) registered(v *Visit, vault Vault) func(issuer string) (auth.Registration, bool) {
	return func(issuer string) (auth.Registration, bool) {
		sealed, err := s.Store.Registration(v.Context(), v.Workspace(), issuer)
		if err != nil {
			return auth.Registration{}, false
		}
		plain, ok := vault.OpenAs(clientRow(issuer), sealed)
		var r registration
		if !ok || json.Unmarshal(plain, &r) != nil {
			return auth.Registration{}, false
		}
		fits := r.Kind == auth.Preregistered || r.Own && r.Redirect == v.Origin+CallbackPath
		return r.Registration, fits
	}
}

// keepRegistration stores how an authorization server knows this program. A
// metadata document need not be stored.
func (s *App) keepRegistration(v *Visit, vault Vault, r auth.Registration) error {
	if r.Kind == auth.MetadataDocument {
		return nil
	}
	plain, err := json.Marshal(registration{r, v.Origin + CallbackPath})
	if err != nil {
		return fmt.Errorf("encode registration: %w", err)
	}
	return s.Write(v, len(plain), func() error {
		return s.Store.SetRegistration(v.ToTheEnd(), v.Workspace(), r.Issuer,
			vault.SealAs(clientRow(r.Issuer), plain), s.Now())
	})
}

// forgetUnused forgets the registration that this program made for the last
// sign-in to a server, if that did not end well: the authorization server may
// not know it any more. What a user entered stays.
func (s *App) forgetUnused(v *Visit, target string) {
	ctx, workspace := v.Context(), v.Workspace()
	row, err := s.Store.LastSignIn(ctx, workspace, target)
	if err != nil || row.Stage == string(auth.Done) {
		return
	}
	in, err := ReadSignIn(row)
	if err != nil || in.Client.ID == "" || in.Client.Kind != auth.Dynamic {
		return
	}
	if err := s.Store.DeleteRegistration(ctx, workspace, in.Issuer); err != nil &&
		!errors.Is(err, playground.ErrNotFound) {
		s.Logger.Error("forget a registration", "err", err)
	}
}
