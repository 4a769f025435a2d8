package app

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// ContinuesForeign reports whether a request was edited to carry a state that
// may be about a call of another user.
func ContinuesForeign(x playground.Exchange) bool {
	return lab.SendsForeignState(x, func(state string) bool { return seal.ModeOf(state) == seal.Plain })
}
