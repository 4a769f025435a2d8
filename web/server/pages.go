// Package server serves the pages of servers: what they offer, calls of it, and those
// that are saved.
package server

import (
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/doors"
	"github.com/mrtr-playground/mrtr-playground/web/signin"
)

// Pages are the handlers of this package.
type Pages struct {
	App    *web.App
	Store  Store
	SignIn *signin.Pages
	Doors  *doors.Pages
}
