package agent

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// explainInput is the input schema of explain_finding.
const explainInput = `{"type":"object","properties":{
	"id":{"type":"string","minLength":1,"maxLength":80,
		"description":"The id of a rule, an experiment or a requirement, as check_server returns it"}},
	"required":["id"]}`

const explainOutput = `{"type":"object","properties":{
	"id":{"type":"string"},
	"kind":{"type":"string","enum":["rule","experiment","requirement"]},
	"rule":{"type":"string","description":"Id of the rule about what the experiment sends"},
	"experiments":{"type":"array","items":{"type":"string"},
		"description":"Ids of the experiments about the rule or the requirement"},
	"side":{"type":"string","description":"Whose requirement it is: server or client"},
	"requirement":{"type":"string","description":"What is right"},
	"note":{"type":"string","description":"Why, or what is allowed besides"},
	"clause":{"type":"string","description":"Link to the clause of the specification"},
	"sends":{"type":"string","description":"What an experiment sends"},
	"level":{"type":"string","description":"MUST, SHOULD or MAY"},
	"sentences":{"type":"array","description":"The requirements of the specification that are judged: ` +
	`those of the clause first, five at most",
		"items":{"type":"object","properties":{
			"id":{"type":"string"},"level":{"type":"string"},"text":{"type":"string"},
			"url":{"type":"string"}},
			"required":["id","level","text","url"]}},
	"more":{"type":"integer","description":"How many more requirements are judged; the resources under ` +
	requirementsURI + ` have them"},
	"statuses":{"type":"array","items":{"type":"string"},
		"description":"The HTTP status that goes with each error code that is named here"},
	"right":` + rightOutput + `,
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
	Rule        string        `json:"rule,omitempty"`        // of an experiment
	Experiments []string      `json:"experiments,omitempty"` // of a rule or a requirement
	Side        string        `json:"side,omitempty"`
	Requirement string        `json:"requirement"`
	Note        string        `json:"note,omitempty"`
	Clause      string        `json:"clause"`
	Sends       string        `json:"sends,omitempty"`
	Level       string        `json:"level,omitempty"`
	Sentences   []sentence    `json:"sentences,omitempty"`
	More        int           `json:"more,omitempty"` // sentences that are left out
	Statuses    []string      `json:"statuses,omitempty"`
	Right       *rightAnswer  `json:"right,omitempty"`
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
			"of the specification, the lesson about it, how a right server answers, and an example of the " +
			"fault.",
		Input: explainInput, Output: explainOutput, Annotations: reads(), Run: s.explain,
	}
}

func (s *Pages) explain(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := read[struct {
		ID string `json:"id"`
	}](t, explainInput)
	if err != nil {
		return nil, err
	}
	if r, ok := rules.ByID(args.ID); ok {
		return structured(s.explainRule(ctx, r)), nil
	}
	if x, ok := lab.ExperimentByID(args.ID); ok {
		return structured(s.explainExperiment(ctx, x)), nil
	}
	for _, q := range exercise.Requirements() {
		if q.ID == args.ID {
			return structured(s.explainRequirement(q)), nil
		}
	}
	return nil, serve.ToolErrorf("There is no rule, experiment or requirement %q. The ids are those of "+
		"check_server; search_lessons finds rules by words.", text.Visible(args.ID, 80))
}

func (s *Pages) explainRule(ctx context.Context, r rules.Rule) explanation {
	e := explanation{
		ID: r.ID, Kind: "rule", Side: string(r.Side), Requirement: r.Requirement, Clause: r.Link,
		Sentences: sentencesOf(r, func(x spec.Sentence) bool { return slices.Contains(x.Rules, r.ID) }),
		Lesson:    s.lessonOf(r.ID), Example: s.faultOf(r.ID), Right: s.rightForRule(ctx, r),
	}
	for _, x := range lab.Experiments() {
		if x.Rule == r.ID {
			e.Experiments = append(e.Experiments, x.ID)
		}
	}
	return e.inShort()
}

func (s *Pages) explainExperiment(ctx context.Context, x lab.Experiment) explanation {
	r, _ := rules.ByID(x.Rule) // of the same requirement, if there is one
	r.Side = rules.Server
	if x.Excluded(aCommand) != "" {
		r.Transport = rules.HTTP
	}
	e := explanation{
		ID: x.ID, Kind: "experiment", Rule: x.Rule, Side: string(r.Side), Requirement: x.Expects,
		Clause: x.Clause, Sends: x.Sends, Level: string(x.Level),
		Sentences: sentencesOf(r, func(one spec.Sentence) bool {
			return slices.Contains(one.Experiments, x.ID)
		}),
		Lesson: s.lessonOf(x.Rule), Example: s.faultOf(x.Rule), Right: s.rightForExperiment(ctx, x),
	}
	if e.Lesson == nil {
		e.Lesson = s.pageAt(x.Page)
	}
	return e.inShort()
}

// maxSentences is how many requirements of the specification an explanation has.
const maxSentences = 5

// inShort returns the explanation with the requirements of its clause first, without those
// beyond maxSentences, and with the statuses of what it names.
func (e explanation) inShort() explanation {
	elsewhere := func(x sentence) int {
		if x.URL == e.Clause {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(e.Sentences, func(a, b sentence) int {
		return cmp.Compare(elsewhere(a), elsewhere(b))
	})
	e.More = max(0, len(e.Sentences)-maxSentences)
	e.Sentences = e.Sentences[:len(e.Sentences)-e.More]
	e.Statuses = e.statuses()
	return e
}

// explainRequirement explains what the exercise demands.
func (s *Pages) explainRequirement(q exercise.Requirement) explanation {
	l, _ := s.App.Lessons().Lesson(q.Lesson)
	return explanation{
		ID: q.ID, Kind: "requirement", Side: string(rules.Server), Requirement: q.Text, Note: q.Note,
		Experiments: q.Experiments, Clause: l.Clause.Href, Lesson: s.pageAt(l.Path()),
	}
}

// aCommand is a server on standard input, for which some experiments cannot be made.
var aCommand = playground.Target{URL: wire.CommandURL(nil)}

// sentencesOf returns the requirements that apply where a rule does: of its side, and of
// its transport. Those of standard input are last, because most servers have a URL.
func sentencesOf(r rules.Rule, has func(spec.Sentence) bool) []sentence {
	var list, lines []sentence
	for _, x := range spec.Sentences() {
		on := transports[x.Page]
		switch one := (sentence{x.ID, string(x.Level), x.Text, x.Link()}); {
		case !has(x), x.Party != spec.Both && string(x.Party) != string(r.Side),
			on != r.Transport && on != rules.AnyTransport && r.Transport != rules.AnyTransport:
		case on == rules.Stdio:
			lines = append(lines, one)
		default:
			list = append(list, one)
		}
	}
	return append(list, lines...)
}

// transports are those that pages of the specification are about.
var transports = map[string]rules.Transport{
	"basic/transports/streamable-http": rules.HTTP, "basic/transports/stdio": rules.Stdio,
}

var errorCode = regexp.MustCompile(`-32\d{3}`)

// statuses returns a sentence for each error code that the explanation names.
func (e explanation) statuses() []string {
	text := e.Requirement
	for _, x := range e.Sentences {
		text += " " + x.Text
	}
	if e.Right != nil {
		text += " " + e.Right.Response
	}
	return statusesIn(text)
}

// statusesIn returns a sentence for each error code in a text.
func statusesIn(text string) []string {
	codes := errorCode.FindAllString(text, -1)
	slices.Sort(codes)
	var list []string
	for _, code := range slices.Compact(codes) {
		if words := statusWords(code); words != "" {
			list = append(list, words)
		}
	}
	return list
}

// statusWords returns a sentence about the HTTP status of an error code, or "".
func statusWords(code string) string {
	n, _ := strconv.Atoi(code) // it was matched
	switch status := rules.ErrorStatus(int64(n)); {
	case status != 0:
		return fmt.Sprintf("Over HTTP, error %s has status %d.", code, status)
	case n == jsonrpc.CodeInvalidParams: // the only one with a status for one of its causes alone
		return fmt.Sprintf("Over HTTP, error %s has status 400 if a required member of _meta is missing. "+
			"For an unknown tool, a malformed answer, a rejected requestState or other invalid params the "+
			"specification names no status: a check accepts any, and the samples send 400.", code)
	}
	return ""
}

// statusCodes are the codes that statusWords has words for.
var statusCodes = []string{"-32020", "-32021", "-32022", "-32601", "-32602"}

// lessonOf returns the lesson that explains a rule, or nil.
func (s *Pages) lessonOf(rule string) *lessonLink {
	l, ok := s.App.Lessons().ForRule(rule)
	if !ok {
		return nil
	}
	return &lessonLink{l.Title, s.App.BaseURL + l.Path() + "#" + lesson.RuleAnchor(rule), lessonURI + l.Slug}
}

// pageAt returns the lesson or reference page at a path, or nil.
func (s *Pages) pageAt(path string) *lessonLink {
	for _, e := range s.App.Lessons().Entries() {
		if page, _, _ := strings.Cut(path, "#"); e.Path == page {
			return &lessonLink{e.Title, s.App.BaseURL + path, resourceAt(path)}
		}
	}
	return nil
}

// faultOf returns a call of a sample that breaks a rule on purpose, or nil.
func (s *Pages) faultOf(rule string) *faultExample {
	for _, x := range s.App.Samples.List {
		for _, f := range x.Faults {
			if rule == "" || f.Rule != rule {
				continue
			}
			url := s.App.BaseURL + x.Path()
			if f.Query != "" {
				url += "?" + f.Query
			}
			return &faultExample{url, f.Method, f.Name, f.Description}
		}
	}
	return nil
}

// text returns the explanation with a line for each part.
func (e explanation) text() string {
	var b strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	p("%s %s (%s)", e.Kind, e.ID, cmp.Or(e.Level, e.Side))
	if e.Sends != "" {
		p("Sends: %s", e.Sends)
	}
	p("Right: %s", e.Requirement)
	if e.Note != "" {
		p("Note: %s", e.Note)
	}
	p("Clause: %s", e.Clause)
	for _, x := range e.Sentences {
		p("- %s: %s %s", x.Level, x.Text, x.URL)
	}
	if e.More > 0 {
		p("%d more are in the resources under %s.", e.More, requirementsURI)
	}
	for _, words := range e.Statuses {
		p("%s", words)
	}
	if len(e.Experiments) > 0 {
		p("Experiments: %s", strings.Join(e.Experiments, ", "))
	}
	if e.Right != nil {
		p("A right server answers the request of %s like this:\n\n%s\n", e.Right.Experiment, e.Right.Response)
	}
	if e.Lesson != nil {
		p("Lesson: %s (%s, %s)", e.Lesson.Title, e.Lesson.Resource, e.Lesson.URL)
	}
	if e.Example != nil {
		p("Example of the fault: %s %s at %s. %s", e.Example.Method, e.Example.Name, e.Example.URL,
			e.Example.What)
	}
	return strings.TrimSpace(b.String())
}
