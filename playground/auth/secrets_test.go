package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// shown is everything of a SignIn that is stored in clear and shown: its JSON,
// and the bytes of its messages.
func shown(t *testing.T, s *SignIn) string {
	t.Helper()
	record, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	all := string(record)
	for _, e := range s.Log {
		all += string(e.Data)
	}
	return all
}

// However a token response is written, as long as it is read, its tokens are
// masked.
func TestSecrets_TokensInEveryFormat(t *testing.T) {
	for name, r := range map[string]reply{
		"a form": {kind: "application/x-www-form-urlencoded",
			body: "access_token=SECRETaccess&refresh_token=SECRETrefresh&token_type=bearer"},
		"a form as text": {kind: "text/plain",
			body: "access_token=SECRETaccess&token_type=bearer&refresh_token=SECRETrefresh\n"},
		"capitals": {kind: "application/json",
			body: `{"Access_Token":"SECRETaccess","REFRESH_TOKEN":"SECRETrefresh","token_type":"Bearer"}`},
		"escapes": {kind: "application/json",
			body: `{"access\u005ftoken":"SECRETaccess","refresh_token":"SECRETrefresh",` +
				`"token_type":"Bearer"}`},
		"repeated elsewhere": {kind: "application/json", body: `{"access_token":"SECRETaccess",` +
			`"refresh_token":"SECRETrefresh","token_type":"Bearer","debug":"SECRETaccess/SECRETrefresh"}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			answer("/token", 200, r.kind, r.body)(w)
			s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{})
			token := w.client().Return(t.Context(), s, w.address(s), w.returning(s))
			if token == nil {
				t.Fatalf("the response is not read: %+v", s.Fault())
			}
			if strings.Contains(shown(t, s), "SECRET") {
				t.Errorf("a token is shown: %s", shown(t, s))
			}
		})
	}
}

// What a server repeats of a secret is masked, in its bytes and in the sentence
// that quotes it.
func TestSecrets_RepeatedByTheServer(t *testing.T) {
	w := newWorld(t)
	set("/token", "refresh_token", "SECRET refresh/1")(w)
	client := Registration{Kind: Preregistered, ID: "mine", Secret: "SECRET=client"}
	known := Known{Registered: func(string) (Registration, bool) { return client, true }}
	token := w.token(known)
	for _, spelled := range []string{
		"SECRET refresh/1", "SECRET=client", url.QueryEscape("SECRET refresh/1"), token.Access,
	} {
		answer("/token", 400, "application/json",
			fmt.Sprintf(`{"error":"invalid_grant","error_description":"unknown: %s"}`, spelled))(w)
		s, fresh := w.client().Refresh(t.Context(), w.mcp(), *token)
		if fresh != nil || !s.GrantRefused() {
			t.Fatalf("%+v", s.Fault())
		}
		if all := shown(t, s); strings.Contains(all, spelled) {
			t.Errorf("%q is shown: %s", spelled, all)
		}
	}
	answer("/token", 200, "text/html", "access_token=SECRET12345 and more")(w)
	s, _ := w.client().Refresh(t.Context(), w.mcp(), *token)
	if s.Fault() == nil || strings.Contains(s.Fault().Says, "SECRET12345") {
		t.Errorf("the fault quotes the response: %+v", s.Fault())
	}
}

// Only a refused grant is final. The end of an outage is not.
func TestRefresh_OutageIsNotRefusal(t *testing.T) {
	w := newWorld(t)
	token := w.token(Known{})
	for _, status := range []int{500, 503} {
		answer("/token", status, "application/json", `{"error":"temporarily_unavailable"}`)(w)
		if s, _ := w.client().Refresh(t.Context(), w.mcp(), *token); s.GrantRefused() {
			t.Errorf("%d counts as refused", status)
		}
	}
	w.Close()
	if s, _ := w.client().Refresh(t.Context(), w.mcp(), *token); s.GrantRefused() {
		t.Error("no connection counts as refused")
	}
}

// A server that names more and more scopes, or texts that are no scopes, does
// not make the requests grow.
func TestScopes_AreBounded(t *testing.T) {
	many := make([]string, 6000)
	for i := range many {
		many[i] = fmt.Sprint("scope-", i)
	}
	w := newWorld(t)
	set(resourcePath, "scopes_supported", slices.Concat([]string{"a b", "", "é", "q\"", strings.Repeat("x",
		5000)}, many))(w)
	s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{Scopes: many[3000:]})
	if s.Stage != Ready || len(s.Scopes) != maxScopes || s.Scopes[0] != "scope-3000" {
		t.Fatalf("%s: %d scopes, %+v", s.Stage, len(s.Scopes), s.Fault())
	}
	if !slices.ContainsFunc(s.Warnings(), func(f Fault) bool { return f.ID == "scopes-left" }) {
		t.Error("nothing says that scopes were left out")
	}
	if s.Log = nil; len(shown(t, s)) > 20000 {
		t.Errorf("besides the messages, the record has %d bytes", len(shown(t, s)))
	}
}

// TestRegistration_Incomplete: what a registration must say and does not is a warning.
func TestRegistration_Incomplete(t *testing.T) {
	secret := set("/register", "client_secret", "a-secret-of-the-client")
	for name, c := range map[string]struct {
		breaks func(*world)
		want   string // id of the warning
	}{
		"a secret without its expiry": {func(w *world) {
			secret(w)
			w.change["/register"] = both(w.change["/register"], func(doc map[string]any) {
				delete(doc, "client_secret_expires_at")
			})
		}, "secret-expiry"},
		"no secret": {func(*world) {}, ""},
		"another redirect URI": {set("/register", "redirect_uris", []string{"https://other.example/"}),
			"redirect-lost"},
	} {
		w := newWorld(t)
		c.breaks(w)
		s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{})
		got := ""
		for _, f := range s.Warnings() {
			if f.ID == "secret-expiry" || f.ID == "redirect-lost" {
				got = f.ID
			}
		}
		if s.Stage != Ready || got != c.want {
			t.Errorf("%s: %s, %q, want %q", name, s.Stage, got, c.want)
		}
	}
	for name, value := range map[string]any{"a string": "0", "an object": map[string]any{}} {
		w := newWorld(t)
		set("/register", "client_secret_expires_at", value)(w)
		s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{})
		if s.Stage != Ready || !slices.ContainsFunc(s.Warnings(), func(f Fault) bool {
			return f.ID == "secret-expiry" && strings.Contains(f.Says, name+" instead of a number")
		}) {
			t.Errorf("%s: %s, %+v, %+v", name, s.Stage, s.Fault(), s.Warnings())
		}
	}
}

// Numbers and texts out of range in a registration or a token are faults, not
// errors of this program.
func TestRegistration_OutOfRange(t *testing.T) {
	for _, expires := range []any{1763866996000, 1e300, -5} {
		w := newWorld(t)
		set("/register", "client_secret_expires_at", expires)(w)
		s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{})
		shown(t, s)
		if s.Stage != Ready {
			t.Errorf("%v: %s, %+v", expires, s.Stage, s.Fault())
		}
		if !slices.ContainsFunc(s.Warnings(), func(f Fault) bool { return f.ID == "secret-expiry" }) {
			t.Errorf("%v: no warning", expires)
		}
	}
	w := newWorld(t)
	set("/register", "client_id", strings.Repeat("i", maxClientText+1))(w)
	if s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{}); s.Stage != Refused {
		t.Errorf("a long client ID: %s", s.Stage)
	}
	w = newWorld(t)
	set("/token", "refresh_token", strings.Repeat("r", maxToken))(w)
	s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{})
	if token := w.client().Return(t.Context(), s, w.address(s), w.returning(s)); token != nil ||
		s.Stage != Refused {
		t.Errorf("a long token: %s", s.Stage)
	}
}

// TestSecrets_AreMaskedInTurns holds fault 132: a sign-in masks the messages of
// servers in turns of its request, also earlier ones when it learns of a
// secret. Without a turn it ends, and shows nothing that it did not search.
func TestSecrets_AreMaskedInTurns(t *testing.T) {
	w := newWorld(t)
	var sizes []int
	ctx := func(least int) context.Context {
		return redact.WithTurn(t.Context(), func(_ context.Context, size int) (func(), error) {
			if sizes = append(sizes, size); len(sizes) > least {
				return nil, errors.New("no turn is free")
			}
			return func() {}, nil
		})
	}
	s := w.client().Begin(ctx(1<<20), w.mcp(), challenged(), Known{})
	size := 0
	for _, e := range s.Log {
		size += len(e.Data)
	}
	if s.Stage != Ready || !slices.Contains(sizes, size) {
		t.Fatalf("%s: turns for %d bytes of a record of %d", s.Stage, sizes, size)
	}
	for free := range len(sizes) {
		sizes = nil
		s := w.client().Begin(ctx(free), w.mcp(), challenged(), Known{})
		for _, e := range s.Log {
			if s.Stage == Ready && strings.Contains(string(e.Data), "{") {
				t.Errorf("after %d turns: %s", free, e.Data)
			}
		}
		if s.Stage != Ready && (s.Fault() == nil || !strings.Contains(s.Fault().Says, "no turn is free")) {
			t.Errorf("after %d turns: %s, %+v", free, s.Stage, s.Fault())
		}
	}
}
