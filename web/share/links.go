package share

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Shares shows a link that was just made, ?made=. All links are in the history.
func (s *Pages) Shares(r *web.Request) error {
	list, err := s.Store.Shares(r.Context(), r.Visit.Workspace(), s.App.Now())
	if err != nil {
		return err
	}
	made := slices.IndexFunc(list, func(h share.Share) bool { return h.Token == r.QueryParam("made") })
	if made < 0 {
		return r.Redirect(http.StatusFound, paths.Links)
	}
	line := shareview.NewLine(list[made], s.App.OwnURL(r))
	if line.QR, err = drawing.QR(line.URL); err != nil {
		return err
	}
	line.OwnMachine = app.IsLoopbackOrigin(s.App.OwnURL(r))
	return s.App.Render(r, http.StatusOK, shareview.MadePage(s.App.Page(r, "Your link", layout.HistoryPath), line))
}

// DeleteShare revokes a link at once, and leads back to the page that the form
// was on.
func (s *Pages) DeleteShare(r *web.Request) error {
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	if err := s.App.RevokeLink(r.Visit, r.Param("token")); err != nil {
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
	return web.SeeOther(r, paths.Links)
}
