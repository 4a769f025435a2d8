package auth

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// A sign-in goes on in spite of one fault, which the record keeps. Another sign-in to the same
// server asks again.
func TestGoOn(t *testing.T) {
	const metadata = "/.well-known/oauth-authorization-server"
	for name, c := range map[string]struct {
		breaks func(*world)
		d      playground.Deviation
		fault  string
	}{
		"slash": {func(w *world) { set(metadata, "issuer", w.URL+"/")(w) }, playground.DeviateIssuer,
			"issuer-slash"},
		"issuer": {set(metadata, "issuer", "https://other.example"), playground.DeviateIssuer,
			"issuer-mismatch"},
		"pkce": {set(metadata, "code_challenge_methods_supported", nil), playground.DeviatePKCE, "no-pkce"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.breaks(w)
			client := w.client()
			s := client.Begin(t.Context(), w.mcp(), challenged(), Known{})
			if s.Stage != Refused || s.Anyway() != c.d {
				t.Fatalf("%s, goes on with %q", s.Stage, s.Anyway())
			}
			for _, other := range append(playground.Deviations(), "") {
				if other != c.d && client.GoOn(t.Context(), s, other, Known{}) || s.Stage != Refused {
					t.Fatalf("it goes on with %q", other)
				}
			}
			if !client.GoOn(t.Context(), s, c.d, Known{}) || s.Stage != Ready || s.Fault() != nil {
				t.Fatalf("%s: %+v", s.Stage, s.Steps)
			}
			var purposes []Purpose
			waived := ""
			for _, step := range s.Steps {
				purposes = append(purposes, step.Purpose)
				for _, f := range step.Faults {
					if f.Waived {
						waived = f.ID
					}
				}
			}
			at := slices.Index(purposes, Deviate)
			if waived != c.fault || at < 0 || s.Steps[at].Anyway != c.d || purposes[at-1] != AskServer {
				t.Errorf("waived %q, steps %v", waived, purposes)
			}
			token := client.Return(t.Context(), s, w.address(s), w.returning(s))
			if token == nil || !slices.Equal(token.Deviations, []playground.Deviation{c.d}) {
				t.Fatalf("no token, or without its deviation: %+v, %+v", token, s.Fault())
			}
			if again := client.Begin(t.Context(), w.mcp(), challenged(), Known{}); again.Stage != Refused {
				t.Errorf("the deviation carries over: %s", again.Stage)
			}
		})
	}
}

// Two faults are two decisions.
func TestGoOn_OneStepAtATime(t *testing.T) {
	const metadata = "/.well-known/oauth-authorization-server"
	w := newWorld(t)
	set(metadata, "issuer", "https://other.example")(w)
	set(metadata, "code_challenge_methods_supported", nil)(w)
	client := w.client()
	s := client.Begin(t.Context(), w.mcp(), challenged(), Known{})
	client.GoOn(t.Context(), s, playground.DeviateIssuer, Known{})
	if s.Stage != Refused || s.Anyway() != playground.DeviatePKCE {
		t.Fatalf("after the first decision: %s, %q", s.Stage, s.Anyway())
	}
	client.GoOn(t.Context(), s, playground.DeviatePKCE, Known{})
	if s.Stage != Ready {
		t.Errorf("after the second decision: %s %+v", s.Stage, s.Fault())
	}
}

// Where PKCE exists without S256, there is nothing to go on with.
func TestGoOn_NotWithoutS256(t *testing.T) {
	w := newWorld(t)
	set("/.well-known/oauth-authorization-server", "code_challenge_methods_supported", []string{"plain"})(w)
	s := w.client().Begin(t.Context(), w.mcp(), challenged(), Known{})
	if s.Anyway() != "" {
		t.Errorf("it goes on with %q", s.Anyway())
	}
}

// A server that refuses the parameter resource gets a second authorization request without
// it, and neither the token request nor a refresh has it.
func TestGoOn_LeavesOutResource(t *testing.T) {
	w := newWorld(t)
	client := w.client()
	s := client.Begin(t.Context(), w.mcp(), challenged(), Known{})
	query := w.returning(s)
	query.Del("code")
	query.Set("error", "invalid_target")
	if client.Return(t.Context(), s, w.address(s), query) != nil || s.Anyway() != playground.DeviateResource {
		t.Fatalf("goes on with %q: %+v", s.Anyway(), s.Fault())
	}
	before := mustParse(s.Authorize).Query()
	client.GoOn(t.Context(), s, playground.DeviateResource, Known{})
	if s.Stage != Ready {
		t.Fatalf("%s: %+v", s.Stage, s.Fault())
	}
	after := mustParse(s.Authorize).Query()
	if !before.Has("resource") || after.Has("resource") || before.Get("state") == after.Get("state") {
		t.Errorf("before %v, after %v", before, after)
	}
	token := client.Return(t.Context(), s, w.address(s), w.returning(s))
	if token == nil || !slices.Contains(token.Deviations, playground.DeviateResource) {
		t.Fatalf("%+v, %+v", token, s.Fault())
	}
	refreshed, fresh := client.Refresh(t.Context(), w.mcp(), *token)
	if fresh == nil || !slices.Equal(fresh.Deviations, token.Deviations) ||
		refreshed.Steps[0].Anyway != playground.DeviateResource {
		t.Errorf("the refresh: %+v, %+v", fresh, refreshed.Steps)
	}
	for _, in := range []*SignIn{s, refreshed} {
		for _, e := range in.Log {
			if e.Kind == playground.Sent && strings.Contains(string(e.Data), "resource=") {
				t.Errorf("resource is sent: %s", e.Data)
			}
		}
	}
}

// The parameter resource is left out only where the error is about it.
func TestRefusesResource(t *testing.T) {
	for _, c := range []struct {
		code, description string
		want              bool
	}{
		{"invalid_target", "", true}, {"invalid_request", "Unknown parameter: Resource", true},
		{"invalid_request", "missing client_id", false}, {"access_denied", "resource", false}, {"", "",
			false},
	} {
		if got := refusesResource(c.code, c.description); got != c.want {
			t.Errorf("%q, %q: %v", c.code, c.description, got)
		}
	}
}
