// Package lab serves experiments on an exchange, and edited requests.
package lab

import "github.com/mrtr-playground/mrtr-playground/web"

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}
