// Package exchange serves the page of an exchange, and sends its answers.
package exchange

import (
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/lab"
	"github.com/mrtr-playground/mrtr-playground/web/signin"
)

// Pages are the handlers of this package.
type Pages struct {
	App    *web.App
	Store  Store
	SignIn *signin.Pages
	Lab    *lab.Pages
}
