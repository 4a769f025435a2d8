package picture

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// xray is a bar with parts of so many bytes, with a separator after each.
func xray(bytes ...int) XRay {
	var x XRay
	for i, n := range bytes {
		if i > 0 {
			x.Parts = append(x.Parts, XRayPart{Bytes: 1})
		}
		x.Parts = append(x.Parts,
			XRayPart{Name: fmt.Sprint("part ", i+1), Bytes: n, Meaning: "It means something."})
	}
	return x
}

var xrays = []XRay{
	xray(), xray(1), xray(500), xray(4, 1, 6, 8, 16, 442, 22), xray(4, 1, 6, 300), xray(100, 100, 100),
	xray(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5000), xray(5000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
	xray(0, 0),
}

var xrayWidths = []int{WideXRay, MediumTiming, NarrowTiming}

func TestXRay_PartsAreProportionalAndAddUp(t *testing.T) {
	for i, x := range xrays {
		for _, width := range xrayWidths {
			parts, whole, _ := x.At(width).place()
			sum, bytes := 0.0, 0
			for _, p := range parts {
				sum += p.x2 - p.x1
				bytes += p.Bytes
			}
			if bytes == 0 {
				continue
			}
			if math.Abs(sum-whole) > 0.01 {
				t.Errorf("bar %d: the parts are %v wide, the bar %v", i, sum, whole)
			}
			for _, p := range parts {
				if want := whole * float64(p.Bytes) / float64(bytes); math.Abs(p.x2-p.x1-want) > 0.01 {
					t.Errorf("bar %d: %s is %v wide, want %v", i, p.Name, p.x2-p.x1, want)
				}
			}
		}
	}
}

func TestXRay_LabelsFit(t *testing.T) {
	for i, x := range xrays {
		for _, width := range xrayWidths {
			parts, whole, height := x.At(width).place()
			right := -xrayApart
			for _, p := range parts {
				l := p.label
				switch {
				case l.text == "":
				case l.box.x < -0.01 || l.box.right() > whole+0.01 || l.y > height:
					t.Errorf("bar %d at %d: %q leaves the picture", i, width, l.text)
				case !p.below && (l.box.x < p.x1 || l.box.right() > p.x2):
					t.Errorf("bar %d at %d: %q leaves its part", i, width, l.text)
				case p.below && l.box.x < right+xrayApart-0.01:
					t.Errorf("bar %d at %d: %q touches the label before", i, width, l.text)
				}
				if p.below && l.text != "" {
					right = l.box.right()
				}
			}
		}
	}
}

func TestXRay_EveryPartHasItsTitle(t *testing.T) {
	for i, x := range xrays {
		for _, width := range xrayWidths {
			svg := string(x.At(width).SVG())
			checkSVG(t, fmt.Sprint("bar ", i), []byte(svg))
			for _, p := range x.Parts {
				if p.Name != "" && !strings.Contains(svg, "<title>"+p.title()+"</title>") {
					t.Errorf("bar %d at %d has no title for %s", i, width, p.Name)
				}
			}
		}
	}
}
