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
		x.Target = x.Target.WithToken(token.Field(), s.owners.vault(c).sealer(x.ID))
	}
	return x
}

// targetWithToken is withToken for a target outside an exchange.
func (s *app) targetWithToken(c echo.Context, t playground.Target) playground.Target {
	if token := s.currentToken(c, t); token != nil {
		return t.WithToken(token.Field(), s.owners.vault(c).sealer(t.ID))
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
	renewed, err, _ := s.renewed.Do(s.owners.reading(c)+" "+t.ID, func() (any, error) {
		return s.renew(c, t)
	})
	if err != nil {
		s.Logger.Error("renew a token", "err", err)
		return token
	}
	if fresh, ok := renewed.(*auth.Token); ok && fresh != nil {
		return fresh
	}
	return token
}

// tokenOf returns the stored token for a target, or nil.
func (s *app) tokenOf(c echo.Context, t playground.Target) *auth.Token {
	row, err := s.Store.Token(c.Request().Context(), s.owners.reading(c), t.ID)
	if err != nil {
		if !errors.Is(err, playground.ErrNotFound) {
			s.Logger.Error("read a token", "err", err)
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

// keepToken stores the token for a server at a URL.
func (s *app) keepToken(
	c echo.Context, v vault, row server.SignIn, url string, token auth.Token,
) error {
	plain, err := json.Marshal(token)
	if err != nil {
		return fmt.Errorf("encode token: %w", err)
	}
	return s.Store.SetToken(c.Request().Context(), s.owners.reading(c), server.SealedToken{
		Target: row.Target, URL: withoutQuery(url), SignIn: row.ID,
		Sealed: v.seal(tokenRow(row.Target), plain), Added: s.Now(),
	})
}

// renew exchanges the refresh token of a server for a new token, and stores it.
// A refresh token that was refused is not used again. It returns nil if there
// is no new token.
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
	ctx, stop := s.signInContext(c, t)
	defer stop()
	in, fresh := s.authClient(c, "").Refresh(ctx, withoutQuery(t.URL), *token)
	row, err := s.appendSteps(c, t, in)
	if err != nil {
		return nil, err
	}
	if fresh == nil {
		token.Refresh = ""
		return nil, s.keepToken(c, v, row, in.Server, *token)
	}
	return fresh, s.keepToken(c, v, row, in.Server, *fresh)
}

// narrowToken returns the header field with a token that has fewer scopes than
// the user's for a target, or none.
func (s *app) narrowToken(c echo.Context, t playground.Target) []wire.Field {
	token := s.currentToken(c, t)
	if token == nil {
		return nil
	}
	ctx, stop := s.signInContext(c, t)
	defer stop()
	in, narrow, kept := s.authClient(c, "").Narrow(ctx, withoutQuery(t.URL), *token)
	if narrow == nil {
		return nil
	}
	row, err := s.appendSteps(c, t, in)
	if err == nil {
		err = s.keepToken(c, s.owners.vault(c), row, in.Server, kept)
	}
	if err != nil {
		s.Logger.Error("keep a token", "err", err)
	}
	return []wire.Field{narrow.Field()}
}

// appendSteps adds steps that followed a sign-in to its record, as long as that
// is short, and returns its row.
func (s *app) appendSteps(c echo.Context, t playground.Target, more *auth.SignIn) (server.SignIn, error) {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	row := server.SignIn{Target: t.ID}
	kept, err := s.Store.Token(ctx, workspace, t.ID)
	if err != nil {
		return row, err
	}
	row, err = s.Store.SignIn(ctx, workspace, kept.SignIn)
	if errors.Is(err, playground.ErrNotFound) { // deleted for newer ones
		return server.SignIn{ID: kept.SignIn, Target: t.ID}, nil
	}
	if err != nil {
		return row, err
	}
	in, err := readSignIn(row)
	if err != nil || len(in.Steps) >= maxSteps {
		return row, err
	}
	in.Append(more)
	if row.Record, err = json.Marshal(in); err != nil {
		return row, fmt.Errorf("encode sign-in: %w", err)
	}
	err = s.Store.SetSignIn(ctx, workspace, row, row.Stage)
	if errors.Is(err, playground.ErrNotFound) {
		err = nil
	}
	return row, err
}

// signOut revokes the token for a server where its authorization server offers
// that, and deletes it.
func (s *app) signOut(c echo.Context, k knownServer) error {
	if token := s.tokenOf(c, k.target); token != nil {
		if err := s.admit(c, playground.Exchange{ID: k.target.ID, Target: k.target}); err != nil {
			return err
		}
		ctx, stop := s.signInContext(c, k.target)
		defer stop()
		in := s.authClient(c, "").SignOut(ctx, withoutQuery(k.target.URL), *token)
		if _, err := s.appendSteps(c, k.target, in); err != nil && !errors.Is(err, playground.ErrNotFound) {
			return err
		}
	}
	if err := s.Store.DeleteToken(c.Request().Context(), s.owners.reading(c), k.target.ID); err != nil {
		return err
	}
	return seeOther(c, "/servers/"+k.target.ID)
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
		fits := r.Kind == auth.Preregistered || r.Redirect == s.ownURL(c)+callbackPath
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
	return s.Store.SetRegistration(c.Request().Context(), s.owners.reading(c), r.Issuer,
		v.seal(clientRow(r.Issuer), plain), s.Now())
}

// forgetUnused forgets the registration of the last sign-in to a server if that
// did not end well: the authorization server may not know it any more.
func (s *app) forgetUnused(c echo.Context, target string) {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	row, err := s.Store.LastSignIn(ctx, workspace, target)
	if err != nil || row.Stage == string(auth.Done) {
		return
	}
	in, err := readSignIn(row)
	if err != nil || in.Client.ID == "" {
		return
	}
	if err := s.Store.DeleteRegistration(ctx, workspace, in.Issuer); err != nil &&
		!errors.Is(err, playground.ErrNotFound) {
		s.Logger.Error("forget a registration", "err", err)
	}
}
