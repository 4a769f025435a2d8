package views

// StartLine is a sample with its start button.
type StartLine struct {
	Slug, Title, Group, Summary, Label string
}
