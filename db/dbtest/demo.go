package dbtest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

func addStage(t *testing.T, s *db.Store, own playground.Exchange) error {
	m := demo.Mark{Instances: "a:v1,b:v1", Rounds: 1}
	return s.AddStage(t.Context(), "w", "A story (demo)", "azure-devops", own, m)
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
		want := demo.Stage{Session: "sown", Story: "azure-devops", Own: "own", Marks: marks}
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
}
