// Package share serves links and files, and what their readers see.
package share

import (
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/exchange"
)

// Pages are the handlers of this package.
type Pages struct {
	App       *web.App
	Store     Store
	Exchanges *exchange.Pages
}
