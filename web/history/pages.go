// Package history serves the recordings of a visitor: their list, their titles and notes,
// and the import of files.
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
