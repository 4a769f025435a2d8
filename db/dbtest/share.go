package dbtest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

var shareTests = map[string]func(*testing.T, *db.Store){
	"Share_EndsWhenItExpires": func(t *testing.T, s *db.Store) {
		AddSessions(t, s, "w", 1)
		h := newShare("T", "s00000-w")
		must(t, s.AddShare(t.Context(), "w", h))
		_, before := s.Share(t.Context(), "T", h.Expires.Add(-time.Microsecond))
		_, after := s.Share(t.Context(), "T", h.Expires)
		wantErr(t, "before it expires", nil, before)
		wantErr(t, "when it expires", playground.ErrNotFound, after)
		must(t, s.CountView(t.Context(), "T"))
		h.Views = 1
		got, err := s.Share(t.Context(), "T", Now)
		if diff := cmp.Diff(h, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		list, err := s.Shares(t.Context(), "w", Now)
		if err != nil || len(list) != 1 || list[0].Views != 1 || list[0].Token != "T" {
			t.Errorf("%v %+v", err, list)
		}
		if list, err := s.Shares(t.Context(), "w", Now.Add(time.Hour)); err != nil || len(list) != 0 {
			t.Errorf("expired: %v %+v", err, list)
		}
		must(t, s.DeleteExpiredShares(t.Context(), Now.Add(time.Hour)))
		if _, err := s.Share(t.Context(), "T", Now); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("an expired share is still stored: %v", err)
		}
	},

	"Share_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		AddSessions(t, s, "w", 1)
		must(t, s.AddShare(t.Context(), "w", newShare("T", "s00000-w")))
		wantErr(t, "delete from another workspace", playground.ErrNotFound,
			s.DeleteShare(t.Context(), "other", "T"))
		if list, err := s.Shares(t.Context(), "other", Now); err != nil || len(list) != 0 {
			t.Errorf("list of another workspace: %v %+v", err, list)
		}
		must(t, s.DeleteShare(t.Context(), "w", "T"))
		if _, err := s.Share(t.Context(), "T", Now); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("deleted: %v", err)
		}
	},

	"Share_EndsWithEitherSession": func(t *testing.T, s *db.Store) {
		for gone, left := range map[string]string{"s00000-w": "s00001-w", "s00001-w": "s00000-w"} {
			AddSessions(t, s, "w", 2)
			h := newShare("T"+gone, "s00000-w")
			h.Other = "s00001-w"
			must(t, s.AddShare(t.Context(), "w", h))
			must(t, s.DeleteSession(t.Context(), "w", gone))
			_, err := s.Share(t.Context(), h.Token, Now)
			wantErr(t, "without "+gone, playground.ErrNotFound, err)
			must(t, s.DeleteSession(t.Context(), "w", left))
		}
	},

	"Share_NeedsItsSession": func(t *testing.T, s *db.Store) {
		AddSessions(t, s, "w", 1)
		wantErr(t, "error", playground.ErrNotFound, s.AddShare(t.Context(), "w", newShare("T", "deleted")))
	},
}
