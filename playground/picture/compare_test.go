package picture

import (
	"fmt"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// pairs are the two lanes of stories for an audience: how a call goes with
// MRTR, and how it went before.
func pairs() map[string][2]Picture {
	o := StageOptions{Width: 366, Brief: true, Request: "Resolve bug 4522"}
	killed := []StageEvent{{After: 2, Instance: "b", Label: "killed", Gone: true}}
	both := append(killed, StageEvent{After: 2, Instance: "a", Label: "now v2"})
	stage := func(s *story, events []StageEvent) Picture {
		o.Events = events
		return Stage(s.x, playground.Fold(s.x.Log), o)
	}
	list := map[string][2]Picture{}
	for name, s := range stories() {
		list[name] = [2]Picture{stage(s, both), stage(stories()["devops"], killed)}
	}
	return list
}

func TestCompare_SameTimeStandsAtTheSameHeight(t *testing.T) {
	for name, pair := range pairs() {
		for _, height := range []float64{0, 214, 270, 1000} {
			a, b := Compare(pair[0], pair[1], height)
			la, lb := layout(a), layout(b)
			if la.width != lb.width || la.height != lb.height || la.top != lb.top {
				t.Errorf("%s: %v x %v, lanes from %v, and beside it %v x %v, lanes from %v", name,
					la.width, la.height, la.top, lb.width, lb.height, lb.top)
			}
			at := map[moment]row{}
			for i, m := range moments(a.Steps) {
				at[m] = la.rows[i]
			}
			paired := 0
			for i, m := range moments(b.Steps) {
				r, ok := at[m]
				if !ok {
					continue
				}
				paired++
				if o := lb.rows[i]; r.y != o.y && r.Kind != Change || r.top != o.top || r.bottom != o.bottom {
					t.Errorf("%s at %v: %v is at %v, and beside it at %v", name, height, m, r.y, o.y)
				}
			}
			if paired == 0 && name == "devops" {
				t.Errorf("%s at %v: nothing happens at the same time", name, height)
			}
			for _, p := range []Picture{a, b} {
				checkLayout(t, fmt.Sprintf("%s within %v", name, height), p)
			}
		}
	}
}

func TestCompare_LeavesOutUnpairedChangesThenTheFirstSteps(t *testing.T) {
	pair := pairs()["devops"]
	all := len(pair[0].Steps)
	a, b := Compare(pair[0], pair[1], 1000)
	if len(a.Steps) != all || len(b.Steps) != len(pair[1].Steps) {
		t.Error("something that fits is left out")
	}
	tall := layout(a).height
	a, _ = Compare(pair[0], pair[1], tall-1)
	if len(a.Steps) != all-1 || a.passed[0].Label != "now v2" {
		t.Errorf("left out first: %+v", a.passed)
	}
	a, b = Compare(pair[0], pair[1], layout(a).height-1)
	if a.Steps[0].Kind != Reply || b.Steps[0].Kind != Reply {
		t.Errorf("left out next: %+v", a.passed)
	}
	if l := layout(a); l.height >= tall {
		t.Errorf("still %v units tall", l.height)
	}
}

// A call of 2025 that was open all the time ends after the instances changed,
// at the same height as the end of the other lane.
func TestStage_ALegacyCallEndsAfterTheChanges(t *testing.T) {
	p := newStory("load-shedding", "http://x/mcp?instances=a:v1,b:v1").start().
		result("a/v1", `{"content":[{"type":"text","text":"all done"}]}`)
	f := playground.Fold(p.x.Log)
	for i := range f.Rounds {
		f.Rounds[i].Legacy, f.Rounds[i].Kind = true, playground.OutcomeComplete
	}
	steps := Stage(p.x, f, StageOptions{
		Events: []StageEvent{{After: 1, Instance: "a", Label: "drained"}},
	}).Steps
	var kinds []Kind
	for _, s := range steps {
		kinds = append(kinds, s.Kind)
	}
	if fmt.Sprint(kinds) != "[call change reply]" || steps[2].Speech != "all done" {
		t.Errorf("%v, and the end says %q", kinds, steps[len(steps)-1].Speech)
	}
}
