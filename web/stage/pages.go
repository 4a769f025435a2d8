// Package stage serves the demos, and the talks that show them to a room.
package stage

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store Store
	// Flow returns the server of the flow with a token; query sets its options. It is nil
	// if there are no flows.
	Flow  func(c echo.Context, token, query string) (playground.Target, error)
	rooms rooms
}
