package search

import (
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/search"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Search finds pages, servers and their tools, calls, lessons, terms of the
// glossary, rules and pages of the specification.
func (s *Pages) Search(r *web.Request) error {
	query := strings.TrimSpace(r.QueryParam("q"))
	query = strings.ToValidUTF8(query[:min(len(query), search.MaxQuery)], "")
	model := learnview.Search{}
	if query != "" {
		entries, err := s.index(r)
		if err != nil {
			return err
		}
		model = learnview.NewSearch(query, r.QueryParam("kind"), search.Find(entries, query))
	}
	return s.App.Render(r, http.StatusOK, learnview.SearchPage(s.App.Page(r, "Search", "/search"), model))
}
