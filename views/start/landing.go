// Package start has the landing page and the forms that start a sample with one
// click.
package start

import (
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// Landing is the home page.
type Landing struct {
	Picture string // SVG, made by package picture
	Narrow  string // the same for a phone
	Text    []string
	Minutes int          // how long the first lesson takes
	Example flow.Example // the flow to begin with
	Demo    demo.Story   // the one to present first
}
