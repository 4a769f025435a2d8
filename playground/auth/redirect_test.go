package auth

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// redirectOf is the redirect URI with which a sign-in leaves.
func redirectOf(t *testing.T, s *SignIn) string {
	t.Helper()
	if s.Stage != Ready {
		t.Fatalf("%s: %+v", s.Stage, s.Fault())
	}
	return mustParse(s.Authorize).Query().Get("redirect_uri")
}

// Each authorization server has a redirect URI of its own, which is registered
// there, sent in both requests, and the only one where its answer is taken. A
// client that was registered by hand keeps the one that it has.
func TestRedirect_PerIssuer(t *testing.T) {
	a, b := newWorld(t), newWorld(t)
	c := a.client()
	var seen []string
	for _, w := range []*world{a, b} {
		s := c.Begin(t.Context(), w.mcp(), challenged(), Known{})
		seen = append(seen, redirectOf(t, s))
		if got := w.registered[0].RedirectURIs; !slices.Equal(got, seen[len(seen)-1:]) {
			t.Errorf("registered with %q, sent %q", got, seen)
		}
		if c.Return(t.Context(), s, w.address(s), w.returning(s)) == nil {
			t.Fatalf("%+v", s.Fault())
		}
		if got := w.tokens[0].Get("redirect_uri"); got != seen[len(seen)-1] {
			t.Errorf("the token request has %q", got)
		}
	}
	if seen[0] == seen[1] || !strings.HasPrefix(seen[0], c.Redirect+"/") || seen[0] != c.RedirectOf(a.URL) {
		t.Errorf("redirect URIs %q", seen)
	}
	for own, want := range map[bool]string{false: c.Redirect, true: c.RedirectOf(a.URL)} {
		known := Known{Registered: func(string) (Registration, bool) {
			return Registration{Kind: Preregistered, ID: "mine", Own: own}, true
		}}
		s := c.Begin(t.Context(), a.mcp(), challenged(), known)
		if got := redirectOf(t, s); got != want {
			t.Errorf("registered by hand, %v: %s", own, got)
		}
		if c.Return(t.Context(), s, want, a.returning(s)) == nil {
			t.Errorf("%+v", s.Fault())
		}
		set(serverPath, "client_id_metadata_document_supported", true)(a)
		c.Document = func(issuer string) (string, bool) { return "https://h/" + Digest(issuer), own }
		s = c.Begin(t.Context(), a.mcp(), challenged(), Known{})
		if got := redirectOf(t, s); got != want || s.Client.ID != "https://h/"+Digest(a.URL) {
			t.Errorf("by a document, %v: %s, %s", own, got, s.Client.ID)
		}
	}
}

// An answer without iss that arrives at the redirect URI of another authorization
// server is not used, and nothing of it is shown (a mix-up attack, RFC 9700,
// section 4.4).
func TestRedirect_MixUp(t *testing.T) {
	w := newWorld(t)
	set(serverPath, "authorization_response_iss_parameter_supported", nil)(w)
	c := w.client()
	for _, address := range []string{c.Redirect, c.RedirectOf("https://honest.example"),
		c.RedirectOf(w.URL) + "/"} {
		s := c.Begin(t.Context(), w.mcp(), challenged(), Known{})
		q := url.Values{"code": {"code-1234"}, "state": {s.Private.State}, "error_description": {"EVIL"}}
		token := c.Return(t.Context(), s, address, q)
		if f := s.Fault(); token != nil || f == nil || f.ID != "redirect-mismatch" ||
			strings.Contains(f.Says, "EVIL") {
			t.Errorf("%s: %+v", address, f)
		}
		if len(w.tokens) > 0 {
			t.Errorf("%s: the code was sent", address)
		}
		if c.Return(t.Context(), s, w.address(s), q) != nil {
			t.Error("the sign-in goes on after that")
		}
	}
}
