package verdict_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// lines returns a line for each of some outcomes.
func lines(outcomes ...verdict.Outcome) []verdict.Line {
	var list []verdict.Line
	for _, o := range outcomes {
		list = append(list, verdict.Line{
			ID: string(o), Title: "Title.", Outcome: o, Sentence: "Because of " + string(o) + ".",
		})
	}
	return list
}

func report(outcomes ...verdict.Outcome) verdict.Report {
	return verdict.Report{
		Name: "all", Title: "x", Party: "client", Extent: "3 requests",
		Groups: []verdict.Group{{
			ID: "rules", Title: "Rules", Class: "c", Noun: "Rule", Lines: lines(outcomes...),
		}},
	}
}

// TestReport_Headline: green is earned, the number of lines that were not
// judged is in the same line, and 1 comes before 3, 3 before 0.
func TestReport_Headline(t *testing.T) {
	const (
		pass, fail, hint, na = verdict.Passed, verdict.Failed, verdict.Advisory, verdict.NotApplicable
		stop, open, far      = verdict.Stopped, verdict.NotJudged, verdict.NotReached
	)
	gap := "None of the calls was continued."
	for name, c := range map[string]struct {
		outcomes []verdict.Outcome
		gaps     []string
		left     []string
		outcome  verdict.Outcome
		words    string
		exit     int
	}{
		"all passed": {[]verdict.Outcome{pass, na}, nil, nil, pass,
			"No violation by this client in 3 requests.", 0},
		"an advisory": {[]verdict.Outcome{pass, hint}, nil, nil, pass,
			"No violation by this client in 3 requests, 1 advisory.", 0},
		"two advisories": {[]verdict.Outcome{hint, hint}, nil, nil, pass,
			"No violation by this client in 3 requests, 2 advisories.", 0},
		"not all was judged": {[]verdict.Outcome{pass, open, far, far}, nil, nil, pass,
			"No violation by this client in 3 requests, 1 not judged, 2 not reached.", 0},
		"it stopped": {[]verdict.Outcome{pass, stop}, nil, nil, stop,
			"No violation by this client in 3 requests, 1 stopped.", 0},
		"something was left": {[]verdict.Outcome{pass, stop}, nil, []string{"1 of 2 calls was left."}, stop,
			"No violation by this client in 3 requests, 1 stopped. 1 of 2 calls was left.", 0},
		"stopped everywhere": {[]verdict.Outcome{pass, stop}, []string{gap}, nil, stop,
			"No violation by this client in 3 requests, 1 stopped. " + gap, 3},
		"a gap": {[]verdict.Outcome{pass, far}, []string{gap}, nil, open,
			"No violation by this client in 3 requests, 1 not reached. " + gap, 3},
		"one failed": {[]verdict.Outcome{pass, fail}, nil, nil, fail,
			"This client fails 1 check in 3 requests.", 1},
		"failed and stopped": {[]verdict.Outcome{stop, fail, fail}, []string{gap}, nil, fail,
			"This client fails 2 checks in 3 requests, 1 stopped. " + gap, 1},
		"nothing was judged": {[]verdict.Outcome{far, na}, nil, nil, open,
			"Nothing could be judged in 3 requests, 1 not reached.", 3},
		"nothing at all": {nil, nil, nil, open,
			"Nothing could be judged in 3 requests.", 3},
	} {
		r := report(c.outcomes...)
		r.Gaps, r.Left = c.gaps, c.left
		if h := r.Headline(); h.Outcome != c.outcome || h.Words != c.words {
			t.Errorf("%s: %s: %s", name, h.Outcome, h.Words)
		}
		if r.ExitCode() != c.exit || r.OK() != (c.outcome == pass) {
			t.Errorf("%s: exit code %d, OK %v", name, r.ExitCode(), r.OK())
		}
		if d := r.Document(); d.OK != r.OK() || d.Headline != c.words || d.Summary != r.Counts() {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// TestReport_Counts: every group that judges the party counts, and steps and
// groups aside do not.
func TestReport_Counts(t *testing.T) {
	r := report(verdict.Passed)
	r.Groups = append(r.Groups,
		verdict.Group{ID: "checks", Lines: lines(verdict.Failed, verdict.Stopped)},
		verdict.Group{ID: "server", Lines: lines(verdict.Failed), Aside: true},
		verdict.Group{ID: "runs", Lines: lines(verdict.NotReached), Steps: true},
	)
	want := verdict.Counts{Passed: 1, Failed: 1, Stopped: 1}
	if c := r.Counts(); c != want || c.All() != 3 || c.Judged() != 2 {
		t.Errorf("%+v", c)
	}
	data, err := json.Marshal(r.Counts())
	const encoded = `{"fail":1,"hint":0,"pass":1,"stopped":1,"unjudged":0,"unreached":0,"na":0}`
	if err != nil || string(data) != encoded {
		t.Errorf("%s, %v", data, err)
	}
}

// TestReport_CountsAFaultOnce: a fault that another line counts is shown, and
// neither in the summary nor in the headline. A line that passed or was not
// judged is no fault.
func TestReport_CountsAFaultOnce(t *testing.T) {
	r := report(verdict.Failed, verdict.Advisory, verdict.Passed)
	r.Groups = append(r.Groups, verdict.Group{
		ID: "checks", Title: "Checks", Noun: "Check",
		Lines: lines(verdict.Failed, verdict.Advisory, verdict.Passed),
	})
	for i := range r.Groups[0].Lines {
		r.Groups[0].Lines[i].SameAs = "scenario check"
	}
	want := verdict.Counts{Failed: 1, Advisory: 1, Passed: 2}
	if c := r.Counts(); c != want || r.Document().Summary != want || r.Groups[0].Counts().Failed != 1 {
		t.Errorf("%+v", c)
	}
	if h := r.Headline().Words; h != "This client fails 1 check in 3 requests, 1 advisory." {
		t.Error(h)
	}
	var out, junit bytes.Buffer
	if err := errors.Join(r.WriteText(&out), r.WriteJUnit(&junit)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"text": out.String(), "Markdown": string(r.Markdown()), "agent": r.AgentText(),
		"JUnit": junit.String(),
	} {
		if !strings.Contains(text, "as scenario check") {
			t.Errorf("%s: what counts is not named in\n%s", name, text)
		}
	}
	if d := r.Groups[0].Documents()[0]; d.SameAs != "scenario check" {
		t.Errorf("%+v", d)
	}
}

// TestWriteJSON: markup stays readable, and characters that a terminal must not
// get are escaped.
func TestWriteJSON(t *testing.T) {
	var out bytes.Buffer
	if err := verdict.WriteJSON(&out, map[string]string{"a": "<b>&\u202e"}); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"a\": \"<b>&\\u202E\"\n}\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestOutcome_Words: there are seven, each has its id, and "not judged" is no plural of
// another.
func TestOutcome_Words(t *testing.T) {
	want := map[verdict.Outcome][3]string{
		"fail": {"failed", "1 failed", "2 failed"}, "hint": {"advisory", "1 advisory", "2 advisories"},
		"pass": {"passed", "1 passed", "2 passed"}, "stopped": {"stopped", "1 stopped", "2 stopped"},
		"unjudged":  {"not judged", "1 not judged", "2 not judged"},
		"unreached": {"not reached", "1 not reached", "2 not reached"},
		"na":        {"does not apply", "1 does not apply", "2 do not apply"},
	}
	list := verdict.Outcomes()
	if len(list) != len(want) {
		t.Fatalf("%q", list)
	}
	for i, o := range list {
		if got := [3]string{o.Word(), o.Count(1), o.Count(2)}; got != want[o] || o.Glyph() == "" {
			t.Errorf("%s: %q", o, got)
		}
		var c verdict.Counts
		if c.Add(o); c.Of(o) != 1 || c.All() != 1 {
			t.Errorf("%s is counted as %+v", o, c)
		}
		if i > 0 && list[i-1].Compare(o) >= 0 {
			t.Errorf("%s is not after %s", o, list[i-1])
		}
	}
}

// TestLine_Outweighs: a run with a finding outweighs another without one, and a
// failure outweighs a pass.
func TestLine_Outweighs(t *testing.T) {
	of := func(o verdict.Outcome) verdict.Line { return verdict.Line{ID: "x", Outcome: o, Times: 1} }
	for _, c := range []struct {
		old, l, want verdict.Outcome
		times        int
	}{
		{verdict.NotReached, verdict.Passed, verdict.Passed, 1},
		{verdict.Passed, verdict.Stopped, verdict.Passed, 1},
		{verdict.Stopped, verdict.NotReached, verdict.Stopped, 1},
		{verdict.Passed, verdict.Failed, verdict.Failed, 1},
		{verdict.Failed, verdict.Failed, verdict.Failed, 2},
	} {
		if got := of(c.l).Outweighs(of(c.old)); got.Outcome != c.want || got.Times != c.times {
			t.Errorf("%s after %s: %+v", c.l, c.old, got)
		}
	}
	if got := of(verdict.NotReached).Outweighs(verdict.Line{}); got.ID != "x" {
		t.Errorf("the first one: %+v", got)
	}
}

type suiteCounts struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
}

// TestReport_WriteJUnit: only a failed line is a failure, a line that was not
// judged is skipped with the reason, and a step that was not made is an error.
func TestReport_WriteJUnit(t *testing.T) {
	const foreign = "a\x1b[2J\x00<b>&\u202e"
	r := report(verdict.Outcomes()...)
	r.Groups[0].Lines[0].Sentence = foreign
	r.Groups = append(r.Groups,
		verdict.Group{
			ID: "runs", Class: "run", Lines: lines(verdict.Passed, verdict.NotReached),
			Steps: true, Silent: true,
		},
		verdict.Group{ID: "server", Lines: lines(verdict.Failed, verdict.NotJudged), Aside: true},
		verdict.Group{ID: "empty"})
	var out bytes.Buffer
	if err := r.WriteJUnit(&out); err != nil {
		t.Fatal(err)
	}
	var all struct {
		suiteCounts
		Suites []struct {
			suiteCounts
			Cases []struct {
				Name    string `xml:"name,attr"`
				Skipped *struct {
					Message string `xml:"message,attr"`
				} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out.Bytes(), &all); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if all.suiteCounts != (suiteCounts{"all", 11, 1, 1, 4}) || len(all.Suites) != 4 ||
		all.Suites[0].suiteCounts != (suiteCounts{"rules", 7, 1, 0, 4}) ||
		all.Suites[1].suiteCounts != (suiteCounts{"runs", 2, 0, 1, 0}) ||
		all.Suites[2].suiteCounts != (suiteCounts{"server", 2, 0, 0, 0}) {
		t.Errorf("%+v", all)
	}
	for _, c := range all.Suites[0].Cases {
		o := verdict.Outcome(c.Name)
		if o.Judged() != (c.Skipped == nil) {
			t.Errorf("%s: skipped is %+v", o, c.Skipped)
		}
		if c.Skipped != nil && c.Skipped.Message != o.Word()+": Because of "+string(o)+"." {
			t.Errorf("%s: the reason is %q", o, c.Skipped.Message)
		}
	}
	if strings.ContainsAny(out.String(), "\x1b\x00\u202e") {
		t.Errorf("control characters in %q", out.String())
	}
}

// TestReport_Texts: the terminal, Markdown and agents get the same headline,
// the faults, the place where it stopped, and the reasons why the rest was not
// judged.
func TestReport_Texts(t *testing.T) {
	r := report(verdict.Outcomes()...)
	r.Groups[0].Lines = append(r.Groups[0].Lines, lines(verdict.NotReached)...)
	r.Notes = []string{"A note."}
	var out bytes.Buffer
	if err := r.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"text": out.String(), "Markdown": strings.ReplaceAll(string(r.Markdown()), `\`, ""),
		"agent": r.AgentText(),
	} {
		for _, want := range []string{
			r.Headline().Words, "Because of fail.", "Because of hint.", "Because of stopped.", "A note.",
			"Not judged: unjudged: because of unjudged.", "Not reached: 2 rules: because of unreached.",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
		if strings.Contains(text, "Because of pass") || strings.Contains(text, "Because of na") {
			t.Errorf("%s lists what is only counted:\n%s", name, text)
		}
	}
	if !strings.Contains(out.String(), "rules: 1 failed, 1 advisory, 1 passed, 1 stopped, 1 not judged, "+
		"2 not reached, 1 does not apply\n") {
		t.Errorf("no counts in\n%s", out.String())
	}
}

// TestReport_MarkdownEscapesForeignText: nobody who is judged can add cells, rows or HTML,
// and the same report gives the same bytes.
func TestReport_MarkdownEscapesForeignText(t *testing.T) {
	const foreign = "a | b <script>x</script>\n| c |"
	r := report()
	r.Title, r.Lead, r.Gaps, r.Notes = foreign, []string{foreign}, []string{foreign}, []string{foreign}
	r.Groups = []verdict.Group{
		{ID: "checks", Title: "Client test", Noun: "Scenario", Lines: []verdict.Line{
			{
				ID: "echo", Scope: "echo_quotes", Level: "MUST", Outcome: verdict.Failed, Sentence: foreign,
				Clause: "https://h/#a",
				Place:  verdict.Place{Request: 2, Method: foreign, Path: []string{foreign}},
			},
			{ID: "no-state", Outcome: verdict.NotReached, Sentence: foreign},
		}},
		{
			ID: "probes", Title: "Experiments", Noun: "Experiment", Named: true, Whole: true,
			Lines: []verdict.Line{{
				Part: foreign, Title: foreign, Level: "MUST", Expected: foreign, Came: foreign,
				Sentence: foreign, Outcome: verdict.Advisory,
			}},
		},
	}
	out := r.Markdown()
	if !bytes.Equal(out, r.Markdown()) {
		t.Error("the same report gives other bytes")
	}
	if bytes.Contains(bytes.ReplaceAll(out, []byte(`\<`), nil), []byte("<script")) {
		t.Errorf("HTML in\n%s", out)
	}
	rows := 0
	for _, line := range strings.Split(string(out), "\n") {
		cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if strings.HasPrefix(line, "|") {
			rows++
		}
		if cells != 0 && cells != 6 {
			t.Errorf("%d borders in %s", cells, line)
		}
	}
	if rows != 6 {
		t.Errorf("%d rows in\n%s", rows, out)
	}
	for _, want := range []string{
		"**1 failed, 1 not reached**", "](https://h/#a) | ✕ failed | MUST |", "! advisory",
	} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestPlace_String(t *testing.T) {
	for _, c := range []struct {
		place verdict.Place
		want  string
	}{
		{verdict.Place{Run: "r"}, ""},
		{verdict.Place{Request: 4, Lines: true}, "lines of the server that belong to no request"},
		{verdict.Place{Run: "echo", Request: 4, Method: "tools/call", Name: "echo",
			Path: []string{"params", "a b"}}, `request 4 of the run echo: tools/call echo, params."a b"`},
		{verdict.Place{Request: 1, Header: "Accept"}, "request 1: a message without a method, header Accept"},
	} {
		if got := c.place.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestReport_Reasons: a reason is written as a part of the sentence that has the outcome.
func TestReport_Reasons(t *testing.T) {
	for sentence, want := range map[string]string{
		"There is no response yet.":                      "there is no response yet",
		"Not judged, because the server is gone. Later.": "the server is gone",
		"JSON has no such number.":                       "JSON has no such number",
		"structuredContent is too large.":                "structuredContent is too large",
		"":                                               "no reason is known",
	} {
		l := verdict.Line{ID: "a", Outcome: verdict.NotJudged, Sentence: sentence}
		got := string(verdict.Report{Groups: []verdict.Group{{Lines: []verdict.Line{l}}}}.Markdown())
		if !strings.Contains(got, "\nNot judged: a: "+want+".\n") {
			t.Errorf("%q: %s", sentence, got)
		}
	}
}

// TestReport_LeadIsHarmless: texts of the subject do no harm anywhere.
func TestReport_LeadIsHarmless(t *testing.T) {
	r := report(verdict.Passed)
	r.Lead = []string{"It failed: \x1b[2J\u202eno\u200b."}
	var terminal bytes.Buffer
	if err := r.WriteText(&terminal); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{
		"terminal": terminal.String(), "Markdown": string(r.Markdown()), "agents": r.AgentText(),
	} {
		if strings.ContainsAny(got, "\x1b\u202e\u200b") || !strings.Contains(got, "It failed") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
