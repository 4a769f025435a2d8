package demo

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
)

// Storyboard is a story in a list, with a diagram of its steps.
type Storyboard struct {
	demo.Story
	Picture string // SVG
}

// NewStoryboards draws each story from its data alone.
func NewStoryboards(stories []demo.Story) []Storyboard {
	list := make([]Storyboard, len(stories))
	for i, s := range stories {
		list[i] = Storyboard{s, string(storyboard(s).SVG())}
	}
	return list
}

func storyboard(s demo.Story) picture.Picture {
	t, asked := s.Opening(), ""
	p := picture.Picture{
		Title: s.Title, Width: picture.NarrowWidth, Dense: true, ID: s.Slug,
		Lanes: []picture.Lane{{Name: "Client"}},
	}
	lanes := map[string]int{}
	for _, c := range t.Instances {
		lanes[c.Name] = len(p.Lanes)
		p.Lanes = append(p.Lanes, picture.InstanceLane(picture.Instance{Name: c.Name, Version: c.Version}))
	}
	for i, step := range s.Steps {
		later, who := step.Act.Expected(t, asked)
		switch step.Act.Kind {
		case demo.Send:
			label := "the call again"
			if i == 0 {
				label = "a call"
			}
			p.Steps = append(p.Steps,
				picture.Step{Kind: picture.Call, To: lanes[who], Label: label},
				expectedReply(step, lanes[who]))
			asked = who
		case demo.Alter:
			for _, e := range picture.StageEvents([]cluster.HistoryEntry{{Change: cluster.Changes(t,
				later)[0]}}) {
				p.Steps = append(p.Steps, picture.Step{
					Kind: picture.Change, From: lanes[e.Instance], To: lanes[e.Instance], Label: e.Label,
					Mark: goneMark(e),
				})
			}
		}
		t = later
	}
	return p
}

func goneMark(e picture.StageEvent) picture.Mark {
	if e.Gone {
		return picture.Broken
	}
	return picture.NoMark
}

// expectedReply returns the reply that the story expects.
func expectedReply(step demo.Step, from int) picture.Step {
	r := picture.Step{Kind: picture.Reply, From: from, Label: "asks a question"}
	switch step.Expect {
	case playground.OutcomeComplete:
		r.Label, r.Mark = "complete", picture.Done
	case playground.OutcomeRetry:
		r.Label = "yields"
	}
	return r
}
