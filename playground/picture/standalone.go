package picture

import (
	_ "embed"
	"strings"
)

// style is a copy of static/css/picture.css, which this package may not
// import; a test holds the two together.
//
//go:embed picture.css
var style string

// Standalone is the Picture as a file: it carries its style, light and dark,
// and no links, for they would lead nowhere.
func (p Picture) Standalone() []byte {
	p.Link = nil
	const margin = 16
	var d drawing
	d.open(p, layout(p), margin, "<style>"+fileStyle()+"</style>"+`<rect class="pic-paper" x="-16" y="-16" width="100%" height="100%"/>`)
	return d.close()
}

// fileStyle is the style with its custom properties replaced: programs that
// show files seldom know them. The dark theme repeats only rules with colours.
func fileStyle() string {
	rules := []string{".pic-paper { fill: var(--paper); }"}
	for line := range strings.Lines(style) {
		if strings.HasPrefix(line, ".pic ") && !strings.HasPrefix(line, ".pic a") {
			rules = append(rules, strings.TrimSpace(line))
		}
	}
	var dark []string
	for _, r := range rules {
		if strings.Contains(r, "var(") {
			dark = append(dark, r)
		}
	}
	return light().Replace(strings.Join(rules, "\n")) +
		"\n@media (prefers-color-scheme: dark) {\n" + night().Replace(strings.Join(dark, "\n")) + "\n}"
}

func light() *strings.Replacer {
	return theme("#1b5bb5", "#9c5206", "#6636c4", "#14703f", "#b3261e", "#1a1b1e", "#62635e", "#e0ddd5", "#fdfcf9")
}

func night() *strings.Replacer {
	return theme("#7eb0ff", "#f0ad5c", "#b79cff", "#67cd9c", "#ff8f85", "#eae9e4", "#a3a29b", "#2e3036", "#141518")
}

// theme gives the custom properties of tokens.css their values in a file.
func theme(client, server, state, pass, fail, ink, muted, rule, paper string) *strings.Replacer {
	return strings.NewReplacer(
		"var(--client)", client, "var(--server)", server, "var(--state)", state,
		"var(--pass)", pass, "var(--fail)", fail, "var(--ink)", ink,
		"var(--muted)", muted, "var(--rule)", rule, "var(--paper)", paper,
		"var(--font-words)", "system-ui, sans-serif", "var(--font-wire)", "ui-monospace, monospace",
	)
}
