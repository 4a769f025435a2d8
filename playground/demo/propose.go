package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Place is where the calls of a proposed story can be made again.
type Place struct {
	Sample, Flow string   // one of them, or neither if nothing can be sent
	Versions     []string // that its instances can run
	Legacy       bool     // it speaks a revision before MRTR too
}

// FromExchange proposes a story of a call: at its place, if the same call can be made
// there again with the same answers, and else of the recording.
func FromExchange(x playground.Exchange, at Place) Story {
	if s, ok := liveStory(x, at); ok {
		return s
	}
	s := newStory(x)
	s.Recorded = []string{x.ID}
	s.Steps = recordedSteps(x, 1)
	return s
}

// maxExperiments is how many experiments of a board a story shows.
const maxExperiments = 6

// FromReport proposes a story of a results board: the rounds of the right call, then
// the experiments, of which failures come first.
func FromReport(r lab.Report) Story {
	s := newStory(r.Control)
	s.Claim = cut("What "+text.Visible(r.Target.Name, 60)+" does when a client misbehaves.", maxTitle)
	s.Recorded = []string{r.Control.ID}
	s.Steps = recordedSteps(r.Control, 1)
	for _, v := range []verdict.Outcome{verdict.Failed, verdict.Advisory, verdict.Passed} {
		for _, result := range r.Results {
			if result.Verdict != v || !result.Ended() || len(s.Recorded) > maxExperiments ||
				len(s.Steps) == MaxSteps {
				continue
			}
			s.Recorded = append(s.Recorded, result.Exchanges[result.Decisive].ID)
			s.Steps = append(s.Steps, experimentStep(result, len(s.Recorded)))
		}
	}
	return s
}

func experimentStep(r lab.Result, call int) Step {
	return Step{
		Button: cut(r.Title, maxButton), Act: Act{Kind: Recorded}, Call: call, Round: r.Round.N,
		Title: cut(told(r.Title)+".", maxTitle), Text: cut(told(r.Text), maxText),
		Expect: r.Round.Kind, Fails: r.Round.IsError, Verdict: string(r.Verdict),
		Note: cut(r.Sends+" "+r.Expects, maxNote),
	}
}

func newStory(x playground.Exchange) Story {
	name, f := text.Visible(x.Call.Name(), 60), x.Fold()
	s := Story{
		Title: cut(name, maxTitle), Claim: cut(fmt.Sprintf("%s: one call, %s.", name,
			text.Plural(len(moments(f)), "step")), maxTitle),
		Lead:     cut("A call of "+text.Visible(x.Target.Name, 80)+", round by round.", maxText),
		Versions: []string{"v1"}, Instances: "a:v1,b:v1", First: "a",
	}
	if s.Title == "" {
		s.Title = cut(x.Call.Method, maxTitle)
	}
	return s
}

// moment is a part of a call that one press of a button leads through: a Round that a
// decision opened, and those that followed by themselves, as a task's do.
type moment struct{ first, last int } // indexes of Rounds

func moments(f playground.Transcript) []moment {
	var list []moment
	for i, r := range f.Rounds {
		if r.Decision.Action != "" || i == 0 {
			list = append(list, moment{i, i})
		}
		list[len(list)-1].last = i
	}
	return list[:min(len(list), MaxSteps-4)] // a few are inserted
}

func recordedSteps(x playground.Exchange, call int) []Step {
	f := x.Fold()
	var list []Step
	for _, m := range moments(f) {
		step := newStep(x, f, m)
		step.Act, step.Call, step.Round = Act{Kind: Recorded}, call, f.Rounds[m.last].N
		list = append(list, step)
	}
	return list
}

// newStep returns the step of a moment without its act.
func newStep(x playground.Exchange, f playground.Transcript, m moment) Step {
	t, r := x.Target, f.Rounds[m.last]
	step := Step{
		Button: buttonOf(x, f, m), Title: titleOf(t, f, m.last), Expect: r.Kind, Fails: r.IsError,
		Text: cut(told(narrate.Recorded(t, f, m.last).Sentence), maxText), Note: noteOf(r),
	}
	if len(r.Questions) > 0 && !r.Legacy && len([]rune(r.Questions[0].Key)) <= maxText {
		step.Asks = r.Questions[0].Key
	}
	return step
}

func buttonOf(x playground.Exchange, f playground.Transcript, m moment) string {
	d := f.Rounds[m.first].Decision
	switch d.Action {
	case playground.ActionAnswer:
		words := ""
		if m.first > 0 {
			words = narrate.Recorded(x.Target, f, m.first-1).Answer
		}
		if words != "" && len([]rune(words)) <= maxButton-8 {
			return cut("Answer: "+told(words), maxButton)
		}
		return "Send the answers"
	case playground.ActionRetry:
		return "Send the call again"
	case playground.ActionResend:
		return "Send it again"
	case playground.ActionRefuse:
		return "Refuse"
	case playground.ActionStop:
		return "Ask the task to stop"
	}
	return cut("Call "+told(x.Call.Name()), maxButton)
}

func titleOf(t playground.Target, f playground.Transcript, i int) string {
	r := f.Rounds[i]
	asked := cut(told(narrate.Keys(r.Questions)), 80)
	switch {
	case r.Kind == playground.OutcomeComplete && r.IsError:
		return "The tool reports an error."
	case r.Kind == playground.OutcomeComplete:
		return "The call completes."
	case r.Kind == playground.OutcomeRetry:
		return "The server asks for nothing but a retry."
	case r.Kind == playground.OutcomeTask:
		return "The call becomes a task."
	case r.Task != nil && len(r.Questions) > 0:
		return "The task asks for " + asked + "."
	case len(r.Questions) > 0:
		return "The server asks for " + asked + "."
	}
	label := told(narrate.Recorded(t, f, i).Label)
	return cut("Then: "+label+".", maxTitle)
}

// noteOf returns a note about a Round for the presenter: the words of its
// questions, or its result.
func noteOf(r playground.Round) string {
	var lines []string
	for _, q := range r.Questions {
		lines = append(lines, "The server asks: "+narrate.Question(q))
	}
	if r.Kind == playground.OutcomeComplete {
		if words := Result(r); words != "" {
			lines = append(lines, "The result: "+text.Visible(words, 600))
		}
	}
	return cut(strings.Join(lines, "\n"), maxNote)
}

// told makes foreign words harmless in a prepared text: they hold no placeholder, and
// are one line.
func told(s string) string {
	return placeholder.ReplaceAllString(text.Visible(s, maxText), "($1)")
}

// cut returns at most limit characters of a text.
func cut(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return strings.TrimSpace(string(runes[:limit-1])) + "…"
	}
	return strings.TrimSpace(s)
}

// liveStory proposes a story that makes the call again, or returns false if it cannot
// be made in the same way.
func liveStory(x playground.Exchange, at Place) (Story, bool) {
	f := x.Fold()
	ends := f.Status == playground.StatusComplete || f.Status == playground.StatusWaiting
	if at.Sample == "" && at.Flow == "" || !ends || text.HasMask(x.Call.Params) {
		return Story{}, false
	}
	s := newStory(x)
	s.Sample, s.Flow = at.Sample, at.Flow
	s.Call = playground.Call{Method: x.Call.Method, Params: x.Call.Params}
	s.useVersions(at.Versions)
	for n, m := range moments(f) {
		d := f.Rounds[m.first].Decision
		if !s.repeats(d) || f.Rounds[m.first].Legacy {
			return Story{}, false
		}
		step := newStep(x, f, m)
		step.Act = Act{Kind: Send, To: Other}
		if n == 0 {
			step.Act.To = AnyInstance
		}
		step.Text = live(step, f.Rounds[m.last])
		s.Steps = append(s.Steps, step)
	}
	s.finish(f, at.Legacy)
	return s, true
}

// useVersions sets the versions that instances can run. All begin with the first.
func (s *Story) useVersions(versions []string) {
	if len(versions) > 0 {
		s.Versions = slices.Clone(versions[:min(len(versions), maxVersions)])
	}
	s.Instances = "a:" + s.Versions[0] + ",b:" + s.Versions[0]
}

// repeats takes over the answers of a decision. It returns false if a story cannot make
// the decision again.
func (s *Story) repeats(d playground.Decision) bool {
	switch d.Action {
	case playground.ActionStart, playground.ActionAnswer, playground.ActionRetry:
	default:
		return false
	}
	if d.Changed || d.Anyway {
		return false
	}
	for _, a := range d.Answers {
		if a.Error != nil || text.HasMask(a.Value) || !s.prepare(a) {
			return false
		}
	}
	return true
}

// prepare adds a prepared answer, or returns false if its key has another one.
func (s *Story) prepare(a playground.Answer) bool {
	var form struct {
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	err := json.Unmarshal(a.Value, &form)
	all, value := &s.Responses, a.Value
	if err == nil && form.Action == "accept" && bytes.HasPrefix(form.Content, []byte("{")) {
		all, value = &s.Answers, form.Content
	}
	if *all == nil {
		*all = map[string]json.RawMessage{}
	}
	was, there := (*all)[a.Key]
	(*all)[a.Key] = value
	return !there || bytes.Equal(was, value)
}

// live returns the text of a step whose instance and result are not known before.
func live(step Step, r playground.Round) string {
	name, version := r.ServedBy()
	words := step.Text
	if name != "" {
		words = strings.ReplaceAll(words, "Instance "+name+" ("+version+")", "Instance {asked}")
		words = strings.ReplaceAll(words, "Instance "+name, "Instance {asked}")
	}
	if result := Result(r); r.Kind == playground.OutcomeComplete && result != "" && len(result) < 200 {
		words += " “{result}”"
	}
	return cut(words, maxText)
}

// finish adds the end of a live story: the state if there was one, and the same
// call before MRTR.
func (s *Story) finish(f playground.Transcript, legacy bool) {
	last := s.Steps[len(s.Steps)-1]
	hasState := func(r playground.Round) bool { return r.State != nil && r.Task == nil }
	if slices.ContainsFunc(f.Rounds, hasState) {
		s.Steps = append(s.Steps, stateStep(last))
	}
	if last.Expect == playground.OutcomeComplete && !last.Fails {
		s.Verdict = "The call completes."
	}
	if legacy {
		*s = s.WithBefore("")
	}
}

// stateStep returns the step that shows the state, after the last step of the call.
func stateStep(last Step) Step {
	words := "The client kept this state and sent it back byte for byte. Every instance can read it."
	if last.Expect != playground.OutcomeComplete {
		words = "The client keeps this state and sends it back unchanged. Every instance can read it."
	}
	return Step{
		Button: "Look inside the state", Show: State, Title: "What the server must remember is in here.",
		Text:   words,
		Expect: last.Expect, Fails: last.Fails, Asks: last.Asks,
	}
}
