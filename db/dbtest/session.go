package dbtest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// AddSessions fills a workspace with n sessions of one exchange each. Two
// sessions at a time share the time of their last change.
func AddSessions(t testing.TB, s *db.Store, workspace string, n int) {
	t.Helper()
	for i := range n {
		x := Exchange(fmt.Sprintf("x%05d-%s", i, workspace))
		x.Log = Events()
		at := Now.Add(time.Duration(i/2) * time.Second)
		err := s.AddSession(t.Context(), workspace, session.Session{
			ID: fmt.Sprintf("s%05d-%s", i, workspace), Title: fmt.Sprintf("call %d", i),
			Created: at, Changed: at, Exchanges: []playground.Exchange{x},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

var sessionTests = map[string]func(*testing.T, *db.Store){
	"Session_IsReadAsStored": func(t *testing.T, s *db.Store) {
		AddSessions(t, s, "w", 1)
		n, err := s.Session(t.Context(), "w", "s00000-w")
		if err != nil || len(n.Exchanges) != 1 || len(n.Exchanges[0].Log) != 3 || n.Title != "call 0" ||
			!n.Imported || n.Kind != session.KindExchange || !n.Changed.Equal(Now) {
			t.Errorf("%v: %+v", err, n)
		}
		if _, err := s.Session(t.Context(), "other", "s00000-w"); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("a session of another workspace: %v", err)
		}
		if err := s.HasSession(t.Context(), "w", n.ID); err != nil {
			t.Errorf("the own session: %v", err)
		}
		if err := s.HasSession(t.Context(), "other", n.ID); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("another workspace has the session: %v", err)
		}
		size := 0
		for _, e := range n.Exchanges[0].Log {
			size += len(e.Data)
		}
		if got, err := s.SessionSize(t.Context(), n.ID); got != size || err != nil {
			t.Errorf("%d bytes, want %d, %v", got, size, err)
		}
		if u, err := s.Storage(t.Context(), "", n.ID, usage.Payer{}); u.Session != int64(size) || err != nil {
			t.Errorf("Storage says %d bytes of session %s (%v); want %d", u.Session, n.ID, err, size)
		}
	},

	"Session_MayHaveNoExchanges": func(t *testing.T, s *db.Store) {
		n := session.Session{ID: "empty", Title: "t", Note: "n", Created: Now, Changed: Now}
		if err := s.AddSession(t.Context(), "w", n); err != nil {
			t.Fatal(err)
		}
		got, err := s.Session(t.Context(), "w", "empty")
		if err != nil || len(got.Exchanges) != 0 || got.Note != "n" || !got.Changed.Equal(Now) {
			t.Errorf("%v: %+v", err, got)
		}
	},

	// The status of an imported branch is that of the whole exchange.
	"Session_IsImportedWithBranches": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		x.Log = Events()
		b := branch("b", x, 1)
		b.Created = Now.Add(-time.Hour)
		n := session.Session{ID: "n", Title: "t", Created: Now, Changed: Now}
		n.Exchanges = []playground.Exchange{x, b}
		must(t, s.AddSession(t.Context(), "w", n))
		list, err := s.Sessions(t.Context(), "w", session.Search{Limit: 2})
		must(t, err)
		for _, row := range list.Rows[0].Exchanges {
			if row.Status != playground.StatusCancelled {
				t.Errorf("%s is %s", row.ID, row.Status)
			}
		}
		n, err = s.Session(t.Context(), "w", "n")
		if err != nil || len(n.Exchanges) != 2 || n.Exchanges[1].ID != "b" {
			t.Errorf("%+v, %v", n.Exchanges, err)
		}
	},

	"Session_IsDeletedWithRecordAndShares": func(t *testing.T, s *db.Store) {
		AddSessions(t, s, "w", 3)
		AddSessions(t, s, "other", 1)
		for _, id := range []string{"s00000-w", "s00001-w"} {
			must(t, s.AddShare(t.Context(), "w", newShare("T"+id, id)))
		}
		wantErr(t, "from another workspace", playground.ErrNotFound,
			s.DeleteSession(t.Context(), "other", "s00000-w"))
		must(t, s.DeleteSession(t.Context(), "w", "s00000-w"))
		gone(t, s, "x00000-w", "s00000-w")
		if x, err := s.Exchange(t.Context(), "w", "x00001-w"); err != nil || len(x.Log) != 3 {
			t.Errorf("another session: %v", err)
		}
		must(t, s.DeleteSessions(t.Context(), "w"))
		gone(t, s, "x00001-w", "s00001-w")
		gone(t, s, "x00002-w", "s00002-w")
		if x, err := s.Exchange(t.Context(), "other", "x00000-other"); err != nil || len(x.Log) != 3 {
			t.Errorf("another workspace: %v", err)
		}
	},

	"Session_IsDeletedWithBranchesAndStage": func(t *testing.T, s *db.Store) {
		own, legacy := Exchange("own"), Exchange("legacy")
		legacy.Session = own.Session
		must(t,
			addStage(t, s, own),
			s.AddLegacy(t.Context(), legacy),
			s.AddBranch(t.Context(), "w", branch("b", own, 0)),
		)
		must(t, s.DeleteSession(t.Context(), "w", own.Session))
		for _, id := range []string{"own", "legacy", "b"} {
			gone(t, s, id, own.Session)
		}
		if _, err := s.Stage(t.Context(), "w", own.Session); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("stage: %v", err)
		}
	},
}

// gone checks that nothing of a deleted exchange and its session is left.
func gone(t *testing.T, s *db.Store, exchange, id string) {
	t.Helper()
	if _, err := s.ExchangeByID(t.Context(), exchange); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("exchange %s: %v", exchange, err)
	}
	if log, err := s.Log(t.Context(), exchange); len(log) != 0 || err != nil {
		t.Errorf("log %s: %d events, %v", exchange, len(log), err)
	}
	err := s.Append(t.Context(), exchange, cancelled(), Events()[2])
	wantErr(t, "append to "+exchange, playground.ErrNotFound, err)
	if _, err := s.Share(t.Context(), "T"+id, Now); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("share of %s: %v", id, err)
	}
}

func newShare(token, id string) share.Share {
	return share.Share{
		Token: token, Session: id, Title: "t", Created: Now, Expires: Now.Add(time.Hour),
		Data: []byte("d"), Image: []byte("i"),
	}
}
