// Package field serves the facts about real software: as a page, and as JSON.
package field

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	fieldview "github.com/mrtr-playground/mrtr-playground/views/field"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct{ App *web.App }

// filter returns the filter of a query.
func filter(r *web.Request) field.Filter {
	return field.Filter{
		Requirement: r.QueryParam("requirement"), Kind: field.Kind(r.QueryParam("kind")),
		Subject: r.QueryParam("subject"), Outcome: verdict.Outcome(r.QueryParam("outcome")),
	}
}

// Page shows the facts that the query picks.
func (s *Pages) Page(r *web.Request) error {
	model := fieldview.New(field.Measured(), filter(r), web.Number(r.QueryParam("page"), 1))
	return s.App.Render(
		r,
		http.StatusOK,
		fieldview.View(s.App.Page(r, fieldview.Title, layout.TestPath), model),
	)
}

// Document sends the facts that the query picks as JSON.
func (s *Pages) Document(r *web.Request) error {
	return r.JSON(http.StatusOK, field.Measured().Document(filter(r)))
}

// Moved redirects the address that the facts about clients had before.
func (s *Pages) Moved(r *web.Request) error { return r.Redirect(http.StatusFound, paths.RealClients) }
