// Package signin serves sign-ins to protected servers, and ends them.
package signin

import "github.com/mrtr-playground/mrtr-playground/web"

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}
