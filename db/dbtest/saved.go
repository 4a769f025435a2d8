package dbtest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

func newSavedCall(id, title string) session.SavedCall {
	return session.SavedCall{
		ID: id, Title: title, Target: "t", Kind: "tool", Name: "update", Level: "info", Wait: "60",
		Arguments: json.RawMessage(`{"id": 1.0}`), Omitted: []string{"token"}, Created: Now,
	}
}

var savedTests = map[string]func(*testing.T, *db.Store){
	"SavedCall_IsReadAsStored": func(t *testing.T, s *db.Store) {
		must(t, s.AddTarget(t.Context(), "w", newTarget("t"), Now))
		b, a := newSavedCall("1", "b"), newSavedCall("2", "A")
		a.Target, a.Kind, a.Arguments, a.Omitted = "azure-devops", "resource", nil, nil
		for _, c := range []session.SavedCall{b, a} {
			if added, err := s.AddSavedCall(t.Context(), "w", c, 2); !added || err != nil {
				t.Fatal(added, err)
			}
		}
		b.Server = "h"
		got, err := s.SavedCalls(t.Context(), "w", "")
		if diff := cmp.Diff([]session.SavedCall{a, b}, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		if got, err = s.SavedCalls(t.Context(), "w", "t"); len(got) != 1 || got[0].ID != "1" || err != nil {
			t.Errorf("of one server: %+v, %v", got, err)
		}
		must(t, s.RenameSavedCall(t.Context(), "w", "1", "renamed"))
		b.Title = "renamed"
		one, err := s.SavedCall(t.Context(), "w", "1")
		if diff := cmp.Diff(b, one); diff != "" || err != nil {
			t.Error(diff, err)
		}
		must(t, s.DeleteSavedCall(t.Context(), "w", "1"))
		_, err = s.SavedCall(t.Context(), "w", "1")
		wantErr(t, "deleted", playground.ErrNotFound, err)
	},

	"SavedCall_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		must(t, s.AddTarget(t.Context(), "w", newTarget("t"), Now))
		_, err := s.AddSavedCall(t.Context(), "w", newSavedCall("1", "a"), 9)
		must(t, err)
		_, err = s.SavedCall(t.Context(), "other", "1")
		wantErr(t, "read", playground.ErrNotFound, err)
		wantErr(t, "rename", playground.ErrNotFound, s.RenameSavedCall(t.Context(), "other", "1", "b"))
		wantErr(t, "delete", playground.ErrNotFound, s.DeleteSavedCall(t.Context(), "other", "1"))
		if list, err := s.SavedCalls(t.Context(), "other", ""); err != nil || len(list) != 0 {
			t.Errorf("list of another workspace: %v, %v", list, err)
		}
		wantErr(t, "server of another workspace", playground.ErrNotFound,
			s.ForgetTarget(t.Context(), "other", "t"))
		if list, err := s.SavedCalls(t.Context(), "w", ""); err != nil || len(list) != 1 {
			t.Errorf("%v, %v", list, err)
		}
	},

	// The limit is that of a workspace; what is deleted makes room.
	"SavedCall_IsBounded": func(t *testing.T, s *db.Store) {
		for i, want := range []bool{true, true, false} {
			added, err := s.AddSavedCall(t.Context(), "w", newSavedCall(string(rune('a'+i)), "x"), 2)
			if added != want || err != nil {
				t.Errorf("call %d: %t, %v", i, added, err)
			}
		}
		must(t, s.DeleteSavedCall(t.Context(), "w", "a"))
		for _, w := range []string{"w", "other"} {
			added, err := s.AddSavedCall(t.Context(), w, newSavedCall("new"+w, "x"), 2)
			if !added || err != nil {
				t.Errorf("%s: %t, %v", w, added, err)
			}
		}
	},

	"SavedCall_IsCounted": func(t *testing.T, s *db.Store) {
		_, err := s.AddSavedCall(t.Context(), "w", newSavedCall("1", "four"), 9)
		must(t, err)
		u, err := s.Storage(t.Context(), "w", "", usage.Payer{})
		want := int64(256 + len("four") + len("update") + len(`{"id": 1.0}`) + len(`["token"]`))
		if u.Workspace != want || err != nil {
			t.Errorf("%d bytes, want %d, %v", u.Workspace, want, err)
		}
		must(t, s.DeleteSavedCall(t.Context(), "w", "1"))
		if u, err = s.Storage(t.Context(), "w", "", usage.Payer{}); u.Workspace != 0 || err != nil {
			t.Errorf("%d bytes are left, %v", u.Workspace, err)
		}
	},

	// A saved call goes with its server and with its workspace.
	"SavedCall_IsDeletedWithItsOwner": func(t *testing.T, s *db.Store) {
		must(t, s.AddTarget(t.Context(), "w", newTarget("t"), Now))
		sample := newSavedCall("2", "b")
		sample.Target = "azure-devops"
		for _, c := range []session.SavedCall{newSavedCall("1", "a"), sample} {
			_, err := s.AddSavedCall(t.Context(), "w", c, 9)
			must(t, err)
		}
		must(t, s.ForgetTarget(t.Context(), "w", "t"))
		list, err := s.SavedCalls(t.Context(), "w", "")
		if err != nil || len(list) != 1 || list[0].ID != "2" {
			t.Errorf("after the server was forgotten: %+v, %v", list, err)
		}
		must(t, s.DeleteSessions(t.Context(), "w"))
		if _, err := s.SavedCall(t.Context(), "w", "2"); err != nil {
			t.Errorf("after the history was deleted: %v", err)
		}
		n, err := s.DeleteIdleWorkspaces(t.Context(), Now.Add(time.Hour))
		if n != 1 || err != nil {
			t.Fatal(n, err)
		}
		_, err = s.SavedCall(t.Context(), "w", "2")
		wantErr(t, "after the workspace was deleted", playground.ErrNotFound, err)
	},

	"LastCall_IsTheNewestOfTheSame": func(t *testing.T, s *db.Store) {
		for i, c := range []struct {
			id, workspace, params string
		}{
			{"old", "w", `{"name":"a"}`}, {"new", "w", `{"name":"a","arguments":{"x":1}}`},
			{"b", "w", `{"name":"b"}`}, {"theirs", "other", `{"name":"a"}`},
		} {
			x := Exchange(c.id)
			x.Call.Params, x.Created = json.RawMessage(c.params), Now.Add(time.Duration(i)*time.Second)
			must(t, s.AddExchange(t.Context(), c.workspace, "title", x))
		}
		key := func(target, method, params string) string {
			return session.CalledKey(target, playground.Call{Method: method, Params: json.RawMessage(params)})
		}
		for _, c := range []struct{ key, want string }{
			{key("t", "tools/call", `{"name":"a"}`), "new"}, {key("t", "tools/call", `{"name":"b"}`), "b"},
			{key("t", "tools/call", `{"name":"c"}`), ""}, {key("t", "prompts/get", `{"name":"a"}`), ""},
			{key("u", "tools/call", `{"name":"a"}`), ""}, {"", ""},
		} {
			if id, err := s.LastCall(t.Context(), "w", c.key); id != c.want || err != nil {
				t.Errorf("%q: %q, want %q, %v", c.key, id, c.want, err)
			}
		}
	},
}
