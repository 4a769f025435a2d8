package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// explainInput is the input schema of explain_finding.
const explainInput = `{"type":"object","properties":{
	"id":{"type":"string","minLength":1,"maxLength":80,
		"description":"The id of a rule or of an experiment, as check_server returns it"}},
	"required":["id"]}`

const explainOutput = `{"type":"object","properties":{
	"id":{"type":"string"},
	"kind":{"type":"string","enum":["rule","experiment"]},
	"side":{"type":"string","description":"Whose requirement it is: server or client"},
	"requirement":{"type":"string","description":"What is right"},
	"clause":{"type":"string","description":"Link to the clause of the specification"},
	"sends":{"type":"string","description":"What an experiment sends"},
	"level":{"type":"string","description":"MUST, SHOULD or MAY"},
	"sentences":{"type":"array","description":"The requirements of the specification that are judged",
		"items":{"type":"object","properties":{
			"id":{"type":"string"},"level":{"type":"string"},"text":{"type":"string"},
			"url":{"type":"string"}},
			"required":["id","level","text","url"]}},
	"lesson":{"type":"object","properties":{
		"title":{"type":"string"},"url":{"type":"string"},"resource":{"type":"string"}},
		"required":["title","url","resource"]},
	"example":{"type":"object","description":"A server that breaks the rule, to see it with call_tool",
		"properties":{"url":{"type":"string"},"method":{"type":"string"},"name":{"type":"string"},
			"what":{"type":"string"}},
		"required":["url","method","name","what"]}},
	"required":["id","kind","requirement","clause"]}`

// explanation is the structured content of explain_finding.
type explanation struct {
	ID          string        `json:"id"`
	Kind        string        `json:"kind"`
	Side        string        `json:"side,omitempty"`
	Requirement string        `json:"requirement"`
	Clause      string        `json:"clause"`
	Sends       string        `json:"sends,omitempty"`
	Level       string        `json:"level,omitempty"`
	Sentences   []sentence    `json:"sentences,omitempty"`
	Lesson      *lessonLink   `json:"lesson,omitempty"`
	Example     *faultExample `json:"example,omitempty"`
}

type sentence struct {
	ID    string `json:"id"`
	Level string `json:"level"`
	Text  string `json:"text"`
	URL   string `json:"url"`
}

type lessonLink struct {
	Title    string `json:"title"`
	URL      string `json:"url"`
	Resource string `json:"resource"`
}

// faultExample is a call that shows a fault.
type faultExample struct {
	URL    string `json:"url"`
	Method string `json:"method"`
	Name   string `json:"name"`
	What   string `json:"what"`
}

func (s *Pages) explainFinding() serve.Tool {
	return serve.Tool{
		Name: "explain_finding", Title: "Explain a finding",
		Description: "Explains the rule or the experiment behind a finding: what is right, the clause " +
			"of the specification, the lesson about it, and an example of the fault.",
		Input: explainInput, Output: explainOutput, Annotations: reads(), Run: s.explain,
	}
}

func (s *Pages) explain(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := read[struct {
		ID string `json:"id"`
	}](t, explainInput)
	if err != nil {
		return nil, err
	}
	if r, ok := rules.ByID(args.ID); ok {
		e := s.explainRule(r)
		return structured(e, e.text()), nil
	}
	if x, ok := lab.ExperimentByID(args.ID); ok {
		e := s.explainExperiment(x)
		return structured(e, e.text()), nil
	}
	return nil, serve.ToolErrorf("There is no rule and no experiment %q. The ids are those of "+
		"check_server; search_lessons finds rules by words.", text.Visible(args.ID, 80))
}

func (s *Pages) explainRule(r rules.Rule) explanation {
	return explanation{
		ID: r.ID, Kind: "rule", Side: string(r.Side), Requirement: r.Requirement, Clause: r.Link,
		Sentences: sentencesOf(r.ID, ""), Lesson: s.lessonOf(r.ID), Example: s.faultOf(r.ID),
	}
}

func (s *Pages) explainExperiment(x lab.Experiment) explanation {
	return explanation{
		ID: x.ID, Kind: "experiment", Side: string(rules.Server), Requirement: x.Expects, Clause: x.Clause,
		Sends: x.Sends, Level: string(x.Level), Sentences: sentencesOf(x.Rule, x.ID),
		Lesson: s.lessonOf(x.Rule), Example: s.faultOf(x.Rule),
	}
}

// sentencesOf returns the requirements that a rule judges or an experiment probes.
func sentencesOf(rule, experiment string) []sentence {
	var list []sentence
	for _, x := range spec.Sentences() {
		if slices.Contains(x.Rules, rule) || slices.Contains(x.Experiments, experiment) {
			list = append(list, sentence{x.ID, string(x.Level), x.Text, x.Link()})
		}
	}
	return list
}

// lessonOf returns the lesson that explains a rule, or nil.
func (s *Pages) lessonOf(rule string) *lessonLink {
	l, ok := s.Lessons().ForRule(rule)
	if !ok {
		return nil
	}
	return &lessonLink{l.Title, s.BaseURL + l.Path() + "#" + lesson.RuleAnchor(rule), lessonURI + l.Slug}
}

// faultOf returns a call of a sample that breaks a rule on purpose, or nil.
func (s *Pages) faultOf(rule string) *faultExample {
	for _, x := range s.Samples.List {
		for _, f := range x.Faults {
			if rule == "" || f.Rule != rule {
				continue
			}
			url := s.BaseURL + x.Path()
			if f.Query != "" {
				url += "?" + f.Query
			}
			return &faultExample{url, f.Method, f.Name, f.Description}
		}
	}
	return nil
}

// text returns the explanation for people and models that read no structured content.
func (e explanation) text() string {
	var b strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	p("%s %s (%s)", e.Kind, e.ID, cmp.Or(e.Level, e.Side))
	if e.Sends != "" {
		p("Sends: %s", e.Sends)
	}
	p("Right: %s", e.Requirement)
	p("Clause: %s", e.Clause)
	for _, x := range e.Sentences {
		p("- %s: %s %s", x.Level, x.Text, x.URL)
	}
	if e.Lesson != nil {
		p("Lesson: %s (%s)", e.Lesson.Title, e.Lesson.URL)
	}
	if e.Example != nil {
		p("Example of the fault: %s %s at %s. %s", e.Example.Method, e.Example.Name, e.Example.URL,
			e.Example.What)
	}
	return strings.TrimSpace(b.String())
}
