package agent

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// boardOutput is the output schema of check_server.
var boardOutput = `{"type":"object","properties":{
	"ok":{"type":"boolean","description":"The whole check was made, the correct call worked, no MUST is ` +
	`violated, and for book_table every requirement is met"},
	"headline":{"type":"string","description":"What all of it comes to"},
	"status":{"type":"string","enum":["complete","failed","stopped"],
		"description":"failed: the correct call did not work, so nothing else was judged"},
	"detail":{"type":"string"},
	"note":{"type":"string","description":"What was left out, and why"},
	"server":{"type":"string"},
	"era":{"type":"string"},
	"control":{"type":"string","description":"One sentence about the correct call"},
	"exchange":{"type":"string","description":"The correct call, for read_exchange"},
	"counts":{"type":"object","properties":{"violations":{"type":"integer"},"advisories":{"type":"integer"},
		"passed":{"type":"integer"},"withoutVerdict":{"type":"integer",
			"description":"Rules and experiments that were not judged, most of them because they are about ` +
	`something that this tool does not do: notJudged has a reason for each"}},
		"required":["violations","advisories","passed","withoutVerdict"]},
	"findings":{"type":"array","description":"Violations first, then advisories",
		"items":` + findingSchema + `},
	"requirements":{"type":"array","description":"Of the exercise book_table","items":{"type":"object",
		"properties":{
			"id":{"type":"string"},
			"text":{"type":"string"},
			"standing":{"type":"string","enum":` + outcomes(anyOutcome) + `},
			"why":{"type":"string"},
			"cause":{"type":"string","description":"Of unjudged: id of the failed requirement that the ` +
	`call did not get beyond"},
			"lesson":{"type":"string","description":"URI of a resource"},
			"exchange":{"type":"string","description":"Which shows why, for read_exchange"}},
		"required":["id","text","standing"]}},
	"passed":{"type":"array","items":{"type":"string"},"description":"Ids of rules and experiments"},
	"notJudged":{"type":"array","description":"Rules and experiments without a verdict",
		"items":{"type":"object","properties":{"id":{"type":"string"},"why":{"type":"string"},
			"verdict":{"type":"string","enum":` + outcomes(notJudged) + `,
				"description":"unjudged: it was tried and shows nothing; unreached: nothing asked for it; ` +
	`na: it does not apply"}},
			"required":["id","why","verdict"]}},
	"url":{"type":"string","description":"Page with the board and every byte"},
	"expires":{"type":"string","description":"When the page is deleted; absent if it is kept"}},
	"required":["ok","headline","status","server","control","counts","findings","passed","notJudged"]}`

// findingSchema is the schema of a finding.
var findingSchema = `{"type":"object","properties":{
		"kind":{"type":"string","enum":["rule","experiment"]},
		"id":{"type":"string","description":"For explain_finding"},
		"rule":{"type":"string","description":"Id of the rule about what the experiment sends, as ` +
	`read_exchange finds it"},
		"experiments":{"type":"array","items":{"type":"string"},
			"description":"Ids of the experiments that show this fault too"},
		"verdict":{"type":"string","enum":` + outcomes(verdict.Outcome.Wrong) + `,
			"description":"fail: a MUST is violated; hint: advice"},
		"level":{"type":"string"},
		"title":{"type":"string"},
		"found":{"type":"string","description":"What the server did"},
		"mend":{"type":"string","description":"What is right"},
		"clause":{"type":"string"},
		"lesson":{"type":"string","description":"URI of a resource"},
		"exchange":{"type":"string","description":"For read_exchange"}},
	"required":["kind","id","verdict","found","mend","clause"]}`

// outcomes returns a JSON array of the outcomes that are wanted.
func outcomes(wanted func(verdict.Outcome) bool) string {
	list := slices.DeleteFunc(verdict.Outcomes(), func(o verdict.Outcome) bool { return !wanted(o) })
	array, _ := json.Marshal(list) // strings
	return string(array)
}

func anyOutcome(verdict.Outcome) bool { return true }

func notJudged(o verdict.Outcome) bool { return !o.Judged() }

// board is the structured content of check_server.
type board struct {
	OK       bool      `json:"ok"`
	Headline string    `json:"headline"`
	Status   string    `json:"status"`
	Detail   string    `json:"detail,omitempty"`
	Note     string    `json:"note,omitempty"`
	Server   string    `json:"server"`
	Era      string    `json:"era,omitempty"`
	Control  string    `json:"control"`
	Exchange string    `json:"exchange,omitempty"` // of the correct call
	Counts   counts    `json:"counts"`
	Findings []finding `json:"findings"`
	// Requirements are those of the exercise.
	Requirements []requirement `json:"requirements,omitempty"`
	Passed       []string      `json:"passed"`
	NotJudged    []unjudged    `json:"notJudged"`
	URL          string        `json:"url,omitempty"`
	Expires      string        `json:"expires,omitempty"`

	report verdict.Report
}

type requirement struct {
	ID       string          `json:"id"`
	Text     string          `json:"text"`
	Standing verdict.Outcome `json:"standing"`
	Why      string          `json:"why,omitempty"`
	Cause    string          `json:"cause,omitempty"`
	Lesson   string          `json:"lesson,omitempty"`
	Exchange string          `json:"exchange,omitempty"`
}

type counts struct {
	Violations     int `json:"violations"`
	Advisories     int `json:"advisories"`
	Passed         int `json:"passed"`
	WithoutVerdict int `json:"withoutVerdict"`
}

// finding is a violation or an advisory.
type finding struct {
	Kind        string          `json:"kind"`
	ID          string          `json:"id"`
	Rule        string          `json:"rule,omitempty"`        // of an experiment
	Experiments []string        `json:"experiments,omitempty"` // that show what a rule found
	Verdict     verdict.Outcome `json:"verdict"`
	Level       string          `json:"level,omitempty"`
	Title       string          `json:"title,omitempty"`
	Found       string          `json:"found"`
	Mend        string          `json:"mend"`
	Clause      string          `json:"clause"`
	Lesson      string          `json:"lesson,omitempty"`
	Exchange    string          `json:"exchange,omitempty"`

	line verdict.Line
}

// unjudged is a rule or an experiment that found nothing.
type unjudged struct {
	ID      string          `json:"id"`
	Why     string          `json:"why"`
	Verdict verdict.Outcome `json:"verdict"`
}

// maxFound is the longest text about a server in a finding, in characters.
const maxFound = 500

// board returns a report as agents get it, with the requirements of the exercise if it is
// a check of it. What a server has said is made visible, so that it hides nothing from a
// reader.
func (s *Pages) board(r lab.Report, list []exercise.Requirement, note string, k kept) board {
	if note != "" && r.Status == lab.Stopped && lab.Answered(r.Control.FoldOwn()) {
		r.Detail = "" // it has the reason of the note
	}
	v := r.Verdict()
	if list != nil {
		v = exercise.Verdict(list, r)
	}
	b := board{
		Status: string(r.Status), Detail: text.Visible(r.Detail, maxFound),
		Note:   sentences(note, r.Unused, k.note),
		Server: addressOf(r.Target), Era: string(r.Era),
		Control: text.Visible(r.Compared, maxFound), Exchange: k.ids[r.Control.ID],
		Findings: []finding{}, Passed: []string{}, NotJudged: []unjudged{},
		URL: k.url, Expires: k.expires,
	}
	for _, g := range v.Groups {
		for i := range g.Lines {
			switch g.ID {
			case r.Experiments().ID:
				s.fillExperiment(&g.Lines[i], r.Results[i], k)
			case r.Rules().ID:
				s.fillRule(&g.Lines[i], r)
				if i < len(r.Findings) {
					g.Lines[i].Exchange = k.ids[r.Findings[i].Exchange]
				}
			case exercise.Group:
				g.Lines[i].Reference = lessonURI + list[i].Lesson
				g.Lines[i].Exchange = k.ids[list[i].Exchange]
			}
		}
	}
	for _, g := range []verdict.Group{v.Group(r.Experiments().ID), v.Group(r.Rules().ID)} {
		b.add(g)
	}
	violationsFirst(b.Findings)
	for i, l := range v.Group(exercise.Group).Lines {
		b.Requirements = append(b.Requirements, requirement{
			l.ID, list[i].Text, l.Outcome, text.Visible(list[i].Why, maxFound), list[i].Cause,
			l.Reference, l.Exchange,
		})
	}
	b.report = v
	return b
}

// add adds the lines of a group.
func (b *board) add(g verdict.Group) {
	c := g.Counts()
	b.Counts.Violations += c.Failed
	b.Counts.Advisories += c.Advisory
	b.Counts.Passed += c.Passed
	b.Counts.WithoutVerdict += c.All() - c.Judged()
	for _, l := range g.Lines {
		switch {
		case l.Outcome.Wrong():
			b.Findings = append(b.Findings, newFinding(strings.ToLower(g.Noun), l))
		case l.Outcome == verdict.Passed:
			b.Passed = append(b.Passed, l.ID)
		default:
			b.NotJudged = append(b.NotJudged, unjudged{l.ID, text.Visible(l.Sentence, maxFound), l.Outcome})
		}
	}
}

// conclude sets what all of the board comes to. It is last: notes may be added before.
func (b *board) conclude() {
	b.OK, b.Headline = b.report.OK(), b.report.Headline().Words
	b.report.Lead = []string{b.Control, b.Detail}
	b.report.Notes = nil
	if b.Counts.Violations == 0 && b.Status == string(lab.Complete) {
		b.report.Notes = append(b.report.Notes, unseenWords())
	}
	for _, note := range []string{b.Note, b.exchangeWords(), b.urlWords()} {
		if note != "" {
			b.report.Notes = append(b.report.Notes, note)
		}
	}
}

func (b *board) exchangeWords() string {
	if b.Exchange == "" {
		return ""
	}
	return "The correct call is exchange " + b.Exchange + "."
}

func (b *board) urlWords() string {
	if b.URL == "" {
		return ""
	}
	return "Board: " + b.URL
}

func violationsFirst(list []finding) {
	slices.SortStableFunc(list, func(x, y finding) int { return x.Verdict.Compare(y.Verdict) })
}

// fillExperiment adds to the line of an experiment what an agent can look up.
func (s *Pages) fillExperiment(l *verdict.Line, p lab.Result, k kept) {
	l.Reference = s.lessonAbout(p.Rule)
	if p.Rule != "" {
		l.Also = []string{"rule " + p.Rule}
	}
	if p.Decisive < len(p.Exchanges) {
		l.Exchange = k.ids[p.Exchanges[p.Decisive].ID]
	}
}

// fillRule adds to the line of a rule what an agent can look up: also the experiments
// that show the same fault.
func (s *Pages) fillRule(l *verdict.Line, r lab.Report) {
	l.Reference = s.lessonAbout(l.ID)
	for _, p := range r.Results {
		if p.Rule == l.ID && p.Verdict.Wrong() {
			l.Also = append(l.Also, p.ID)
		}
	}
}

// newFinding returns a finding of a kind: rule or experiment.
func newFinding(kind string, l verdict.Line) finding {
	f := finding{
		Kind: kind, ID: l.ID, Verdict: l.Outcome, Level: string(l.Level),
		Found: text.Visible(l.Sentence, maxFound), Mend: cmp.Or(l.Mend, l.Title), Clause: l.Clause,
		Lesson: l.Reference, Exchange: l.Exchange, line: l,
	}
	if l.Mend != "" {
		f.Title = l.Title
	}
	if e, ok := lab.ExperimentByID(l.ID); ok && kind == kindExperiment {
		f.Rule = e.Rule
	} else {
		f.Experiments = l.Also
	}
	return f
}

// kindExperiment is the kind of a finding of an experiment.
const kindExperiment = "experiment"

// lessonAbout returns the resource that explains a rule, or "".
func (s *Pages) lessonAbout(rule string) string {
	if l := s.lessonOf(rule); l != nil {
		return l.Resource
	}
	return ""
}

// text returns the board in short.
func (b board) text() string { return b.report.AgentText() }

// writeFindings writes a line for each finding.
func writeFindings(p func(format string, a ...any), list []finding) {
	for _, f := range list {
		p("- %s", f.line.AgentText(f.Kind))
	}
}
