package flow

import (
	"encoding/json"
	"maps"
	"slices"
)

// Answer is an answer as the flow sees it.
type Answer struct {
	Action string         // accept, decline or cancel
	Values map[string]any // what answers.KEY has
}

// Round is one round of a predicted call: what the server asks, or how it ends.
// With neither it sheds.
type Round struct {
	Asks   []Asked
	Shed   string // the name of the shed step
	Task   bool   // it is in the task
	Ending *Ended
}

// Asked is a question with its texts filled in.
type Asked struct {
	Step
	Words       string // the message or prompt
	SystemWords string // of a Sampling
}

// Ended is how a call ends.
type Ended struct {
	Text  string
	Error bool
}

// Predict says what a version does with these arguments and answers, one Round
// for each response, where the instances that run it take turns. It stops at a
// question without an answer.
func (v *Version) Predict(arguments map[string]any, answers map[string]Answer) []Round {
	return v.PredictOn(arguments, answers, v.On...)
}

// PredictOn is Predict for these instances.
func (v *Version) PredictOn(
	arguments map[string]any, answers map[string]Answer, instances ...string,
) []Round {
	p := prediction{version: v, answers: answers, on: instances, values: Values{
		"args": arguments, "answers": map[string]any{}, "actions": map[string]any{},
		"instances": map[string]any{}, "version": v.Name, "instance": instances[0] + "/" + v.Name,
	}}
	if p.steps(v.Steps, false) && v.Task != nil {
		p.steps(v.Task.Steps, true)
	}
	if !p.stopped {
		p.result(v.Result)
	}
	return p.rounds
}

type prediction struct {
	version *Version
	answers map[string]Answer
	values  Values
	rounds  []Round
	stopped bool
	on      []string // the instances that take turns
}

// steps goes through steps. It reports whether the call goes on after them.
func (p *prediction) steps(steps []Step, task bool) bool {
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		switch {
		case s.Kind.Asks():
			group := []Step{s}
			for i+1 < len(steps) && steps[i+1].Together {
				i++
				group = append(group, steps[i])
			}
			if !p.ask(group, task) {
				p.stopped = true
				return false
			}
		case !s.When.Holds(p.values):
		case s.Kind == Shed:
			p.values["instances"].(map[string]any)[s.Key] = p.values["instance"]
			p.pause(Round{Shed: s.Key})
		case s.Kind == End:
			p.end(s.End, task)
			p.stopped = true
			return false
		}
	}
	return true
}

// pause ends a round. Of the call, the next request reaches the next instance.
func (p *prediction) pause(r Round) {
	p.rounds = append(p.rounds, r)
	if !r.Task {
		p.values["instance"] = p.on[len(p.rounds)%len(p.on)] + "/" + p.version.Name
	}
}

// ask puts the questions of a group whose conditions hold. It reports whether
// the call goes on with the answers.
func (p *prediction) ask(group []Step, task bool) bool {
	var round Round
	for _, s := range group {
		if s.When.Holds(p.values) {
			round.Asks = append(round.Asks, Asked{s, s.Message.Fill(p.values), s.System.Fill(p.values)})
		}
	}
	if len(round.Asks) == 0 {
		return true
	}
	round.Task = task
	p.pause(round)
	for _, q := range round.Asks {
		a, ok := p.answers[q.Key]
		if !ok {
			return false
		}
		if !p.take(q.Step, a, task) {
			return false
		}
	}
	return true
}

// take uses an answer. It reports whether the call goes on.
func (p *prediction) take(s Step, a Answer, task bool) bool {
	p.values["actions"].(map[string]any)[s.Key] = a.Action
	if a.Action == "accept" {
		p.values["answers"].(map[string]any)[s.Key] = maps.Clone(a.Values)
		return true
	}
	how := s.Decline
	if a.Action == "cancel" {
		how = s.Cancel
	}
	switch {
	case how.Continue:
		return true
	case how.Again:
		return false
	case how.End != nil:
		p.end(*how.End, task)
	default:
		p.end(Ending{Text: Text{{Literal: DefaultRefusal(a.Action)}}}, task)
	}
	return false
}

// DefaultRefusal is the result of a declined or cancelled question whose step
// says nothing about it.
func DefaultRefusal(action string) string {
	if action == "decline" {
		return "Nothing was done: the question was declined."
	}
	return "Nothing was done: the question was dismissed."
}

func (p *prediction) result(endings []Ending) {
	for _, e := range endings {
		if e.When.Holds(p.values) {
			p.end(e, p.version.Task != nil)
			return
		}
	}
}

func (p *prediction) end(e Ending, task bool) {
	p.rounds = append(p.rounds, Round{Task: task, Ending: &Ended{e.Text.Fill(p.values), e.Error}})
}

// Example returns arguments to call the flow with: the examples and defaults of
// its arguments, and placeholders for those that are required and have neither.
func (f *Flow) Example() map[string]any { return exampleOf(f.Arguments) }

// ExampleAnswers returns an accepting answer to every question of a version, of
// the examples and defaults of its fields.
func (v *Version) ExampleAnswers() map[string]Answer {
	all := map[string]Answer{}
	steps := v.Steps
	if v.Task != nil {
		steps = append(steps[:len(steps):len(steps)], v.Task.Steps...)
	}
	for _, s := range steps {
		switch s.Kind {
		case Form:
			all[s.Key] = Answer{"accept", exampleOf(s.Fields)}
		case URL:
			all[s.Key] = Answer{Action: "accept"}
		case Sampling:
			all[s.Key] = Answer{"accept", map[string]any{"text": "A short answer.", "model": "example"}}
		case Roots:
			all[s.Key] = Answer{"accept", map[string]any{
				"uris": []any{"file:///home/ada/project"}, "names": []any{"project"},
			}}
		}
	}
	return all
}

// Forms returns the steps of a version that show a form, in the call and in its
// task.
func (v *Version) Forms() []Step {
	steps := v.Steps
	if v.Task != nil {
		steps = append(steps[:len(steps):len(steps)], v.Task.Steps...)
	}
	return slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return s.Kind != Form })
}

// Example returns the content of a form: the examples and defaults of its fields.
func (s Step) Example() map[string]any { return exampleOf(s.Fields) }

func exampleOf(fields []Field) map[string]any {
	all := map[string]any{}
	for _, f := range fields {
		if v := f.example(); v != nil {
			all[f.Name] = v
		}
	}
	return all
}

// example returns the example or default of a field, or a placeholder if it is
// required. It returns nil if the field can be left out.
func (f Field) example() any {
	for _, raw := range []json.RawMessage{f.Example, f.Default} {
		var v any
		if raw != nil && json.Unmarshal(raw, &v) == nil {
			return v
		}
	}
	if !f.Required {
		return nil
	}
	return f.placeholder()
}
