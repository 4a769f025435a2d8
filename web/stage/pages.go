// Package stage serves the stages on which demos are shown, and the talks that show them to a
// room.
package stage

import "github.com/mrtr-playground/mrtr-playground/web"

// Pages are the handlers of this package.
type Pages struct{ App *web.App }
