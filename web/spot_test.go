package web

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
)

// The choices in the URL come from strangers: what is no choice counts as none.
func TestSpot_ReadsTheChoices(t *testing.T) {
	b, err := lesson.New()
	if err != nil {
		t.Fatal(err)
	}
	var right strings.Builder
	for _, x := range b.Spots {
		for i, c := range x.Choices {
			if c.Right {
				right.WriteByte(byte('1' + i))
			}
		}
	}
	for _, c := range []struct {
		name, picked, choice string
		n, chosen, right     int
	}{
		{"nothing", "", "", 1, 0, 0},
		{"all right", right.String(), "", len(b.Spots) + 1, 0, len(b.Spots)},
		{"a choice replaces the picked one", "1" + right.String()[1:], right.String()[:1], 1,
			int(right.String()[0] - '0'), len(b.Spots)},
		{"no such choice", "9x\x00", "7", 1, 0, 0},
		{"too long", strings.Repeat("9", 5000), "-1", 2, 0, 0},
	} {
		p := newSpot(b, c.n, c.picked, c.choice)
		if p.Chosen != c.chosen || p.Right != c.right || len(p.Picked) > len(b.Spots) {
			t.Errorf("%s: chosen %d, right %d, picked %q", c.name, p.Chosen, p.Right, p.Picked)
		}
	}
}

// A finding links to a sentence of the specification, not to the whole page.
func TestSpot_FindingsLinkToTheirSentence(t *testing.T) {
	b, err := lesson.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range b.Spots {
		if faults := spotFaults(x); (len(faults) == 0) != (x.Rule == "") {
			t.Errorf("%s: %v", x.Title, faults)
		}
		for _, v := range spotFaults(x) {
			if !strings.Contains(v.Link, "#") {
				t.Errorf("%s: %s links to %s", x.Title, v.Rule, v.Link)
			}
		}
	}
}
