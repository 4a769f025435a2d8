package stage

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Presenter shows the notes of the newest step, and the button to the next one, for a
// second screen.
func (s *Pages) Presenter(r *web.Request) error {
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	s.App.Look(r.Visit, t.Own)
	model := stageview.NewPresenter(inputOf(t, s.App.Explain), s.App.Now(), eventsOf(t))
	if web.WantsFragment(r) {
		return s.App.Render(r, http.StatusOK, stageview.PresenterMain(model))
	}
	page := s.App.Page(r, stageview.PresenterTitle, "/demos")
	page.Bare, page.Refresh, page.Slowly = true, true, model.Stage.Live == ""
	return s.App.Render(r, http.StatusOK, stageview.PresenterPage(page, model))
}

// StageEvents tells the pages of a stage when it shows something else than ?after=, the
// version that they show.
func (s *Pages) StageEvents(r *web.Request) error {
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	watch := s.App.WatchStage(r.Visit, t, r.QueryParam("after"))
	return s.App.StreamChangeOf(r, watch, func() { s.App.Look(r.Visit, t.Own) })
}

// eventsOf returns the address of the event stream of the stage as it is now.
func eventsOf(t demo.Showing) string {
	return stageview.EventsPath(t.Story.Slug, t.Stage.Session, t.Version())
}
