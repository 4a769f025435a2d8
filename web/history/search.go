package history

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// Search finds pages, servers and their tools, calls, lessons, terms of the
// glossary, rules and pages of the specification.
func (s *Pages) Search(c echo.Context) error {
	query := strings.TrimSpace(c.QueryParam("q"))
	query = strings.ToValidUTF8(query[:min(len(query), lesson.MaxQuery)], "")
	model := views.Search{}
	if query != "" {
		entries, err := s.index(c)
		if err != nil {
			return err
		}
		model = views.NewSearch(query, c.QueryParam("kind"), lesson.Search(entries, query))
	}
	return s.Render(c, http.StatusOK, views.SearchPage(s.Page(c, "Search", "/search"), model))
}
