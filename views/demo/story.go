package demo

import (
	"fmt"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// StoryEditor is the page on which a story is written.
type StoryEditor struct {
	ID, Title, Text string
	Preview         StoryPreview
}

// StoryPreview shows the steps of a story as they will be, or its problems.
type StoryPreview struct {
	Problems []document.Problem
	Claim    string
	Plays    string // what the story plays on, in one sentence
	Recorded bool
	Steps    []StoryStep
	Inserts  []StoryInsert // steps that can be inserted; none for readers and recorded stories
	Edits    bool
	Before   string // the word of the button for the call before MRTR: with or without; "" for none
}

// StoryStep is one step of a story that is not played yet.
type StoryStep struct {
	N                         int
	Does, Button, Title, Text string
	Note, Before              string
	Verdict                   *standing.Standing
}

// StoryInsert is a kind of step that can be inserted.
type StoryInsert struct{ Do, Label string }

// NewStory is the page that proposes a story.
type NewStory struct {
	Kind, ID, Of string // what the story is made of: kind, id, and of a board its exchange
	Plays        string // what the story plays on, in one sentence
	Whole        []demo.Sentence
	Steps        []ProposedStep
}

// ProposedStep is a step whose sentences can be changed before the story is stored.
type ProposedStep struct {
	StoryStep
	Shown, Folded []demo.Sentence // the folded ones are not of the slide itself
}

// Propose returns the page that proposes a story.
func Propose(d demo.Draft, kind, id, of string) NewStory {
	preview := NewStoryPreview(d.Story, nil)
	n := NewStory{Kind: kind, ID: id, Of: of, Plays: preview.Plays}
	for _, step := range preview.Steps {
		n.Steps = append(n.Steps, ProposedStep{StoryStep: step})
	}
	for _, s := range d.Sentences() {
		switch s.Part {
		case demo.BeforePart, demo.NotePart:
			n.Steps[s.Step-1].Folded = append(n.Steps[s.Step-1].Folded, s)
		default:
			if s.Step == 0 {
				n.Whole = append(n.Whole, s)
				continue
			}
			n.Steps[s.Step-1].Shown = append(n.Steps[s.Step-1].Shown, s)
		}
	}
	return n
}

// sentenceLabel names a sentence for the user.
func sentenceLabel(s demo.Sentence) string {
	if s.Step == 0 {
		return map[demo.Part]string{
			demo.TitlePart: "Title, for lists", demo.ClaimPart: "Message", demo.LeadPart: "Introduction",
		}[s.Part]
	}
	return map[demo.Part]string{
		demo.ButtonPart: "Button", demo.TitlePart: "Heading", demo.TextPart: "Text",
		demo.BeforePart: "Before MRTR", demo.NotePart: "Note for you",
	}[s.Part]
}

// StoryPath returns the address of the editor of a story.
func StoryPath(id string) string { return "/stories/" + url.PathEscape(id) }

// NewStoryEditor returns the editor of a story as it was saved. legacy reports whether
// its server speaks a revision before MRTR.
func NewStoryEditor(d demo.Saved, s demo.Story, problems []document.Problem, legacy bool) StoryEditor {
	e := StoryEditor{ID: d.ID, Title: d.Title, Text: d.Text, Preview: NewStoryPreview(s, problems)}
	if len(problems) > 0 {
		return e
	}
	p := &e.Preview
	p.Edits = true
	if s.IsRecorded() {
		return e
	}
	p.Inserts = []StoryInsert{{string(cluster.Kill), "a kill"}, {string(cluster.Stop), "a drain"}}
	if len(s.Versions) > 1 {
		p.Inserts = append(p.Inserts, StoryInsert{string(cluster.Upgrade), "an upgrade"})
	}
	switch {
	case s.HasBefore():
		p.Before = "without"
	case legacy:
		p.Before = "with"
	}
	return e
}

// NewStoryPreview returns the steps of a story.
func NewStoryPreview(s demo.Story, problems []document.Problem) StoryPreview {
	p := StoryPreview{Problems: problems, Claim: s.Claim, Recorded: s.IsRecorded()}
	if len(problems) > 0 {
		return p
	}
	p.Plays = "The calls are real. They go to " + playsOn(s) + "."
	if p.Recorded {
		p.Plays = "The steps show what was recorded. Nothing is sent."
	}
	values := s.Foretell("")
	for i, step := range s.Steps {
		one := StoryStep{
			N: i + 1, Does: does(step), Button: step.Button, Title: values[i].Fill(step.Title),
			Text: values[i].Fill(step.Text), Note: step.Note,
			Before: values[0].Fill(step.Before), // before MRTR, all requests go to the first instance
		}
		if step.Verdict != "" {
			standing := standing.OfVerdict(verdict.Outcome(step.Verdict))
			one.Verdict = &standing
		}
		p.Steps = append(p.Steps, one)
	}
	return p
}

func playsOn(s demo.Story) string {
	if s.Flow != "" {
		return "your flow"
	}
	return "the sample " + s.Sample
}

// does says in a few words what the button of a step does.
func does(step demo.Step) string {
	switch step.Act.Kind {
	case demo.Send:
		return map[demo.Role]string{
			demo.AnyInstance: "sends the request", demo.Other: "sends the request to another instance",
			demo.Asker: "sends the request to the instance that asked",
		}[step.Act.To]
	case demo.Alter:
		who := map[demo.Role]string{demo.Asker: "the instance that asked", demo.Other: "another instance"}
		verb := map[cluster.Operation]string{
			cluster.Kill: "kills", cluster.Stop: "drains",
			cluster.Upgrade: "upgrades", cluster.Revive: "starts",
		}
		return verb[step.Act.Do] + " " + who[step.Act.To]
	case demo.Recorded:
		return fmt.Sprintf("shows round %d", step.Round)
	case demo.Replay:
		return "shows the call before MRTR"
	}
	return "shows the state"
}

func (p StoryPreview) said() string {
	if n := len(p.Problems); n > 0 {
		return fmt.Sprintf("Problems: %d.", n)
	}
	return fmt.Sprintf("Steps: %d.", len(p.Steps))
}
