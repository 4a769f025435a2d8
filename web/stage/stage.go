package stage

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// stageSettle is how long a stage waits for an answer before it shows the
// request as running. It is short because the audience should see that.
const stageSettle = 300 * time.Millisecond

// stageDriver returns the driver of a stage's calls.
func (s *Pages) stageDriver(r *web.Request) drive.Driver {
	d := s.Driver(r.Visit)
	d.Settle = stageSettle
	return d
}

// StageAction handles the buttons of a stage: the next step, the same request
// again, the legacy lane, or a change of the instances. A button of an outdated
// page redirects to the current one.
func (s *Pages) StageAction(r *web.Request) error {
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	form, err := s.FormValues(r)
	if err != nil {
		return err
	}
	back := func(n int) string {
		if web.First(form["screen"]) == "presenter" {
			return stageview.PresenterPath(t.Story.Slug, t.Stage.Session)
		}
		return stageview.Path(t.Story.Slug, t.Stage.Session, n, web.First(form["present"]) == "1")
	}
	f := playground.Fold(t.Own.Log)
	if web.First(form["step"]) != strconv.Itoa(t.Newest()) || f.Status == playground.StatusRunning {
		return web.SeeOther(r, back(t.Newest()))
	}
	if err := s.Admit(r.Visit, t.Own); err != nil {
		return err
	}
	n, err := s.perform(r, t, f, web.First(form["do"]), web.First(form["instance"]))
	s.Notices.Changed(t.Stage.Session)
	if err != nil && !app.IsStale(err) {
		return err
	}
	return web.SeeOther(r, back(n))
}

// perform does one action and returns the step that the stage has then reached.
func (s *Pages) perform(
	r *web.Request, t demo.Showing, f playground.Transcript, do, instance string,
) (int, error) {
	n := t.Newest()
	switch {
	case do == "next":
		return s.advance(r, t, f)
	case t.Story.IsRecorded():
		return n, badChange() // nothing can be sent
	}
	switch do {
	case "again":
		return n, s.sendAgain(r, t, f)
	case "legacy":
		return n, s.runLegacy(r, t, n)
	}
	versions := t.Story.Versions
	change := server.Change{Do: server.Operation(do), Instance: instance, Version: versions[len(versions)-1]}
	topology, ok := change.Apply(t.Stage.Topology(t.Story, n))
	if !ok {
		return n, badChange()
	}
	return n, s.Store.SetMark(
		r.Context(), t.Stage.Session, n, demo.NewMark(topology, t.Stage.Marks[n-1].Rounds),
		s.Now(),
	)
}

func badChange() error {
	return app.Refuse(http.StatusBadRequest, "bad_change", "That change is not possible for this instance.",
		"Go back, reload the page and try again.")
}

// advance plays the next step, then stores that it was reached. If the program
// stops in between, the same button continues.
func (s *Pages) advance(r *web.Request, t demo.Showing, f playground.Transcript) (int, error) {
	ctx, n := r.Context(), t.Newest()
	if n == len(t.Story.Steps) {
		return n, nil
	}
	plan := t.Story.Plan(n+1, t.Stage.Topology(t.Story, n), f)
	if err := s.keepUp(ctx, t, f); err != nil {
		return n, err
	}
	if err := s.play(r, t.Own, plan); err != nil && !app.IsStale(err) {
		return n, err
	}
	m := demo.NewMark(plan.Topology, len(f.Rounds))
	if step := t.Story.Steps[n]; step.Act.Kind == demo.Recorded {
		m.Rounds = step.Round
	}
	if plan.Decision != nil {
		m.Next, m.Rounds = "", plan.Decision.Round
	}
	if err := s.Store.AddMark(ctx, t.Stage.Session, n+1, m, s.Now()); err != nil && !app.IsStale(err) {
		return n, err
	}
	s.Notices.Changed(t.Stage.Session) // before the other lane, which may take a while
	if plan.Replay || t.Legacy != nil {
		return n + 1, s.runLegacy(r, t, n+1)
	}
	return n + 1, nil
}

// keepUp notes the Rounds that the call has added by itself since the newest step, as a
// task does, so that they stay a part of that step.
func (s *Pages) keepUp(ctx context.Context, t demo.Showing, f playground.Transcript) error {
	n := t.Newest()
	m := t.Stage.Marks[n-1]
	if t.Story.IsRecorded() || m.Rounds >= len(f.Rounds) {
		return nil
	}
	m.Rounds = len(f.Rounds)
	return s.Store.SetMark(ctx, t.Stage.Session, n, m, s.Now())
}

// play opens the Round of a plan, if it has one, with the topology in the URL.
func (s *Pages) play(r *web.Request, x playground.Exchange, p demo.Plan) error {
	if p.Decision == nil {
		return nil
	}
	x.Target.URL = p.Topology.URL(x.Target.URL)
	_, err := s.stageDriver(r).Open(r.Context(), x, *p.Decision)
	return err
}

// sendAgain sends the newest Round again, or the answers that are still open at
// the end of a story whose user chose another instance.
func (s *Pages) sendAgain(r *web.Request, t demo.Showing, f playground.Transcript) error {
	ctx, n := r.Context(), t.Newest()
	topology := t.Stage.Topology(t.Story, n)
	plan, ok := t.Story.ResumePlan(n, topology, f)
	if !ok {
		return nil
	}
	if err := s.play(r, t.Own, plan); err != nil {
		return err
	}
	topology.Next = ""
	return s.Store.SetMark(ctx, t.Stage.Session, n, demo.NewMark(topology, plan.Decision.Round), s.Now())
}

// runLegacy adds the legacy lane, if there is none yet, and plays it up to step
// n.
func (s *Pages) runLegacy(r *web.Request, t demo.Showing, n int) error {
	if !t.Story.HasBefore() {
		return nil
	}
	if t.Legacy == nil {
		x, err := s.addLegacy(r, t)
		if err != nil {
			return err
		}
		t.Stage.Legacy = x.ID
	}
	for range t.Story.Steps {
		if err := s.loadLegacy(r.Visit, &t); err != nil {
			return err
		}
		plan, ok := t.Story.LegacyPlan(n, playground.Fold(t.Legacy.Log))
		if !ok {
			return nil
		}
		if err := s.play(r, *t.Legacy, plan); err != nil {
			return err
		}
		if err := s.awaitLegacy(r, &t); err != nil {
			return err
		}
	}
	return nil
}

// addLegacy stores the legacy lane: a server that keeps its sessions in memory
// and waits for answers.
func (s *Pages) addLegacy(r *web.Request, t demo.Showing) (playground.Exchange, error) {
	target, err := s.legacyTarget(t.Story)
	if err != nil {
		return playground.Exchange{}, err
	}
	x := playground.Exchange{
		ID: s.NewID(), Session: t.Stage.Session, Target: target, Call: t.Story.Call, Created: s.Now(),
	}
	err = s.Store.AddLegacy(r.Context(), x)
	s.Notices.Changed(t.Stage.Session)
	return x, err
}

// legacyTarget returns the server of the legacy lane, driven as a client of 2025 does.
func (s *Pages) legacyTarget(story demo.Story) (playground.Target, error) {
	const wait = "wait=10m"
	sample, ok := s.Samples.Lookup(slugOf(story.Before.Sample, story.Flow))
	if !ok {
		return playground.Target{}, app.NotFound()
	}
	t := s.Samples.Target(sample, wait)
	t.Era, t.Name = playground.Legacy, sample.Title+" in 2025 (sample)"
	return t, nil
}

// awaitLegacy waits until the legacy lane asks, ends or has lost an answer. A
// call with a lost answer would stay open until its server times out, so it is
// cancelled.
func (s *Pages) awaitLegacy(r *web.Request, t *demo.Showing) error {
	ctx, stop := context.WithTimeout(r.Context(), s.Settle)
	defer stop()
	for {
		changed, running := s.Runner.Watch(ctx, t.Legacy.ID, -1)
		if err := s.loadLegacy(r.Visit, t); err != nil {
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
