package dbtest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

var workspaceTests = map[string]func(*testing.T, *db.Store){
	"Workspace_KeepsItsRoots": func(t *testing.T, s *db.Store) {
		if n, err := s.Unclaimed(t.Context()); n != 0 || err != nil {
			t.Errorf("of a new database, %d bytes are unclaimed, %v", n, err)
		}
		if roots, err := s.Roots(t.Context(), "w"); len(roots) != 0 || err != nil {
			t.Errorf("of a new workspace: %v, %v", roots, err)
		}
		AddSessions(t, s, "w", 1)
		want := []question.Root{{URI: "file:///a", Name: "a"}}
		must(t, s.SetRoots(t.Context(), "w", want, Now))
		got, err := s.Roots(t.Context(), "w")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("of-w")))
		for log, want := range map[string]string{
			"of-w": `[{"uri":"file:///a","name":"a"}]`, "unknown": "[]",
		} {
			if got, err := s.RootsOf(t.Context(), log); string(got) != want || err != nil {
				t.Errorf("of the log %s: %s, %v", log, got, err)
			}
		}
	},

	// Of five workspaces only the one that was not visited, in which nothing
	// runs and nothing changed is deleted.
	"Workspace_OfAGuestIsDeletedWithItsLastShare": func(t *testing.T, s *db.Store) {
		since := Now.Add(time.Hour)
		all := []string{"guest-a", "guest-shared", "guest-went-on", "guess", "guests", "owner"}
		for _, id := range all {
			must(t, s.AddExchange(t.Context(), id, "title", Exchange(id)))
			sum := playground.Summary{Status: "waiting", Rounds: 1, Changed: Now}
			if id == "guest-went-on" {
				sum.Changed = since
			}
			must(t, s.Append(t.Context(), id, sum, Events()...))
		}
		must(t, s.AddShare(t.Context(), "guest-shared", newShare("T", "sguest-shared")))
		for i, want := range []int{1, 0, 1} {
			if n, err := s.DeleteGuests(t.Context(), "guest-", since); err != nil || n != want {
				t.Errorf("%d: %d were deleted, want %d, %v", i, n, want, err)
			}
			if i == 1 {
				must(t, s.DeleteExpiredShares(t.Context(), since))
			}
		}
		gone(t, s, "guest-a", "sguest-a")
		gone(t, s, "guest-shared", "sguest-shared")
		for _, id := range all[2:] {
			if _, err := s.Exchange(t.Context(), id, id); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	},
	"Workspace_IsDeletedWhenIdle": func(t *testing.T, s *db.Store) {
		since := Now.Add(24 * time.Hour)
		all := []string{"idle", "seen", "running", "went-on", "connecting", usage.LocalWorkspace}
		for _, id := range all {
			must(t, s.AddExchange(t.Context(), id, "title", Exchange(id)))
			sum := playground.Summary{Status: "complete", Rounds: 1, Changed: Now, Held: id == "running"}
			if id == "went-on" {
				sum.Changed = since
			}
			target := newTarget("t-" + id)
			must(t, s.Append(t.Context(), id, sum, Events()...), s.AddTarget(t.Context(), id, target, Now))
			if connected := (playground.Summary{Status: "connected"}); id != "connecting" {
				must(t, s.Append(t.Context(), target.ID, connected, Events()...))
			}
			h := newShare("Ts"+id, "s"+id)
			h.Expires = since.Add(time.Hour)
			must(t, s.AddShare(t.Context(), id, h))
		}
		must(t,
			s.SetSeen(t.Context(), "seen", since),
			s.SetSeen(t.Context(), "seen", Now), // an earlier visit does not count
			s.SetSeen(t.Context(), "unknown", since),
		)
		if n, err := s.DeleteIdleWorkspaces(t.Context(), Now); err != nil || n != 0 {
			t.Errorf("%d were deleted to the microsecond, %v", n, err)
		}
		if n, err := s.DeleteIdleWorkspaces(t.Context(), since); err != nil || n != 1 {
			t.Errorf("%d were deleted, %v", n, err)
		}
		gone(t, s, "idle", "sidle")
		gone(t, s, "t-idle", "sidle")
		for _, id := range all[1:] {
			if x, err := s.Exchange(t.Context(), id, id); err != nil || len(x.Log) != 3 {
				t.Errorf("%s: %d events, %v", id, len(x.Log), err)
			}
			if _, _, err := s.Target(t.Context(), id, "t-"+id); err != nil {
				t.Errorf("target of %s: %v", id, err)
			}
			if _, err := s.Share(t.Context(), "Ts"+id, Now); err != nil {
				t.Errorf("share of %s: %v", id, err)
			}
		}
		// An owner who comes back begins anew.
		must(t, s.AddExchange(t.Context(), "idle", "title", Exchange("again")))
		// A claim counts once, and only if it is newer than the last visit.
		const local = usage.LocalWorkspace
		if n, err := s.Unclaimed(t.Context()); n == 0 || err != nil {
			t.Errorf("before a claim, %d bytes are unclaimed, %v", n, err)
		}
		for _, claim := range []struct {
			id     string
			before time.Time
			want   error
		}{
			{local, Now, playground.ErrNotFound}, {local, since, nil}, {local, since, playground.ErrNotFound},
			{local, since.Add(time.Hour), nil}, {"unknown", since, playground.ErrNotFound},
		} {
			err := s.ClaimWorkspace(t.Context(), claim.id, claim.before, claim.before)
			if !errors.Is(err, claim.want) {
				t.Errorf("claim of %s: %v, want %v", claim.id, err, claim.want)
			}
		}
		if n, err := s.Unclaimed(t.Context()); n != 0 || err != nil {
			t.Errorf("after a claim, %d bytes are unclaimed, %v", n, err)
		}
	},
}
