package settings

import (
	"errors"
	"net/http"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	adminview "github.com/mrtr-playground/mrtr-playground/views/admin"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ClaimPage asks whether this browser is to get the workspace of local mode. Its link
// comes from the operator's command claim.
func (s *Pages) ClaimPage(r *web.Request) error {
	if _, valid := s.App.ReadClaim(r.Param("token")); !valid || !s.App.Mode.Shared() {
		return noClaim()
	}
	page := s.App.Page(r, "Take over a workspace", "")
	page.Here = "/" // the address holds a secret
	return s.App.Render(r, http.StatusOK, adminview.ClaimPage(page, r.URL.Path))
}

// Claim gives it to the browser. One that has stored something already keeps
// its own: a browser has one workspace.
func (s *Pages) Claim(r *web.Request) error {
	made, valid := s.App.ReadClaim(r.Param("token"))
	if !valid || !s.App.Mode.Shared() {
		return noClaim()
	}
	ctx := r.Context()
	if r.Visit.Kind == app.ByPerson {
		return s.claimForPerson(r, made)
	}
	if own := r.Visit.Workspace(); own != "" {
		u, err := s.App.Store.Storage(ctx, own, "", usage.Payer{})
		if err != nil {
			return err
		}
		if u.Workspace > 0 {
			return app.Refuse(http.StatusConflict, "own_workspace",
				"This browser has a workspace of its own.",
				"Nothing was changed. Open the link in another browser, or in a private window.")
		}
	}
	err := s.Store.ClaimWorkspace(ctx, usage.LocalWorkspace, made, s.App.Now())
	if errors.Is(err, playground.ErrNotFound) {
		return noClaim()
	}
	if err == nil {
		err = s.App.Owners.Take(r, usage.LocalWorkspace)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/history")
}

// claimForPerson adds it to the workspace of a person.
func (s *Pages) claimForPerson(r *web.Request, made time.Time) error {
	ctx := r.Context()
	err := s.Store.ClaimWorkspace(ctx, usage.LocalWorkspace, made, s.App.Now())
	if err == nil {
		err = s.Store.HandOver(ctx, usage.LocalWorkspace, r.Visit.Workspace(), s.App.Now())
	}
	if errors.Is(err, playground.ErrNotFound) {
		return noClaim()
	}
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/history")
}

// noClaim is the refusal of every link that takes nothing over.
func noClaim() error {
	return app.Refuse(http.StatusNotFound, "no_claim", "This link takes over no workspace.",
		"It works once and for an hour, and only if the workspace has something in it. "+
			"The operator makes another with the command mrtr-playground claim.")
}
