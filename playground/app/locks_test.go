package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// tokenStore is a Store with one token and one sign-in.
type tokenStore struct {
	Store
	token   server.SealedToken
	signIn  server.SignIn
	changes int
	broken  error // of reading the token
}

func (s *tokenStore) Token(context.Context, string, string) (server.SealedToken, error) {
	return s.token, s.broken
}

func (s *tokenStore) DeleteToken(context.Context, string, string) error { s.changes++; return nil }

func (s *tokenStore) SetToken(context.Context, string, server.SealedToken) error {
	s.changes++
	return nil
}

func (s *tokenStore) SignIn(context.Context, string, string) (server.SignIn, error) {
	return s.signIn, nil
}

func (s *tokenStore) SetSignIn(context.Context, string, server.SignIn, string) error {
	s.changes++
	return nil
}

func (s *tokenStore) Target(context.Context, string, string) (playground.Target, []playground.Event, error) {
	return playground.Target{ID: "t", URL: "http://h/mcp"}, nil, nil
}

func (s *tokenStore) IsConnecting(context.Context, string, string) (bool, error) { return true, nil }

func (s *tokenStore) Below(int64) bool { return false }

func (s *tokenStore) Storage(context.Context, string, string, usage.Payer) (usage.Storage, error) {
	return usage.Storage{}, nil
}

// keyed is an owner with a key.
type keyed struct{ Agent }

func (keyed) Key() []byte { return make([]byte, SecretKeySize) }

// countingSender counts what it is asked to send, and sends nothing.
type countingSender struct{ sent int }

func (s *countingSender) Send(context.Context, string, wire.Frame, func(wire.Part) error) wire.Timing {
	s.sent++
	return wire.Timing{}
}

// lockedOut is an App for which the lock of tokens across processes fails, with a visit, an
// expired token and a sign-in that the browser comes back from.
func lockedOut(t *testing.T, cause error) (*App, *Visit, *tokenStore, *countingSender) {
	t.Helper()
	store, sender := &tokenStore{}, &countingSender{}
	s := New(Config{
		Mode: Local, Runner: noRunner{}, SignIns: sender, Logger: slog.New(slog.DiscardHandler),
		Now:       func() time.Time { return time.Unix(1_800_000_000, 0) },
		Exclusive: func(context.Context, string) (func(), error) { return nil, cause },
	}, store)
	v := s.Visit(t.Context(), Request{Owner: keyed{"w"}, Origin: "http://here"})
	seal := func(id string, x any) []byte {
		plain, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		return v.Vault().SealAs(id, plain)
	}
	store.token = server.SealedToken{Target: "t", URL: "http://h/mcp", Sealed: seal(tokenRow("t"),
		auth.Token{Access: "a", Refresh: "r", Expires: s.Now().Add(-time.Hour), Scopes: []string{"a", "b"}})}
	store.signIn = server.SignIn{ID: "n", Target: "t", Stage: string(auth.Ready), Record: []byte(`{}`),
		Created: s.Now(), Sealed: seal("n", sealedSignIn{Private: auth.Private{State: "n.state"}})}
	return s, v, store, sender
}

// noRunner is a Runner that does nothing.
type noRunner struct{ Runner }

func (noRunner) Sleeping(string) bool { return false }

// TestLockToken_Refused: while another process may change a token, this one changes nothing of
// it: not the refresh token, which works once, nor the code of a sign-in, which does so as well.
// What only reads the token goes on with it.
func TestLockToken_Refused(t *testing.T) {
	t.Parallel()
	late := fmt.Errorf("%w: %w", playground.ErrStorage, context.DeadlineExceeded)
	for _, tt := range []struct {
		cause error
		code  string
	}{
		{late, "token_busy"}, {playground.ErrElsewhere, "token_busy"}, {playground.ErrStorage, "storage"},
	} {
		s, v, store, sender := lockedOut(t, tt.cause)
		refused := func(what string, err error) {
			t.Helper()
			if r := RefusalOf(err); err == nil || r.Kind != Unavailable || r.Code != tt.code ||
				!errors.Is(err, tt.cause) {
				t.Errorf("%v: %s: %v", tt.cause, what, err)
			}
		}
		target := playground.Target{ID: "t", URL: "http://h/mcp"}
		refused("sign out", s.SignOut(v, KnownServer{Target: target}))
		_, err := s.Return(v, CallbackPath, url.Values{"state": {"n.state"}, "code": {"c"}})
		refused("return from a sign-in", err)
		if token, err := s.currentToken(v, target); err != nil || token == nil || token.Access != "a" {
			t.Errorf("%v: the token is %v, %v", tt.cause, token, err)
		}
		if fields := s.NarrowToken(v, target); fields != nil {
			t.Errorf("%v: a narrower token is %v", tt.cause, fields)
		}
		if sender.sent > 0 || store.changes > 0 {
			t.Errorf("%v: %d requests were sent, %d changes stored", tt.cause, sender.sent, store.changes)
		}
		s.Exclusive = func(context.Context, string) (func(), error) { return func() {}, nil }
		for range 2 { // the lock in this process is free
			unlock, err := s.LockToken(v, "t")
			if err != nil {
				t.Fatal(err)
			}
			unlock()
		}
		if err := s.SignOut(v, KnownServer{Target: target}); err != nil || store.changes == 0 {
			t.Errorf("with the lock: %v", err)
		}
	}
}

// TestTokenOf_StorageFails: if the token of a sign-in cannot be read, nothing is sent without
// it, and the visitor does not count as signed out.
func TestTokenOf_StorageFails(t *testing.T) {
	t.Parallel()
	s, v, store, sender := lockedOut(t, nil)
	s.Exclusive = func(context.Context, string) (func(), error) { return func() {}, nil }
	store.broken = playground.ErrStorage
	target := playground.Target{ID: "t", URL: "http://h/mcp"}
	x := playground.Exchange{ID: "x", Target: target}
	_, opened := s.Open(v, target, playground.Call{Method: "tools/call"}, "")
	_, unlocked := s.WithToken(v, x)
	_, found := s.TargetWithToken(v, target)
	for what, err := range map[string]error{
		"open": opened, "go on": unlocked, "connect": s.Connect(v, target, nil), "ask": found,
		"sign out": s.SignOut(v, KnownServer{Target: target}),
	} {
		if !errors.Is(err, playground.ErrStorage) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if sender.sent > 0 || store.changes > 0 {
		t.Errorf("%d requests were sent, %d changes stored", sender.sent, store.changes)
	}
	store.broken = playground.ErrNotFound
	if token, err := s.TokenOf(v, target); token != nil || err != nil {
		t.Errorf("without a token: %v, %v", token, err)
	}
}
