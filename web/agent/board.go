package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// boardOutput is the output schema of check_server.
const boardOutput = `{"type":"object","properties":{
	"ok":{"type":"boolean","description":"The whole check was made, the correct call worked, and no MUST is ` +
	`violated"},
	"status":{"type":"string","enum":["complete","failed","stopped"],
		"description":"failed: the correct call did not work, so nothing else was judged"},
	"detail":{"type":"string"},
	"note":{"type":"string","description":"What was left out, and why"},
	"server":{"type":"string"},
	"era":{"type":"string"},
	"control":{"type":"string","description":"One sentence about the correct call"},
	"counts":{"type":"object","properties":{"violations":{"type":"integer"},"advisories":{"type":"integer"},
		"passed":{"type":"integer"},"withoutVerdict":{"type":"integer"}},
		"required":["violations","advisories","passed","withoutVerdict"]},
	"findings":{"type":"array","description":"Violations first, then advisories","items":{"type":"object",
		"properties":{
			"kind":{"type":"string","enum":["rule","experiment"]},
			"id":{"type":"string","description":"For explain_finding"},
			"verdict":{"type":"string","enum":["violation","advisory"]},
			"level":{"type":"string"},
			"title":{"type":"string"},
			"found":{"type":"string","description":"What the server did"},
			"mend":{"type":"string","description":"What is right"},
			"clause":{"type":"string"},
			"lesson":{"type":"string"},
			"exchange":{"type":"string","description":"For read_exchange"}},
		"required":["kind","id","verdict","found","mend","clause"]}},
	"passed":{"type":"array","items":{"type":"string"},"description":"Ids of rules and experiments"},
	"url":{"type":"string","description":"Page with the board and every byte"},
	"expires":{"type":"string","description":"When the page is deleted; absent if it is kept"}},
	"required":["ok","status","server","control","counts","findings","passed","url"]}`

// board is the structured content of check_server.
type board struct {
	OK       bool      `json:"ok"`
	Status   string    `json:"status"`
	Detail   string    `json:"detail,omitempty"`
	Note     string    `json:"note,omitempty"`
	Server   string    `json:"server"`
	Era      string    `json:"era,omitempty"`
	Control  string    `json:"control"`
	Counts   counts    `json:"counts"`
	Findings []finding `json:"findings"`
	Passed   []string  `json:"passed"`
	URL      string    `json:"url"`
	Expires  string    `json:"expires,omitempty"`
}

type counts struct {
	Violations     int `json:"violations"`
	Advisories     int `json:"advisories"`
	Passed         int `json:"passed"`
	WithoutVerdict int `json:"withoutVerdict"`
}

// finding is a violation or an advisory.
type finding struct {
	Kind     string `json:"kind"`
	ID       string `json:"id"`
	Verdict  string `json:"verdict"`
	Level    string `json:"level,omitempty"`
	Title    string `json:"title,omitempty"`
	Found    string `json:"found"`
	Mend     string `json:"mend"`
	Clause   string `json:"clause"`
	Lesson   string `json:"lesson,omitempty"`
	Exchange string `json:"exchange,omitempty"`
}

// maxFound is the longest text about a server in a finding, in characters.
const maxFound = 500

// board returns a report as agents get it. What a server has said is made visible, so
// that it hides nothing from a reader.
func (s *Pages) board(r lab.Report, note string) board {
	total := r.Total()
	b := board{
		OK: r.OK(), Status: string(r.Status), Detail: text.Visible(r.Detail, maxFound), Note: note,
		Server: text.Visible(r.Target.URL, maxFound), Era: string(r.Era),
		Control:  text.Visible(r.Compared, maxFound),
		Counts:   counts{total.Fail, total.Hint, total.Pass, total.NA},
		Findings: []finding{}, Passed: []string{},
	}
	for _, p := range r.Results {
		switch p.Verdict {
		case rules.Fail, rules.Hint:
			b.Findings = append(b.Findings, s.ofExperiment(p))
		case rules.Pass:
			b.Passed = append(b.Passed, p.ID)
		}
	}
	for _, f := range r.Findings {
		b.Findings = append(b.Findings, s.ofRule(f))
	}
	for _, k := range r.Passed {
		b.Passed = append(b.Passed, k.ID)
	}
	slices.SortStableFunc(b.Findings, func(x, y finding) int { return strings.Compare(y.Verdict, x.Verdict) })
	return b
}

func (s *Pages) ofExperiment(p lab.Result) finding {
	f := finding{
		Kind: "experiment", ID: p.ID, Verdict: p.Verdict.Word(), Level: string(p.Level), Title: p.Title,
		Found: text.Visible(p.Text, maxFound), Mend: p.Expects, Clause: p.Clause, Lesson: s.lessonURL(p.Rule),
	}
	if p.Decisive < len(p.Exchanges) {
		f.Exchange = p.Exchanges[p.Decisive].ID
	}
	return f
}

func (s *Pages) ofRule(f lab.Finding) finding {
	rule, _ := rules.ByID(f.Rule)
	return finding{
		Kind: "rule", ID: f.Rule, Verdict: f.Verdict.Word(), Found: text.Visible(f.Text, maxFound),
		Mend: rule.Requirement, Clause: f.Link, Lesson: s.lessonURL(f.Rule), Exchange: f.Exchange,
	}
}

// lessonURL returns where a rule is explained, or "".
func (s *Pages) lessonURL(rule string) string {
	if l := s.lessonOf(rule); l != nil {
		return l.URL
	}
	return ""
}

// text returns the board in short.
func (b board) text() string {
	var out strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&out, format+"\n", a...) }
	verdict := "Every requirement that was judged is met."
	if b.Counts.Violations > 0 {
		verdict = "The server violates the specification."
	} else if !b.OK {
		verdict = "The check is not complete."
	}
	p("%s %d violations, %d advisories, %d passed. %s", verdict, b.Counts.Violations, b.Counts.Advisories,
		b.Counts.Passed, b.Control)
	for _, line := range []string{b.Note, b.Detail} {
		if line != "" {
			p("%s", line)
		}
	}
	for _, f := range b.Findings {
		p("- %s %s: %s Right: %s %s", f.Verdict, f.ID, f.Found, f.Mend, f.Clause)
	}
	p("Board: %s", b.URL)
	return strings.TrimSpace(out.String())
}
