// Package admin serves the page of the operator, and what tools ask of a running
// program.
package admin

import (
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store Store
}
