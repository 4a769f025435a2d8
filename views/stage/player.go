package stage

import (
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
)

// DemoPlayer replaces the controls of a stage for a reader, who only looks.
type DemoPlayer struct {
	File        bool // the page is a file of its own, without presentation mode
	Head        shareview.Head
	Own, Legacy string // addresses of the recorded calls; Legacy may be empty
	Address     func(step int, present bool) string
}
