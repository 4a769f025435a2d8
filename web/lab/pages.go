// Package lab serves checks: experiments on an exchange, edited requests, and whole
// checks of a server.
package lab

import (
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/exchange"
	"github.com/mrtr-playground/mrtr-playground/web/server"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store     Store
	Exchanges *exchange.Pages
	Servers   *server.Pages
}
