package check

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/state"
)

// Visible is when a requestState lapses, as far as it can be seen without a
// key: the zero time when it cannot.
func Visible(text string) time.Time { return state.Recognise(text).Expires }
