package flow

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/code"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Source shows a flow as the source of a server in a language or, if the path ends
// with .zip, sends it as an archive.
func (s *Pages) Source(r *web.Request) error {
	saved, err := s.App.OpenFlow(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	slug, archive := strings.CutSuffix(r.Param("language"), ".zip")
	languages := code.Languages()
	i := slices.IndexFunc(languages, func(l code.Language) bool { return l.Slug == slug })
	if i < 0 {
		return app.NotFound()
	}
	f, problems := review.Parse([]byte(saved.Edited()))
	if f == nil {
		note := prose.SentenceCode("not_valid", "There is no source yet.",
			"The flow is not valid: "+problems[0].String())
		return s.show(r, http.StatusUnprocessableEntity, saved, &note)
	}
	files, err := code.Files(f, slug)
	if err != nil {
		return err
	}
	if archive {
		data, err := code.Zip(code.Folder(f), files)
		if err != nil {
			return err
		}
		as := web.Download{Suffix: "-" + slug + ".zip", ContentType: "application/zip", Saved: true}
		return s.App.Blob(r, as, f.Name, data)
	}
	model := flowview.Source{
		ID:        saved.ID,
		Title:     saved.Title,
		Languages: languages,
		Chosen:    languages[i],
		Files:     files,
	}
	return s.App.Render(r, http.StatusOK, flowview.SourcePage(
		s.App.Page(r, saved.Title+" in "+languages[i].Name, layout.BuildPath), model))
}
