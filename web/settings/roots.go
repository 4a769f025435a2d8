package settings

import (
	"errors"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	settingsview "github.com/mrtr-playground/mrtr-playground/views/settings"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// SetRoots stores the roots of the visitor. A form that is refused comes back as it was
// sent, with the reason.
func (s *Pages) SetRoots(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	roots, problem := question.ReadRoots(values["uri"], values["name"])
	if problem != "" {
		err = app.BadRoots(problem)
	} else {
		err = s.App.SetRoots(r.Visit, roots)
	}
	var refused *app.Refusal
	switch {
	case errors.As(err, &refused):
		s.App.CountRefusal(r, refused)
		return s.showSettings(r, int(refused.Kind), settingsview.Settings{
			Roots: rootsAsSent(values), RootsProblem: web.SentenceOf(refused),
		})
	case err != nil:
		return err
	}
	return web.SeeOther(r, "/settings?saved=roots#roots")
}

// rootsAsSent returns the rows of a form in which something was written.
func rootsAsSent(values url.Values) []question.Root {
	var rows []question.Root
	names := values["name"]
	for i, uri := range values["uri"] {
		row := question.Root{URI: uri}
		if i < len(names) {
			row.Name = names[i]
		}
		if row != (question.Root{}) {
			rows = append(rows, row)
		}
	}
	return rows
}
