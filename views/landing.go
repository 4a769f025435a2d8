package views

// Landing is the home page.
type Landing struct {
	Picture string // SVG, made by package picture
	Narrow  string // the same for a phone
	Text    []string
	Starts  []StartLine // samples that can be started with one click
}

// StartLine is a sample with its start button.
type StartLine struct {
	Slug, Title, Summary, Label string
}
