// Package exchange serves the page of an exchange, and sends what is answered there.
package exchange

import (
	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/signin"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store  Store
	SignIn *signin.Pages

	// Parts of the page that other packages make: the panel of experiments, and the
	// lesson around an exchange.
	Board      func(c echo.Context, x playground.Exchange, panel views.Panel) (*views.LabInput, error)
	ShowLesson func(c echo.Context, status int, l lesson.Lesson, live *views.Exchange) error
}
