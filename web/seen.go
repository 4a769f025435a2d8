package web

import (
	"github.com/labstack/echo/v4"
)

// RenewCookie sends the cookie of the visitor again, so that it lives on.
func (s *App) RenewCookie(c echo.Context) {
	if err := s.Owners.renew(c); err != nil {
		s.Logger.Warn("renew cookie", "err", err)
	}
}
