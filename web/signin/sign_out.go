package signin

import (
	"errors"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// signOut revokes the token for a server where its authorization server offers
// that, and deletes it. It is deleted in any case.
func (s *Pages) signOut(c echo.Context, k app.KnownServer) error {
	v := web.VisitOf(c)
	defer s.LockToken(v, k.Target.ID)()
	if token := s.TokenOf(v, k.Target); token != nil {
		if err := s.revoke(c, k.Target, *token); err != nil {
			s.Logger.Error("revoke a token", "err", err)
		}
	}
	if err := s.Store.DeleteToken(v.ToTheEnd(), v.Workspace(), k.Target.ID); err != nil {
		return err
	}
	return web.SeeOther(c, "/servers/"+k.Target.ID)
}

// revoke revokes a token, if the user may send requests now.
func (s *Pages) revoke(c echo.Context, t playground.Target, token auth.Token) error {
	v := web.VisitOf(c)
	var refused *app.Refusal
	if err := s.Admit(v, playground.Exchange{ID: t.ID, Target: t}); errors.As(err, &refused) {
		return nil
	} else if err != nil {
		return err
	}
	ctx, stop := app.SignInContext(v.ToTheEnd(), t)
	defer stop()
	err := s.AppendSteps(v, t, s.AuthClient(v, "").SignOut(ctx, app.WithoutQuery(t.URL), token))
	if errors.Is(err, playground.ErrNotFound) {
		return nil
	}
	return err
}
