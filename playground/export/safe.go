package export

import "strings"

// fenced returns a code block with a fence that the text cannot close.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}
