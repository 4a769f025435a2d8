package capture

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/junit"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Document is a Board as JSON. Its members are stable: members may be added, but
// none is removed or changes its meaning.
type Document struct {
	Revision string         `json:"revision"` // of MCP
	Server   string         `json:"server"`
	Clients  []string       `json:"clients"`
	OK       bool           `json:"ok"`
	Judged   bool           `json:"judged"`
	Summary  CountsDocument `json:"summary"` // of checks and rules together
	Checks   []LineDocument `json:"checks"`
	Rules    []LineDocument `json:"rules"`
	Behind   []LineDocument `json:"server_rules"`   // about the server; not part of OK and Summary
	Note     string         `json:"note,omitempty"` // one sentence about what was not judged
	Runs     []RunDocument  `json:"runs"`
}

// CountsDocument is the number of lines by verdict.
type CountsDocument struct {
	Failed   int `json:"failed"`
	Advisory int `json:"advisory"`
	Noted    int `json:"noted"`
	Passed   int `json:"passed"`
	Unseen   int `json:"unseen"`
}

// LineDocument is the JSON form of a Line.
type LineDocument struct {
	ID          string         `json:"id"`
	Scenario    string         `json:"scenario,omitempty"`
	Title       string         `json:"title"`
	Requirement string         `json:"requirement,omitempty"`
	Level       spec.Level     `json:"level,omitempty"`
	Verdict     Verdict        `json:"verdict"`
	Text        string         `json:"text"`
	Clause      string         `json:"clause,omitempty"`
	Where       *WhereDocument `json:"where,omitempty"`
	Times       int            `json:"times"`
}

// WhereDocument is the JSON form of a Where. Request is a number in the requests
// of the run with that scenario.
type WhereDocument struct {
	Run     string   `json:"run,omitempty"`
	Request int      `json:"request"`
	Method  string   `json:"method"`
	Name    string   `json:"name,omitempty"`
	Path    []string `json:"path,omitempty"`
	Header  string   `json:"header,omitempty"`
}

// RunDocument is the JSON form of a Run. Requests have their number as round.
type RunDocument struct {
	Scenario string            `json:"scenario,omitempty"`
	Ended    string            `json:"ended"`
	Requests []RequestDocument `json:"requests"`
}

// RequestDocument is the JSON form of a request with its response. Started is
// when it began, and Ended when the last byte came; zero if none did.
type RequestDocument struct {
	lab.RoundDocument
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
}

// Document returns the board in the form that is encoded as JSON.
func (b Board) Document() Document {
	count := func(v Verdict) int { return Count(b.Checks, v) + Count(b.Rules, v) }
	d := Document{
		Revision: wire.ProtocolVersion, Server: b.Server, Clients: append([]string{}, b.Clients...),
		OK: b.OK(), Judged: b.Judged(),
		Summary: CountsDocument{count(Failed), count(Advisory), count(Noted), count(Passed), count(Unseen)},
		Checks:  newLines(b.Checks), Rules: newLines(b.Rules), Behind: newLines(b.Behind),
		Note: b.Note(), Runs: []RunDocument{},
	}
	for _, r := range b.Runs {
		d.Runs = append(d.Runs, RunDocument{r.Scenario, r.Ended, r.Report.requests()})
	}
	return d
}

func newLines(lines []Line) []LineDocument {
	list := []LineDocument{}
	for _, l := range lines {
		d := LineDocument{
			ID: l.ID, Scenario: l.Scenario, Title: l.Title, Requirement: l.Requirement, Level: l.Level,
			Verdict: l.Verdict, Text: l.Text, Clause: l.Link, Times: l.Times,
		}
		if w := l.Where; w.Request > 0 {
			d.Where = &WhereDocument{w.Run, w.Request, w.Method, w.Name, w.Path, w.Header}
		}
		list = append(list, d)
	}
	return list
}

// requests returns the contacts as they are written as JSON.
func (r Report) requests() []RequestDocument {
	list, contacts := []RequestDocument{}, r.Contacts()
	var f playground.Transcript
	for i, c := range contacts {
		f.Rounds = append(f.Rounds, newContact(c).round(i+1))
	}
	for i, d := range lab.NewRounds(f) {
		list = append(list, RequestDocument{d, contacts[i].Started.UTC(), contacts[i].Last.UTC()})
	}
	return list
}

// WriteJUnit writes the board as JUnit XML, with a suite each for the runs, the
// checks of the client test, the rules and, if rules judged it, the server. Only
// what the client failed is a failure; advisories, notes and what is wrong with the
// server are output of passed tests. It returns the error of w.
func (b Board) WriteJUnit(w io.Writer) error {
	runs := junit.Suite{Name: "runs"}
	for _, r := range b.Runs {
		name := r.Scenario
		if name == "" {
			name = "command"
		}
		requests := text.Plural(r.Report.Requests(), "request") + ", " + r.Ended
		if r.Report.Requests() == 0 {
			runs.Error("mrtr.run", name, "nothing",
				"The client called nothing. "+r.who()+": "+r.Ended+".", "")
			continue
		}
		runs.Pass("mrtr.run", name, requests)
	}
	checks, rules := junit.Suite{Name: "checks"}, junit.Suite{Name: "rules"}
	for _, l := range b.Checks {
		l.addTo(&checks, "mrtr.client."+l.Scenario)
	}
	for _, l := range b.Rules {
		l.addTo(&rules, "mrtr.rule")
	}
	server := junit.Suite{Name: "server"}
	for _, l := range b.Behind {
		_, word := l.Verdict.Standing()
		server.Pass("mrtr.server", l.ID, "server "+word+": "+l.Text+"\n"+l.details())
	}
	suites := []junit.Suite{runs, checks, rules}
	if len(b.Behind) > 0 {
		suites = append(suites, server)
	}
	return junit.Write(w, "mrtr-playground client", suites...)
}

// addTo adds the line to a suite.
func (l Line) addTo(s *junit.Suite, class string) {
	details := l.details()
	_, word := l.Verdict.Standing()
	switch l.Verdict {
	case Failed:
		s.Fail(class, l.ID, string(l.kind()), l.Text, details)
	case Unseen:
		s.Skip(class, l.ID, l.Text)
	case Passed:
		s.Pass(class, l.ID, "")
	default:
		s.Pass(class, l.ID, word+": "+l.Text+"\n"+details)
	}
}

// details returns the title, the place and the clause, a line each.
func (l Line) details() string {
	details := l.Title
	for _, more := range []string{l.Where.String(), l.Link} {
		if more != "" {
			details += "\n" + more
		}
	}
	return details
}

// kind returns the level of what failed: that of a rule is MUST.
func (l Line) kind() spec.Level {
	if l.Level == "" {
		return spec.Must
	}
	return l.Level
}

// WriteText writes the board for a terminal: what is wrong first, then the
// counts. It returns the error of w.
func (b Board) WriteText(w io.Writer) error {
	checks, rules, behind := b.Open()
	var out strings.Builder
	section(&out, "Client test", checks)
	section(&out, "Rules", rules)
	section(&out, "Server (not counted for the client)", behind)
	for _, r := range b.Runs {
		name := strings.TrimSpace(r.who() + " " + r.Scenario)
		if len(b.Runs) == 1 || r.Ended != Succeeded {
			fmt.Fprintf(&out, "%s: %s\n", name, text.Visible(r.Ended, 300))
		}
	}
	fmt.Fprintln(&out, b.Words())
	if b.Checks != nil {
		fmt.Fprintf(&out, "client test: %s\n", CountWords(b.Checks))
	}
	fmt.Fprintf(&out, "rules: %s\n", CountWords(b.Rules))
	if len(b.Behind) > 0 {
		fmt.Fprintf(&out, "server: %s\n", CountWords(b.Behind))
	}
	if note := b.Note(); note != "" {
		fmt.Fprintln(&out, note)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Succeeded is how a client ends that reports no error.
const Succeeded = "exit status 0"

// section writes lines below a heading.
func section(out *strings.Builder, heading string, lines []Line) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(out, heading)
	for _, l := range lines {
		ending, word := l.Verdict.Standing()
		name := l.ID
		if l.Scenario != "" {
			name = l.Scenario + " " + l.ID
		}
		fmt.Fprintf(out, "  %-12s %-10s %-32s %s\n", strings.TrimSpace(ending.Glyph()+" "+word), l.Level,
			name, text.Visible(l.Text, 300))
		where := l.Where.String()
		if l.Times > 1 {
			where += fmt.Sprintf(" (and %d more)", l.Times-1)
		}
		for _, more := range []string{where, l.Link} {
			if more != "" {
				fmt.Fprintf(out, "  %-12s %-10s %s\n", "", "", more)
			}
		}
	}
}
