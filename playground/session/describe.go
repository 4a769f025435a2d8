package session

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Describe returns a session in one line: its first call, and how many
// exchanges follow.
func Describe(s Session) string {
	if len(s.Exchanges) == 0 {
		return ""
	}
	x := s.Exchanges[0]
	f := x.Fold()
	line := fmt.Sprintf("%s of %s, %s, %s", text.Visible(x.Call.Method, 40), text.Visible(x.Target.Name, 80),
		text.Plural(len(f.Rounds), "round"), f.Status)
	if n := len(s.Exchanges) - 1; n > 0 {
		line += fmt.Sprintf(", and %d more", n)
	}
	if s.Imported {
		line += " (imported)"
	}
	return line
}
