package dbtest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

func addStage(t *testing.T, s *db.Store, own playground.Exchange) error {
	return addStageFor(t, s, "w", demo.Stage{Story: "azure-devops"}, own)
}

func addStageFor(
	t *testing.T, s *db.Store, workspace string, st demo.Stage, xs ...playground.Exchange,
) error {
	st.Session, st.Own = xs[0].Session, xs[0].ID
	st.Marks = []demo.Mark{{Instances: "a:v1,b:v1", Rounds: 1}}
	return s.AddStage(t.Context(), workspace, st, session.Session{
		Title: "A story (demo)", Created: Now, Changed: Now, Exchanges: xs,
	})
}

var demoTests = map[string]func(*testing.T, *db.Store){
	"Stage_KeepsItsSteps": func(t *testing.T, s *db.Store) {
		own, legacy := Exchange("own"), Exchange("legacy")
		legacy.Session = own.Session
		marks := []demo.Mark{
			{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:v1,b:dead", Next: "a", Rounds: 2},
		}
		must(t,
			addStage(t, s, own),
			s.AddMark(t.Context(), "sown", 2, demo.Mark{Instances: "a:v1,b:v1", Rounds: 2}, Now),
			s.SetMark(t.Context(), "sown", 2, marks[1], Now),
		)
		want := demo.Stage{
			Session: "sown", Story: "azure-devops", Own: "own", Marks: marks, Started: Now,
		}
		got, err := s.Stage(t.Context(), "w", "sown")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("before the legacy call: %v %s", err, diff)
		}
		must(t, s.AddLegacy(t.Context(), legacy))
		want.Legacy = "legacy"
		got, err = s.Stage(t.Context(), "w", "sown")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("stage: %v %s", err, diff)
		}
	},

	"Stage_ReachesAStepOnce": func(t *testing.T, s *db.Store) {
		own, legacy := Exchange("own"), Exchange("legacy")
		legacy.Session = own.Session
		must(t, addStage(t, s, own), s.AddLegacy(t.Context(), legacy))
		wantErr(t, "a step is reached twice", playground.ErrNotOpen,
			s.AddMark(t.Context(), "sown", 1, demo.Mark{}, Now))
		wantErr(t, "a step that was not reached is changed", playground.ErrNotFound,
			s.SetMark(t.Context(), "sown", 9, demo.Mark{}, Now))
		wantErr(t, "a second legacy call", playground.ErrNotOpen, s.AddLegacy(t.Context(), legacy))
	},

	"Stage_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		must(t, addStage(t, s, Exchange("own")))
		if _, err := s.Stage(t.Context(), "other", "sown"); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("a stage of another workspace: %v", err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "sown"))
		if _, err := s.Stage(t.Context(), "w", "sown"); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("a deleted stage: %v", err)
		}
		wantErr(t, "a step of a deleted stage", playground.ErrNotFound,
			s.AddMark(t.Context(), "sown", 2, demo.Mark{}, Now))
	},

	// A stage plays the story as it was when it began, also when that is edited or
	// deleted, and the copy goes with the stage.
	"Stage_KeepsTheStoryThatItPlays": func(t *testing.T, s *db.Store) {
		story := demo.Saved{ID: "1", Title: "a", Text: "before", Created: Now, Used: Now}
		_, err := s.AddStory(t.Context(), "w", story, 9)
		must(t, err, addStageFor(t, s, "w", demo.Stage{Story: "1", Text: "before"}, Exchange("own")))
		story.Text = "after"
		must(t, s.SetStory(t.Context(), "w", story), s.DeleteStory(t.Context(), "w", "1"))
		st, err := s.Stage(t.Context(), "w", "sown")
		if err != nil || st.Text != "before" || st.Story != "1" {
			t.Errorf("stage: %+v, %v", st, err)
		}
		if list, err := s.Stories(t.Context(), "w"); err != nil || len(list) != 0 {
			t.Errorf("a copy is in the list: %v, %v", list, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "sown"))
		storage, err := s.Storage(t.Context(), "w", "", usage.Payer{})
		if err != nil || storage.Workspace != 0 {
			t.Errorf("after the stage is deleted, %d bytes are left, %v", storage.Workspace, err)
		}
	},

	// The stage of a recorded story has logs from the start.
	"Stage_OfARecording": func(t *testing.T, s *db.Store) {
		first, second := Exchange("own"), Exchange("second")
		second.Session = first.Session
		first.Log, second.Log = Events(), Events()
		must(t, addStageFor(t, s, "w", demo.Stage{Story: "1", Text: "text"}, first, second))
		n, err := s.Session(t.Context(), "w", "sown")
		if err != nil || len(n.Exchanges) != 2 ||
			len(n.Exchanges[0].Log)+len(n.Exchanges[1].Log) != len(first.Log)+len(second.Log) {
			t.Errorf("%+v, %v", n, err)
		}
	},
}
