package dbtest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/people"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

func ada() people.Person {
	return people.Person{
		Identity: people.Identity{Issuer: "https://id.example", Subject: "1", Name: "Ada"},
		ID:       "p1", Workspace: "w1", Created: Now, Seen: Now,
	}
}

var personTests = map[string]func(*testing.T, *db.Store){
	"Person_IsMetOnceAndKnownAgain": func(t *testing.T, s *db.Store) {
		first, err := s.MeetPerson(t.Context(), ada())
		if diff := cmp.Diff(ada(), first); diff != "" || err != nil {
			t.Error(diff, err)
		}
		again := ada()
		again.ID, again.Workspace, again.Name, again.Seen = "p9", "w9", "Ada L.", Now.Add(time.Hour)
		want := ada()
		want.Name, want.Seen = again.Name, again.Seen
		got, err := s.MeetPerson(t.Context(), again)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		other := ada()
		other.ID, other.Workspace, other.Issuer = "p2", "w2", people.ByProxy
		if got, err := s.MeetPerson(t.Context(), other); got.ID != "p2" || err != nil {
			t.Errorf("the same subject of another issuer is %+v, %v", got, err)
		}
		wantErr(t, "SeePerson", nil, s.SeePerson(t.Context(), "p1", Now.Add(48*time.Hour)))
		list, err := s.People(t.Context(), 1)
		if len(list) != 1 || list[0].ID != "p1" || err != nil {
			t.Errorf("%+v, %v", list, err)
		}
		_, err = s.Person(t.Context(), "p9")
		wantErr(t, "unknown", playground.ErrNotFound, err)
		_, err = s.PersonKnownAs(t.Context(), people.Identity{Issuer: "x", Subject: "1"})
		wantErr(t, "unknown issuer", playground.ErrNotFound, err)
	},
	"Person_KeyIsSealedOnce": func(t *testing.T, s *db.Store) {
		_, err := s.MeetPerson(t.Context(), ada())
		wantErr(t, "MeetPerson", nil, err)
		for _, tt := range []struct{ before, sealed, want string }{
			{"", "a", "a"}, {"", "b", "a"}, {"a", "c", "c"},
		} {
			var before []byte
			if tt.before != "" {
				before = []byte(tt.before)
			}
			got, err := s.SealPerson(t.Context(), "p1", before, []byte(tt.sealed))
			if string(got) != tt.want || err != nil {
				t.Errorf("%+v: %q, %v", tt, got, err)
			}
		}
	},
	"Person_RemovedLosesTokensAndKey": func(t *testing.T, s *db.Store) {
		_, err := s.MeetPerson(t.Context(), ada())
		wantErr(t, "MeetPerson", nil, err)
		_, err = s.SealPerson(t.Context(), "p1", nil, []byte("k"))
		wantErr(t, "SealPerson", nil, err)
		_, err = s.AddAgentToken(t.Context(), "w1", session.AgentToken{ID: "1", Created: Now,
			Expires: Now.Add(time.Hour)}, "secret", 2)
		wantErr(t, "AddAgentToken", nil, err)
		wantErr(t, "RemovePerson", nil, s.RemovePerson(t.Context(), "p1", Now))
		_, err = s.UseAgentToken(t.Context(), "secret", Now)
		wantErr(t, "token", playground.ErrNotFound, err)
		if p, err := s.Person(t.Context(), "p1"); !p.IsRemoved() || p.Sealed != nil || err != nil {
			t.Errorf("%+v, %v", p, err)
		}
		wantErr(t, "AdmitPerson", nil, s.AdmitPerson(t.Context(), "p1"))
		if p, err := s.Person(t.Context(), "p1"); p.IsRemoved() || err != nil {
			t.Errorf("%+v, %v", p, err)
		}
		wantErr(t, "RemovePerson", playground.ErrNotFound, s.RemovePerson(t.Context(), "p7", Now))
		wantErr(t, "AdmitPerson", playground.ErrNotFound, s.AdmitPerson(t.Context(), "p7"))
	},
	"Person_KeepsAnIdleWorkspace": func(t *testing.T, s *db.Store) {
		_, err := s.MeetPerson(t.Context(), ada())
		wantErr(t, "MeetPerson", nil, err)
		for _, w := range []string{"w1", "w2"} {
			wantErr(t, "SetRoots", nil, s.SetRoots(t.Context(), w, nil, Now))
		}
		n, err := s.DeleteIdleWorkspaces(t.Context(), Now.Add(time.Hour))
		if n != 1 || err != nil {
			t.Errorf("%d idle workspaces were deleted, %v", n, err)
		}
	},
	"HandOver_GivesTheWorkAndNoCredentials": func(t *testing.T, s *db.Store) {
		addEverything(t, s)
		must(t, s.AddExchange(t.Context(), "w1", "a", Exchange("a")))
		must(t, s.AddExchange(t.Context(), "w2", "b", Exchange("b")))
		must(t, s.SetRoots(t.Context(), "w1", []question.Root{{URI: "file:///x"}}, Now))
		_, err := s.AddAgentToken(t.Context(), "w1", session.AgentToken{ID: "1", Created: Now,
			Expires: Now.Add(time.Hour)}, "secret", 2)
		wantErr(t, "AddAgentToken", nil, err)
		before, err := s.StorageReport(t.Context(), 0, 10)
		wantErr(t, "StorageReport", nil, err)
		wantErr(t, "HandOver", nil, s.HandOver(t.Context(), "w1", "w2", Now))
		for _, id := range []string{"a", "b"} {
			if _, err := s.Exchange(t.Context(), "w2", id); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		_, err = s.Exchange(t.Context(), "w1", "a")
		wantErr(t, "before", playground.ErrNotFound, err)
		_, err = s.UseAgentToken(t.Context(), "secret", Now)
		wantErr(t, "token", playground.ErrNotFound, err)
		after, err := s.StorageReport(t.Context(), 0, 10)
		wantErr(t, "StorageReport", nil, err)
		bytes := func(r usage.Report, id string) int64 {
			for _, w := range r.Workspaces {
				if w.ID == id {
					return w.Bytes
				}
			}
			return 0
		}
		const credentials = 256 + int64(len(`[{"uri":"file:///x"}]`)) - 2 // a token, and the roots
		if got, want := bytes(after, "w2"), bytes(before, "w1")+bytes(before, "w2")-credentials; got != want {
			t.Errorf("%d bytes are stored, want %d", got, want)
		}
		wantErr(t, "of everything", nil, s.HandOver(t.Context(), "w", "w4", Now))
		wantErr(t, "PurgeWorkspace", nil, s.PurgeWorkspace(t.Context(), "w4"))
		wantErr(t, "PurgeWorkspace", nil, s.PurgeWorkspace(t.Context(), "w2"))
		if all, err := s.StorageReport(t.Context(), 0, 10); all.Count != 0 || err != nil {
			t.Errorf("stored after the end %+v, %v", all, err)
		}
		must(t, s.AddExchange(t.Context(), "w2", "b", Exchange("b")))
		wantErr(t, "again", playground.ErrNotFound, s.HandOver(t.Context(), "w1", "w2", Now))
		wantErr(t, "to itself", playground.ErrNotFound, s.HandOver(t.Context(), "w2", "w2", Now))
		wantErr(t, "to one without work", nil, s.HandOver(t.Context(), "w2", "w3", Now))
		if _, err := s.Exchange(t.Context(), "w3", "b"); err != nil {
			t.Error(err)
		}
	},
	"Spend_WorksOnce": func(t *testing.T, s *db.Store) {
		end := Now.Add(time.Minute)
		for i, want := range []bool{true, false} {
			if first, err := s.Spend(t.Context(), "x", Now, end); first != want || err != nil {
				t.Errorf("%d: %t, %v", i, first, err)
			}
		}
		if first, err := s.Spend(t.Context(), "y", Now, end); !first || err != nil {
			t.Errorf("another: %t, %v", first, err)
		}
	},
}
