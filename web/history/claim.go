package history

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ClaimPage asks whether this browser is to get the workspace of local mode. Its link
// comes from the operator's command claim.
func (s *Pages) ClaimPage(c echo.Context) error {
	if _, valid := s.ReadClaim(c.Param("token")); !valid || !s.Mode.Shared() {
		return noClaim()
	}
	page := s.Page(c, "Take over a workspace", "")
	page.Here = "/" // the address holds a secret
	return s.Render(c, http.StatusOK, views.ClaimPage(page, c.Request().URL.Path))
}

// Claim gives it to the browser. One that has stored something already keeps what it
// has: a browser has one workspace.
func (s *Pages) Claim(c echo.Context) error {
	made, valid := s.ReadClaim(c.Param("token"))
	if !valid || !s.Mode.Shared() {
		return noClaim()
	}
	ctx := c.Request().Context()
	if own := web.VisitOf(c).Workspace(); own != "" {
		u, err := s.App.Store.Storage(ctx, own, usage.Payer{})
		if err != nil {
			return err
		}
		if u.Workspace > 0 {
			return app.Refuse(http.StatusConflict, "own_workspace",
				"This browser has a workspace of its own.",
				"Nothing was changed. Open the link in another browser, or in a private window.")
		}
	}
	err := s.Store.ClaimWorkspace(ctx, usage.LocalWorkspace, made, s.Now())
	if errors.Is(err, playground.ErrNotFound) {
		return noClaim()
	}
	if err == nil {
		err = s.Owners.Take(c, usage.LocalWorkspace)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/history")
}

// noClaim is the refusal of every link that takes nothing over.
func noClaim() error {
	return app.Refuse(http.StatusNotFound, "no_claim", "This link takes over no workspace.",
		"It works once and for an hour, and only if the workspace has something in it. "+
			"The operator makes another with the command mrtr-playground claim.")
}
