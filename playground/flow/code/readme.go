package code

import (
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// readme returns the README of the output.
func readme(p *plan, language string) string {
	needs := map[string]bool{language: true}
	for name, is := range p.needs {
		needs[name] = is
	}
	title := p.flow.Title
	if title == "" {
		title = p.flow.Name
	}
	return part("README.md.txt", needs, map[string]string{
		"title": markdown(title), "description": markdown(p.flow.Description),
		"name": p.flow.Name, "folder": Folder(p.flow), "life": lifeInWords(p.life()),
	})
}

// markdown returns a text of the flow as one line that is no markup.
func markdown(s string) string {
	var b strings.Builder
	for _, r := range text.Visible(strings.Join(strings.Fields(s), " "), text.NoLimit) {
		if strings.ContainsRune("\\`*_{}[]<>#|~!&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lifeInWords returns a time such as 10 minutes.
func lifeInWords(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return text.Plural(int(d/time.Hour), "hour")
	case d%time.Minute == 0:
		return text.Plural(int(d/time.Minute), "minute")
	}
	return text.Plural(int(d/time.Second), "second")
}
