package history

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// maxRoots is how many roots a visitor can have, and maxRoot how long their texts can be.
const (
	maxRoots = 50
	maxRoot  = 2000
)

// SetRoots stores the roots of the visitor, which answer servers that ask for them.
func (s *Pages) SetRoots(c echo.Context) error {
	v := web.VisitOf(c)
	values, err := s.FormValues(c)
	if err != nil {
		return err
	}
	roots, problem := question.ReadRoots(values["uri"], values["name"])
	for _, r := range roots {
		if len(r.URI)+len(r.Name) > maxRoot {
			problem = fmt.Sprintf("The URI and the name of a root may have %d bytes.", maxRoot)
		}
	}
	if len(roots) > maxRoots {
		problem = fmt.Sprintf("You can have %d roots.", maxRoots)
	}
	if problem != "" {
		return app.Refuse(http.StatusUnprocessableEntity, "bad_root", problem, "Nothing was saved.")
	}
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	size := 0
	for _, r := range roots {
		size += rootSize + len(r.URI) + len(r.Name)
	}
	err = s.Write(v, size, func() error {
		return s.Store.SetRoots(v.Context(), workspace, roots, s.Now())
	})
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/settings?saved=roots#roots")
}

// rootSize is what a root takes besides its texts, in bytes.
const rootSize = 32
