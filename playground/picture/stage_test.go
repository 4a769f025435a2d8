package picture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

func (s *story) stage(o StageOptions) Picture { return Stage(s.x, playground.Fold(s.x.Log), o) }

func TestNoLabelTouchesAnythingOnAStage(t *testing.T) {
	events := []StageEvent{
		{After: 1, Instance: "a", Label: "drained"}, {After: 1, Instance: "b", Label: "now v2"},
		{After: 2, Instance: "b", Label: "killed", Gone: true}, {After: 2, Instance: "z", Label: "unknown"},
	}
	for name, s := range stories() {
		for _, o := range []StageOptions{{Width: NarrowWidth},
			{Width: 420, Ratio: 1.3, MaxWidth: 420, MaxHeight: 370}, {Width: 680, Ratio: 2.75,
				MaxWidth: 880, MaxHeight: 370}} {
			o.Events, o.Current = events, 2
			checkLayout(t, fmt.Sprintf("%s at %d", name, o.Width), s.stage(o))
		}
	}
}

func TestAStageLeavesYouAndTheBalancerOut(t *testing.T) {
	for name, s := range stories() {
		p := s.stage(StageOptions{Width: 680})
		for _, lane := range p.Lanes {
			if lane.Name == "You" || lane.Name == "Balancer" {
				t.Errorf("%s has a lane for %s", name, lane.Name)
			}
		}
		for _, step := range p.Steps {
			if step.From >= len(p.Lanes) || step.To >= len(p.Lanes) || step.From < 0 || step.To < 0 {
				t.Errorf("%s: a step leads nowhere: %+v", name, step)
			}
		}
		if size := len(p.SVG()); size > 20<<10 {
			t.Errorf("%s takes %d bytes", name, size)
		}
	}
}

func TestALaneEndsWhereItsCopyIsKilled(t *testing.T) {
	s := stories()["devops"]
	p := s.stage(StageOptions{Width: 680,
		Events: []StageEvent{{After: 1, Instance: "b", Label: "killed", Gone: true,
			Sentence: "Instance b is killed."}}})
	l := layout(p)
	if b := len(p.Lanes) - 1; l.end(b) >= l.end(0) {
		t.Error("the lane goes on")
	}
	if !strings.Contains(strings.Join(p.Text(), " "), "Instance b is killed.") {
		t.Error("the words do not say so")
	}
}

func TestStage_LeavesOutTheFirstRoundsOfAPictureThatIsTooTall(t *testing.T) {
	s := stories()["long"]
	events := []StageEvent{{After: 1, Instance: "b", Label: "killed", Gone: true,
		Sentence: "Instance b is killed."}}
	p := s.stage(StageOptions{Width: 420, Ratio: 1.3, MaxWidth: 420, MaxHeight: 370, Current: 10,
		Events: events})
	l := layout(p)
	if p.Width != 420 || l.height > 370 {
		t.Errorf("%d x %v", p.Width, l.height)
	}
	svg := string(p.SVG())
	if !strings.Contains(svg, "rounds 1 to ") || !strings.Contains(svg, ">10</text>") ||
		strings.Contains(svg, ">1</text>") {
		t.Errorf("drawn: %s", svg)
	}
	if b := len(p.Lanes) - 1; l.end(b) > l.top+10 {
		t.Error("the lane of an instance that went down before is drawn on")
	}
	if text := strings.Join(p.Text(), " "); !strings.HasPrefix(text, "Round 1: ") {
		t.Errorf("the words do not begin with the first round: %.80s", text)
	}
	checkLayout(t, "stage", p)
}

func TestStage_LeavesNothingOutThatFits(t *testing.T) {
	for name, s := range stories() {
		if p := s.stage(StageOptions{Width: NarrowWidth, Current: 1}); p.LeftOut != 0 {
			t.Errorf("%s: %d steps", name, p.LeftOut)
		}
	}
}
