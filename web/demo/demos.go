package demo

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	demoview "github.com/mrtr-playground/mrtr-playground/views/demo"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Demos lists the demos.
func (s *Pages) Demos(r *web.Request) error {
	own, err := s.Store.Stories(r.Context(), r.Visit.Workspace())
	if err != nil {
		return err
	}
	flows, err := s.Store.Flows(r.Context(), r.Visit.Workspace())
	if err != nil {
		return err
	}
	return s.App.Render(r, http.StatusOK, demoview.DemosPage(s.App.Page(r, layout.ShowTitle, layout.ShowPath),
		demoview.NewStoryboards(demo.Stories()), demoview.NewOwnStories(own), flows, s.reach(r)))
}

// Demo shows the start of a story; nothing is sent yet.
func (s *Pages) Demo(r *web.Request) error {
	story, _, err := s.App.OpenStory(r.Visit, r.Param("slug"))
	if err != nil {
		return err
	}
	present := r.QueryParam("present") == "1"
	page := s.App.Page(r, story.Title, "/demos")
	page.Bare = present
	return s.App.Render(r, http.StatusOK, demoview.DemoPage(page, demoview.NewDemo(story, present, s.reach(r))))
}

// reach returns what it takes that phones can follow a demo, or nil if they can.
func (s *Pages) reach(r *web.Request) *stageview.Reach {
	if s.App.CanInvite(r.Visit) {
		return nil
	}
	return stageview.NewReach(s.App.Mode == app.Local, s.App.BaseURL)
}
