// Package signin serves sign-ins to protected servers, and ends them.
package signin

import (
	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store Store

	// What goes on after a sign-in: the decision that had to wait, or a connection.
	SendDecision func(
		c echo.Context, x playground.Exchange, f playground.Transcript, d playground.Decision,
	) (playground.Exchange, error)
	ConnectAgain func(c echo.Context, workspace, id string, t playground.Target) error
}
