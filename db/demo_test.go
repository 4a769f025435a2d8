package db

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

func TestAStageKeepsTheStepsItHasReached(t *testing.T) {
	ctx, now := t.Context(), time.Now().UTC()
	s, err := Open(ctx, filepath.Join(t.TempDir(), "stage.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	own := playground.Exchange{ID: "own", Session: "stage", Created: now, Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{}`)}}
	past := own
	past.ID = "past"
	for _, err := range []error{
		s.AddStage(ctx, "alice", "A story (demo)", "azure-devops", own, demo.Mark{Instances: "a:v1,b:v1", Rounds: 1}),
		s.AddMark(ctx, "stage", 2, demo.Mark{Instances: "a:v1,b:v1", Rounds: 2}, now),
		s.SetMark(ctx, "stage", 2, demo.Mark{Instances: "a:v1,b:dead", Next: "a", Rounds: 2}, now),
		s.AddLegacy(ctx, past),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Stage(ctx, "alice", "stage")
	want := demo.Stage{Session: "stage", Story: "azure-devops", Own: "own", Legacy: "past", Marks: []demo.Mark{
		{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:v1,b:dead", Next: "a", Rounds: 2},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("stage: %v %s", err, diff)
	}
	if err := s.AddMark(ctx, "stage", 2, demo.Mark{}, now); !errors.Is(err, playground.ErrNotOpen) {
		t.Errorf("a step is reached twice: %v", err)
	}
	if err := s.AddLegacy(ctx, past); !errors.Is(err, playground.ErrNotOpen) {
		t.Errorf("a second lane before MRTR: %v", err)
	}
	if _, err := s.Stage(ctx, "bob", "stage"); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("somebody else's stage: %v", err)
	}
	if err := s.DeleteSession(ctx, "alice", "stage"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Stage(ctx, "alice", "stage"); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("after it was deleted: %v", err)
	}
}
