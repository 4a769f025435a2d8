// Package lab serves checks: experiments on an exchange, edited requests, and whole
// checks of a server.
package lab

import "github.com/mrtr-playground/mrtr-playground/web"

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store Store
}
