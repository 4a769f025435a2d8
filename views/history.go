package views

import "github.com/mrtr-playground/mrtr-playground/playground"

// History lists what was done here, newest first.
type History struct {
	Lines []playground.SessionLine
}
