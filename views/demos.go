package views

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// shape is how a picture on a stage is to be: its width in user units, which
// bounds how large its letters get, and on a projector, where the height is
// given too, its width to height.
type shape struct {
	width int
	ratio float64
}

func alone(present bool) shape {
	if present {
		return shape{680, 2.75}
	}
	return shape{width: 720}
}

func beside(present bool) shape {
	if present {
		return shape{420, 1.3}
	}
	return shape{width: 440}
}

// Demo is the page that opens a story.
type Demo struct {
	Story    demo.Story
	Present  bool
	Pictures Pictures
}

// Pictures are one picture for wide pages and one for phones, and its words.
type Pictures struct {
	Wide, Narrow string // SVG
	Text         []string
}

// Stage is a step of a story that is being told.
type Stage struct {
	Slug, Story, Session string
	Present              bool
	N                    int
	Steps                []StageStep
	Words                demo.Words
	Status               playground.Status
	Exchange             string // id of the story's own lane
	Own                  Pictures
	Bars                 []CopyBar
	Past                 *PastLane
	State                *StageState
	Button               StageButton
	Controls             *Controls // at the newest step
	Live                 string    // address of the event stream of what is under way
	MayReplay            bool      // the lane before MRTR can be asked for here
}

// StageStep is a step in the row of all steps.
type StageStep struct {
	N       int
	Path    string // empty when it was not reached
	Current bool
	Words   string
}

// StageButton leads on: a link to a step that was reached before, or a form.
// With neither the story is over.
type StageButton struct {
	Path, Do, Label string
}

// PastLane is the same story before MRTR.
type PastLane struct {
	Exchange string
	Words    string
	Lost     bool
	Pictures Pictures
	Bars     []CopyBar
}

// CopyBar is how far a copy brought the work, in hundredths.
type CopyBar struct {
	Name     string
	From, To int
}

// StageState is the newest state as its server sees it.
type StageState struct {
	Length int
	Blocks []Block
	Facts  []StateFact
	Note   string
}

// StateFact is one thing that a state holds.
type StateFact struct{ Name, Value string }

// Controls are what an operator can do to the copies.
type Controls struct {
	Copies  []CopyControl
	Balance bool   // the balancer chooses
	Address string // of the next request, without the host
}

// CopyControl is one copy with what can be done to it.
type CopyControl struct {
	Name, Note string
	Next       bool
	Dos        []CopyDo
}

// CopyDo is a button of a copy.
type CopyDo struct{ Do, Label string }

// StageInput is what a stage's page is made from.
type StageInput struct {
	Story   demo.Story
	Stage   demo.Stage
	Own     playground.Exchange
	Past    *playground.Exchange // nil until somebody asks for it
	N       int                  // step to show
	Present bool
	Explain func(string) seal.Explanation
}

// StagePath is the address of a step.
func StagePath(slug, session string, step int, present bool) string {
	path := fmt.Sprintf("/demos/%s/%s?step=%d", url.PathEscape(slug), url.PathEscape(session), step)
	if present {
		path += "&present=1"
	}
	return path
}

func (s Stage) path(step int) string { return StagePath(s.Slug, s.Session, step, s.Present) }

func (s Stage) action() string {
	return "/demos/" + url.PathEscape(s.Slug) + "/" + url.PathEscape(s.Session)
}

func (s Stage) other() string { return StagePath(s.Slug, s.Session, s.N, !s.Present) }

func (s Stage) kicker() string { return fmt.Sprintf("%s · %d of %d", s.Story, s.N, len(s.Steps)) }

// beside reports whether something stands beside the story's own lane.
func (s Stage) beside() bool { return s.Past != nil || s.State != nil }

// NewDemo is the page that opens a story: who stands there, and nothing sent.
func NewDemo(story demo.Story, target playground.Target, present bool) Demo {
	in := StageInput{Story: story, Own: playground.Exchange{Target: target, Call: story.Call}}
	return Demo{Story: story, Present: present, Pictures: in.own(alone(present), playground.Folded{})}
}

// NewStage makes the page of step in.N.
func NewStage(in StageInput) Stage {
	story, step := in.Story, in.Story.Steps[in.N-1]
	f := playground.Fold(in.Stage.Seen(in.Own.Log, in.N))
	s := Stage{
		Slug: story.Slug, Story: story.Title, Session: in.Stage.Session, Present: in.Present, N: in.N,
		Words: story.Words(in.N, f), Status: f.Status, Exchange: in.Own.ID, Bars: copyBars(story.Copies, f),
	}
	s.Steps = in.steps()
	if step.Show == demo.State {
		s.State = newStageState(f, in.Explain)
	} else if in.Past != nil {
		s.Past = in.past()
	}
	is := alone(in.Present)
	if s.beside() {
		is = beside(in.Present)
	}
	s.Own = in.own(is, f)
	s.lead(in, f)
	return s
}

func (in StageInput) newest() bool { return in.N == len(in.Stage.Marks) }

func (in StageInput) steps() []StageStep {
	list := make([]StageStep, len(in.Story.Steps))
	for i := range list {
		list[i] = StageStep{N: i + 1, Current: i+1 == in.N, Words: in.Story.Steps[i].Title}
		if i < len(in.Stage.Marks) {
			list[i].Path = StagePath(in.Story.Slug, in.Stage.Session, i+1, in.Present)
		}
	}
	return list
}

// own draws the story's own lane as it stands at f.
func (in StageInput) own(is shape, f playground.Folded) Pictures {
	o := picture.StageOptions{
		Copies: copiesOf(in.Story.Opening()), Events: stageEvents(in.Stage.History(in.Story, in.N)),
		Width: is.width, Ratio: is.ratio, ID: "own",
	}
	if last := f.Last(); last != nil {
		o.Current = last.N
		o.Link = func(r int) string {
			return StagePath(in.Story.Slug, in.Stage.Session, in.Stage.StepOf(r), in.Present)
		}
	}
	return drawStage(in.Own, f, o)
}

func drawStage(x playground.Exchange, f playground.Folded, o picture.StageOptions) Pictures {
	wide := picture.Stage(x, f, o)
	o.Ratio, o.Width, o.ID = 0, picture.NarrowWidth, o.ID+"-narrow"
	return Pictures{Wide: string(wide.SVG()), Narrow: string(picture.Stage(x, f, o).SVG()), Text: wide.Text()}
}

func copiesOf(t demo.Topology) []picture.Copy {
	list := make([]picture.Copy, len(t.Copies))
	for i, c := range t.Copies {
		list[i] = picture.Copy{Name: c.Name, Version: c.Version}
	}
	return list
}

// stageEvents puts what happened to copies into words.
func stageEvents(history []demo.Happened) []picture.StageEvent {
	list := make([]picture.StageEvent, len(history))
	for i, h := range history {
		label := map[demo.Operation]string{demo.Kill: "killed", demo.Stop: "drained", demo.Revive: "back", demo.Upgrade: "now " + h.Version}[h.Do]
		list[i] = picture.StageEvent{
			After: h.After, Copy: h.Copy, Label: label, Gone: h.Do == demo.Kill,
			Sentence: fmt.Sprintf("Copy %s is %s.", h.Copy, label),
		}
	}
	return list
}

// past is the lane before MRTR as it stood at this step.
func (in StageInput) past() *PastLane {
	f := playground.Fold(in.Story.PastSeen(in.N, in.Past.Log))
	is := beside(in.Present)
	history, _ := in.Story.PastAt(in.N, playground.Fold(in.Past.Log))
	o := picture.StageOptions{
		Copies: picture.ParseCopies(in.Story.Before.Copies), Events: stageEvents(history),
		Width: is.width, Ratio: is.ratio, ID: "past",
	}
	if last := f.Last(); last != nil {
		o.Current = last.N
	}
	return &PastLane{
		Exchange: in.Past.ID, Words: in.Story.PastWords(in.N, f), Lost: demo.Lost(f),
		Pictures: drawStage(*in.Past, f, o), Bars: copyBars(in.Story.Before.Copies, f),
	}
}

// copyBars are the bars of all copies; none when the story reports no progress.
func copyBars(copies string, f playground.Folded) []CopyBar {
	bars := demo.Bars(f)
	if len(bars) == 0 {
		return nil
	}
	var list []CopyBar
	for _, c := range picture.ParseCopies(copies) {
		bar := CopyBar{Name: c.Name}
		for _, b := range bars {
			if b.Copy == c.Name {
				bar.From, bar.To = 100*b.From/b.Total, 100*b.To/b.Total
			}
		}
		list = append(list, bar)
	}
	return list
}

func (b CopyBar) words() string {
	switch {
	case b.To == b.From:
		return "nothing"
	case b.From == 0:
		return strconv.Itoa(b.To) + "\u00a0%"
	}
	return fmt.Sprintf("%d–%d\u00a0%%", b.From, b.To)
}

// lead decides what leads on from here.
func (s *Stage) lead(in StageInput, f playground.Folded) {
	switch {
	case f.Status == playground.StatusRunning:
		s.Live = "/x/" + in.Own.ID + "/events"
	case in.Past != nil && s.Past != nil && playground.Fold(in.Past.Log).Status == playground.StatusRunning && !s.Past.Lost:
		s.Live = "/x/" + in.Past.ID + "/events"
	}
	if !in.newest() {
		s.Button = StageButton{Path: s.path(in.N + 1), Label: in.Story.Steps[in.N].Button}
		return
	}
	s.MayReplay = in.Past == nil && f.Status != playground.StatusRunning
	t := in.Stage.Topology(in.Story, in.N)
	_, again := in.Story.Again(in.N, t, f)
	switch {
	case f.Status == playground.StatusRunning:
	case again:
		s.Button = StageButton{Do: "again", Label: againLabel(f)}
	case in.N < len(in.Story.Steps):
		s.Button = StageButton{Do: "next", Label: in.Story.Steps[in.N].Button}
	}
	if f.Status == playground.StatusWaiting || again {
		s.Controls = newControls(in, t, f)
	}
}

func againLabel(f playground.Folded) string {
	switch {
	case f.Last() == nil:
		return "Send the call"
	case f.Status == playground.StatusWaiting:
		return "Answer"
	}
	return "Send it again"
}

// newControls offers what can be done to each copy, and says where the next
// request goes.
func newControls(in StageInput, t demo.Topology, f playground.Folded) *Controls {
	next := t
	if in.N < len(in.Story.Steps) && in.Story.Steps[in.N].Act.Kind == demo.Send {
		next = in.Story.Plan(in.N+1, t, f).Topology
	}
	c := &Controls{Balance: next.Next == ""}
	if u, err := url.Parse(next.Address(in.Own.Target.URL)); err == nil {
		c.Address = u.RequestURI()
	}
	for _, k := range t.Copies {
		control := CopyControl{Name: k.Name, Note: k.Version, Next: next.Next == k.Name}
		if k.Health == demo.Live {
			control.Dos = append(control.Dos, CopyDo{string(demo.Stop), "Drain"}, CopyDo{string(demo.Kill), "Kill"})
		} else {
			control.Note += map[demo.Health]string{demo.Dead: ", down", demo.Drain: ", drained"}[k.Health]
			control.Dos = append(control.Dos, CopyDo{string(demo.Revive), "Start again"})
		}
		if v := in.Story.Versions; k.Version != v[len(v)-1] {
			control.Dos = append(control.Dos, CopyDo{string(demo.Upgrade), "Upgrade to " + v[len(v)-1]})
		}
		c.Copies = append(c.Copies, control)
	}
	return c
}

// newStageState opens the newest state; nil when none was given.
func newStageState(f playground.Folded, explain func(string) seal.Explanation) *StageState {
	if len(f.Rounds) == 0 || explain == nil {
		return nil
	}
	p := NewStatePanel(f, len(f.Rounds)-1, explain)
	if !p.Given {
		return nil
	}
	e := explain(f.Round(p.Round).StateText())
	return &StageState{Length: p.Length, Blocks: p.Blocks, Facts: heldFacts(e), Note: stateNote(e)}
}

// stateNote is what a state may be used for, and for how long.
func stateNote(e seal.Explanation) string {
	if e.Claims == nil {
		return e.Why
	}
	return fmt.Sprintf("Good for this call of %s with these arguments, for %g hours.",
		e.Claims.Request.Name, e.Expires.Sub(e.Issued).Hours())
}

// heldFacts are what the server put into the state besides what guards it.
func heldFacts(e seal.Explanation) []StateFact {
	claims, err := jsontree.Parse(e.JSON, jsontree.Limits{})
	if err != nil {
		return nil
	}
	var list []StateFact
	for _, part := range []string{"answers", "work"} {
		node := claims.Get(part)
		if node == nil {
			continue
		}
		for _, m := range node.Members {
			list = append(list, StateFact{Visible(m.Key, 40), factValue(m.Value)})
		}
	}
	return list
}

func factValue(n *jsontree.Node) string {
	if words := AnswerWords(playground.Response{Value: n.Raw()}); n.Has("action") {
		return words
	}
	if text, ok := n.Text(); ok {
		return Visible(text, 80)
	}
	var words []string
	for _, item := range n.Items {
		words = append(words, factValue(item))
	}
	if len(words) > 0 {
		return strings.Join(words, ", ")
	}
	return Visible(string(n.Raw()), 80)
}
