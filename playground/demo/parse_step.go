package demo

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// The words that a step begins with: what its button does.
const (
	sendWord  = "send"
	showWord  = "show"
	roundWord = "round"
)

// operations are the words of steps that change an instance.
var operations = []cluster.Operation{cluster.Kill, cluster.Stop, cluster.Upgrade, cluster.Revive}

// kindWords returns the words of which each step has one.
func kindWords() []string {
	words := []string{sendWord, showWord, roundWord}
	for _, o := range operations {
		words = append(words, string(o))
	}
	return words
}

// toolError is the expectation of a complete result that is an error of the
// tool.
const toolError = "tool_error"

// outcomes are those that a step can expect of the newest Round.
var outcomes = []string{
	string(playground.OutcomeInputRequired), string(playground.OutcomeRetry),
	string(playground.OutcomeComplete), toolError, string(playground.OutcomeTask),
	string(playground.OutcomeTaskStatus), string(playground.OutcomeRPCError),
	string(playground.OutcomeHTTPError), string(playground.OutcomeTransportError),
	string(playground.OutcomeViolation), string(playground.OutcomeCancelled),
	string(playground.OutcomeInterrupted),
}

func (r *reader) steps(s *Story) {
	n := r.root.Get("steps")
	items := r.Items(n, "steps", MaxSteps)
	if n.KindOf() == document.Absent || n.Kind == document.List && len(n.Items) == 0 {
		r.Wrong(first(n, r.root), "steps", "A demo needs at least one step.")
	}
	for i, item := range items {
		path := document.Index("steps", i)
		step := r.step(item, path, s)
		if i > 0 && step.Expect == "" {
			before := s.Steps[i-1]
			step.Expect, step.Fails, step.Asks = before.Expect, before.Fails, before.Asks
		}
		opens := step.Act.Kind == Send || step.Act.Kind == Recorded
		if i == 0 && !opens && r.Is(item, path, document.Map) {
			r.Wrong(item, path, "The first step sends the call: send, or round in a recorded demo.")
		}
		s.Steps = append(s.Steps, step)
	}
}

func (r *reader) step(n *document.Node, path string, s *Story) Step {
	step := Step{}
	if !r.Fields(n, path, append([]string{"button", "title", "text", "note", "expect", "asks", "before",
		"call", "verdict"}, kindWords()...)...) {
		return step
	}
	step.Line = n.Line
	step.Button = r.line(n, path, "button", maxButton, true)
	step.Title = r.told(n, path, "title", maxTitle, true)
	step.Text = r.told(n, path, "text", maxText, false)
	step.Before = r.told(n, path, "before", maxText, false)
	step.Note = strings.TrimSpace(r.Text(n.Get("note"), document.Join(path, "note"), maxNote))
	r.visible(n.Get("note"), document.Join(path, "note"), strings.NewReplacer("\n", "", "\t", "").
		Replace(step.Note))
	r.act(&step, n, path, s)
	r.expect(&step, n, path)
	step.Verdict = r.Choice(n.Get("verdict"), document.Join(path, "verdict"), "pass", "hint", "fail")
	return step
}

// act reads what the button of a step does.
func (r *reader) act(step *Step, n *document.Node, path string, s *Story) {
	var found []string
	for _, word := range kindWords() {
		if n.Has(word) {
			found = append(found, word)
		}
	}
	if len(found) != 1 {
		r.Wrong(n, path, "Each step has one of these fields: %s.", strings.Join(kindWords(), ", "))
		return
	}
	word, place := found[0], document.Join(path, found[0])
	value := n.Get(word)
	switch {
	case word == roundWord:
		r.recordedStep(step, n, path, s)
		return
	case s.IsRecorded():
		r.Wrong(value, place, "A recorded demo sends nothing and changes nothing: its steps show a round.")
		return
	case word == showWord:
		r.showStep(step, value, place)
		return
	}
	to := map[string]Role{"asker": Asker, "another": Other, "any": AnyInstance}
	roles := []string{"asker", "another"}
	if word == sendWord {
		step.Act.Kind, roles = Send, append(roles, "any")
	} else {
		step.Act.Kind, step.Act.Do = Alter, cluster.Operation(word)
	}
	step.Act.To = to[r.Choice(value, place, roles...)]
	if value.Kind == document.Null {
		r.Wrong(value, place, "Name the instance: %s.", strings.Join(roles, ", "))
	}
	if step.Act.Do == cluster.Upgrade {
		if step.Act.Version = s.Versions[len(s.Versions)-1]; len(s.Versions) < 2 {
			r.Wrong(value, place, "There is no version to upgrade to. List two in versions: [v1, v2].")
		}
	}
}

func (r *reader) showStep(step *Step, value *document.Node, place string) {
	switch r.Choice(value, place, "state", "before") {
	case "state":
		step.Show = State
	case "before":
		step.Act.Kind, step.Show = Replay, Legacy
		if !r.root.Has("before") {
			r.Wrong(value, place, "The demo has no field “before”: the same call before MRTR.")
		}
	default:
		if value.Kind == document.Null {
			r.Wrong(value, place, "Write state or before.")
		}
	}
}

// recordedStep reads which Round of which recorded call a step shows.
func (r *reader) recordedStep(step *Step, n *document.Node, path string, s *Story) {
	step.Act.Kind = Recorded
	if !s.IsRecorded() {
		r.Wrong(n.Get(roundWord), document.Join(path, roundWord),
			"Only a recorded demo shows a round: its server has the field “recorded”.")
		return
	}
	step.Round = r.count(n.Get(roundWord), document.Join(path, roundWord), 1000)
	step.Call = 1
	if n.Has("call") {
		step.Call = r.count(n.Get("call"), document.Join(path, "call"), len(s.Recorded))
	}
}

// count reads a whole number from 1.
func (r *reader) count(n *document.Node, path string, most int) int {
	v, ok := r.Number(n, path)
	if !ok || v != float64(int(v)) || v < 1 || int(v) > most {
		r.Wrong(n, path, "Write a whole number from 1 to %d.", most)
		return 1
	}
	return int(v)
}

func (r *reader) expect(step *Step, n *document.Node, path string) {
	word := r.Choice(n.Get("expect"), document.Join(path, "expect"), outcomes...)
	step.Expect = playground.OutcomeKind(word)
	if word == toolError {
		step.Expect, step.Fails = playground.OutcomeComplete, true
	}
	step.Asks = r.Text(n.Get("asks"), document.Join(path, "asks"), maxText)
	if step.Expect == "" && (step.Act.Kind == Send || step.Act.Kind == Recorded) {
		r.Wrong(n, path,
			"The field “expect” is missing: what comes back, such as input_required or complete.")
	}
	if step.Asks != "" && step.Expect == "" {
		r.Wrong(n.Get("asks"), document.Join(path, "asks"), "The field “asks” needs the field “expect”.")
	}
}

// before reads the same call before MRTR. The acts of a step are made there
// too, up to the last step that has any.
func (r *reader) before(s *Story) {
	n := r.root.Get("before")
	last := -1
	for i, step := range s.Steps {
		if step.Before != "" {
			last = i
		}
	}
	if n.KindOf() == document.Absent {
		if last >= 0 {
			r.Wrong(r.root, document.Index("steps", last), "The step has a text for the call before MRTR, "+
				"but the demo has no field “before”.")
		}
		return
	}
	if !r.Fields(n, "before", "sample", "instances", "verdict") {
		return
	}
	if s.IsRecorded() {
		r.Wrong(n, "before", "A recorded demo has no call before MRTR: nothing is sent.")
		return
	}
	s.Before = Lane{
		Sample:    first(n.Get("sample"), r.root.Get("server").Get("sample")).Str(),
		Instances: r.topology(n.Get("instances"), "before.instances", s.Versions),
		Verdict:   r.told(n, "before", "verdict", maxTitle, true),
	}
	if s.Before.Instances == "" {
		s.Before.Instances = s.Instances
	}
	r.token(n.Get("sample"), "before.sample")
	if last < 0 {
		r.Wrong(n, "before",
			"No step says what happens before MRTR. Give the first steps the field “before”.")
	}
	s.Before.follow(s.Steps)
}

// follow makes the acts and captions of the lane those of the steps, up to the last
// that has a text for the lane before MRTR.
func (l *Lane) follow(steps []Step) {
	l.Acts, l.Captions = nil, nil
	last := -1
	for i, step := range steps {
		if step.Before != "" {
			last = i
		}
	}
	for i, step := range steps[:last+1] {
		act, caption := step.Act, step.Before
		if act.Kind == Send {
			act.To = AnyInstance // sticky routing chooses
		}
		if caption == "" && i > 0 {
			caption = l.Captions[i-1]
		}
		l.Acts, l.Captions = append(l.Acts, act), append(l.Captions, caption)
	}
}
