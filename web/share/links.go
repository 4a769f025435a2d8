package share

import (
	"net/http"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Shares lists the user's links; ?made= shows one that was just created.
func (s *Pages) Shares(r *web.Request) error {
	list, err := s.Store.Shares(r.Context(), r.Visit.Workspace(), s.Now())
	if err != nil {
		return err
	}
	model := shareview.Shares{}
	for _, h := range list {
		line := shareview.NewLine(h, s.OwnURL(r))
		if h.Token == r.QueryParam("made") {
			if line.QR, err = drawing.QR(line.URL); err != nil {
				return err
			}
			line.OwnMachine = app.IsLoopbackOrigin(s.OwnURL(r))
			model.Made = &line
		}
		model.Lines = append(model.Lines, line)
	}
	return s.Render(r, http.StatusOK, shareview.SharesPage(s.Page(r, "Your links", "/history"), model))
}

// DeleteShare revokes a link at once, and leads back to the page that the form
// was on.
func (s *Pages) DeleteShare(r *web.Request) error {
	form, err := s.FormValues(r)
	if err != nil {
		return err
	}
	if err := s.RevokeLink(r.Visit, r.Param("token")); err != nil {
		return err
	}
	id := url.PathEscape(form.Get("id"))
	switch form.Get("from") {
	case "share":
		return web.SeeOther(r, "/sessions/"+id+"/share")
	case "exchange":
		return web.SeeOther(r, "/x/"+id)
	case "history":
		return web.SeeOther(r, "/history")
	}
	return web.SeeOther(r, "/shares")
}
