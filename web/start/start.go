// Package start serves the landing page.
package start

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	startview "github.com/mrtr-playground/mrtr-playground/views/start"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct{ App *web.App }

// Landing shows the first page.
func (s *Pages) Landing(r *web.Request) error {
	p := picture.Landing()
	example, _ := flow.FindExample("refund")
	story, _ := demo.Find("azure-devops")
	page := s.App.Page(r, "", "/")
	page.Landing = true
	return s.App.Render(r, http.StatusOK, startview.LandingPage(page, startview.Landing{
		Picture: string(p.SVG()), Narrow: string(p.Narrow().SVG()), Text: p.Text(),
		Minutes: lesson.FirstMinutes, Example: example, Demo: story,
	}))
}
