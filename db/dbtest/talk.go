package dbtest

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/talk"
)

// wantTalk fails unless the talk with a code is of a stage; "" for none.
func wantTalk(t *testing.T, s *db.Store, when, code, session string, now time.Time) {
	t.Helper()
	got, err := s.Talk(t.Context(), code, now)
	if session == "" {
		wantErr(t, when, playground.ErrNotFound, err)
		return
	}
	if want := (talk.Talk{Code: code, Workspace: "w", Session: session}); err != nil || got != want {
		t.Errorf("%s: %+v, %v", when, got, err)
	}
}

var talkTests = map[string]func(*testing.T, *db.Store){
	"Talk_KeepsItsCode": func(t *testing.T, s *db.Store) {
		one := talk.Talk{Code: "0123abcd", Workspace: "w", Session: "sown"}
		must(t, addStage(t, s, Exchange("own")), s.StartTalk(t.Context(), one, Now))
		one.Code = "zzzzzzzz"
		must(t, s.StartTalk(t.Context(), one, Now))
		wantTalk(t, s, "started twice", "0123abcd", "sown", Now)
		wantTalk(t, s, "a second code", "zzzzzzzz", "", Now)
		got, err := s.TalkOf(t.Context(), "w", "sown", Now)
		if err != nil || got.Code != "0123abcd" {
			t.Errorf("the presenter's: %+v, %v", got, err)
		}
	},

	"Talk_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		ctx, one := t.Context(), talk.Talk{Code: "0123abcd", Workspace: "w", Session: "sown"}
		foreign := one
		foreign.Workspace = "other"
		must(t, addStage(t, s, Exchange("own")), addStage(t, s, Exchange("two")))
		wantErr(t, "started by another", playground.ErrNotFound, s.StartTalk(ctx, foreign, Now))
		must(t,
			s.StartTalk(ctx, one, Now),
			s.EndTalk(ctx, "other", "sown"),
			s.MoveTalk(ctx, "other", "sown", "stwo", Now),
		)
		_, err := s.TalkOf(ctx, "other", "sown", Now)
		wantErr(t, "read by another", playground.ErrNotFound, err)
		wantTalk(t, s, "ended and moved by another", "0123abcd", "sown", Now)
		must(t, addStageFor(t, s, "other", demo.Stage{Story: "azure-devops"}, Exchange("three")))
		must(t, s.MoveTalk(ctx, "w", "sown", "sthree", Now))
		wantTalk(t, s, "moved to the stage of another", "0123abcd", "sown", Now)
	},

	"Talk_MovesAndEnds": func(t *testing.T, s *db.Store) {
		ctx, one := t.Context(), talk.Talk{Code: "0123abcd", Workspace: "w", Session: "sown"}
		must(t,
			addStage(t, s, Exchange("own")), addStage(t, s, Exchange("two")),
			s.MoveTalk(ctx, "w", "sown", "stwo", Now), // which is none yet
			s.StartTalk(ctx, one, Now),
			s.MoveTalk(ctx, "w", "sown", "stwo", Now),
		)
		wantTalk(t, s, "moved", "0123abcd", "stwo", Now)
		must(t, s.EndTalk(ctx, "w", "stwo"), s.EndTalk(ctx, "w", "stwo"))
		wantTalk(t, s, "ended", "0123abcd", "", Now)
		one.Code = "zzzzzzzz"
		must(t, s.StartTalk(ctx, one, Now), s.DeleteSession(ctx, "w", "sown"))
		wantTalk(t, s, "without its stage", "zzzzzzzz", "", Now)
	},

	"Talk_EndsWithoutItsPresenter": func(t *testing.T, s *db.Store) {
		ctx, one := t.Context(), talk.Talk{Code: "0123abcd", Workspace: "w", Session: "sown"}
		end := Now.Add(talk.Life)
		must(t, addStage(t, s, Exchange("own")), s.StartTalk(ctx, one, Now))
		must(t, s.DeleteEndedTalks(ctx, end.Add(-time.Second)))
		wantTalk(t, s, "just before the end", "0123abcd", "sown", end.Add(-time.Second))
		wantTalk(t, s, "at the end", "0123abcd", "", end)
		_, err := s.TalkOf(ctx, "w", "sown", end)
		wantErr(t, "for its presenter", playground.ErrNotFound, err)
		if _, err := s.TalkOf(ctx, "w", "sown", end.Add(-time.Minute)); err != nil {
			t.Error(err)
		}
		must(t, s.DeleteEndedTalks(ctx, end))
		wantTalk(t, s, "after a look of the presenter", "0123abcd", "sown", end)
		must(t, s.DeleteEndedTalks(ctx, end.Add(talk.Life)))
		one.Code = "zzzzzzzz"
		must(t, s.StartTalk(ctx, one, end))
		wantTalk(t, s, "started again", "zzzzzzzz", "sown", end)
		one.Code = "yyyyyyyy"
		must(t, s.StartTalk(ctx, one, end.Add(talk.Life)))
		wantTalk(t, s, "started again before it was deleted", "yyyyyyyy", "sown", end.Add(talk.Life))
	},
}
