// Package client serves captures: private addresses in front of servers, which record
// what a foreign client does, and the pages that show it.
package client

import (
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/doors"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
	Doors *doors.Pages
}
