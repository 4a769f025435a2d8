package picture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

func (s *story) stage(o StageOptions) Picture { return Stage(s.x, playground.Fold(s.x.Log), o) }

func TestNoLabelTouchesAnythingOnAStage(t *testing.T) {
	events := []StageEvent{
		{After: 1, Instance: "a", Label: "drained"}, {After: 1, Instance: "b", Label: "now v2"},
		{After: 2, Instance: "b", Label: "killed", Gone: true}, {After: 2, Instance: "z", Label: "unknown"},
	}
	for name, s := range stories() {
		for _, o := range []StageOptions{{Width: NarrowWidth}, {Width: 366, Brief: true},
			{Width: 560, MaxHeight: 320}, {Width: 740, Height: 300, MaxHeight: 300}} {
			o.Events, o.Current, o.Request = events, 2, "Resolve bug 4522"
			checkLayout(t, fmt.Sprintf("%s at %d", name, o.Width), s.stage(o))
		}
	}
}

func TestStage_HasYouAndNoBalancer(t *testing.T) {
	for name, s := range stories() {
		p := s.stage(StageOptions{Width: 680})
		if p.Lanes[you].Name != "You" || p.Lanes[client].Name != "Client" {
			t.Errorf("%s begins with the lanes %v", name, p.Lanes[:2])
		}
		for _, lane := range p.Lanes {
			if lane.Name == "Balancer" {
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

func TestStage_SpeaksTheRealQuestionsAndAnswers(t *testing.T) {
	p := stories()["devops"].stage(StageOptions{Width: 740, Request: "Resolve bug 4522"})
	var said []string
	for _, s := range p.Steps {
		if s.Speech != "" {
			said = append(said, fmt.Sprintf("%d.%s %s", s.Round, s.Kind, s.Speech))
		}
	}
	want := []string{
		"1.call Resolve bug 4522", "1.reply How was this bug resolved?", "2.call Duplicate",
		"2.reply Since this is a duplicate, which work item is the original?",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	for _, r := range layout(p).rows {
		b := r.bubble
		for _, line := range b.lines {
			if line.box.x < b.box.x || line.box.right() > b.box.right() ||
				line.box.y < b.box.y || line.box.bottom() > b.box.bottom() {
				t.Errorf("%q leaves its bubble", line.text)
			}
		}
		if len(b.lines) > 0 && (b.tail <= b.box.y || b.tail >= b.box.bottom()) {
			t.Errorf("the tail of %q is not at its side", r.Speech)
		}
	}
}

// The diamond stands beside who has the state now.
func TestStage_StateIsWithItsReceiver(t *testing.T) {
	for name, s := range stories() {
		l := layout(s.stage(StageOptions{Width: 740}))
		for _, r := range l.rows {
			if r.State != "" && r.Mark == NoMark && (r.x2-r.diamond)*r.side() > 30 {
				t.Errorf("%s: the state of round %d is %v from its receiver", name, r.Round, r.x2-r.diamond)
			}
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
	p := s.stage(StageOptions{Width: 420, MaxHeight: 370, Current: 10,
		Events: events})
	l := layout(p)
	if p.Width != 420 || l.height > 370 {
		t.Errorf("%d x %v", p.Width, l.height)
	}
	svg := string(p.SVG())
	if !strings.Contains(svg, "rounds 1 to ") || !strings.Contains(svg, `data-row="10.call"`) ||
		strings.Contains(svg, `data-row="1.call"`) {
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

// TestSpeech_KeepsWordsWhole: between two lanes that stand close, a bubble has smaller
// margins rather than a broken word.
func TestSpeech_KeepsWordsWhole(t *testing.T) {
	for name, s := range stories() {
		for _, width := range []int{NarrowWidth, DefaultWidth} {
			l := layout(s.stage(StageOptions{Width: width}))
			room := l.lanes[client] - l.lanes[you] - 2*clearance - bubbleTail - 2*bubbleLeast
			for _, r := range l.rows {
				var lines []string
				for _, line := range r.bubble.lines {
					lines = append(lines, strings.Fields(line.text)...)
				}
				for i, word := range strings.Fields(r.Speech) {
					if i >= len(lines) || strings.HasSuffix(lines[i], "…") ||
						textWidth(word, labelSize) > room {
						break // what follows is left out, or too wide for any bubble
					}
					if lines[i] != word {
						t.Errorf("%s at %d: %q for %q", name, width, lines[i], word)
					}
				}
			}
		}
	}
}

func TestRound_HasTheTwoMessagesOfARoundAlone(t *testing.T) {
	for name, s := range stories() {
		stage := s.stage(StageOptions{})
		for _, r := range playground.Fold(s.x.Log).Rounds {
			p := stage.Round(r.N)
			p.Width = NarrowWidth
			if len(p.Steps) > 2 {
				t.Errorf("round %d of %s has %d steps", r.N, name, len(p.Steps))
			}
			for _, step := range p.Steps {
				you := p.Lanes[step.From].isUser() || p.Lanes[step.To].isUser()
				if step.Round != r.N || step.Speech != "" || you {
					t.Errorf("round %d of %s has the step %+v", r.N, name, step)
				}
			}
			if len(p.Steps) == 0 {
				continue // not known yet, or the user ended the call
			}
			checkLayout(t, fmt.Sprintf("round %d of %s", r.N, name), p)
			if h := layout(p).height; h > 160 {
				t.Errorf("round %d of %s is %v high", r.N, name, h)
			}
		}
		if p := stage.Round(99); len(p.Steps) > 0 {
			t.Errorf("%s has round 99: %+v", name, p.Steps)
		}
	}
}
