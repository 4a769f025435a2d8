package picture

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/static"
)

// Standalone returns the Picture as a file: it carries its style, light and
// dark, and no links, because a file has no pages to link to.
func (p Picture) Standalone() []byte {
	p.Link = nil
	const margin = 16
	var d drawing
	d.open(p, layout(p), margin, "<style>"+fileStyle+"</style>"+`<rect class="pic-paper" x="-16" y="-16" width="100%" height="100%"/>`)
	return d.close()
}

// fileStyle is the style of a file, with its custom properties replaced: most
// programs that show SVG files do not support them. The dark theme repeats only
// the rules that differ.
var fileStyle = standaloneStyle(static.PictureCSS())

func standaloneStyle(css string) string {
	rules := []string{".pic-paper { fill: var(--paper); }"}
	for line := range strings.Lines(css) {
		if strings.HasPrefix(line, ".pic") && !strings.HasPrefix(line, ".pic a") {
			rules = append(rules, strings.TrimSpace(line))
		}
	}
	var dark []string
	for _, rule := range rules {
		if resolved := static.Dark.Resolve(rule); resolved != static.Light.Resolve(rule) {
			dark = append(dark, resolved)
		}
	}
	return static.Light.Resolve(strings.Join(rules, "\n")) +
		"\n@media (prefers-color-scheme: dark) {\n" + strings.Join(dark, "\n") + "\n}"
}
