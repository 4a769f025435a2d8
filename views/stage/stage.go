// Package stage shows a demo that runs: the stage, the view of the presenter, the talk, and the
// page of a follower.
package stage

import (
	"fmt"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Pictures holds a picture for wide pages, one for narrower slides, one for
// phones, and its text. A page without Medium shows Wide instead.
type Pictures struct {
	Wide, Medium, Narrow string // SVG
	Text                 []string
}

// Stage is the page of one step of a running demo.
type Stage struct {
	Slug, Story, Session string
	Present              bool
	N                    int
	Steps                []Step
	Words                demo.Caption
	Status               playground.Status
	Exchange             string // id of the exchange with MRTR
	Own                  Pictures
	Bars                 []InstanceBar
	Verdict              string // how the call with MRTR ended, beside Legacy
	Legacy               *LegacyLane
	State                *State
	Button               Button
	Controls             *Controls          // at the newest step
	Live                 string             // address of the event stream while a call runs
	MayReplay            bool               // the legacy lane can be added at this step
	Judged               *standing.Standing // verdict of the experiment that a step shows
	Follows              string             // address of the event stream of the stage, on a projector
	Screen               string             // the page that the buttons lead back to; "" for the stage itself
	Player               *DemoPlayer        // of a reader; nil for the owner of the demo
	Talk                 *TalkLine          // nil if no room follows
	Unreachable          bool               // phones do not reach this program
}

// Step is one step in the row of steps.
type Step struct {
	N       int
	Path    string // empty when it has not been reached
	Current bool
	Words   string
}

// Button leads to the next step: a link to a step that was reached before,
// or a form. With neither the demo is over.
type Button struct {
	Path, Do, Label string
}

// LegacyLane shows the same story before MRTR.
type LegacyLane struct {
	Exchange string
	Words    string
	Lost     bool
	Verdict  string // how the call ended; empty while it goes on
	Pictures Pictures
	Bars     []InstanceBar
}

// Input holds what New needs.
type Input struct {
	Story   demo.Story
	Stage   demo.Stage
	Own     playground.Exchange
	Legacy  *playground.Exchange // nil until the user adds it
	N       int                  // step to show
	Present bool
	Explain func(string) seal.Explanation
	Player  *DemoPlayer // of a reader; nil for the owner of the demo
}

// path returns the address of a step.
func (in Input) path(step int) string {
	if in.Player != nil {
		return in.Player.Address(step, in.Present)
	}
	return Path(in.Story.Slug, in.Stage.Session, step, in.Present)
}

// Path returns the address of a step.
func Path(slug, session string, step int, present bool) string {
	path := fmt.Sprintf("/demos/%s/%s?step=%d", url.PathEscape(slug), url.PathEscape(session), step)
	if present {
		path += "&present=1"
	}
	return path
}

func (s Stage) path(step int) string {
	if s.Player != nil {
		return s.Player.Address(step, s.Present)
	}
	return Path(s.Slug, s.Session, step, s.Present)
}

func (s Stage) action() string {
	return "/demos/" + url.PathEscape(s.Slug) + "/" + url.PathEscape(s.Session)
}

func (s Stage) other() string {
	if s.Player != nil {
		return s.Player.Address(s.N, !s.Present)
	}
	return Path(s.Slug, s.Session, s.N, !s.Present)
}

// sharePath returns the address of the page that shares the demo from this step.
func (s Stage) sharePath() string {
	return fmt.Sprintf("/sessions/%s/share?kind=demo&round=%d", url.PathEscape(s.Session), s.N)
}

func (s Stage) kicker() string { return fmt.Sprintf("%s · %d of %d", s.Story, s.N, len(s.Steps)) }

// beside reports whether a second lane is shown.
func (s Stage) beside() bool { return s.Legacy != nil || s.State != nil }

// New returns the page of step in.N.
func New(in Input) Stage {
	story := in.Story
	f := in.transcript()
	s := Stage{
		Slug: story.Slug, Story: story.Title, Session: in.Stage.Session, Present: in.Present, N: in.N,
		Words: story.Caption(in.N, f), Status: f.Status, Exchange: in.Own.ID,
		Bars: instanceBars(story.Instances, f), Player: in.Player,
	}
	if v := story.Steps[in.N-1].Verdict; v != "" {
		standing := standing.OfVerdict(verdict.Outcome(v))
		s.Judged = &standing
	}
	s.Steps = in.steps()
	s.lanes(in, f)
	if s.Player == nil {
		s.lead(in, f)
	}
	return s
}

// transcript returns what the call shows at the step.
func (in Input) transcript() playground.Transcript {
	x := in.Own
	x.Log, x.Reading = in.Stage.LogAt(in.Story, x.Log, in.N), nil
	return x.Fold()
}

func (in Input) newest() bool { return in.N == len(in.Stage.Marks) }

func (in Input) steps() []Step {
	list := make([]Step, len(in.Story.Steps))
	for i := range list {
		list[i] = Step{N: i + 1, Current: i+1 == in.N, Words: in.Story.Steps[i].Title}
		if i < len(in.Stage.Marks) {
			list[i].Path = in.path(i + 1)
		}
	}
	return list
}

// lead sets what leads to the next step.
func (s *Stage) lead(in Input, f playground.Transcript) {
	if in.Story.IsRecorded() {
		s.leadRecorded(in)
		return
	}
	switch {
	case f.Status == playground.StatusRunning:
		s.Live = paths.Events("/x/"+in.Own.ID, playground.Progress(in.Own.Log))
	case in.Legacy != nil && s.Legacy != nil &&
		playground.Fold(in.Legacy.Log).Status == playground.StatusRunning && !s.Legacy.Lost:
		s.Live = paths.Events("/x/"+in.Legacy.ID, playground.Progress(in.Legacy.Log))
	}
	if !in.newest() {
		s.Button = Button{Path: s.path(in.N + 1), Label: in.Story.Steps[in.N].Button}
		return
	}
	s.MayReplay = in.Story.HasBefore() && in.Legacy == nil && f.Status != playground.StatusRunning
	t := in.Stage.Topology(in.Story, in.N)
	_, again := in.Story.ResumePlan(in.N, t, f)
	switch {
	case f.Status == playground.StatusRunning:
	case again:
		s.Button = Button{Do: "again", Label: againLabel(f)}
	case in.N < len(in.Story.Steps):
		s.Button = Button{Do: "next", Label: in.Story.Steps[in.N].Button}
	}
	if f.Status == playground.StatusWaiting || again {
		s.Controls = newControls(in, t, f)
	}
}

// leadRecorded sets what leads to the next step of a recorded story, which sends
// nothing.
func (s *Stage) leadRecorded(in Input) {
	switch {
	case in.N == len(in.Story.Steps):
	case in.newest():
		s.Button = Button{Do: "next", Label: in.Story.Steps[in.N].Button}
	default:
		s.Button = Button{Path: s.path(in.N + 1), Label: in.Story.Steps[in.N].Button}
	}
}

func againLabel(f playground.Transcript) string {
	switch {
	case f.Last() == nil:
		return "Send the call"
	case f.Status == playground.StatusWaiting:
		return "Answer"
	}
	return "Send it again"
}
