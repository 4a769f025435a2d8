package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
)

func TestAll_EveryRuleIsInTheSpecification(t *testing.T) {
	for _, r := range rules.All() {
		named, linked := false, false
		for _, s := range spec.Sentences() {
			if slices.Contains(s.Rules, r.ID) {
				named = true
				linked = linked || page(s.Link()) == page(r.Link) || legacy(r)
			}
		}
		switch {
		case !named:
			t.Errorf("no sentence of the specification names the rule %s", r.ID)
		case !linked:
			t.Errorf("%s links to %s, which is not the page of its sentences", r.ID, r.Link)
		}
	}
}

// legacy reports whether a rule is about an earlier revision, whose pages are not
// in the table.
func legacy(r rules.Rule) bool { return strings.Contains(r.Link, "/specification/2025-11-25/") }

// page returns a link without its section.
func page(link string) string {
	address, _, _ := strings.Cut(link, "#")
	return address
}

func TestSpecification_NamesWhatExists(t *testing.T) {
	var experiments []string
	for _, e := range lab.Experiments() {
		experiments = append(experiments, e.ID)
	}
	book, err := lesson.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range spec.Sentences() {
		for _, id := range s.Rules {
			if _, ok := rules.ByID(id); !ok {
				t.Errorf("%s: no rule %q", s.ID, id)
			}
		}
		for _, id := range s.Experiments {
			if !slices.Contains(experiments, id) {
				t.Errorf("%s: no experiment %q", s.ID, id)
			}
		}
		if _, ok := book.Lesson(s.Lesson); !ok && s.Lesson != "" {
			t.Errorf("%s: no lesson %q", s.ID, s.Lesson)
		}
	}
}

// An experiment probes a sentence of its level and page, and one that its rule
// judges.
func TestSpecification_EveryExperimentProbesASentence(t *testing.T) {
	for _, e := range lab.Experiments() {
		probes := func(s spec.Sentence) bool { return slices.Contains(s.Experiments, e.ID) }
		judges := func(s spec.Sentence) bool { return e.Rule == "" || slices.Contains(s.Rules, e.Rule) }
		agrees := func(s spec.Sentence) bool {
			level := strings.TrimSuffix(string(s.Level), " NOT")
			return page(s.Link()) == page(e.Clause) && (e.Level == lab.May || level == string(e.Level))
		}
		for what, has := range map[string]func(spec.Sentence) bool{"rule": judges, "level and page": agrees} {
			both := func(s spec.Sentence) bool { return probes(s) && has(s) }
			if !slices.ContainsFunc(spec.Sentences(), both) {
				t.Errorf("no sentence of the specification names the experiment %s and its %s", e.ID, what)
			}
		}
	}
}

func TestSpecification_WhatIsObservableIsJudged(t *testing.T) {
	for _, s := range spec.Sentences() {
		if s.Observable() && len(s.Rules) == 0 {
			t.Errorf("no rule judges %s", s.ID)
		}
	}
}
