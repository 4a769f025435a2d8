package flow

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
)

// Round is one round of a predicted call: what the server asks, or how it ends.
// With neither it sheds.
type Round struct {
	Asks   []Asked
	Shed   string // the name of the shed step
	Task   bool   // it is in the task
	Ending *Ended
}

// Predict returns the behavior of a version with these arguments and answers,
// one Round for each response, where the instances that run it take turns. It
// stops at a question without an answer.
func (v *Version) Predict(arguments map[string]any, answers map[string]Answer) []Round {
	return v.PredictOn(arguments, answers, v.On...)
}

// PredictOn is Predict for these instances.
func (v *Version) PredictOn(
	arguments map[string]any, answers map[string]Answer, instances ...string,
) []Round {
	p := prediction{run: v.Start(arguments, instances[0]+"/"+v.Name), answers: answers, on: instances}
	ctx := context.Background() // nothing waits
	e, err := p.run.Call(ctx, &p)
	if e == nil && err == nil {
		p.task = true
		e, err = p.run.Task(ctx, &p)
	}
	var refused Refusal
	if errors.As(err, &refused) {
		e = &Ended{string(refused), true}
	}
	if e != nil {
		p.rounds = append(p.rounds, Round{Task: p.task, Ending: e})
	}
	return p.rounds
}

// prediction is the Turn of a call that is not made: it has the answers, and
// keeps the questions.
type prediction struct {
	run     *Run
	answers map[string]Answer
	on      []string // the instances that take turns
	rounds  []Round
	task    bool
	again   bool // a question would be asked again, for ever
}

// errStopped ends a prediction at a question without an answer.
var errStopped = errors.New("no answer")

// pause ends a round. Of the call, the next request reaches the next instance.
func (p *prediction) pause(r Round) {
	p.rounds = append(p.rounds, r)
	if !r.Task {
		p.run.values["instance"] = p.on[len(p.rounds)%len(p.on)] + "/" + p.run.version.Name
	}
}

// Ask implements [Turn].
func (p *prediction) Ask(_ context.Context, list []Asked) (map[string]Answer, error) {
	if p.again {
		return nil, errStopped
	}
	p.pause(Round{Asks: list, Task: p.task})
	for _, q := range list {
		if _, ok := p.answers[q.Key]; !ok {
			return p.answers, errStopped
		}
	}
	return p.answers, nil
}

// Forget implements [Turn].
func (p *prediction) Forget(string) { p.again = true }

// Shed implements [Turn].
func (p *prediction) Shed(_ context.Context, key string) (string, error) {
	instance, _ := p.run.values["instance"].(string)
	p.pause(Round{Shed: key})
	return instance, nil
}

// Progress implements [Turn].
func (p *prediction) Progress(context.Context, Report) error { return nil }

// Example returns arguments to call the flow with: the examples and defaults of
// its arguments, and placeholders for those that are required and have neither.
func (f *Flow) Example() map[string]any { return exampleOf(f.Arguments) }

// ExampleAnswers returns an accepting answer to every question of a version, of
// the examples and defaults of its fields.
func (v *Version) ExampleAnswers() map[string]Answer {
	all := map[string]Answer{}
	for _, s := range v.all() {
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
	return slices.DeleteFunc(slices.Clone(v.all()), func(s Step) bool { return s.Kind != Form })
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
