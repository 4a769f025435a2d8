// Package guard is the gate that every request passes before it gets to a page:
// names of the site, origins, rates and charges. Responses are counted here,
// and errors become pages.
package guard

import (
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}
