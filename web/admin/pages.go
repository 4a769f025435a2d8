// Package admin serves the page of the operator, and the answers of a running
// program to tools.
package admin

import (
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}
