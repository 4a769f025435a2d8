// Package stage serves the demos, and the talks that show them to a room.
package stage

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store Store
	Flows Flows // nil if there are none
	rooms rooms
}

// Flows finds the flows that stories are made of and call. A token that is not of a
// flow results in playground.ErrNotFound.
type Flows interface {
	Flow(c echo.Context, token string) (*flow.Flow, error)
	// Target returns the server of a flow; query sets its options.
	Target(c echo.Context, token, query string) (playground.Target, error)
}
