package flow

import (
	"context"
	"time"
)

// Turn is one turn of a call: the answers of its client, and the way to ask it.
// Its errors end the turn and are returned as they are; one of them says that
// the call pauses.
type Turn interface {
	// Ask returns the answers that the client has given to questions of one round. If
	// some are missing, it returns the others and the error of the pause.
	Ask(ctx context.Context, list []Asked) (map[string]Answer, error)
	// Forget drops the answer to a question, so that it is asked again.
	Forget(key string)
	// Shed returns the instance that gave the work back to the client, or the error of
	// the pause if none has done so yet.
	Shed(ctx context.Context, key string) (instance string, err error)
	// Progress reports progress, and takes time.
	Progress(ctx context.Context, r Report) error
}

// Asked is a question with its texts filled in.
type Asked struct {
	Step
	Words       string   // the message, or the prompt of a Sampling
	SystemWords string   // of a Sampling
	Shown       []string // of a URL: the values of the text of its page
}

// Answer is an answer as a flow sees it.
type Answer struct {
	Action string         // accept, decline or cancel
	Values map[string]any // what answers.KEY has
}

// Report is a report of a flow while it works.
type Report struct {
	Message  string
	Done, Of float64 // 0 if the flow does not say
	Wait     time.Duration
}

// Ended is how a call ends.
type Ended struct {
	Text  string
	Error bool
}

// Refusal says in words why a flow cannot go on with the values of a call.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// Run is one run through the steps of a version, in order. It ends: no step is
// taken twice, unless a question is asked again.
type Run struct {
	version *Version
	values  Values
	meter   meter
}

// meter bounds what one turn computes and writes.
type meter struct{ cost, filled int }

// eval computes an expression.
func (m *meter) eval(e *Expr, v Values) (any, error) {
	if m.cost += e.cost(v); m.cost > maxCost {
		return nil, Refusal("The values of this call are too long for the expressions of the flow.")
	}
	return e.Eval(v), nil
}

// holds computes a condition. A nil condition holds.
func (m *meter) holds(e *Expr, v Values) (bool, error) {
	if e == nil {
		return true, nil
	}
	result, err := m.eval(e, v)
	return result == true, err
}

// fill returns a text with its values.
func (m *meter) fill(t Text, v Values) (string, error) {
	shown, err := t.shown(m, v)
	if err != nil {
		return "", err
	}
	filled, _ := t.With(shown)
	if len(filled) > maxFilled {
		return "", Refusal("A text of the flow is too long with the values of this call.")
	}
	if m.filled += len(filled); m.filled > maxFilledAll {
		return "", Refusal("The texts of the flow are too long with the values of this call.")
	}
	return filled, nil
}

// Start returns a run on an instance, such as a/v1, with arguments that fit the
// input schema.
func (v *Version) Start(arguments map[string]any, instance string) *Run {
	return &Run{version: v, values: Values{
		"args": arguments, "answers": map[string]any{}, "actions": map[string]any{},
		"instances": map[string]any{}, "version": v.Name, "instance": instance,
	}}
}

// Call goes through the steps of the call. It returns nil if the call goes on as a
// task. The error is a [Refusal], or one of t.
func (r *Run) Call(ctx context.Context, t Turn) (*Ended, error) {
	e, err := r.steps(ctx, t, r.version.Steps)
	if e != nil || err != nil || r.version.Task != nil {
		return e, err
	}
	return r.result()
}

// Task goes through the steps of the task, after Call.
func (r *Run) Task(ctx context.Context, t Turn) (*Ended, error) {
	e, err := r.steps(ctx, t, r.version.Task.Steps)
	if e != nil || err != nil {
		return e, err
	}
	return r.result()
}

func (r *Run) steps(ctx context.Context, t Turn, steps []Step) (*Ended, error) {
	for i := 0; i < len(steps); i++ {
		first := i
		if steps[i].Kind.Asks() {
			for i+1 < len(steps) && steps[i+1].Together {
				i++
			}
			if e, err := r.ask(ctx, t, steps[first:i+1]); e != nil || err != nil {
				return e, err
			}
			continue
		}
		if e, err := r.step(ctx, t, steps[i]); e != nil || err != nil {
			return e, err
		}
	}
	return nil, nil
}

// step does a step that asks nothing.
func (r *Run) step(ctx context.Context, t Turn, s Step) (*Ended, error) {
	holds, err := r.meter.holds(s.When, r.values)
	if err != nil || !holds {
		return nil, err
	}
	switch s.Kind {
	case Shed:
		instance, err := t.Shed(ctx, s.Key)
		r.part("instances")[s.Key] = instance
		return nil, err
	case Progress:
		words, err := r.meter.fill(s.Message, r.values)
		if err != nil {
			return nil, err
		}
		return nil, t.Progress(ctx, Report{words, s.Done, s.Of, s.wait()})
	}
	return r.end(s.End)
}

// wait returns how long a Progress takes.
func (s Step) wait() time.Duration { return time.Duration(s.Seconds * float64(time.Second)) }

func (r *Run) part(name string) map[string]any {
	m, _ := r.values[name].(map[string]any)
	return m
}

// ask puts the questions of one round whose conditions hold. Their conditions and
// texts are those before the round.
func (r *Run) ask(ctx context.Context, t Turn, group []Step) (*Ended, error) {
	var list []Asked
	for _, s := range group {
		holds, err := r.meter.holds(s.When, r.values)
		if err != nil {
			return nil, err
		}
		if !holds {
			continue
		}
		q, err := r.question(s)
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	for len(list) > 0 {
		answers, paused := t.Ask(ctx, list)
		e, again, err := r.take(t, list, answers)
		if e != nil || err != nil {
			return e, err
		}
		if again {
			continue
		}
		return nil, paused
	}
	return nil, nil
}

// question fills in the texts of a question.
func (r *Run) question(s Step) (Asked, error) {
	q := Asked{Step: s}
	var err error
	if q.Words, err = r.meter.fill(s.Message, r.values); err != nil {
		return q, err
	}
	switch s.Kind {
	case Sampling:
		q.SystemWords, err = r.meter.fill(s.System, r.values)
	case URL:
		q.Shown, err = s.Page.Text.shown(&r.meter, r.values)
	}
	return q, err
}

// take uses the answers of a round. It reports whether a question is to be asked
// again because of its answer.
func (r *Run) take(t Turn, asked []Asked, answers map[string]Answer) (e *Ended, again bool, err error) {
	for _, s := range asked {
		a, ok := answers[s.Key]
		if !ok {
			continue
		}
		how := s.Decline
		if a.Action == "cancel" {
			how = s.Cancel
		}
		switch {
		case a.Action == "accept":
			r.part("answers")[s.Key] = a.Values
		case how.Again:
			t.Forget(s.Key)
			again = true
			continue
		case how.Continue:
		default:
			e, err := r.refused(how, a.Action)
			return e, false, err
		}
		r.part("actions")[s.Key] = a.Action
	}
	return nil, again, nil
}

// refused ends the call because of a refusal.
func (r *Run) refused(how Reaction, action string) (*Ended, error) {
	if how.End != nil {
		return r.end(*how.End)
	}
	return &Ended{Text: DefaultRefusal(action)}, nil
}

// DefaultRefusal is the result of a declined or cancelled question whose step
// says nothing about it.
func DefaultRefusal(action string) string {
	if action == "decline" {
		return "Nothing was done: the question was declined."
	}
	return "Nothing was done: the question was dismissed."
}

// result returns the first result whose condition holds.
func (r *Run) result() (*Ended, error) {
	for _, e := range r.version.Result {
		holds, err := r.meter.holds(e.When, r.values)
		if err != nil {
			return nil, err
		}
		if holds {
			return r.end(e)
		}
	}
	return nil, Refusal("The flow has no result.") // the last result has no condition
}

func (r *Run) end(e Ending) (*Ended, error) {
	words, err := r.meter.fill(e.Text, r.values)
	if err != nil {
		return nil, err
	}
	return &Ended{words, e.Error}, nil
}
