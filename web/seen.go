package web

import (
	"time"

	"github.com/labstack/echo/v4"
)

// visitRate is how often the last use of a workspace is stored.
var visitRate = Rate{N: 1, Per: 24 * time.Hour, Burst: 1}

// RenewCookie sends the cookie of the visitor again, so that it lives on.
func (s *App) RenewCookie(c echo.Context) {
	if err := s.Owners.renew(c); err != nil {
		s.Logger.Warn("renew cookie", "err", err)
	}
}
