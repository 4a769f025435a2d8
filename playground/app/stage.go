package app

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// StageStore keeps stages: sessions of kind demo and the steps that they have reached.
type StageStore interface {
	AddStage(ctx context.Context, workspace string, st demo.Stage, n session.Session) error
	Stage(ctx context.Context, workspace, session string) (demo.Stage, error)
	AddMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error
	SetMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error
	AddLegacy(ctx context.Context, x playground.Exchange) error
}

// onStage makes the states of a demo's servers valid for a day, so that a demo
// can be interrupted.
const onStage = "ttl=24h"

// stageSettle is how long a stage waits for an answer before it shows the
// request as running. It is short because the audience should see that.
const stageSettle = 300 * time.Millisecond

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

// MakeStage adds a stage of a story for the workspace of a visit. It sends the story's call,
// or copies the calls of a recorded story. text is that of a user's story, else empty.
func (s *App) MakeStage(v *Visit, story demo.Story, text string) (demo.Stage, error) {
	workspace, err := v.Writing()
	if err != nil {
		return demo.Stage{}, err
	}
	if story.IsRecorded() {
		return s.openRecorded(v, workspace, story, text)
	}
	return s.openLive(v, workspace, story, text)
}

// openLive adds a stage and sends the story's call.
func (s *App) openLive(v *Visit, workspace string, story demo.Story, text string) (
	demo.Stage, error,
) {
	ctx := v.Context()
	target, err := s.stageTarget(story)
	if err != nil {
		return demo.Stage{}, err
	}
	x := playground.Exchange{
		ID: s.NewID(), Session: s.NewID(), Target: target, Call: story.Call, Created: s.Now(),
	}
	st := demo.Stage{Session: x.Session, Story: story.Slug, Text: text}
	if err := s.Admit(v, x); err != nil {
		return st, err
	}
	opening := story.Opening()
	opening.Next = "" // the first request goes where the story begins, the others where they must
	st.Own, st.Marks = x.ID, []demo.Mark{demo.NewMark(opening, 1)}
	if err := s.Store.AddStage(ctx, workspace, st, stageSession(story, x.Created, x)); err != nil {
		return st, err
	}
	start := playground.Decision{Action: playground.ActionStart, Round: 1, Instance: story.First}
	_, err = s.stageDriver(v).Open(ctx, x, start)
	return st, err
}

// stageSession returns the session of a new stage.
func stageSession(story demo.Story, now time.Time, xs ...playground.Exchange) session.Session {
	return session.Session{Title: story.Title + " (demo)", Created: now, Changed: now, Exchanges: xs}
}

// stageTarget returns the server that a story calls, with the instances that it begins
// with.
func (s *App) stageTarget(story demo.Story) (playground.Target, error) {
	sample, ok := s.Samples.Lookup(slugOf(story.Sample, story.Flow))
	if !ok {
		return playground.Target{}, NotFound()
	}
	t := s.Samples.Target(sample, onStage)
	t.URL = story.Opening().URL(t.URL)
	return t, nil
}

// stageDriver returns the driver of a stage's calls.
func (s *App) stageDriver(v *Visit) drive.Driver {
	d := s.Driver(v)
	d.Settle = stageSettle
	return d
}

// ActOnStage does what a button of a stage stands for, pressed at a step: the next step, the
// same request again, the legacy lane, or a change of an instance. It returns the step that
// the stage has then reached. A button of an outdated page does nothing.
func (s *App) ActOnStage(v *Visit, t demo.Showing, step int, do, instance string) (int, error) {
	f := playground.Fold(t.Own.Log)
	if step != t.Newest() || f.Status == playground.StatusRunning {
		return t.Newest(), nil
	}
	if err := s.Admit(v, t.Own); err != nil {
		return t.Newest(), err
	}
	n, err := s.performOnStage(v, t, f, do, instance)
	s.Notices.Changed(t.Stage.Session)
	if IsStale(err) {
		err = nil
	}
	return n, err
}

// performOnStage does one action and returns the step that the stage has then reached.
func (s *App) performOnStage(
	v *Visit, t demo.Showing, f playground.Transcript, do, instance string,
) (int, error) {
	n := t.Newest()
	switch {
	case do == "next":
		return s.advance(v, t, f)
	case t.Story.IsRecorded():
		return n, badChange() // nothing can be sent
	}
	switch do {
	case "again":
		return n, s.sendAgain(v, t, f)
	case "legacy":
		return n, s.runLegacy(v, t, n)
	}
	versions := t.Story.Versions
	newest := versions[len(versions)-1]
	change := cluster.Change{Do: cluster.Operation(do), Instance: instance, Version: newest}
	topology, ok := change.Apply(t.Stage.Topology(t.Story, n))
	if !ok {
		return n, badChange()
	}
	return n, s.Store.SetMark(
		v.Context(), t.Stage.Session, n, demo.NewMark(topology, t.Stage.Marks[n-1].Rounds),
		s.Now(),
	)
}

func badChange() error {
	return Refuse(Malformed, "bad_change", "That change is not possible for this instance.",
		"Go back, reload the page and try again.")
}

// advance plays the next step, then stores that it was reached. If the program
// stops in between, the same button continues.
func (s *App) advance(v *Visit, t demo.Showing, f playground.Transcript) (int, error) {
	ctx, n := v.Context(), t.Newest()
	if n == len(t.Story.Steps) {
		return n, nil
	}
	plan := t.Story.Plan(n+1, t.Stage.Topology(t.Story, n), f)
	if err := s.keepUp(ctx, t, f); err != nil {
		return n, err
	}
	if err := s.play(v, t.Own, plan); err != nil && !IsStale(err) {
		return n, err
	}
	m := demo.NewMark(plan.Topology, len(f.Rounds))
	if step := t.Story.Steps[n]; step.Act.Kind == demo.Recorded {
		m.Rounds = step.Round
	}
	if plan.Decision != nil {
		m.Next, m.Rounds = "", plan.Decision.Round
	}
	if err := s.Store.AddMark(ctx, t.Stage.Session, n+1, m, s.Now()); err != nil && !IsStale(err) {
		return n, err
	}
	s.Notices.Changed(t.Stage.Session) // before the other lane, which may take a while
	if plan.Replay || t.Legacy != nil {
		return n + 1, s.runLegacy(v, t, n+1)
	}
	return n + 1, nil
}

// keepUp notes the Rounds that the call has added by itself since the newest step, as a
// task does, so that they stay a part of that step.
func (s *App) keepUp(ctx context.Context, t demo.Showing, f playground.Transcript) error {
	n := t.Newest()
	m := t.Stage.Marks[n-1]
	if t.Story.IsRecorded() || m.Rounds >= len(f.Rounds) {
		return nil
	}
	m.Rounds = len(f.Rounds)
	return s.Store.SetMark(ctx, t.Stage.Session, n, m, s.Now())
}

// play opens the Round of a plan, if it has one, with the topology in the URL.
func (s *App) play(v *Visit, x playground.Exchange, p demo.Plan) error {
	if p.Decision == nil {
		return nil
	}
	x.Target.URL = p.Topology.URL(x.Target.URL)
	_, err := s.stageDriver(v).Open(v.Context(), x, *p.Decision)
	return err
}

// sendAgain sends the newest Round again, or the answers that are still open at
// the end of a story whose user chose another instance.
func (s *App) sendAgain(v *Visit, t demo.Showing, f playground.Transcript) error {
	ctx, n := v.Context(), t.Newest()
	topology := t.Stage.Topology(t.Story, n)
	plan, ok := t.Story.ResumePlan(n, topology, f)
	if !ok {
		return nil
	}
	if err := s.play(v, t.Own, plan); err != nil {
		return err
	}
	topology.Next = ""
	return s.Store.SetMark(ctx, t.Stage.Session, n, demo.NewMark(topology, plan.Decision.Round), s.Now())
}
