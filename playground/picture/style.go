package picture

import (
	"cmp"
	"image/color"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/static"
)

// style says how the shapes of a class look on a canvas that has no CSS.
type style struct {
	fill, stroke color.Color // nil draws nothing
	width        float64     // of the stroke
	dashes       []float64
	size         float64 // of letters
	bold, start  bool    // start: text begins at its x instead of being centred on it
}

// declarations are the properties of a class, as CSS spells them.
type declarations map[string]string

// rules are the rules of css/picture.css in the light theme, by class.
var rules = readRules(static.Light.Resolve(static.PictureCSS()))

// rulePattern finds the rules of a style sheet: the selectors, on one line, and
// the declarations.
var rulePattern = regexp.MustCompile(`(?m)^(\.[^{}\n]+) \{\s+([^{}]+)\}$`)

// readRules reads rules with selectors such as ".pic .pic-lane". It skips those
// for states of a page, such as focus.
func readRules(css string) map[string]declarations {
	byClass := map[string]declarations{}
	for _, rule := range rulePattern.FindAllStringSubmatch(css, -1) {
		for selector := range strings.SplitSeq(rule[1], ",") {
			words := strings.Fields(selector)
			class := strings.TrimPrefix(words[len(words)-1], ".")
			if len(words) > 2 || strings.Contains(selector, ":") {
				continue
			}
			if byClass[class] == nil {
				byClass[class] = declarations{}
			}
			byClass[class].read(rule[2])
		}
	}
	return byClass
}

func (d declarations) read(text string) {
	for declaration := range strings.SplitSeq(text, ";") {
		if name, value, ok := strings.Cut(declaration, ":"); ok {
			d[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
}

// styleOf returns the style of a shape with one or more classes, of which later
// ones win.
func styleOf(classes string) style {
	d := maps.Clone(rules["pic"])
	maps.Copy(d, rules["text"])
	for class := range strings.FieldsSeq(classes) {
		maps.Copy(d, rules[class])
	}
	s := style{
		fill:  paint(d["fill"], d["fill-opacity"]),
		width: length(d["stroke-width"]),
		size:  length(d["font-size"]),
		bold:  d["font-weight"] == "600",
		start: d["text-anchor"] == "start",
	}
	if d["paint-order"] == "" { // else the stroke is a halo around letters, which paper has no need of
		s.stroke = paint(d["stroke"], "")
	}
	for dash := range strings.FieldsSeq(d["stroke-dasharray"]) {
		s.dashes = append(s.dashes, length(dash))
	}
	return s
}

// paint reads "#rrggbb"; anything else draws nothing.
func paint(hex, opacity string) color.Color {
	value, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 24)
	if err != nil {
		return nil
	}
	alpha, err := strconv.ParseFloat(cmp.Or(opacity, "1"), 64)
	if err != nil {
		return nil
	}
	return color.NRGBA{R: uint8(value >> 16), G: uint8(value >> 8), B: uint8(value), A: uint8(alpha * 255)}
}

// length reads a number, with or without px.
func length(s string) float64 {
	v, _ := strconv.ParseFloat(strings.TrimSuffix(s, "px"), 64) // absent is 0
	return v
}
