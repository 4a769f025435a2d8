package auth

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// revoked returns the tokens that the authorization server was asked to revoke.
func (w *world) revoked() []string {
	var list []string
	for _, form := range w.revocations {
		list = append(list, form.Get("token_type_hint")+" "+form.Get("token"))
	}
	return list
}

// The access token that a step-up replaced is revoked at once, and its refresh
// token with the new one: an authorization server can keep one grant for both.
// What shares no grant with the new token is revoked at once.
func TestRevokeReplaced(t *testing.T) {
	now := time.Now()
	old := Token{Access: "old-access", Refresh: "old-refresh", Expires: now.Add(time.Minute),
		Issuer: "https://as", Client: Registration{ID: "client-1"}, Replaced: []string{"older-refresh"}}
	fresh := Token{Access: "new-access", Refresh: "new-refresh", Issuer: "https://as",
		Client: Registration{ID: "client-1"}}
	for name, c := range map[string]struct {
		change         func(old, fresh *Token)
		atOnce, signed []string // revoked at once, and when the user signs out
	}{
		"a step-up": {func(_, _ *Token) {}, []string{"access_token old-access"}, []string{
			"refresh_token new-refresh", "refresh_token older-refresh", "refresh_token old-refresh"}},
		"the same refresh token": {func(_, fresh *Token) { fresh.Refresh = "old-refresh" },
			[]string{"access_token old-access"},
			[]string{"refresh_token old-refresh", "refresh_token older-refresh"}},
		"the same access token": {func(_, fresh *Token) { fresh.Access = "old-access" }, nil,
			[]string{"refresh_token new-refresh", "refresh_token older-refresh",
				"refresh_token old-refresh"}},
		"an expired token": {func(old, _ *Token) { old.Expires = now }, nil,
			[]string{"refresh_token new-refresh", "refresh_token older-refresh",
				"refresh_token old-refresh"}},
		"no refresh tokens": {func(old, fresh *Token) {
			old.Refresh, old.Replaced, fresh.Refresh = "", nil,
				""
		},
			[]string{"access_token old-access"}, []string{"access_token new-access"}},
		"another authorization server": {func(_, fresh *Token) { fresh.Issuer = "https://other" },
			[]string{"refresh_token old-refresh", "refresh_token older-refresh"},
			[]string{"refresh_token new-refresh"}},
		"another client": {func(_, fresh *Token) { fresh.Client.ID = "client-2" },
			[]string{"refresh_token old-refresh", "refresh_token older-refresh"},
			[]string{"refresh_token new-refresh"}},
		"no revocation": {func(old, fresh *Token) { old.Revoke, fresh.Revoke = "", "" }, nil, nil},
	} {
		w := newWorld(t)
		old, fresh := old, fresh
		old.Revoke, fresh.Revoke = w.URL+"/revoke", w.URL+"/revoke"
		c.change(&old, &fresh)
		token := fresh.Replacing(old)
		in := w.client().RevokeReplaced(t.Context(), w.mcp(), old, token)
		if got := w.revoked(); !slices.Equal(got, c.atOnce) || len(in.Steps) != len(c.atOnce) {
			t.Errorf("%s: at once %q, want %q", name, got, c.atOnce)
		}
		w.revocations = nil
		out := w.client().SignOut(t.Context(), w.mcp(), token)
		if got := w.revoked(); !slices.Equal(got, c.signed) {
			t.Errorf("%s: at the end %q, want %q", name, got, c.signed)
		}
		for _, secret := range []string{"old-access", "old-refresh", "older-refresh", "new-refresh"} {
			if strings.Contains(shown(t, in)+shown(t, out), secret) {
				t.Errorf("%s: %s is shown", name, secret)
			}
		}
	}
}

// A token that is renewed still knows the tokens that it has replaced, and no
// more than a few of them.
func TestReplacing_IsKeptAndBounded(t *testing.T) {
	w := newWorld(t)
	token := *w.token(Known{})
	for range 2 * maxReplaced {
		old := token
		token.Refresh += "x"
		token = token.Replacing(old)
	}
	_, fresh := w.client().Refresh(t.Context(), w.mcp(), token)
	if fresh == nil || len(fresh.Replaced) != maxReplaced || !slices.Equal(fresh.Replaced, token.Replaced) {
		t.Errorf("%+v", fresh)
	}
}
