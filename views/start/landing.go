// Package start has the landing page and the forms that start a sample with one
// click.
package start

// Landing is the home page.
type Landing struct {
	Picture string // SVG, made by package picture
	Narrow  string // the same for a phone
	Text    []string
	Lessons int // how many there are
	Minutes int // how long the first one takes
}
