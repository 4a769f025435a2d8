package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// CheckForm is the page that lists what a check will send and starts it.
type CheckForm struct {
	ID, Name      string // of the server
	Sample        bool
	Ready         bool   // connected, with a protocol revision that can be checked
	Why           string // why it is not Ready
	Tools         []CheckTool
	Tool          string // chosen
	Args, Answers string
	State         string // of a sample: how it protects its state
	Wait          string // seconds to wait for a state without a visible expiry; may be empty
	Mine          bool   // ticked: the user may test the server
	Legacy        bool   // the server is of an earlier revision, so only the correct call is made
	Problem       string
	Experiments   []lab.Experiment
}

// CheckTool is a tool, prompt or resource that can be chosen.
type CheckTool struct{ Name, Label string }

// Path returns the address that the form is sent to.
func (f CheckForm) Path() string { return "/servers/" + f.ID + "/check" }

// CheckReport is the page of a check, running or ended.
type CheckReport struct {
	ID, Session           string // of the server; of the check
	Name, Tool            string
	Status                lab.Status
	Detail                string
	Control               string // one sentence about the correct call
	Worked                bool   // the correct call completed without an error
	Counts                lab.Counts
	Made, All             int // experiments: done, and in total
	Base                  string
	Groups                []ProbeGroup
	Findings              []Verdict
	Passed, NotApplicable []Verdict
	Again                 string // address of the form with the same call
	Asks                  bool   // the correct call asked something or returned a state
	Legacy                bool   // the server is of an earlier revision
}

// ProbeGroup holds the probes of one verdict.
type ProbeGroup struct {
	Title, Verdict string
	Probes         []ProbeLine
}

// About explains the lines of the group in one sentence.
func (g ProbeGroup) About() string {
	switch g.Verdict {
	case string(rules.NA):
		return "Experiments that could not run, or to which no requirement applies. Each line says why."
	case "waiting":
		return "Each line is one experiment: a call with a deliberate change, which is still to be made."
	}
	return "Each line is one experiment: a call that was made with a deliberate change."
}

// ProbeLine is a probe with its result.
type ProbeLine struct {
	lab.Experiment
	Verdict, Text string
	Path          string // address of the changed Round; empty when nothing was sent
	Bytes         string // address of this page with the bytes unfolded
	Round         *WireRound
}

// Live returns the address of the event stream while the check runs, and ""
// after that.
func (r CheckReport) Live() string {
	if r.Status != lab.Running {
		return ""
	}
	return r.Path() + "/events"
}

// Path returns the address of the report.
func (r CheckReport) Path() string { return CheckPath(r.ID, r.Session) }

// CheckPath returns the address of the report of a check.
func CheckPath(server, session string) string { return "/servers/" + server + "/check/" + session }

// NewCheckReport returns the page of r. Only the probe with the id shown has
// its bytes on the page; the others link to theirs, to keep the page small.
func NewCheckReport(server, session string, r lab.Report, shown string) CheckReport {
	out := CheckReport{
		ID: server, Session: session, Name: text.Visible(r.Target.Name, 120),
		Tool: text.Visible(heading(r.Call), 80), Status: r.Status,
		Detail: text.Visible(r.Detail, 600), Counts: r.Total(), Base: "/x/" + r.Control.ID,
		All: len(r.Results), Control: text.Visible(r.Compared, 300), Worked: r.Worked,
		Legacy: r.Era == playground.Legacy,
	}
	lines := map[rules.Verdict][]ProbeLine{}
	var waiting []ProbeLine
	for _, p := range r.Results {
		line := out.probe(p, shown)
		if p.Waiting {
			waiting = append(waiting, line)
			continue
		}
		out.Made++
		lines[p.Verdict] = append(lines[p.Verdict], line)
	}
	for _, g := range []struct {
		title string
		v     rules.Verdict
	}{
		{"Violations (MUST)", rules.Fail},
		{"Advisories (SHOULD)", rules.Hint},
		{"Handled correctly", rules.Pass},
		{"Not applicable", rules.NA},
	} {
		if len(lines[g.v]) > 0 {
			out.Groups = append(out.Groups, ProbeGroup{g.title, string(g.v), lines[g.v]})
		}
	}
	if len(waiting) > 0 && r.Status != lab.Failed {
		title := "Pending"
		if r.Status != lab.Running {
			title = "Not run"
		}
		out.Groups = append(out.Groups, ProbeGroup{title, "waiting", waiting})
	}
	right := r.Control.Fold()
	out.Asks = asks(right)
	out.rules(r)
	return out
}

// asks reports whether a call used multi round-trip requests.
func asks(f playground.Transcript) bool {
	return slices.ContainsFunc(f.Rounds, func(r playground.Round) bool {
		return len(r.Questions) > 0 || r.State != nil
	})
}

func (r CheckReport) probe(p lab.Result, shown string) ProbeLine {
	line := ProbeLine{Experiment: p.Experiment, Verdict: string(p.Verdict), Text: text.Visible(p.Text, 400)}
	if p.Waiting {
		line.Verdict, line.Text = "waiting", ""
	}
	if len(p.Exchanges) == 0 {
		return line
	}
	x := p.Exchanges[p.Decisive]
	rounds := playground.Fold(x.Log).Rounds
	if len(rounds) == 0 {
		return line
	}
	last := rounds[len(rounds)-1]
	line.Path = RoundPath(x.ID, last.N)
	line.Bytes = r.Path() + "?probe=" + p.ID + "#" + p.ID
	if p.ID == shown {
		w := NewWireRound(last, true, "", FramesAt("/x/"+x.ID, ""))
		w.Hidden = server.HiddenInRound(last)
		line.Round = &w
	}
	return line
}

func (r *CheckReport) rules(report lab.Report) {
	for _, f := range report.Findings {
		words := f.Text
		if f.Times > 1 {
			words += fmt.Sprintf(" Found %d times.", f.Times)
		}
		r.Findings = append(r.Findings, Verdict{
			Rule: f.Rule, Verdict: string(f.Verdict), Text: text.Visible(words, 400), Link: f.Link,
			Side: string(f.Side), Round: f.Round,
		})
	}
	for _, k := range report.Passed {
		r.Passed = append(r.Passed, Verdict{
			Rule: k.ID, Verdict: string(rules.Pass), Text: k.Requirement, Link: k.Link,
			Side: string(k.Side),
		})
	}
	for _, k := range report.NotJudged {
		r.NotApplicable = append(r.NotApplicable, Verdict{
			Rule: k.ID, Verdict: string(rules.NA), Text: k.Requirement, Link: k.Link,
			Side: string(k.Side),
		})
	}
}

// Words summarizes the check in one sentence.
func (r CheckReport) Words() string {
	switch {
	case r.Status == lab.Running:
		return fmt.Sprintf("%d of %d experiments done.", r.Made, r.All)
	case r.Status == lab.Failed:
		return "The correct call failed, so no experiment was run."
	case r.Counts.Fail == 1:
		return "1 MUST-level requirement violated."
	case r.Counts.Fail > 0:
		return fmt.Sprintf("%d MUST-level requirements violated.", r.Counts.Fail)
	case r.Status == lab.Stopped:
		return "The check stopped early. These are the results so far."
	case !r.Worked:
		return "The correct call did not work, so most experiments could not be judged."
	case r.Legacy && r.Counts.Hint == 0:
		return "No problems found. Only the correct call was made: the server is of an earlier revision."
	case r.Legacy:
		return "No MUST-level violations found. Only the correct call was made: the server is of an " +
			"earlier revision."
	case !r.Asks:
		return "The correct call asked nothing, so most experiments could not run. Choose arguments that " +
			"make the tool ask."
	case r.Counts.Hint > 0:
		return "No MUST-level violations found."
	}
	return "No problems found."
}

// Tone returns the CSS class of the summary.
func (r CheckReport) Tone() string {
	switch {
	case r.Status == lab.Running:
		return ""
	case r.Status == lab.Failed || r.Counts.Fail > 0:
		return "bad"
	case r.Status == lab.Stopped || !r.Asks && !r.Legacy || !r.Worked:
		return ""
	}
	return "good"
}

// clauseName returns the part of a clause's link that people cite.
func clauseName(link string) string {
	if _, name, ok := strings.Cut(link, "/specification/2026-07-28/"); ok {
		return name
	}
	_, name, _ := strings.Cut(link, "/specification/draft/")
	return "ext-tasks/" + strings.Replace(name, ".md", "", 1)
}
