package history

import (
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Search finds pages, servers and their tools, calls, lessons, terms of the
// glossary, rules and pages of the specification.
func (s *Pages) Search(r *web.Request) error {
	query := strings.TrimSpace(r.QueryParam("q"))
	query = strings.ToValidUTF8(query[:min(len(query), lesson.MaxQuery)], "")
	model := views.Search{}
	if query != "" {
		entries, err := s.index(r)
		if err != nil {
			return err
		}
		model = views.NewSearch(query, r.QueryParam("kind"), lesson.Search(entries, query))
	}
	return s.Render(r, http.StatusOK, views.SearchPage(s.Page(r, "Search", "/search"), model))
}
