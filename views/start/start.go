package start

// Line is a sample with its start button.
type Line struct {
	Slug, Title, Group, Summary, Label string
}
