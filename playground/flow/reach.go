package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// reach reports the steps and results of a version that no call gets to, as far
// as constants, booleans and choices show it: all values of those that a
// condition depends on are tried, and everything else counts as unknown.
func (r *reader) reach(v Version) {
	for i, s := range v.Steps {
		if s.Kind == End && s.When != nil && r.always(s.When) {
			r.Wrong(&document.Node{Line: s.Line, Column: 1}, document.Join(s.Path, "when"),
				"This condition is always true, so nothing after this step is reached.")
			return
		}
		r.reached(s.When, v.Steps[:i], s, s.words())
	}
	steps := v.Steps
	if v.Task != nil {
		for _, s := range v.Task.Steps {
			r.reached(s.When, steps, s, s.words())
			steps = append(slices.Clip(steps), s)
		}
	}
	for _, e := range v.Result {
		r.reached(e.When, steps, Step{Line: e.Line, Path: "result"}, "This result is never used")
	}
}

// words says that a step is never reached.
func (s Step) words() string {
	if s.Kind.Asks() {
		return "The question " + document.Quote(s.Key) + " is never asked"
	}
	return "This step is never reached"
}

// reached reports a place that is reached when the condition holds after the
// steps before it.
func (r *reader) reached(when *Expr, before []Step, at Step, words string) {
	n := &document.Node{Line: at.Line, Column: 1}
	if when != nil && r.never(when) {
		r.Wrong(n, document.Join(at.Path, "when"), "%s: its condition is never true.", words)
		return
	}
	c := newCases(when, before)
	if c.try(
		&r.budget,
		func(a assignment) bool { return a.possible(before) && a.truth(when) != falsehood },
	) {
		return
	}
	r.Wrong(n, at.Path, "%s: the steps before it, their answers and its condition do not allow it.", words)
}

// always reports whether a condition is true for all values.
func (r *reader) always(when *Expr) bool {
	c := newCases(when, nil)
	return !c.try(&r.budget, func(a assignment) bool { return a.truth(when) != verity })
}

// never reports whether a condition is false for all values.
func (r *reader) never(when *Expr) bool {
	c := newCases(when, nil)
	return !c.try(&r.budget, func(a assignment) bool { return a.truth(when) != falsehood })
}

// truth is the value of a condition, as far as it is known.
type truth int

const (
	unknown truth = iota
	falsehood
	verity
)

// assignment gives values to the names with few values. A name that it lacks is
// unknown.
type assignment struct {
	values map[string]any
	budget *int
}

// cases are all assignments to the names that a place depends on.
type cases struct {
	names  []string
	values [][]any
}

// maxAnalysis bounds what the analysis of a flow costs, in values that it
// computes or compares. Beyond it, nothing is reported.
const maxAnalysis = 2_000_000

// newCases collects the names that a condition depends on: its own, those of the
// questions that they come from, and those of steps that may have ended the call.
func newCases(when *Expr, before []Step) cases {
	found := map[string][]any{}
	collect(when, found)
	for i := len(before) - 1; i >= 0; i-- {
		s := before[i]
		depends := s.Kind == End || slices.ContainsFunc(slices.Collect(maps.Keys(found)), s.owns)
		if depends {
			collect(s.When, found)
		}
	}
	c := cases{names: slices.Sorted(maps.Keys(found))}
	for _, name := range c.names {
		c.values = append(c.values, found[name])
	}
	return c
}

// try reports whether one of the assignments satisfies f, or there are too many.
func (c cases) try(budget *int, f func(assignment) bool) bool {
	total := 1
	for _, v := range c.values {
		if total *= len(v); total > *budget {
			return true
		}
	}
	for i := range total {
		if *budget -= len(c.names) + 1; *budget <= 0 {
			return true
		}
		a, rest := assignment{map[string]any{}, budget}, i
		for k, name := range c.names {
			a.values[name] = c.values[k][rest%len(c.values[k])]
			rest /= len(c.values[k])
		}
		if f(a) {
			return true
		}
	}
	return false
}

// nameKey returns the key of a path in assignments.
func nameKey(path ...string) string { return strings.Join(path, "\x00") }

// owns reports whether a name is of the answer to this question.
func (s Step) owns(name string) bool {
	return s.Kind.Asks() && (name == nameKey("actions", s.Key) ||
		strings.HasPrefix(name, nameKey("answers", s.Key)+"\x00"))
}

// collect adds the names of an expression that have few values, with these. The
// empty value stands for an absent one.
func collect(e *Expr, found map[string][]any) {
	if e == nil {
		return
	}
	if e.Op == Name {
		switch {
		case e.Type.Kind == YesNo:
			found[nameKey(e.Path...)] = []any{false, true}
		case e.Type.Kind == TextField && e.Type.Values != nil:
			found[nameKey(e.Path...)] = anyOf(e.Type.Values)
			if !e.Type.Given {
				found[nameKey(e.Path...)] = append(anyOf(e.Type.Values), "")
			}
		}
	}
	for _, a := range e.Args {
		collect(a, found)
	}
}

// possible reports whether a call can have these values after the steps.
func (a assignment) possible(steps []Step) bool {
	for _, s := range steps {
		if *a.budget -= 1 + len(a.values); *a.budget <= 0 {
			return true // so far
		}
		asked := a.truth(s.When)
		switch {
		case s.Kind == End:
			if asked == verity {
				return false
			}
		case !s.Kind.Asks():
		case asked == falsehood:
			if !a.unasked(s) {
				return false
			}
		default:
			if !(asked == unknown && a.unasked(s)) && !a.answered(s) {
				return false
			}
		}
	}
	return true
}

// unasked reports whether all that belongs to the question is empty.
func (a assignment) unasked(s Step) bool {
	for name, value := range a.values {
		if s.owns(name) && value != "" && value != false {
			return false
		}
	}
	return true
}

// answered reports whether the values can be an answer that lets the call go on.
func (a assignment) answered(s Step) bool {
	action, given := a.values[nameKey("actions", s.Key)]
	goesOn := map[any]bool{"accept": true, "decline": s.Decline.Continue, "cancel": s.Cancel.Continue}
	if given && !goesOn[action] {
		return false
	}
	refused := given && action != "accept"
	mayRefuse := !given && (s.Decline.Continue || s.Cancel.Continue)
	if refused || mayRefuse && a.noFields(s) {
		return a.noFields(s)
	}
	for _, f := range s.Fields {
		value, ok := a.values[nameKey("answers", s.Key, f.Name)]
		if ok && f.Required && f.Kind == Choice && value == "" {
			return false
		}
	}
	return true
}

// noFields reports whether all fields of the answer are empty.
func (a assignment) noFields(s Step) bool {
	for name, value := range a.values {
		if s.owns(name) && name != nameKey("actions", s.Key) && value != "" && value != false {
			return false
		}
	}
	return true
}

// truth computes the value of a condition, as far as it is known. No condition
// holds always.
func (a assignment) truth(e *Expr) truth {
	if e == nil {
		return verity
	}
	c := evaluator{name: func(e *Expr) (any, bool) {
		v, ok := a.values[nameKey(e.Path...)]
		return v, ok
	}}
	v, known := c.value(e)
	*a.budget -= c.work
	switch {
	case !known:
		return unknown
	case v == true:
		return verity
	}
	return falsehood
}

func anyOf(list []string) []any {
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = s
	}
	return all
}
