package dbtest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
)

var gatewayTests = map[string]func(*testing.T, *db.Store){
	"Gateway_IsReadAsStored": func(t *testing.T, s *db.Store) {
		want := gateway.Saved{ID: "g", Workspace: "w", Capture: "c", Calls: []gateway.Call{}, Created: Now}
		must(t, s.AddGateway(t.Context(), want))
		_, err := s.AddCapture(t.Context(), capture.Capture{ID: "c", Workspace: "w", Token: "up"}, 9)
		must(t, err)
		for token, want := range map[string]bool{"up": true, "down": false} {
			if is, err := s.IsUpstream(t.Context(), token); is != want || err != nil {
				t.Error(token, is, err)
			}
		}
		if g, err := s.Gateway(t.Context(), "w", "g"); err != nil || !cmp.Equal(g, want) {
			t.Error(cmp.Diff(want, g), err)
		}
		at := Now.Add(time.Minute)
		for _, want := range []bool{true, false} {
			begun, err := s.BeginGateway(t.Context(), "w", "g", "t", "127.0.0.1:8080", at)
			if begun != want || err != nil {
				t.Error(begun, err)
			}
		}
		want.Server, want.Name, want.Began = "t", "127.0.0.1:8080", at
		want.Gap, want.Ended = "The gateway does not answer.", at.Add(time.Second)
		want.Calls = []gateway.Call{{Exchange: "x", Mark: "m", Tool: "echo", Name: "up_echo"}}
		must(t, s.SetGateway(t.Context(), want))
		if g, err := s.Gateway(t.Context(), "w", "g"); err != nil || !cmp.Equal(g, want) {
			t.Error(cmp.Diff(want, g), err)
		}
		want.Calls = []gateway.Call{}
		if list, err := s.Gateways(t.Context(), "w"); err != nil || !cmp.Equal(list, []gateway.Saved{want}) {
			t.Error(list, err)
		}
		n, err := s.Session(t.Context(), "w", "g")
		if err != nil || n.Kind != "gateway" || n.Title != "Test of the gateway 127.0.0.1:8080" {
			t.Error(n, err)
		}
	},

	"Gateway_IsItsOwnersOnly": func(t *testing.T, s *db.Store) {
		g := gateway.Saved{ID: "g", Workspace: "w", Capture: "c", Created: Now}
		must(t, s.AddGateway(t.Context(), g))
		g.Workspace = "other"
		_, err := s.Gateway(t.Context(), "other", "g")
		if set := s.SetGateway(t.Context(), g); !errors.Is(err, playground.ErrNotFound) ||
			!errors.Is(set, playground.ErrNotFound) {
			t.Error(err, set)
		}
		begun, err := s.BeginGateway(t.Context(), "other", "g", "t", "n", Now)
		if list, listErr := s.Gateways(t.Context(), "other"); begun || len(list) > 0 ||
			errors.Join(err, listErr) != nil {
			t.Error(begun, list, err, listErr)
		}
		_, err = s.BeginGateway(t.Context(), "w", "g", "t", "n", Now)
		must(t, errors.Join(err, s.ResetGateway(t.Context(), "w", "g")))
		if g, err := s.Gateway(t.Context(), "w", "g"); err != nil || !g.Began.IsZero() || g.Server != "" {
			t.Error(g, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "g"))
		if _, err := s.Gateway(t.Context(), "w", "g"); !errors.Is(err, playground.ErrNotFound) {
			t.Error(err)
		}
	},
}
