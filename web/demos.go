package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// onStage makes the states of a demo's servers valid for a day, so that a demo
// can be interrupted.
const onStage = "ttl=24h"

// stageStore keeps stages: sessions of kind demo and the steps they have
// reached.
type stageStore interface {
	AddStage(ctx context.Context, workspace, title, story string, x playground.Exchange, m demo.Mark) error
	Stage(ctx context.Context, workspace, session string) (demo.Stage, error)
	AddMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error
	SetMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error
	AddLegacy(ctx context.Context, x playground.Exchange) error
}

func (s *app) demos(c echo.Context) error {
	return s.render(
		c, http.StatusOK,
		views.DemosPage(s.page(c, "Demos", "/demos"), views.NewStoryboards(demo.Stories())),
	)
}

// demo shows the start of a story; nothing is sent yet.
func (s *app) demo(c echo.Context) error {
	story, _, err := s.story(c)
	if err != nil {
		return err
	}
	present := c.QueryParam("present") == "1"
	page := s.page(c, story.Title, "/demos")
	page.Bare = present
	return s.render(c, http.StatusOK, views.DemoPage(page, views.NewDemo(story, present)))
}

// story returns the story of the path and the server that it talks to.
func (s *app) story(c echo.Context) (demo.Story, playground.Target, error) {
	story, ok := demo.Find(c.Param("slug"))
	sample, known := s.samples.lookup(story.Sample)
	if !ok || !known {
		return story, playground.Target{}, notFound()
	}
	t := s.samples.target(sample, onStage)
	t.URL = story.Opening().URL(t.URL)
	return story, t, nil
}

// openStage adds a stage and sends the story's call.
func (s *app) openStage(c echo.Context) error {
	ctx := c.Request().Context()
	story, target, err := s.story(c)
	if err != nil {
		return err
	}
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	workspace, err := s.owners.writing(c)
	if err != nil {
		return err
	}
	x := playground.Exchange{
		ID: s.NewID(), Session: s.NewID(), Target: target, Call: story.Call, Created: s.Now(),
	}
	if err := s.admit(c, x); err != nil {
		return err
	}
	opening := story.Opening()
	opening.Next = "" // the first request goes where the story begins, the others where they must
	if err := s.Store.AddStage(ctx, workspace, story.Title+" (demo)", story.Slug, x,
		demo.NewMark(opening, 1)); err != nil {
		return err
	}
	start := playground.Decision{Action: playground.ActionStart, Round: 1, Instance: story.First}
	if _, err := s.stageDriver(c).Open(ctx, x, start); err != nil {
		return err
	}
	return seeOther(c, views.StagePath(story.Slug, x.Session, 1, first(form["present"]) == "1"))
}

// demoSession is a stage with its lanes.
type demoSession struct {
	story  demo.Story
	stage  demo.Stage
	own    playground.Exchange
	legacy *playground.Exchange
}

func (s *app) demoSession(c echo.Context) (demoSession, error) {
	story, _, err := s.story(c)
	if err != nil {
		return demoSession{}, err
	}
	stage, err := s.Store.Stage(c.Request().Context(), s.owners.reading(c), c.Param("session"))
	if err != nil {
		return demoSession{}, err
	}
	if stage.Story != story.Slug {
		return demoSession{}, notFound()
	}
	return s.stageOf(c, stage)
}

// stageOf returns a stage with its story and its lanes.
func (s *app) stageOf(c echo.Context, stage demo.Stage) (demoSession, error) {
	story, ok := demo.Find(stage.Story)
	t := demoSession{story: story, stage: stage}
	if !ok || len(stage.Marks) == 0 {
		return t, notFound()
	}
	var err error
	if t.own, err = s.load(c, t.stage.Own); err != nil {
		return t, err
	}
	return t, s.loadLegacy(c, &t)
}

func (s *app) loadLegacy(c echo.Context, t *demoSession) error {
	if t.stage.Legacy == "" {
		return nil
	}
	x, err := s.load(c, t.stage.Legacy)
	x.Target.Era = playground.Legacy
	t.legacy = &x
	return err
}

// newest returns the last step that was reached. If the story has become
// shorter in a newer release, that is its end.
func (t demoSession) newest() int { return min(len(t.stage.Marks), len(t.story.Steps)) }

// stage shows the step ?step=n or, without it, the newest.
func (s *app) stage(c echo.Context) error {
	t, err := s.demoSession(c)
	if err != nil {
		return err
	}
	s.look(c, t.own)
	if t.legacy != nil {
		s.look(c, *t.legacy)
	}
	present := c.QueryParam("present") == "1"
	n := t.newest()
	if text := c.QueryParam("step"); text != "" {
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			return notFound()
		}
		if n > t.newest() {
			return seeOther(c, views.StagePath(t.story.Slug, t.stage.Session, t.newest(), present))
		}
	}
	t.stage.Marks = t.stage.Marks[:t.newest()]
	model := views.NewStage(views.StageInput{
		Story: t.story, Stage: t.stage, Own: t.own, Legacy: t.legacy, N: n, Present: present,
		Explain: s.explain(),
	})
	if wantsFragment(c) {
		return s.render(c, http.StatusOK, views.StageMain(model))
	}
	page := s.page(c, model.Words.Title, "/demos")
	page.Bare, page.Refresh = present, model.Live != ""
	return s.render(c, http.StatusOK, views.StagePage(page, model))
}
