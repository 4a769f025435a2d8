package code

import (
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// plan is a flow as all languages write it: the steps of each version, in
// groups of one round, and the parts that the flow needs.
type plan struct {
	flow     *flow.Flow
	versions []version
	needs    map[string]bool // conditions of the parts
}

// version is a version of the flow.
type version struct {
	name   string
	steps  []step
	result []ending
	again  []string
	task   *flow.Task
	used   map[string]bool // names of the answers that texts and conditions use
}

// step is a group of questions that are asked in one round, or another step.
type step struct {
	asks  []question
	other flow.Step // a shed, progress or end step, if there are no questions
	when  *flow.Expr
	end   ending
	inner bool     // the first step of the task
	until []string // of a progress: the steps after it, see round.past
}

// question is a question of a group.
type question struct {
	flow.Step
	when     *flow.Expr
	sure     bool // it has an accepted answer after its round
	answered bool // a text or condition uses its answer
	refusals []refusal
	ignored  []string // refusals after which it is asked again
}

// refusal is the reaction when a question is declined or cancelled.
type refusal struct {
	action string
	end    ending
}

// ending is how a call ends, if a condition holds.
type ending struct {
	when    *flow.Expr
	text    flow.Text
	isError bool
}

func newPlan(f *flow.Flow) *plan {
	p := &plan{flow: f, needs: map[string]bool{}}
	for i := range f.Versions {
		p.versions = append(p.versions, newVersion(&f.Versions[i]))
	}
	p.find()
	return p
}

func newVersion(v *flow.Version) version {
	w := version{name: v.Name, again: v.Again, task: v.Task, used: map[string]bool{}}
	all := v.Steps
	if v.Task != nil {
		all = slices.Concat(v.Steps, v.Task.Steps)
	}
	marked := false
	for i, s := range all {
		when := simple(s.When, v.Name)
		if never(when) && !s.Kind.Asks() { // a question can be named
			continue
		}
		inner := v.Task != nil && i >= len(v.Steps) && !marked
		marked = marked || inner
		switch {
		case s.Kind.Asks():
			q := newQuestion(s, when)
			last := len(w.steps) - 1
			if s.Together && last >= 0 && w.steps[last].asks != nil {
				w.steps[last].asks = append(w.steps[last].asks, q)
			} else {
				w.steps = append(w.steps, step{asks: []question{q}, inner: inner})
			}
		default:
			w.steps = append(w.steps, step{
				other: s, when: when, inner: inner,
				end: ending{nil, s.End.Text, s.End.Error},
			})
		}
	}
	for _, e := range v.Result {
		if when := simple(e.When, v.Name); !never(when) {
			w.result = append(w.result, ending{when, e.Text, e.Error})
		}
	}
	w.findUsed()
	w.findPast()
	return w
}

func newQuestion(s flow.Step, when *flow.Expr) question {
	q := question{Step: s, when: when}
	q.sure = always(when) && !s.Decline.Continue && !s.Cancel.Continue
	if s.Kind != flow.Form && s.Kind != flow.URL {
		return q
	}
	for _, r := range []struct {
		action string
		how    flow.Reaction
	}{{"decline", s.Decline}, {"cancel", s.Cancel}} {
		switch {
		case r.how.Continue:
		case r.how.Again:
			q.ignored = append(q.ignored, r.action)
		case r.how.End != nil:
			q.refusals = append(q.refusals, refusal{r.action, ending{nil, r.how.End.Text, r.how.End.Error}})
		default:
			text := flow.Text{{Literal: flow.DefaultRefusal(r.action)}}
			q.refusals = append(q.refusals, refusal{r.action, ending{nil, text, false}})
		}
	}
	return q
}

func always(e *flow.Expr) bool { return e.Op == flow.Const && e.Value == true }

func never(e *flow.Expr) bool { return e.Op == flow.Const && e.Value == false }

// each calls visit with every expression that the version computes.
func (v *version) each(visit func(*flow.Expr)) {
	texts := func(list ...flow.Text) {
		for _, t := range list {
			for _, part := range t {
				if part.Value != nil {
					visit(shown(part.Value, v.name))
				}
			}
		}
	}
	for _, s := range v.steps {
		for _, q := range s.asks {
			visit(q.when)
			texts(q.Message, q.System, q.Page.Text)
			for _, r := range q.refusals {
				texts(r.end.text)
			}
		}
		if s.asks == nil {
			visit(s.when)
			texts(s.other.Message, s.end.text)
		}
	}
	for _, e := range v.result {
		visit(e.when)
		texts(e.text)
	}
}

// findUsed sets which answers are used.
func (v *version) findUsed() {
	v.each(func(e *flow.Expr) {
		names(e, func(path []string) { v.used[strings.Join(path[:min(2, len(path))], ".")] = true })
	})
	for i := range v.steps {
		for j := range v.steps[i].asks {
			q := &v.steps[i].asks[j]
			q.answered = v.used["answers."+q.Key] || v.used["actions."+q.Key]
		}
	}
}

// findPast sets the steps after each progress: the questions and shed steps up
// to those that every call comes to.
func (v *version) findPast() {
	for i := range v.steps {
		if v.steps[i].other.Kind != flow.Progress {
			continue
		}
		for _, s := range v.steps[i+1:] {
			certain := false
			for _, q := range s.asks {
				v.steps[i].until = append(v.steps[i].until, q.Key)
				certain = certain || always(q.when)
			}
			if s.asks == nil && s.other.Kind == flow.Shed {
				v.steps[i].until = append(v.steps[i].until, s.other.Key)
				certain = always(s.when)
			}
			if certain {
				break
			}
		}
	}
}

// find sets what the flow needs of the parts.
func (p *plan) find() {
	need := func(name string, is bool) { p.needs[name] = p.needs[name] || is }
	for i := range p.versions {
		v := &p.versions[i]
		need("again", len(v.again) > 0)
		need("instance", v.used["instance"])
		for _, s := range v.steps {
			need("shed", s.other.Kind == flow.Shed)
			need("instance", s.other.Kind == flow.Shed)
			need("progress", s.other.Kind == flow.Progress)
			need("work", s.other.Seconds > 0)
			need("past", len(s.until) > 0)
			for _, q := range s.asks {
				need(string(q.Kind), true)
				need("askagain", len(q.ignored) > 0)
				need("formats", slices.ContainsFunc(q.Fields, hasFormat))
			}
		}
		v.each(func(e *flow.Expr) { p.findHelpers(e) })
	}
	need("formats", slices.ContainsFunc(p.flow.Arguments, hasFormat))
	n := p.needs
	n["asks"] = n["form"] || n["url"] || n["sampling"] || n["roots"]
	n["elicits"] = n["form"] || n["url"]
	n["task"] = slices.ContainsFunc(p.flow.Versions, func(v flow.Version) bool { return v.Task != nil })
	n["both"] = n["task"] && n["url"]
	n["shares"] = n["url"] || n["task"] // instances share a memory
	n["state"] = n["asks"] || n["shed"] || n["task"]
	n["versions"] = len(p.versions) > 1
	n["keeps"] = n["versions"] && n["form"]
	n["fails"] = true
	for _, protection := range []string{"sealed", "signed", "plain"} {
		n[protection] = n["state"] && p.protection() == protection
	}
	n["secret"] = n["sealed"] || n["signed"]
	n["taskrequired"] = slices.ContainsFunc(p.flow.Versions, func(v flow.Version) bool {
		return v.Task != nil && v.Task.Required
	})
}

// findHelpers sets which helpers an expression needs.
func (p *plan) findHelpers(e *flow.Expr) {
	switch {
	case e.Op == flow.If:
		p.needs["choose"] = true
	case e.Op == flow.In && e.Args[1].Type.Kind == flow.Table:
		p.needs["has"] = true
	case e.Op == show && e.Args[0].Type.Kind == flow.NumberField:
		p.needs["number"] = true
	case e.Op == show && isNumbers(e.Args[0].Type):
		p.needs["number"], p.needs["numbers"] = true, true
	}
	for _, a := range e.Args {
		p.findHelpers(a)
	}
}

func isNumbers(t *flow.Type) bool {
	return t.Kind == flow.List && t.Item.Kind == flow.NumberField
}

// hasFormat reports whether a field or one inside it is a text with a format.
func hasFormat(f flow.Field) bool {
	if f.Item != nil && hasFormat(*f.Item) || slices.ContainsFunc(f.Fields, hasFormat) {
		return true
	}
	return f.Kind == flow.TextField && parsed(f.Schema).Has("format")
}

// protection returns how the state is protected.
func (p *plan) protection() string {
	if p.flow.State.Protection == "" {
		return "sealed"
	}
	return p.flow.State.Protection
}

// life returns how long the state is valid.
func (p *plan) life() time.Duration {
	d, err := time.ParseDuration(p.flow.State.Life)
	if err != nil {
		return time.Hour
	}
	return d
}

// present reports whether the value of a name is always there: it is required, and
// its question has an accepted answer.
func (p *plan) present(v *version, path []string) bool {
	switch path[0] {
	case "args":
		return present(p.flow.Arguments, path[1:])
	case "answers":
		for _, s := range v.steps {
			for _, q := range s.asks {
				if q.Key == path[1] {
					return q.sure && (q.Kind != flow.Form || present(q.Fields, path[2:]))
				}
			}
		}
	}
	return false
}

func present(fields []flow.Field, path []string) bool {
	if len(path) == 0 {
		return true
	}
	i := slices.IndexFunc(fields, func(f flow.Field) bool { return f.Name == path[0] })
	return i >= 0 && fields[i].Required && (len(path) == 1 || fields[i].Kind == flow.Object) &&
		present(fields[i].Fields, path[1:])
}

// question returns the question with a key.
func (v *version) question(key string) (question, bool) {
	for _, s := range v.steps {
		for _, q := range s.asks {
			if q.Key == key {
				return q, true
			}
		}
	}
	return question{}, false
}
