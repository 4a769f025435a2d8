// Package history serves the recordings of a visitor: their list, their titles and notes,
// and the import of files.
package history

import "github.com/mrtr-playground/mrtr-playground/web"

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}
