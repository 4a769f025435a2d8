package flow

import (
	"context"
	"encoding/json"
	"time"
)

// Turn is one turn of a call: what has come from its client, and the way to ask it.
// Its errors end the turn and are returned as they are; one of them says that the
// call pauses.
type Turn interface {
	// Ask returns the answers that the client has given to questions of one round. If
	// some are missing, it returns the others and the error of the pause.
	Ask(ctx context.Context, list []Question) (map[string]Answer, error)
	// Forget drops the answer to a question, so that it is asked again.
	Forget(key string)
	// Shed returns the instance that gave the work back to the client, or the error of
	// the pause if none has done so yet.
	Shed(ctx context.Context, key string) (instance string, err error)
	// Progress reports progress, and takes time.
	Progress(ctx context.Context, p Progress) error
}

// Question is a question with its texts filled in. The message of a Sampling is its
// prompt.
type Question struct {
	Kind    Kind
	Key     string
	Message string
	Schema  json.RawMessage // of a Form

	System    string // of a Sampling
	MaxTokens int    // of a Sampling

	Shown []string // of a URL: the values of the text of its page
}

// Answer is an answer as a flow sees it.
type Answer struct {
	Action string         // accept, decline or cancel
	Values map[string]any // what the answer says, by name
}

// Progress is what a flow reports while it works.
type Progress struct {
	Message  string
	Done, Of float64 // 0 if the flow does not say
	Wait     time.Duration
}

// Ending is how a call ends.
type Ending struct {
	Text  string
	Error bool
}

// Run is one run through the steps of a version.
type Run struct {
	version *Version
	values  values
	meter   meter
}

// Start returns a run on an instance, such as "a/v1", with arguments that fit the
// input schema.
func (v *Version) Start(arguments map[string]any, instance string) *Run {
	return &Run{version: v, values: values{
		"args": arguments, "answers": map[string]any{}, "actions": map[string]any{},
		"instances": map[string]any{}, "version": v.Name, "instance": instance,
	}}
}

// Call goes through the steps of the call. It returns nil if the call goes on as a
// task.
func (r *Run) Call(ctx context.Context, t Turn) (*Ending, error) {
	e, err := r.steps(ctx, t, r.version.steps)
	if e != nil || err != nil || r.version.HasTask {
		return e, err
	}
	return r.result()
}

// Task goes through the steps of the task.
func (r *Run) Task(ctx context.Context, t Turn) (*Ending, error) {
	e, err := r.steps(ctx, t, r.version.task)
	if e != nil || err != nil {
		return e, err
	}
	return r.result()
}

func (r *Run) steps(ctx context.Context, t Turn, steps []step) (*Ending, error) {
	for i := 0; i < len(steps); i++ {
		first := i
		if steps[i].kind.asks() {
			for i+1 < len(steps) && steps[i+1].together && steps[i+1].kind.asks() {
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
func (r *Run) step(ctx context.Context, t Turn, s step) (*Ending, error) {
	holds, err := s.when.holds(&r.meter, r.values)
	if err != nil || !holds {
		return nil, err
	}
	switch s.kind {
	case shed:
		instance, err := t.Shed(ctx, s.key)
		r.part("instances")[s.key] = instance
		return nil, err
	case progress:
		words, err := s.message.fill(&r.meter, r.values)
		if err != nil {
			return nil, err
		}
		return nil, t.Progress(ctx, Progress{words, s.done, s.of, s.wait})
	}
	return r.end(s.end)
}

func (r *Run) part(name string) map[string]any {
	m, _ := r.values[name].(map[string]any)
	return m
}

// ask puts the questions of one round whose conditions hold. Their conditions and
// texts are those before the round.
func (r *Run) ask(ctx context.Context, t Turn, group []step) (*Ending, error) {
	var asked []step
	var list []Question
	for _, s := range group {
		holds, err := s.when.holds(&r.meter, r.values)
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
		asked, list = append(asked, s), append(list, q)
	}
	for len(list) > 0 {
		answers, paused := t.Ask(ctx, list)
		e, again, err := r.take(t, asked, answers)
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
func (r *Run) question(s step) (Question, error) {
	q := Question{Kind: s.kind, Key: s.key, Schema: s.schema, MaxTokens: s.maxTokens}
	var err error
	if q.Message, err = s.message.fill(&r.meter, r.values); err != nil {
		return q, err
	}
	switch s.kind {
	case Sampling:
		q.System, err = s.system.fill(&r.meter, r.values)
	case URL:
		q.Shown, err = s.page.text.shown(&r.meter, r.values)
	}
	return q, err
}

// take uses the answers of a round. It reports whether a question is to be asked
// again because of its answer.
func (r *Run) take(t Turn, asked []step, answers map[string]Answer) (e *Ending, again bool, err error) {
	for _, s := range asked {
		a, ok := answers[s.key]
		if !ok {
			continue
		}
		how := s.decline
		if a.Action == "cancel" {
			how = s.cancel
		}
		switch {
		case a.Action == "accept":
			r.part("answers")[s.key] = a.Values
		case how.again:
			t.Forget(s.key)
			again = true
			continue
		case how.goesOn:
		default:
			e, err := r.refused(how, a.Action)
			return e, false, err
		}
		r.part("actions")[s.key] = a.Action
	}
	return nil, again, nil
}

// refused ends the call because of a refusal.
func (r *Run) refused(how reaction, action string) (*Ending, error) {
	switch {
	case how.end != nil:
		return r.end(*how.end)
	case action == "decline":
		return &Ending{Text: "Nothing was done: the question was declined."}, nil
	}
	return &Ending{Text: "Nothing was done: the question was dismissed."}, nil
}

// result returns the first result whose condition holds.
func (r *Run) result() (*Ending, error) {
	for _, e := range r.version.result {
		holds, err := e.when.holds(&r.meter, r.values)
		if err != nil {
			return nil, err
		}
		if holds {
			return r.end(e)
		}
	}
	return nil, Refusal("The flow has no result.") // the last result has no condition
}

func (r *Run) end(e ending) (*Ending, error) {
	words, err := e.text.fill(&r.meter, r.values)
	return &Ending{words, e.err}, err
}
