package static

import (
	"fmt"
	"image/color"
	"regexp"
	"strings"
)

// The two themes of css/tokens.css. Everything that is drawn outside a page
// (files, badges, share images) takes its colours from them, so that tokens.css
// stays the only place that holds a colour. They are read-only.
var (
	light, dark = readThemes(mustRead("css/tokens.css"))

	// Light is the light theme.
	Light = light
	// Dark is the dark theme.
	Dark = dark
)

// Theme holds the custom properties of tokens.css with their values in one
// theme.
type Theme struct {
	values map[string]string
}

var (
	tokenPattern     = regexp.MustCompile(`(?m)^\s*--([\w-]+):\s*([^;]+);`)
	themedPattern    = regexp.MustCompile(`light-dark\(([^,]+),\s*([^)]+)\)`)
	referencePattern = regexp.MustCompile(`var\(--([\w-]+)\)`)
)

// readThemes reads "--name: value;" declarations. light-dark(a, b) is a in the
// light theme and b in the dark one; any other value is in both.
func readThemes(css string) (light, dark Theme) {
	light, dark = Theme{map[string]string{}}, Theme{map[string]string{}}
	for _, token := range tokenPattern.FindAllStringSubmatch(css, -1) {
		name, value := token[1], token[2]
		light.values[name] = themedPattern.ReplaceAllString(value, "$1")
		dark.values[name] = themedPattern.ReplaceAllString(value, "$2")
	}
	return light, dark
}

// Value returns the value of the custom property --name, a colour as #rrggbb.
// It is empty if tokens.css has no such property.
func (t Theme) Value(name string) string { return t.values[name] }

// Colour returns the colour --name. It is transparent if tokens.css has no such
// colour.
func (t Theme) Colour(name string) color.RGBA {
	c := color.RGBA{A: 0xff}
	if _, err := fmt.Sscanf(t.values[name], "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		return color.RGBA{}
	}
	return c
}

// Resolve replaces every var(--name) in a style sheet by its value, for
// programs that do not support custom properties.
func (t Theme) Resolve(css string) string {
	return referencePattern.ReplaceAllStringFunc(css, func(reference string) string {
		name := referencePattern.FindStringSubmatch(reference)[1]
		if value, ok := t.values[name]; ok {
			return value
		}
		return reference
	})
}

// pictureCSS is css/picture.css.
var pictureCSS = mustRead("css/picture.css")

// PictureCSS returns the style sheet of the drawings of playground/picture. It
// is part of app.css, and standalone drawings carry it with their theme
// resolved.
func PictureCSS() string { return pictureCSS }

// mustRead returns an embedded file. Its name is a constant of this package, so
// that a missing file is a mistake of the build.
func mustRead(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("read %s: %v", name, err))
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
