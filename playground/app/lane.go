package app

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// runLegacy adds the legacy lane, if there is none yet, and plays it up to step
// n.
func (s *App) runLegacy(v *Visit, t demo.Showing, n int) error {
	if !t.Story.HasBefore() {
		return nil
	}
	if t.Legacy == nil {
		x, err := s.addLegacy(v, t)
		if err != nil {
			return err
		}
		t.Stage.Legacy = x.ID
	}
	for range t.Story.Steps {
		if err := s.loadLegacy(v, &t); err != nil {
			return err
		}
		plan, ok := t.Story.LegacyPlan(n, playground.Fold(t.Legacy.Log))
		if !ok {
			return nil
		}
		if err := s.play(v, *t.Legacy, plan); err != nil {
			return err
		}
		if err := s.awaitLegacy(v, &t); err != nil {
			return err
		}
	}
	return nil
}

// addLegacy stores the legacy lane: a server that keeps its sessions in memory
// and waits for answers.
func (s *App) addLegacy(v *Visit, t demo.Showing) (playground.Exchange, error) {
	target, err := s.legacyTarget(t.Story)
	if err != nil {
		return playground.Exchange{}, err
	}
	x := playground.Exchange{
		ID: s.NewID(), Session: t.Stage.Session, Target: target, Call: t.Story.Call, Created: s.Now(),
	}
	err = s.Store.AddLegacy(v.Context(), x)
	s.Notices.Changed(t.Stage.Session)
	return x, err
}

// legacyTarget returns the server of the legacy lane, driven as a client of 2025 does.
func (s *App) legacyTarget(story demo.Story) (playground.Target, error) {
	const wait = "wait=10m"
	sample, ok := s.Samples.Lookup(slugOf(story.Before.Sample, story.Flow))
	if !ok {
		return playground.Target{}, NotFound()
	}
	t := s.Samples.Target(sample, wait)
	t.Era, t.Name = playground.Legacy, sample.Title+" in 2025 (sample)"
	return t, nil
}

// awaitLegacy waits until the legacy lane asks, ends or has lost an answer. A
// call with a lost answer would stay open until its server times out, so it is
// cancelled.
func (s *App) awaitLegacy(v *Visit, t *demo.Showing) error {
	ctx, stop := context.WithTimeout(v.Context(), s.Settle)
	defer stop()
	for {
		changed, running := s.Runner.Watch(ctx, t.Legacy.ID, -1)
		if err := s.loadLegacy(v, t); err != nil {
			return err
		}
		if demo.Lost(playground.Fold(t.Legacy.Log)) {
			s.Runner.Cancel(t.Legacy.ID)
			s.Runner.Wait(ctx, t.Legacy.ID)
			return nil
		}
		if !running || len(demo.Bars(playground.Fold(t.Legacy.Log))) > 0 {
			return nil // a call that reports progress is shown while it runs
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
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
