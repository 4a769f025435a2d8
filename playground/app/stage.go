package app

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// StageStore keeps stages: sessions of kind demo and the steps that they have reached.
type StageStore interface {
	Stage(ctx context.Context, workspace, session string) (demo.Stage, error)
}

// OpenStage returns a stage of the visit's workspace with its story and its calls.
func (s *App) OpenStage(v *Visit, session string) (demo.Showing, error) {
	stage, err := s.Store.Stage(v.Context(), v.Workspace(), session)
	if err != nil {
		return demo.Showing{}, err
	}
	story, ok := stage.Played()
	t := demo.Showing{Story: story, Stage: stage}
	if !ok || len(stage.Marks) == 0 {
		return t, NotFound()
	}
	if t.Own, err = s.Load(v, stage.Call(story, t.Newest())); err != nil {
		return t, err
	}
	return t, s.loadLegacy(v, &t)
}

// loadLegacy reads the legacy lane of a stage, if there is one.
func (s *App) loadLegacy(v *Visit, t *demo.Showing) error {
	if t.Stage.Legacy == "" {
		return nil
	}
	x, err := s.Load(v, t.Stage.Legacy)
	x.Target.Era = playground.Legacy
	t.Legacy = &x
	return err
}
