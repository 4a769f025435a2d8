// Package history serves the landing page and the stored things of a visitor:
// the history, its search, settings and imports.
package history

import (
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/server"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store   Store
	Servers *server.Pages
}
