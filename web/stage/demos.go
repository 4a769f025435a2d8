package stage

import (
	"net/http"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// onStage makes the states of a demo's servers valid for a day, so that a demo
// can be interrupted.
const onStage = "ttl=24h"

// Demos lists the demos.
func (s *Pages) Demos(r *web.Request) error {
	own, err := s.Store.Stories(r.Context(), r.Visit.Workspace())
	if err != nil {
		return err
	}
	return s.Render(r, http.StatusOK, stageview.DemosPage(s.Page(r, layout.DemosTitle, "/demos"),
		stageview.NewStoryboards(demo.Stories()), stageview.NewOwnStories(own)))
}

// Demo shows the start of a story; nothing is sent yet.
func (s *Pages) Demo(r *web.Request) error {
	story, _, err := s.story(r)
	if err != nil {
		return err
	}
	present := r.QueryParam("present") == "1"
	page := s.Page(r, story.Title, "/demos")
	page.Bare = present
	return s.Render(r, http.StatusOK, stageview.DemoPage(page, stageview.NewDemo(story, present)))
}

// story returns the story of the path, which is one of the program or of the visitor,
// and its text if it is the visitor's.
func (s *Pages) story(r *web.Request) (story demo.Story, text string, err error) {
	if story, ok := demo.Find(r.Param("slug")); ok {
		return story, "", nil
	}
	saved, err := s.Store.SavedStory(r.Context(), r.Visit.Workspace(), r.Param("slug"))
	if err != nil {
		return demo.Story{}, "", err
	}
	story, problems := s.readStory(r, saved.Text)
	if len(problems) > 0 {
		return demo.Story{}, "", app.Refuse(http.StatusUnprocessableEntity, "story",
			"This demo has problems, so it cannot be shown yet.",
			"The first: "+problems[0].String()+" Edit the demo to fix it.")
	}
	story.Slug = saved.ID
	return story, saved.Text, nil
}

// target returns the server that a story calls, with the instances that it begins
// with.
func (s *Pages) target(story demo.Story) (playground.Target, error) {
	sample, ok := s.Samples.Lookup(slugOf(story.Sample, story.Flow))
	if !ok {
		return playground.Target{}, app.NotFound()
	}
	t := s.Samples.Target(sample, onStage)
	t.URL = story.Opening().URL(t.URL)
	return t, nil
}

// OpenStage adds a stage and sends the story's call.
func (s *Pages) OpenStage(r *web.Request) error {
	story, text, err := s.story(r)
	if err != nil {
		return err
	}
	form, err := s.FormValues(r)
	if err != nil {
		return err
	}
	workspace, err := r.Visit.Writing()
	if err != nil {
		return err
	}
	open := s.openLive
	if story.IsRecorded() {
		open = s.openRecorded
	}
	st, err := open(r, workspace, story, text)
	if err != nil {
		return err
	}
	if err := s.moveTalk(r, workspace, web.First(form["talk"]), st.Session); err != nil {
		return err
	}
	return web.SeeOther(r, stageview.Path(story.Slug, st.Session, 1, web.First(form["present"]) == "1"))
}

// openLive adds a stage and sends the story's call.
func (s *Pages) openLive(r *web.Request, workspace string, story demo.Story, text string) (
	demo.Stage, error,
) {
	ctx := r.Context()
	target, err := s.target(story)
	if err != nil {
		return demo.Stage{}, err
	}
	x := playground.Exchange{
		ID: s.NewID(), Session: s.NewID(), Target: target, Call: story.Call, Created: s.Now(),
	}
	st := demo.Stage{Session: x.Session, Story: story.Slug, Text: text}
	if err := s.Admit(r.Visit, x); err != nil {
		return st, err
	}
	opening := story.Opening()
	opening.Next = "" // the first request goes where the story begins, the others where they must
	st.Own, st.Marks = x.ID, []demo.Mark{demo.NewMark(opening, 1)}
	if err := s.Store.AddStage(ctx, workspace, st, stageSession(story, x.Created, x)); err != nil {
		return st, err
	}
	start := playground.Decision{Action: playground.ActionStart, Round: 1, Instance: story.First}
	_, err = s.stageDriver(r).Open(ctx, x, start)
	return st, err
}

// stageSession returns the session of a new stage.
func stageSession(story demo.Story, now time.Time, xs ...playground.Exchange) session.Session {
	return session.Session{Title: story.Title + " (demo)", Created: now, Changed: now, Exchanges: xs}
}

func (s *Pages) demoSession(r *web.Request) (demo.Showing, error) {
	t, err := s.App.OpenStage(r.Visit, r.Param("session"))
	if err == nil && t.Stage.Story != r.Param("slug") {
		err = app.NotFound()
	}
	return t, err
}

func (s *Pages) loadLegacy(v *app.Visit, t *demo.Showing) error {
	if t.Stage.Legacy == "" {
		return nil
	}
	x, err := s.Load(v, t.Stage.Legacy)
	x.Target.Era = playground.Legacy
	t.Legacy = &x
	return err
}

// inputOf returns what the pages of the stage's newest step need.
func inputOf(t demo.Showing, explain func(string) seal.Explanation) stageview.Input {
	t.Stage.Marks = t.Stage.Marks[:t.Newest()]
	return stageview.Input{
		Story: t.Story, Stage: t.Stage, Own: t.Own, Legacy: t.Legacy, N: t.Newest(), Explain: explain,
	}
}

// Stage shows the step ?step=n or, without it, the newest.
func (s *Pages) Stage(r *web.Request) error {
	v := r.Visit
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	s.Look(v, t.Own)
	if t.Legacy != nil {
		s.Look(v, *t.Legacy)
	}
	present := r.QueryParam("present") == "1"
	n := t.Newest()
	if text := r.QueryParam("step"); text != "" {
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			return app.NotFound()
		}
		if n > t.Newest() {
			return web.SeeOther(r, stageview.Path(t.Story.Slug, t.Stage.Session, t.Newest(), present))
		}
	}
	if id := t.Stage.Call(t.Story, n); id != t.Own.ID {
		if t.Own, err = s.Load(v, id); err != nil {
			return err
		}
	}
	in := inputOf(t, s.Explain)
	in.N, in.Present = n, present
	model := stageview.New(in)
	if present && n == t.Newest() {
		model.Follows = eventsOf(t)
	}
	if model.Talk, err = s.talkLine(r, t.Stage.Session); err != nil {
		return err
	}
	if web.WantsFragment(r) {
		return s.Render(r, http.StatusOK, stageview.Main(model))
	}
	page := s.Page(r, model.Words.Title, "/demos")
	page.Bare, page.Refresh = present, model.Live != ""
	return s.Render(r, http.StatusOK, stageview.Page(page, model))
}
