package dbtest

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func newTarget(id string) playground.Target {
	return playground.Target{
		ID: id, Name: "h", URL: "https://h/mcp", Capabilities: json.RawMessage(`{"roots": {}}`),
		Header: []wire.Field{{Name: "A", Value: "****"}}, Sealed: []byte{1, 2},
	}
}

var targetTests = map[string]func(*testing.T, *db.Store){
	"Target_IsReadAsStored": func(t *testing.T, s *db.Store) {
		target := newTarget("t")
		must(t, s.AddTarget(t.Context(), "w", target, Now))
		connected := playground.Summary{Status: "connected", Name: "Server"}
		must(t, s.Append(t.Context(), "t", connected, Events()[1:]...))
		got, log, err := s.Target(t.Context(), "w", "t")
		if diff := cmp.Diff(target, got); diff != "" || err != nil || len(log) != 2 {
			t.Error(diff, err, len(log))
		}
		must(t, s.Append(t.Context(), "t", playground.Summary{Status: "failed"}, Events()[2]))
		target.URL, target.Name = "https://other/mcp", "other"
		must(t, s.SetTarget(t.Context(), "w", target))
		list, err := s.Targets(t.Context(), "w")
		want := []server.Row{{ID: "t", Name: "other", URL: target.URL, Status: "failed",
			ReportedName: "Server", Created: Now}}
		if diff := cmp.Diff(want, list); diff != "" || err != nil {
			t.Error(diff, err)
		}
	},

	"Target_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		must(t, s.AddTarget(t.Context(), "w", newTarget("t"), Now))
		_, _, err := s.Target(t.Context(), "other", "t")
		_, atErr := s.TargetAt(t.Context(), "other", "https://h/mcp")
		_, mineErr := s.Mine(t.Context(), "other", "t")
		for name, err := range map[string]error{
			"Target": err, "TargetAt": atErr, "Mine": mineErr,
			"SetTarget":     s.SetTarget(t.Context(), "other", newTarget("t")),
			"SetMine":       s.SetMine(t.Context(), "other", "t"),
			"ForgetTarget":  s.ForgetTarget(t.Context(), "other", "t"),
			"ForgetSecrets": s.ForgetSecrets(t.Context(), "other", "t"),
		} {
			if !errors.Is(err, playground.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if list, err := s.Targets(t.Context(), "other"); err != nil || len(list) != 0 {
			t.Errorf("Targets: %v, %v", list, err)
		}
	},

	"Target_IsFoundByURL": func(t *testing.T, s *db.Store) {
		must(t,
			s.AddTarget(t.Context(), "w", newTarget("old"), Now),
			s.AddTarget(t.Context(), "w", newTarget("new"), Now.Add(time.Second)),
		)
		if id, err := s.TargetAt(t.Context(), "w", "https://h/mcp"); id != "new" || err != nil {
			t.Errorf("%s, %v", id, err)
		}
	},

	"Target_IsMineOnceStated": func(t *testing.T, s *db.Store) {
		must(t, s.AddTarget(t.Context(), "w", newTarget("t"), Now))
		if mine, err := s.Mine(t.Context(), "w", "t"); mine || err != nil {
			t.Error(mine, err)
		}
		must(t, s.SetMine(t.Context(), "w", "t"))
		if mine, err := s.Mine(t.Context(), "w", "t"); !mine || err != nil {
			t.Error(mine, err)
		}
	},

	// Forgetting the secrets of a server reaches the exchanges with it, and
	// those of no other workspace. What was masked still counts as masked.
	"Target_ForgetsSecrets": func(t *testing.T, s *db.Store) {
		for _, workspace := range []string{"w", "other"} {
			must(t, s.AddTarget(t.Context(), workspace, newTarget("t-"+workspace), Now))
			x := Exchange("x-" + workspace)
			x.Target.ID, x.Sealed = "t-w", []byte{3}
			must(t, s.AddExchange(t.Context(), workspace, "title", x))
			for _, log := range []string{"t-" + workspace, "x-" + workspace} {
				e := Events()[1]
				e.Sealed = []byte{4}
				must(t, s.Append(t.Context(), log, cancelled(), e, Events()[2]))
			}
		}
		must(t, s.ForgetSecrets(t.Context(), "w", "t-w"))
		for workspace, want := range map[string]struct{ target, exchange, event []byte }{
			"w": {nil, []byte{0}, []byte{0}}, "other": {[]byte{1, 2}, []byte{3}, []byte{4}},
		} {
			target, log, err := s.Target(t.Context(), workspace, "t-"+workspace)
			must(t, err)
			x, err := s.Exchange(t.Context(), workspace, "x-"+workspace)
			must(t, err)
			got := [][]byte{target.Sealed, x.Sealed, log[0].Sealed, x.Log[0].Sealed, x.Log[1].Sealed}
			all := [][]byte{want.target, want.exchange, want.event, want.event, nil}
			if diff := cmp.Diff(all, got); diff != "" {
				t.Errorf("%s: %s", workspace, diff)
			}
		}
		must(t, s.ForgetTarget(t.Context(), "w", "t-w"))
		if x, err := s.Exchange(t.Context(), "w", "x-w"); err != nil || len(x.Log) != 2 {
			t.Errorf("the record of a forgotten server: %v", err)
		}
	},
}
