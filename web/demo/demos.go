package demo

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
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
	return s.Render(r, http.StatusOK, stageview.DemosPage(s.Page(r, layout.DemosTitle, "/demos"),
		stageview.NewStoryboards(demo.Stories()), stageview.NewOwnStories(own)))
}

// Demo shows the start of a story; nothing is sent yet.
func (s *Pages) Demo(r *web.Request) error {
	story, _, err := s.OpenStory(r.Visit, r.Param("slug"))
	if err != nil {
		return err
	}
	present := r.QueryParam("present") == "1"
	page := s.Page(r, story.Title, "/demos")
	page.Bare = present
	return s.Render(r, http.StatusOK, stageview.DemoPage(page, stageview.NewDemo(story, present)))
}
