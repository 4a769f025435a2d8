package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// boardOutput is the output schema of check_server.
const boardOutput = `{"type":"object","properties":{
	"ok":{"type":"boolean","description":"The whole check was made, the correct call worked, and no ` +
	`MUST is violated"},
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
			"standing":{"type":"string","enum":["met","missed","not_judged","open"]},
			"why":{"type":"string"},
			"cause":{"type":"string","description":"Of not_judged: id of the missed requirement that the ` +
	`call did not get beyond"},
			"lesson":{"type":"string","description":"URI of a resource"},
			"exchange":{"type":"string","description":"Which shows why, for read_exchange"}},
		"required":["id","text","standing"]}},
	"passed":{"type":"array","items":{"type":"string"},"description":"Ids of rules and experiments"},
	"notJudged":{"type":"array","description":"Rules and experiments without a verdict",
		"items":{"type":"object","properties":{"id":{"type":"string"},"why":{"type":"string"}},
			"required":["id","why"]}},
	"url":{"type":"string","description":"Page with the board and every byte"},
	"expires":{"type":"string","description":"When the page is deleted; absent if it is kept"}},
	"required":["ok","status","server","control","counts","findings","passed","notJudged"]}`

const findingSchema = `{"type":"object","properties":{
		"kind":{"type":"string","enum":["rule","experiment"]},
		"id":{"type":"string","description":"For explain_finding"},
		"rule":{"type":"string","description":"Id of the rule about what the experiment sends, as ` +
	`read_exchange finds it"},
		"experiments":{"type":"array","items":{"type":"string"},
			"description":"Ids of the experiments that show this fault too"},
		"verdict":{"type":"string","enum":["violation","advisory"]},
		"level":{"type":"string"},
		"title":{"type":"string"},
		"found":{"type":"string","description":"What the server did"},
		"mend":{"type":"string","description":"What is right"},
		"clause":{"type":"string"},
		"lesson":{"type":"string","description":"URI of a resource"},
		"exchange":{"type":"string","description":"For read_exchange"}},
	"required":["kind","id","verdict","found","mend","clause"]}`

// board is the structured content of check_server.
type board struct {
	OK       bool      `json:"ok"`
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
	blocks       []exercise.Block
	Passed       []string   `json:"passed"`
	NotJudged    []unjudged `json:"notJudged"`
	URL          string     `json:"url,omitempty"`
	Expires      string     `json:"expires,omitempty"`
}

type requirement struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Standing string `json:"standing"`
	Why      string `json:"why,omitempty"`
	Cause    string `json:"cause,omitempty"`
	Lesson   string `json:"lesson,omitempty"`
	Exchange string `json:"exchange,omitempty"`
}

type counts struct {
	Violations     int `json:"violations"`
	Advisories     int `json:"advisories"`
	Passed         int `json:"passed"`
	WithoutVerdict int `json:"withoutVerdict"`
}

// finding is a violation or an advisory.
type finding struct {
	Kind        string   `json:"kind"`
	ID          string   `json:"id"`
	Rule        string   `json:"rule,omitempty"`        // of an experiment
	Experiments []string `json:"experiments,omitempty"` // that show what a rule found
	Verdict     string   `json:"verdict"`
	Level       string   `json:"level,omitempty"`
	Title       string   `json:"title,omitempty"`
	Found       string   `json:"found"`
	Mend        string   `json:"mend"`
	Clause      string   `json:"clause"`
	Lesson      string   `json:"lesson,omitempty"`
	Exchange    string   `json:"exchange,omitempty"`
}

// names returns the id of a finding, with those that the same fault has elsewhere.
func (f finding) names() string {
	switch {
	case f.Rule != "":
		return f.ID + " (rule " + f.Rule + ")"
	case len(f.Experiments) > 0:
		return f.ID + " (" + strings.Join(f.Experiments, ", ") + ")"
	}
	return f.ID
}

// maxFound is the longest text about a server in a finding, in characters.
const maxFound = 500

// board returns a report as agents get it. What a server has said is made visible, so
// that it hides nothing from a reader.
func (s *Pages) board(r lab.Report, note string, k kept) board {
	total := r.Total()
	b := board{
		OK: r.OK(), Status: string(r.Status), Detail: text.Visible(r.Detail, maxFound),
		Note:   sentences(note, k.note),
		Server: addressOf(r.Target), Era: string(r.Era),
		Control: text.Visible(r.Compared, maxFound), Exchange: k.ids[r.Control.ID],
		Counts:   counts{total.Fail, total.Hint, total.Pass, total.NA},
		Findings: []finding{}, Passed: []string{}, NotJudged: unjudgedOf(r),
		URL: k.url, Expires: k.expires,
	}
	for _, p := range r.Results {
		switch p.Verdict {
		case rules.Fail, rules.Hint:
			b.Findings = append(b.Findings, s.ofExperiment(p, k))
		case rules.Pass:
			b.Passed = append(b.Passed, p.ID)
		}
	}
	for _, f := range r.Findings {
		one := s.ofRule(f.Finding, k.ids[f.Exchange])
		for _, p := range r.Results {
			if p.Rule == f.Rule && (p.Verdict == rules.Fail || p.Verdict == rules.Hint) {
				one.Experiments = append(one.Experiments, p.ID)
			}
		}
		b.Findings = append(b.Findings, one)
	}
	for _, k := range r.Passed {
		b.Passed = append(b.Passed, k.ID)
	}
	violationsFirst(b.Findings)
	if note != "" && r.Status == lab.Stopped && lab.Answered(r.Control.FoldOwn()) {
		b.Detail = "" // it has the reason of the note
	}
	return b
}

// judgeExercise adds the requirements of the exercise.
func (b *board) judgeExercise(r lab.Report, exchanges []playground.Exchange, k kept) {
	list := exercise.Judge(r, exchanges)
	for _, q := range list {
		b.Requirements = append(b.Requirements, requirement{
			q.ID, q.Text, string(q.Standing), text.Visible(q.Why, maxFound), q.Cause, lessonURI + q.Lesson,
			k.ids[q.Exchange],
		})
	}
	b.blocks = exercise.Unjudged(list)
}

// missed returns the requirements of the exercise that are not met.
func (b board) missed() []requirement {
	var list []requirement
	for _, q := range b.Requirements {
		if q.Standing != string(exercise.Met) {
			list = append(list, q)
		}
	}
	return list
}

func violationsFirst(list []finding) {
	slices.SortStableFunc(list, func(x, y finding) int { return strings.Compare(y.Verdict, x.Verdict) })
}

func (s *Pages) ofExperiment(p lab.Result, k kept) finding {
	f := finding{
		Kind: "experiment", ID: p.ID, Rule: p.Rule, Verdict: p.Verdict.Word(), Level: string(p.Level),
		Title: p.Title,
		Found: text.Visible(p.Text, maxFound), Mend: p.Expects, Clause: p.Clause,
		Lesson: s.lessonAbout(p.Rule),
	}
	if p.Decisive < len(p.Exchanges) {
		f.Exchange = k.ids[p.Exchanges[p.Decisive].ID]
	}
	return f
}

func (s *Pages) ofRule(f rules.Finding, exchange string) finding {
	rule, _ := rules.ByID(f.Rule)
	return finding{
		Kind: "rule", ID: f.Rule, Verdict: f.Verdict.Word(), Found: text.Visible(f.Text, maxFound),
		Mend: rule.Requirement, Clause: f.Link, Lesson: s.lessonAbout(f.Rule), Exchange: exchange,
	}
}

// lessonAbout returns the resource that explains a rule, or "".
func (s *Pages) lessonAbout(rule string) string {
	if l := s.lessonOf(rule); l != nil {
		return l.Resource
	}
	return ""
}

// text returns the board in short.
func (b board) text() string {
	var out strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&out, format+"\n", a...) }
	missed := b.missed()
	verdict := "No violation was found."
	switch {
	case b.Counts.Violations > 0:
		verdict = "The server violates the specification."
	case !b.OK:
		verdict = "The check is not complete."
	case len(b.Requirements) > 0 && len(missed) == 0:
		verdict = fmt.Sprintf("No violation was found, and all %d requirements of the exercise are met.",
			len(b.Requirements))
	case len(missed) > 0:
		are := map[bool]string{true: "is", false: "are"}[len(missed) == 1]
		verdict = fmt.Sprintf("No violation was found, but %d of the %d requirements of the exercise %s not "+
			"met.", len(missed), len(b.Requirements), are)
	}
	p("%s %s, %s, %d passed. %s", verdict, text.Plural(b.Counts.Violations, "violation"),
		text.Plural(b.Counts.Advisories, "advisory"), b.Counts.Passed, b.Control)
	for _, line := range []string{b.Note, b.Detail} {
		if line != "" {
			p("%s", line)
		}
	}
	writeFindings(p, b.Findings)
	for _, q := range missed {
		if q.Cause == "" { // else it is in a sentence below
			standing := strings.ReplaceAll(q.Standing, "_", " ")
			p("- %s", sentences(fmt.Sprintf("requirement %s is %s: %s", q.ID, standing, q.Text), q.Why,
				"See "+q.Lesson+".", exchangeWords(q.Exchange)))
		}
	}
	for _, block := range b.blocks {
		p("- %s", block.IDs())
	}
	if b.OK {
		p("%s", unseenWords())
	}
	if words := unjudgedWords(b.NotJudged); words != "" {
		p("%s", words)
	}
	if b.Exchange != "" {
		p("The correct call is exchange %s.", b.Exchange)
	}
	if b.URL != "" {
		p("Board: %s", b.URL)
	}
	return strings.TrimSpace(out.String())
}

// writeFindings writes a line for each finding.
func writeFindings(p func(format string, a ...any), list []finding) {
	for _, f := range list {
		p("- %s", sentences(fmt.Sprintf("%s %s: %s Right: %s %s", f.Verdict, f.names(), f.Found, f.Mend,
			f.Clause), exchangeWords(f.Exchange)))
	}
}

// exchangeWords names an exchange as read_exchange takes it; "" without one.
func exchangeWords(id string) string {
	if id == "" {
		return ""
	}
	return "Exchange: " + id
}
