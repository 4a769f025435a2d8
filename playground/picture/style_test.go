package picture

import (
	"image/color"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mrtr-playground/mrtr-playground/static"
)

func token(name string) color.Color {
	return color.NRGBA(static.Light.Colour(name))
}

func TestStyleOf_ReadsTheStyleSheetOfThePage(t *testing.T) {
	for class, want := range map[string]style{
		"pic-lane":                {stroke: token("rule"), width: 1.5},
		"pic-lane pic-lane-pause": {stroke: token("rule"), width: 1.5, dashes: []float64{1.5, 4}},
		"pic-res":                 {stroke: token("server"), width: 1.75, dashes: []float64{5, 3}},
		"pic-diamond":             {fill: token("paper"), stroke: token("state"), width: 1.75},
		"pic-name":                {fill: token("ink"), bold: true},
		"pic-state":               {fill: token("state"), width: 3},
		"pic-label pic-start":     {fill: token("ink"), width: 3, start: true},
		"pic-change pic-gone":     {fill: token("fail"), bold: true},
	} {
		got := styleOf(class)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(style{}),
			cmpopts.IgnoreFields(style{}, "size")); diff != "" {
			t.Errorf("%s: %s", class, diff)
		}
	}
	if c, ok := styleOf("pic-band").fill.(color.NRGBA); !ok || c.A == 0 || c.A == 0xff {
		t.Errorf("band: %v", c)
	}
}

// The layout reserves room for letters of the sizes that the style sheet sets.
func TestStyleOf_SizesAreThoseOfTheLayout(t *testing.T) {
	for class, size := range map[string]float64{
		"pic-label": labelSize, "pic-name": labelSize, "pic-change": labelSize,
		"pic-note": smallSize, "pic-number": smallSize, "pic-state": smallSize, "pic-now": smallSize,
		"pic-part-name": smallSize,
	} {
		if got := styleOf(class).size; got != size {
			t.Errorf("%s: %v px, laid out for %v", class, got, size)
		}
	}
}

func TestStyleSheet_HasARuleForEveryClassAndNoOther(t *testing.T) {
	drawn := map[string]bool{"pic": true, "pic-timing": true, "pic-xray": true, "text": true, "a": true,
		"pic-paper": true}
	var all strings.Builder
	for _, s := range stories() {
		for _, width := range []int{0, NarrowWidth} {
			all.Write(s.draw(Options{Link: rounds, Width: width, Current: 1}).SVG())
			all.Write(s.timing(Options{Link: rounds, Width: width, Current: 1}).SVG())
		}
		all.Write(s.stage(StageOptions{Events: []StageEvent{{After: 1, Instance: "b", Label: "killed",
			Gone: true}}}).SVG())
	}
	for _, s := range timedStories() {
		all.Write(s.timing(Options{}).SVG())
	}
	all.Write(xray(4, 1, 1, 6, 1, 400, 1, 22).SVG())
	for _, attribute := range regexp.MustCompile(`class="([^"]+)"`).FindAllStringSubmatch(all.String(), -1) {
		for class := range strings.FieldsSeq(attribute[1]) {
			drawn[class] = true
		}
	}
	for class := range drawn {
		if rules[class] == nil && !strings.Contains(static.PictureCSS(), "."+class+" ") &&
			!slices.Contains([]string{"pic-round", "pic-timing", "pic-xray", "pic-paper"}, class) {
			t.Errorf("no rule for %s", class)
		}
	}
	for class := range rules {
		if !drawn[class] {
			t.Errorf("a rule for %s, which is never drawn", class)
		}
	}
}
