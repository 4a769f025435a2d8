package session

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Describe returns an exchange in one line.
func Describe(x playground.Exchange) string {
	f := x.Fold()
	return fmt.Sprintf("%s of %s, %s, %s", text.Visible(x.Call.Method, 40), text.Visible(x.Target.Name, 80),
		text.Plural(len(f.Rounds), "round"), f.Status)
}
