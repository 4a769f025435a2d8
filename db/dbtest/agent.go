package dbtest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

var agentTests = map[string]func(*testing.T, *db.Store){
	"AgentToken_FindsItsWorkspaceUntilItEnds": func(t *testing.T, s *db.Store) {
		end := Now.Add(24 * time.Hour)
		a := session.AgentToken{ID: "1", Title: "ä", Created: Now, Expires: end}
		b := session.AgentToken{ID: "2", Title: "b", Created: Now.Add(time.Second),
			Expires: end.Add(time.Hour)}
		for token, one := range map[string]session.AgentToken{"secret a": a, "secret b": b} {
			if added, err := s.AddAgentToken(t.Context(), "w", one, token, 2); !added || err != nil {
				t.Fatal(added, err)
			}
		}
		added, err := s.AddAgentToken(t.Context(), "w", session.AgentToken{ID: "3"}, "secret c", 2)
		if added || err != nil {
			t.Errorf("beyond the limit: %v, %v", added, err)
		}
		workspace, err := s.UseAgentToken(t.Context(), "secret a", Now.Add(90*time.Minute))
		if workspace != "w" || err != nil {
			t.Errorf("used: %q, %v", workspace, err)
		}
		a.Used = Now.Add(90 * time.Minute).Truncate(time.Hour)
		list, err := s.AgentTokens(t.Context(), "w", Now)
		if diff := cmp.Diff([]session.AgentToken{b, a}, list); diff != "" || err != nil {
			t.Error(diff, err)
		}
		_, err = s.UseAgentToken(t.Context(), "secret d", Now)
		wantErr(t, "unknown", playground.ErrNotFound, err)
		_, err = s.UseAgentToken(t.Context(), "secret a", end)
		wantErr(t, "expired", playground.ErrNotFound, err)
		must(t, s.DeleteExpiredAgentTokens(t.Context(), end))
		if list, err = s.AgentTokens(t.Context(), "w", Now); len(list) != 1 || err != nil {
			t.Errorf("left: %v, %v", list, err)
		}
	},

	"AgentToken_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		one := session.AgentToken{ID: "1", Created: Now, Expires: Now.Add(time.Hour)}
		_, err := s.AddAgentToken(t.Context(), "w", one, "secret", 9)
		must(t, err)
		if list, err := s.AgentTokens(t.Context(), "other", Now); err != nil || len(list) != 0 {
			t.Errorf("list: %v, %v", list, err)
		}
		wantErr(t, "delete", playground.ErrNotFound, s.DeleteAgentToken(t.Context(), "other", "1"))
		must(t, s.DeleteAgentToken(t.Context(), "w", "1"))
		_, err = s.UseAgentToken(t.Context(), "secret", Now)
		wantErr(t, "revoked", playground.ErrNotFound, err)
	},
}
