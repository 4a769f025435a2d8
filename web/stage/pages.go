// Package stage serves the demos.
package stage

import (
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/exchange"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store     Store
	Exchanges *exchange.Pages
}
