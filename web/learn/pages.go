// Package learn serves lessons, the exercise, quizzes and the requestState workbench.
package learn

import (
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/exchange"
	"github.com/mrtr-playground/mrtr-playground/web/lab"
	"github.com/mrtr-playground/mrtr-playground/web/server"
)

// Pages are the handlers of this package.
type Pages struct {
	App       *web.App
	Store     Store
	Exchanges *exchange.Pages
	Checks    *lab.Pages
	Servers   *server.Pages

	// Specification returns the table of the specification, rendered once.
	Specification func() (string, error)
}
