package lab

import (
	"net/http"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// RunAll makes the right call again and then every experiment, in the session of
// the exchange. It is a check, with its limits.
func (s *Pages) RunAll(r *web.Request) error {
	v := r.Visit
	x, form, err := s.App.LoadForm(r)
	if err != nil {
		return err
	}
	f := x.Fold()
	if len(f.Rounds) == 0 || f.Rounds[0].Legacy {
		return app.Refuse(http.StatusUnprocessableEntity, "no_experiments", "There is nothing to run.",
			"Experiments change a request of a call to a server that supports MCP 2026-07-28.")
	}
	open, err := s.App.UnlockExchange(v, x)
	if err != nil {
		return err
	}
	if err := s.App.Allow(v, x.Target, web.First(form["mine"]) == "yes"); err != nil {
		return err
	}
	if err := s.App.BeginTests(v, open, web.First(form["person"])); err != nil {
		return err
	}
	n, _ := strconv.Atoi(web.First(form["round"]))
	if f.Round(n) == nil {
		n = 0
	}
	return web.SeeOther(r, selection.Selection{Round: n, Panel: selection.PanelLab}.At("/x/"+x.ID, nil))
}
