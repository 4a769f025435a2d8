package stage

import (
	"net/http"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// OpenStage adds a stage of a story. Its call is sent. With "talk" to do, the room follows from
// its first step.
func (s *Pages) OpenStage(r *web.Request) error {
	story, text, err := s.App.OpenStory(r.Visit, r.Param("slug"))
	if err != nil {
		return err
	}
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	st, err := s.App.MakeStage(r.Visit, story, text)
	if err != nil {
		return err
	}
	if err := s.App.MoveTalk(r.Visit, web.First(form["talk"]), st.Session); err != nil {
		return err
	}
	present := web.First(form["present"]) == "1"
	if web.First(form["do"]) != "talk" {
		return web.SeeOther(r, stageview.Path(story.Slug, st.Session, 1, present))
	}
	if err := s.App.StartTalk(r.Visit, st.Session); err != nil {
		return err
	}
	return web.SeeOther(r, stageview.TalkPath(story.Slug, st.Session, present))
}

// StageAction handles the buttons of a stage. A button of an outdated page redirects
// to the current one.
func (s *Pages) StageAction(r *web.Request) error {
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	step, _ := strconv.Atoi(web.First(form["step"])) // 0 is no step
	n, err := s.App.ActOnStage(r.Visit, t, step, web.First(form["do"]), web.First(form["instance"]))
	if err != nil {
		return err
	}
	slug, session := t.Story.Slug, t.Stage.Session
	if web.First(form["screen"]) == "presenter" {
		return web.SeeOther(r, stageview.PresenterPath(slug, session))
	}
	return web.SeeOther(r, stageview.Path(slug, session, n, web.First(form["present"]) == "1"))
}

// demoSession returns the stage of the path.
func (s *Pages) demoSession(r *web.Request) (demo.Showing, error) {
	t, err := s.App.OpenStage(r.Visit, r.Param("session"))
	if err == nil && t.Stage.Story != r.Param("slug") {
		err = app.NotFound()
	}
	return t, err
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
	s.App.Look(v, t.Own)
	if t.Legacy != nil {
		s.App.Look(v, *t.Legacy)
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
		if t.Own, err = s.App.Load(v, id); err != nil {
			return err
		}
	}
	in := inputOf(t, s.App.Explain)
	in.N, in.Present = n, present
	model := stageview.New(in)
	if present && n == t.Newest() {
		model.Follows = eventsOf(t)
	}
	model.Unreachable = !s.App.CanInvite(v)
	if model.Talk, err = s.talkLine(r, t.Stage.Session); err != nil {
		return err
	}
	if web.WantsFragment(r) {
		return s.App.Render(r, http.StatusOK, stageview.Main(model))
	}
	page := s.App.Page(r, model.Words.Title, "/demos")
	page.Bare, page.Refresh = present, model.Live != ""
	return s.App.Render(r, http.StatusOK, stageview.Page(page, model))
}
