package capture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Selection chooses verdicts on a client by the ids of scenarios, of
// requirements in package spec, and of rules about clients. The zero Selection
// chooses all.
type Selection struct{ only, skip []string }

// NewSelection returns the Selection of everything with an id in only, or of
// everything if that is empty, without the ids in skip. The error names an
// unknown id.
func NewSelection(only, skip []string) (Selection, error) {
	for _, id := range slices.Concat(only, skip) {
		if !isKnown(id) {
			return Selection{},
				fmt.Errorf("%q is the id of no scenario, requirement or rule about clients", id)
		}
	}
	return Selection{only, skip}, nil
}

func isKnown(id string) bool {
	if _, ok := rules.ScenarioByID(id); ok {
		return true
	}
	if s, ok := spec.ByID(id); ok {
		return s.Party != spec.Server
	}
	r, ok := rules.ByID(id)
	return ok && r.Side == rules.Client
}

// has reports whether something with some ids is chosen.
func (s Selection) has(ids ...string) bool {
	in := func(list []string) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(list, id) })
	}
	return (len(s.only) == 0 || in(s.only)) && !in(s.skip)
}

// check reports whether a check of a scenario is chosen.
func (s Selection) check(scenario string, c rules.Check) bool {
	return s.has(append([]string{scenario}, c.Requirements...)...)
}

// checks returns the observations with an empty one for each that is not chosen.
func (s Selection) checks(all []rules.Observation) []rules.Observation {
	list := slices.Clone(all)
	for i, o := range all {
		x, _ := rules.ScenarioByID(o.Scope)
		n := slices.IndexFunc(x.Checks, func(c rules.Check) bool { return c.ID == o.ID })
		if n < 0 || !s.check(o.Scope, x.Checks[n]) {
			list[i] = rules.Observation{}
		}
	}
	return list
}

// rule reports whether the verdict of a rule on a request of a scenario is
// chosen. The scenario is empty for a request of none.
func (s Selection) rule(id, scenario string) bool {
	if len(s.only)+len(s.skip) == 0 {
		return true
	}
	ids := []string{id}
	if scenario != "" {
		ids = append(ids, scenario)
	}
	for _, sentence := range spec.Sentences() {
		if sentence.Party != spec.Server && slices.Contains(sentence.Rules, id) {
			ids = append(ids, sentence.ID)
		}
	}
	return s.has(ids...)
}

// Scenarios returns the scenarios with a chosen check, in the order of the test.
func (s Selection) Scenarios() []rules.Scenario {
	return slices.DeleteFunc(rules.Scenarios(), func(x rules.Scenario) bool {
		return !slices.ContainsFunc(x.Checks, func(c rules.Check) bool { return s.check(x.ID, c) })
	})
}

// missed returns a sentence about each kind of chosen id that was not judged:
// ids that were not seen, and scenarios in which the client stopped.
func (s Selection) missed(lines ...[]verdict.Line) []string {
	var unjudged, stopped []string
	for _, id := range s.only {
		if slices.Contains(s.skip, id) || isScenario(id) && !s.runs(id) {
			continue
		}
		judged, stops := false, false
		for _, l := range slices.Concat(lines...) {
			if !isOf(l, id) {
				continue
			}
			judged = judged || l.Outcome.Judged()
			stops = stops || l.Outcome == verdict.Stopped
		}
		switch {
		case stops && isScenario(id), stops && !judged:
			stopped = append(stopped, id)
		case !judged:
			unjudged = append(unjudged, id)
		}
	}
	var list []string
	if len(unjudged) > 0 {
		list = append(list, "Chosen and not judged: "+strings.Join(unjudged, ", ")+".")
	}
	if len(stopped) > 0 {
		list = append(list, "Chosen, and the client stopped there: "+strings.Join(stopped, ", ")+".")
	}
	return list
}

// runs reports whether a check of a scenario is chosen.
func (s Selection) runs(id string) bool {
	return slices.ContainsFunc(s.Scenarios(), func(x rules.Scenario) bool { return x.ID == id })
}

func isScenario(id string) bool {
	_, ok := rules.ScenarioByID(id)
	return ok
}

// isOf reports whether a line is about a scenario, a requirement or a rule.
func isOf(l verdict.Line, id string) bool {
	if l.Scope == id || l.ID == id && l.Scope == "" {
		return true
	}
	if l.Scope == "" {
		sentence, ok := spec.ByID(id)
		return ok && slices.Contains(sentence.Rules, l.ID)
	}
	scenario, _ := rules.ScenarioByID(l.Scope)
	return slices.ContainsFunc(scenario.Checks, func(c rules.Check) bool {
		return c.ID == l.ID && slices.Contains(c.Requirements, id)
	})
}
