package static

import (
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestTheme_HoldsBothSidesOfLightDark(t *testing.T) {
	light, dark := readThemes(":root {\n  --ink: light-dark(#1a1b1e, #eae9e4);\n  --s1: 0.5rem;\n}")
	for _, c := range []struct {
		theme       Theme
		name, value string
	}{
		{light, "ink", "#1a1b1e"}, {dark, "ink", "#eae9e4"}, {light, "s1", "0.5rem"}, {dark, "s1",
			"0.5rem"}, {light, "none", ""},
	} {
		if got := c.theme.Value(c.name); got != c.value {
			t.Errorf("%s: %q, want %q", c.name, got, c.value)
		}
	}
	if got := light.Colour("ink"); got != (color.RGBA{0x1a, 0x1b, 0x1e, 0xff}) {
		t.Errorf("ink: %v", got)
	}
	if got := light.Colour("s1"); got != (color.RGBA{}) {
		t.Errorf("s1: %v", got)
	}
	if got := dark.Resolve("fill: var(--ink); stroke: var(--none)"); got != "fill: #eae9e4; stroke: "+
		"var(--none)" {
		t.Errorf("resolved: %s", got)
	}
}

func TestTheme_EveryColourOfTheTokensIsRead(t *testing.T) {
	for _, name := range []string{"paper", "raised", "ink", "muted", "rule", "edge", "on-ink", "client",
		"server", "state", "pass", "fail"} {
		if Light.Colour(name).A == 0 || Dark.Colour(name).A == 0 {
			t.Errorf("%s is no colour", name)
		}
	}
}

func TestTheme_StyleSheetsUseOnlyDefinedProperties(t *testing.T) {
	sheets, err := fs.Glob(files, "css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, sheet := range sheets {
		all.WriteString(mustRead(sheet))
	}
	for _, sheet := range sheets {
		for _, reference := range referencePattern.FindAllStringSubmatch(mustRead(sheet), -1) {
			if !strings.Contains(all.String(), "--"+reference[1]+":") {
				t.Errorf("%s uses --%s, which is not defined", sheet, reference[1])
			}
		}
	}
}

// Colours in Go source drift from tokens.css unnoticed. The QR code is black on
// white in every theme, because cameras read it, not people.
func TestTheme_GoCodeHoldsNoColourOfItsOwn(t *testing.T) {
	colour := regexp.MustCompile(`#[0-9a-fA-F]{6}\b|["':]#[0-9a-fA-F]{3}\b|color\.N?RGBA\{0x`)
	exempt := map[string]bool{"views/kit/drawing/qr.go": true}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel("..", path)
		isGo := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if entry.IsDir() || !isGo && !strings.HasSuffix(name, ".templ") || exempt[filepath.ToSlash(name)] {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			if found := colour.FindString(line); found != "" {
				t.Errorf("%s:%d: %s: take colours from static.Light and static.Dark", name, i+1, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
