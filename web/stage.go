package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// stageSettle is how long a stage waits for an answer before it shows the
// request as running. It is short because the audience should see that.
const stageSettle = 300 * time.Millisecond

// stageDriver returns the driver of a stage's calls.
func (s *app) stageDriver(c echo.Context) drive.Driver {
	d := s.driver(c)
	d.Settle = stageSettle
	return d
}

// stageAction handles the buttons of a stage: the next step, the same request
// again, the legacy lane, or a change of the instances. A button of an outdated
// page redirects to the current one.
func (s *app) stageAction(c echo.Context) error {
	t, err := s.demoSession(c)
	if err != nil {
		return err
	}
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	present := first(form["present"]) == "1"
	f := playground.Fold(t.own.Log)
	if first(form["step"]) != strconv.Itoa(t.newest()) || f.Status == playground.StatusRunning {
		return seeOther(c, views.StagePath(t.story.Slug, t.stage.Session, t.newest(), present))
	}
	if err := s.admit(c, t.own); err != nil {
		return err
	}
	n, err := s.perform(c, t, f, first(form["do"]), first(form["instance"]))
	if err != nil && !isStale(err) {
		return err
	}
	return seeOther(c, views.StagePath(t.story.Slug, t.stage.Session, n, present))
}

// perform does one action and returns the step that the stage has then reached.
func (s *app) perform(
	c echo.Context, t demoSession, f playground.Transcript, do, instance string,
) (int, error) {
	n := t.newest()
	switch do {
	case "next":
		return s.advance(c, t, f)
	case "again":
		return n, s.sendAgain(c, t, f)
	case "legacy":
		return n, s.runLegacy(c, t, n)
	}
	versions := t.story.Versions
	change := server.Change{Do: server.Operation(do), Instance: instance, Version: versions[len(versions)-1]}
	topology, ok := change.Apply(t.stage.Topology(t.story, n))
	if !ok {
		return n, refuse(http.StatusBadRequest, "bad_change",
			"That change is not possible for this instance.",
			"Go back, reload the page and try again.")
	}
	return n, s.Store.SetMark(
		c.Request().Context(), t.stage.Session, n, demo.NewMark(topology, t.stage.Marks[n-1].Rounds),
		s.Now(),
	)
}

// advance plays the next step, then stores that it was reached. If the program
// stops in between, the same button continues.
func (s *app) advance(c echo.Context, t demoSession, f playground.Transcript) (int, error) {
	ctx, n := c.Request().Context(), t.newest()
	if n == len(t.story.Steps) {
		return n, nil
	}
	plan := t.story.Plan(n+1, t.stage.Topology(t.story, n), f)
	if err := s.play(c, t.own, plan); err != nil && !isStale(err) {
		return n, err
	}
	m := demo.NewMark(plan.Topology, len(f.Rounds))
	if plan.Decision != nil {
		m.Next, m.Rounds = "", plan.Decision.Round
	}
	if err := s.Store.AddMark(ctx, t.stage.Session, n+1, m, s.Now()); err != nil && !isStale(err) {
		return n, err
	}
	if plan.Replay || t.legacy != nil {
		return n + 1, s.runLegacy(c, t, n+1)
	}
	return n + 1, nil
}

// play opens the Round of a plan, if it has one, with the topology in the URL.
func (s *app) play(c echo.Context, x playground.Exchange, p demo.Plan) error {
	if p.Decision == nil {
		return nil
	}
	x.Target.URL = p.Topology.URL(x.Target.URL)
	_, err := s.stageDriver(c).Open(c.Request().Context(), x, *p.Decision)
	return err
}

// sendAgain sends the newest Round again, or the answers that are still open at
// the end of a story whose user chose another instance.
func (s *app) sendAgain(c echo.Context, t demoSession, f playground.Transcript) error {
	ctx, n := c.Request().Context(), t.newest()
	topology := t.stage.Topology(t.story, n)
	plan, ok := t.story.ResumePlan(n, topology, f)
	if !ok {
		return nil
	}
	if err := s.play(c, t.own, plan); err != nil {
		return err
	}
	topology.Next = ""
	return s.Store.SetMark(ctx, t.stage.Session, n, demo.NewMark(topology, plan.Decision.Round), s.Now())
}

// runLegacy adds the legacy lane, if there is none yet, and plays it up to step
// n.
func (s *app) runLegacy(c echo.Context, t demoSession, n int) error {
	ctx := c.Request().Context()
	if t.legacy == nil {
		x, err := s.addLegacy(ctx, t)
		if err != nil {
			return err
		}
		t.stage.Legacy = x.ID
	}
	for range t.story.Steps {
		if err := s.loadLegacy(c, &t); err != nil {
			return err
		}
		plan, ok := t.story.LegacyPlan(n, playground.Fold(t.legacy.Log))
		if !ok {
			return nil
		}
		if err := s.play(c, *t.legacy, plan); err != nil {
			return err
		}
		if err := s.awaitLegacy(c, &t); err != nil {
			return err
		}
	}
	return nil
}

// addLegacy stores the legacy lane: a server that keeps its sessions in memory
// and waits for answers.
func (s *app) addLegacy(ctx context.Context, t demoSession) (playground.Exchange, error) {
	sample, ok := s.samples.lookup(t.story.Before.Sample)
	if !ok {
		return playground.Exchange{}, notFound()
	}
	target := s.samples.target(sample, "wait=10m")
	target.Era, target.Name = playground.Legacy, sample.Title+" in 2025 (sample)"
	x := playground.Exchange{
		ID: s.NewID(), Session: t.stage.Session, Target: target, Call: t.story.Call, Created: s.Now(),
	}
	return x, s.Store.AddLegacy(ctx, x)
}

// awaitLegacy waits until the legacy lane asks, ends or has lost an answer. A
// call with a lost answer would stay open until its server times out, so it is
// cancelled.
func (s *app) awaitLegacy(c echo.Context, t *demoSession) error {
	ctx, stop := context.WithTimeout(c.Request().Context(), s.Settle)
	defer stop()
	for {
		changed, running := s.Runner.Watch(ctx, t.legacy.ID, -1)
		if err := s.loadLegacy(c, t); err != nil {
			return err
		}
		if demo.Lost(playground.Fold(t.legacy.Log)) {
			s.Runner.Cancel(t.legacy.ID)
			s.Runner.Wait(ctx, t.legacy.ID)
			return nil
		}
		if !running || len(demo.Bars(playground.Fold(t.legacy.Log))) > 0 {
			return nil // a call that reports progress is shown while it runs
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}
