package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// tokenStore keeps tokens and the client IDs of authorization servers, both
// encrypted.
type tokenStore interface {
	SetToken(ctx context.Context, workspace string, t server.SealedToken) error
	Token(ctx context.Context, workspace, target string) (server.SealedToken, error)
	DeleteToken(ctx context.Context, workspace, target string) error
	SetRegistration(ctx context.Context, workspace, issuer string, sealed []byte, at time.Time) error
	Registration(ctx context.Context, workspace, issuer string) ([]byte, error)
	DeleteRegistration(ctx context.Context, workspace, issuer string) error
}

// withToken returns an exchange whose target has the token of the user's sign-in
// to it, if there is one that this browser can open.
func (s *app) withToken(c echo.Context, x playground.Exchange) playground.Exchange {
	if token := s.currentToken(c, x.Target); token != nil {
		x.Target = x.Target.WithToken(token.Field(), s.owners.vault(c).of(x.ID))
	}
	return x
}

// targetWithToken is withToken for a target outside an exchange.
func (s *app) targetWithToken(c echo.Context, t playground.Target) playground.Target {
	if token := s.currentToken(c, t); token != nil {
		return t.WithToken(token.Field(), s.owners.vault(c).of(t.ID))
	}
	return t
}

// currentToken returns the token for a target, or nil. A form renews one that
// has expired.
func (s *app) currentToken(c echo.Context, t playground.Target) *auth.Token {
	token := s.tokenOf(c, t)
	if token == nil || token.Refresh == "" || !token.Expired(s.Now()) || isRead(c.Request()) {
		return token
	}
	defer s.lockToken(c, t.ID)()
	fresh, err := s.renew(c, t)
	if err != nil {
		s.logError(c, "renew a token", err)
	}
	if fresh == nil {
		return token
	}
	return fresh
}

// tokenOf returns the stored token for a target, or nil.
func (s *app) tokenOf(c echo.Context, t playground.Target) *auth.Token {
	row, err := s.Store.Token(c.Request().Context(), s.owners.reading(c), t.ID)
	if err != nil {
		if !errors.Is(err, playground.ErrNotFound) {
			s.logError(c, "read a token", err)
		}
		return nil
	}
	return openToken(s.owners.vault(c), row, t)
}

// openToken returns a stored token, or nil if it is for another URL or this
// browser cannot open it.
func openToken(v vault, row server.SealedToken, t playground.Target) *auth.Token {
	if row.URL != withoutQuery(t.URL) {
		return nil
	}
	plain, ok := v.open(tokenRow(row.Target), row.Sealed)
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
func (s *app) keepToken(
	c echo.Context, v vault, target, signIn, url string, token auth.Token,
) error {
	plain, err := json.Marshal(token)
	if err != nil {
		return fmt.Errorf("encode token: %w", err)
	}
	return s.store(c, len(plain), func() error {
		return s.Store.SetToken(toTheEnd(c), s.owners.reading(c), server.SealedToken{
			Target: target, URL: withoutQuery(url), SignIn: signIn,
			Sealed: v.seal(tokenRow(target), plain), Added: s.Now(),
		})
	})
}

// takeToken stores the token that a sign-in gave, and how its authorization
// server knows this program. The token that a step-up has replaced is revoked,
// once the new one is stored.
func (s *app) takeToken(
	c echo.Context, v vault, t playground.Target, signIn string, in *auth.SignIn, token auth.Token,
) error {
	var old *auth.Token
	if in.Challenge.StepUp() {
		old = s.tokenOf(c, t)
	}
	if old != nil {
		token = token.Replacing(*old)
	}
	if err := s.keepToken(c, v, t.ID, signIn, in.Server, token); err != nil {
		return err
	}
	if err := s.keepRegistration(c, v, token.Client); err != nil {
		return err
	}
	if old != nil {
		ctx, stop := signInContext(toTheEnd(c), t)
		defer stop()
		in.Append(s.authClient(c, "").RevokeReplaced(ctx, in.Server, *old, token))
	}
	return nil
}

// toTheEnd returns the context of a request, without its end. What an
// authorization server has given or revoked is stored even if the browser has
// left.
func toTheEnd(c echo.Context) context.Context { return context.WithoutCancel(c.Request().Context()) }

// renew exchanges the refresh token of a server for a new token, and stores it.
// A refresh token that was refused is not used again; any other failure may
// pass. It returns nil if there is no new token. The caller holds the lock of
// the token.
func (s *app) renew(c echo.Context, t playground.Target) (*auth.Token, error) {
	v, token := s.owners.vault(c), s.tokenOf(c, t)
	if token == nil || token.Refresh == "" || !token.Expired(s.Now()) {
		return token, nil // another request was faster
	}
	if err := s.admit(c, playground.Exchange{ID: t.ID, Target: t}); err != nil {
		var refused *refusal
		if errors.As(err, &refused) {
			return nil, nil
		}
		return nil, err
	}
	ctx, stop := signInContext(toTheEnd(c), t)
	defer stop()
	in, fresh := s.authClient(c, "").Refresh(ctx, withoutQuery(t.URL), *token)
	switch {
	case fresh != nil:
		token = fresh
	case in.GrantRefused():
		token.Refresh = ""
	default:
		return nil, s.appendSteps(c, t, in)
	}
	if err := s.replaceToken(c, v, t, in, *token); err != nil {
		return nil, err
	}
	return fresh, nil
}

// replaceToken stores the token that follows the stored one, and the steps that
// led to it.
func (s *app) replaceToken(
	c echo.Context, v vault, t playground.Target, in *auth.SignIn, token auth.Token,
) error {
	kept, err := s.Store.Token(toTheEnd(c), s.owners.reading(c), t.ID)
	if err != nil {
		return err
	}
	if err := s.keepToken(c, v, t.ID, kept.SignIn, in.Server, token); err != nil {
		return err
	}
	return s.appendSteps(c, t, in)
}

// narrowToken returns the header field with a token that has fewer scopes than
// the user's for a target, or none.
func (s *app) narrowToken(c echo.Context, t playground.Target) []wire.Field {
	defer s.lockToken(c, t.ID)()
	token := s.tokenOf(c, t)
	if token == nil {
		return nil
	}
	ctx, stop := signInContext(toTheEnd(c), t)
	defer stop()
	in, narrow, kept := s.authClient(c, "").Narrow(ctx, withoutQuery(t.URL), *token)
	if narrow == nil {
		return nil
	}
	if err := s.replaceToken(c, s.owners.vault(c), t, in, kept); err != nil {
		s.Logger.Error("keep a token", "err", err)
	}
	return []wire.Field{narrow.Field()}
}

// appendSteps adds steps that followed a sign-in to its record, as long as that
// is short and there is room.
func (s *app) appendSteps(c echo.Context, t playground.Target, more *auth.SignIn) error {
	ctx, workspace := toTheEnd(c), s.owners.reading(c)
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
	in, err := readSignIn(row)
	if err != nil || len(in.Steps) >= maxSteps {
		return err
	}
	before := len(row.Record)
	in.Append(more)
	if row.Record, err = json.Marshal(in); err != nil {
		return fmt.Errorf("encode sign-in: %w", err)
	}
	err = s.store(c, len(row.Record)-before, func() error {
		return s.Store.SetSignIn(ctx, workspace, row, row.Stage)
	})
	var full *refusal
	if errors.Is(err, playground.ErrNotFound) || errors.As(err, &full) {
		err = nil
	}
	return err
}

// signOut revokes the token for a server where its authorization server offers
// that, and deletes it. It is deleted in any case.
func (s *app) signOut(c echo.Context, k knownServer) error {
	defer s.lockToken(c, k.target.ID)()
	if token := s.tokenOf(c, k.target); token != nil {
		if err := s.revoke(c, k.target, *token); err != nil {
			s.Logger.Error("revoke a token", "err", err)
		}
	}
	if err := s.Store.DeleteToken(toTheEnd(c), s.owners.reading(c), k.target.ID); err != nil {
		return err
	}
	return seeOther(c, "/servers/"+k.target.ID)
}

// revoke revokes a token, if the user may send requests now.
func (s *app) revoke(c echo.Context, t playground.Target, token auth.Token) error {
	var refused *refusal
	if err := s.admit(c, playground.Exchange{ID: t.ID, Target: t}); errors.As(err, &refused) {
		return nil
	} else if err != nil {
		return err
	}
	ctx, stop := signInContext(toTheEnd(c), t)
	defer stop()
	err := s.appendSteps(c, t, s.authClient(c, "").SignOut(ctx, withoutQuery(t.URL), token))
	if errors.Is(err, playground.ErrNotFound) {
		return nil
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
func (s *app) registered(c echo.Context, v vault) func(issuer string) (auth.Registration, bool) {
	return func(issuer string) (auth.Registration, bool) {
		sealed, err := s.Store.Registration(c.Request().Context(), s.owners.reading(c), issuer)
		if err != nil {
			return auth.Registration{}, false
		}
		plain, ok := v.open(clientRow(issuer), sealed)
		var r registration
		if !ok || json.Unmarshal(plain, &r) != nil {
			return auth.Registration{}, false
		}
		fits := r.Kind == auth.Preregistered || r.Own && r.Redirect == s.ownURL(c)+callbackPath
		return r.Registration, fits
	}
}

// keepRegistration stores how an authorization server knows this program. A
// metadata document need not be stored.
func (s *app) keepRegistration(c echo.Context, v vault, r auth.Registration) error {
	if r.Kind == auth.MetadataDocument {
		return nil
	}
	plain, err := json.Marshal(registration{r, s.ownURL(c) + callbackPath})
	if err != nil {
		return fmt.Errorf("encode registration: %w", err)
	}
	return s.store(c, len(plain), func() error {
		return s.Store.SetRegistration(toTheEnd(c), s.owners.reading(c), r.Issuer,
			v.seal(clientRow(r.Issuer), plain), s.Now())
	})
}

// forgetUnused forgets the registration that this program made for the last
// sign-in to a server, if that did not end well: the authorization server may
// not know it any more. What a user entered stays.
func (s *app) forgetUnused(c echo.Context, target string) {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	row, err := s.Store.LastSignIn(ctx, workspace, target)
	if err != nil || row.Stage == string(auth.Done) {
		return
	}
	in, err := readSignIn(row)
	if err != nil || in.Client.ID == "" || in.Client.Kind != auth.Dynamic {
		return
	}
	if err := s.Store.DeleteRegistration(ctx, workspace, in.Issuer); err != nil &&
		!errors.Is(err, playground.ErrNotFound) {
		s.Logger.Error("forget a registration", "err", err)
	}
}
