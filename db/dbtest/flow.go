package dbtest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

func newFlow(id string) flow.Saved {
	return flow.Saved{
		ID: id, Workspace: "w", Token: "token of " + id, Title: "Refund", Text: "flow: 1", Number: 1,
		Created: Now, Changed: Now, Used: Now,
	}
}

func addFlow(t *testing.T, s *db.Store, f flow.Saved) {
	t.Helper()
	added, err := s.AddFlow(t.Context(), f, 9)
	must(t, err)
	if !added {
		t.Fatal("not added")
	}
}

var flowTests = map[string]func(*testing.T, *db.Store){
	"Flow_IsReadAsStored": func(t *testing.T, s *db.Store) {
		want := newFlow("f")
		want.Draft = "flow: 1\nname"
		addFlow(t, s, want)
		byID, idErr := s.Flow(t.Context(), "w", "f")
		byToken, tokenErr := s.FlowAt(t.Context(), want.Token)
		list, err := s.Flows(t.Context(), "w")
		diff := cmp.Diff([]flow.Saved{want, want, want}, append(list, byID, byToken))
		if diff != "" || errors.Join(idErr, tokenErr, err) != nil {
			t.Error(diff, idErr, tokenErr, err)
		}
		n, err := s.Session(t.Context(), "w", "f")
		if err != nil || n.Kind != "flow" || n.Title != "Refund" {
			t.Error(n, err)
		}
	},

	"Flow_SavesEditions": func(t *testing.T, s *db.Store) {
		addFlow(t, s, newFlow("f"))
		at := Now.Add(time.Hour)
		must(t, s.DraftFlow(t.Context(), "w", "f", "draft", at))
		for i := range flow.MaxEditions + 2 {
			number, err := s.SaveFlow(t.Context(), "w", "f", "Refund 2", "text "+string(rune('a'+i)), at)
			if err != nil || number != i+2 {
				t.Fatal(number, err)
			}
		}
		same, err := s.SaveFlow(t.Context(), "w", "f", "Refund 2", "text v", at)
		got, flowErr := s.Flow(t.Context(), "w", "f")
		list, listErr := s.FlowEditions(t.Context(), "w", "f")
		want := newFlow("f")
		want.Title, want.Text, want.Number, want.Changed = "Refund 2", "text v", flow.MaxEditions+3, at
		if diff := cmp.Diff(want, got); diff != "" || errors.Join(err, flowErr, listErr) != nil {
			t.Error(diff, err, flowErr, listErr)
		}
		if len(list) != flow.MaxEditions || list[0].Number != want.Number || list[0].Text != "text v" ||
			same != want.Number {
			t.Errorf("%d editions, the newest is %+v; saved as %d", len(list), list[0], same)
		}
	},

	"Flow_EndsAndIsRenewed": func(t *testing.T, s *db.Store) {
		addFlow(t, s, newFlow("f"))
		at := Now.Add(time.Minute)
		must(t, s.EndFlow(t.Context(), "w", "f", at))
		ended, err := s.FlowAt(t.Context(), "token of f")
		if err != nil || ended.Open(at, false) || !ended.Ended.Equal(at) {
			t.Error(ended, err)
		}
		must(t, s.RenewFlow(t.Context(), "w", "f", "another", at))
		if _, err := s.FlowAt(t.Context(), "token of f"); !errors.Is(err, playground.ErrNotFound) {
			t.Error("the old address:", err)
		}
		renewed, err := s.FlowAt(t.Context(), "another")
		if err != nil || !renewed.Open(at, true) || renewed.Open(at.Add(flow.Life), true) {
			t.Error(renewed, err)
		}
	},

	"Flow_CountsItsUse": func(t *testing.T, s *db.Store) {
		f := newFlow("f")
		addFlow(t, s, f)
		must(t, s.UseFlow(t.Context(), f, Now.Add(time.Minute)))
		soon, _ := s.Flow(t.Context(), "w", "f")
		must(t, s.UseFlow(t.Context(), f, Now.Add(2*time.Hour)))
		later, err := s.Flow(t.Context(), "w", "f")
		if err != nil || !soon.Used.Equal(Now) || !later.Used.Equal(Now.Add(2*time.Hour)) {
			t.Error(soon.Used, later.Used, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "f"))
		must(t, s.UseFlow(t.Context(), f, Now.Add(2*time.Hour)))
	},

	"Flow_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		addFlow(t, s, newFlow("f"))
		ctx := t.Context()
		_, read := s.Flow(ctx, "other", "f")
		_, saved := s.SaveFlow(ctx, "other", "f", "t", "x", Now)
		for what, err := range map[string]error{
			"read": read, "saved": saved, "typed": s.DraftFlow(ctx, "other", "f", "x", Now),
			"ended": s.EndFlow(ctx, "other", "f", Now), "renewed": s.RenewFlow(ctx, "other", "f", "x", Now),
		} {
			if !errors.Is(err, playground.ErrNotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
		list, err := s.Flows(ctx, "other")
		editions, editionsErr := s.FlowEditions(ctx, "other", "f")
		if len(list)+len(editions) > 0 || errors.Join(err, editionsErr) != nil {
			t.Error(list, editions, err, editionsErr)
		}
	},

	"Flow_IsCounted": func(t *testing.T, s *db.Store) {
		first, second := newFlow("f"), newFlow("g")
		addFlow(t, s, first)
		if added, err := s.AddFlow(t.Context(), second, 1); added || err != nil {
			t.Error(added, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "f"))
		if _, err := s.FlowAt(t.Context(), first.Token); !errors.Is(err, playground.ErrNotFound) {
			t.Error(err)
		}
		if added, err := s.AddFlow(t.Context(), second, 1); !added || err != nil {
			t.Error(added, err)
		}
	},
}
