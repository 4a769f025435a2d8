package stage

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// onStage makes the states of a demo's servers valid for a day, so that a demo
// can be interrupted.
const onStage = "ttl=24h"

// Demos lists the demos.
func (s *Pages) Demos(c echo.Context) error {
	return s.Render(
		c, http.StatusOK,
		views.DemosPage(s.Page(c, views.DemosTitle, "/demos"), views.NewStoryboards(demo.Stories())),
	)
}

// Demo shows the start of a story; nothing is sent yet.
func (s *Pages) Demo(c echo.Context) error {
	story, _, err := s.story(c)
	if err != nil {
		return err
	}
	present := c.QueryParam("present") == "1"
	page := s.Page(c, story.Title, "/demos")
	page.Bare = present
	return s.Render(c, http.StatusOK, views.DemoPage(page, views.NewDemo(story, present)))
}

// story returns the story of the path and the server that it talks to.
func (s *Pages) story(c echo.Context) (demo.Story, playground.Target, error) {
	story, ok := demo.Find(c.Param("slug"))
	sample, known := s.Samples.Lookup(story.Sample)
	if !ok || !known {
		return story, playground.Target{}, web.NotFound()
	}
	t := s.Samples.Target(sample, onStage)
	t.URL = story.Opening().URL(t.URL)
	return story, t, nil
}

// OpenStage adds a stage and sends the story's call.
func (s *Pages) OpenStage(c echo.Context) error {
	ctx := c.Request().Context()
	story, target, err := s.story(c)
	if err != nil {
		return err
	}
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	workspace, err := s.Owners.Writing(c)
	if err != nil {
		return err
	}
	x := playground.Exchange{
		ID: s.NewID(), Session: s.NewID(), Target: target, Call: story.Call, Created: s.Now(),
	}
	if err := s.Admit(c, x); err != nil {
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
	if err := s.moveTalk(c, workspace, web.First(form["talk"]), x.Session); err != nil {
		return err
	}
	return web.SeeOther(c, views.StagePath(story.Slug, x.Session, 1, web.First(form["present"]) == "1"))
}

// DemoSession is a stage with its lanes.
type DemoSession struct {
	Story  demo.Story
	Stage  demo.Stage
	Own    playground.Exchange
	Legacy *playground.Exchange
}

func (s *Pages) demoSession(c echo.Context) (DemoSession, error) {
	story, _, err := s.story(c)
	if err != nil {
		return DemoSession{}, err
	}
	stage, err := s.Store.Stage(c.Request().Context(), s.Owners.Reading(c), c.Param("session"))
	if err != nil {
		return DemoSession{}, err
	}
	if stage.Story != story.Slug {
		return DemoSession{}, web.NotFound()
	}
	return s.StageOf(c, stage)
}

// StageOf returns a stage with its story and its lanes.
func (s *Pages) StageOf(c echo.Context, stage demo.Stage) (DemoSession, error) {
	story, ok := demo.Find(stage.Story)
	t := DemoSession{Story: story, Stage: stage}
	if !ok || len(stage.Marks) == 0 {
		return t, web.NotFound()
	}
	var err error
	if t.Own, err = s.Load(c, t.Stage.Own); err != nil {
		return t, err
	}
	return t, s.loadLegacy(c, &t)
}

func (s *Pages) loadLegacy(c echo.Context, t *DemoSession) error {
	if t.Stage.Legacy == "" {
		return nil
	}
	x, err := s.Load(c, t.Stage.Legacy)
	x.Target.Era = playground.Legacy
	t.Legacy = &x
	return err
}

// Newest returns the last step that was reached. If the story has become
// shorter in a newer release, that is its end.
func (t DemoSession) Newest() int { return min(len(t.Stage.Marks), len(t.Story.Steps)) }

// Stage shows the step ?step=n or, without it, the newest.
func (s *Pages) Stage(c echo.Context) error {
	t, err := s.demoSession(c)
	if err != nil {
		return err
	}
	s.Look(c, t.Own)
	if t.Legacy != nil {
		s.Look(c, *t.Legacy)
	}
	present := c.QueryParam("present") == "1"
	n := t.Newest()
	if text := c.QueryParam("step"); text != "" {
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			return web.NotFound()
		}
		if n > t.Newest() {
			return web.SeeOther(c, views.StagePath(t.Story.Slug, t.Stage.Session, t.Newest(), present))
		}
	}
	t.Stage.Marks = t.Stage.Marks[:t.Newest()]
	model := views.NewStage(views.StageInput{
		Story: t.Story, Stage: t.Stage, Own: t.Own, Legacy: t.Legacy, N: n, Present: present,
		Explain: s.Explain,
	})
	if model.Talk, err = s.talkLine(c, t.Stage.Session); err != nil {
		return err
	}
	if web.WantsFragment(c) {
		return s.Render(c, http.StatusOK, views.StageMain(model))
	}
	page := s.Page(c, model.Words.Title, "/demos")
	page.Bare, page.Refresh = present, model.Live != ""
	return s.Render(c, http.StatusOK, views.StagePage(page, model))
}
