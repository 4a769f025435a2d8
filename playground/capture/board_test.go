package capture_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// runOf returns a run of a client through one scenario of the test.
func runOf(t *testing.T, scenario string, f fault) capture.Run {
	t.Helper()
	s, ok := rules.ScenarioByID(scenario)
	if !ok {
		t.Fatal("no scenario", scenario)
	}
	c := newClient(t, f)
	c.drive(s)
	r := capture.Run{
		Scenario: scenario, Ended: capture.Succeeded, Report: capture.Report{Clients: []string{"good 1"}},
		Checks: capture.ObserveEnded(c.contacts),
	}
	for _, x := range c.contacts {
		round := playground.Round{N: x.Conn, Trip: x.Trip}
		round.Kind = x.Kind
		r.Report.Others = append(r.Report.Others, capture.Other{Round: round})
	}
	return r
}

// found returns the ids of the lines with a verdict, of a check with its scenario.
func found(lines []verdict.Line, v verdict.Outcome) []string {
	var list []string
	for _, l := range lines {
		if l.Outcome == v {
			list = append(list, strings.TrimPrefix(l.Scope+"/"+l.ID, "/"))
		}
	}
	return list
}

func TestBoard_WorstOfAllRuns(t *testing.T) {
	good, bad := runOf(t, "echo_quotes", fault{}), runOf(t, "echo_quotes", faults["echo"])
	other := runOf(t, "two_questions", fault{})
	for name, c := range map[string]struct {
		runs   []capture.Run
		failed []string
		times  int
	}{
		"good":          {[]capture.Run{good, other}, nil, 0},
		"bad":           {[]capture.Run{bad}, []string{"echo_quotes/echo"}, 1},
		"bad, then not": {[]capture.Run{bad, good, other}, []string{"echo_quotes/echo"}, 1},
		"good, then":    {[]capture.Run{other, good, bad, bad}, []string{"echo_quotes/echo"}, 2},
	} {
		b := capture.NewBoard("x", c.runs, capture.Selection{})
		if got := found(b.Checks, verdict.Failed); !slices.Equal(got, c.failed) ||
			b.Verdict().OK() != (len(c.failed) == 0) {
			t.Errorf("%s: %v, %+v", name, got, b.Verdict().Headline())
		}
		if first := b.Checks[0]; c.times > 0 && (first.Outcome != verdict.Failed || first.Times != c.times) {
			t.Errorf("%s: first is %+v", name, first)
		}
		if len(b.Checks) != len(good.Checks) {
			t.Errorf("%s: %d checks of %d", name, len(b.Checks), len(good.Checks))
		}
	}
}

// TestBoard_NamesTheRequest: the place of a verdict is the request that shows it.
func TestBoard_NamesTheRequest(t *testing.T) {
	bad := runOf(t, "echo_quotes", faults["echo"])
	b := capture.NewBoard("x", []capture.Run{bad}, capture.Selection{})
	l := b.Checks[0]
	request := bad.Report.Contacts()[l.Place.Request-1]
	if !request.Sent.At("params").Has("inputResponses") || l.Requirement != "mrtr.echo" ||
		!strings.Contains(l.Clause, "2026-07-28") {
		t.Errorf("%+v", l)
	}
	const want = "request 4 of the run echo_quotes: tools/call echo_quotes, params.requestState"
	if got := l.Place.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBoard_Rules: a rule about the client has one line with the worst verdict, and those
// about the server have none.
func TestBoard_Rules(t *testing.T) {
	run := runOf(t, "echo_quotes", fault{})
	add := func(rule string, side rules.Side, v verdict.Outcome, conn int) {
		run.Report.Findings = append(run.Report.Findings, findingOf(rule, side, v, conn))
	}
	add("client-meta", rules.Client, verdict.Passed, 1)
	add("client-meta", rules.Client, verdict.Failed, 2)
	add("client-meta", rules.Client, verdict.Failed, 3)
	add("C5", rules.Client, verdict.Advisory, 2)
	add("C4", rules.Client, verdict.Passed, 2)
	add("S1", rules.Server, verdict.Failed, 2)
	b := capture.NewBoard("x", []capture.Run{run}, capture.Selection{})
	v := b.Verdict()
	if got := v.Group("rules").Words(); got != "1 failed, 1 advisory, 1 passed" || v.ExitCode() != 1 {
		t.Errorf("%s, exit code %d", got, v.ExitCode())
	}
	if l := b.Rules[0]; l.ID != "client-meta" || l.Times != 2 || l.Place.Request != 2 {
		t.Errorf("%+v", l)
	}
	skip, err := capture.NewSelection(nil, []string{"client-meta"})
	check(t, err)
	if b := capture.NewBoard("x", []capture.Run{run}, skip); !b.Verdict().OK() || len(b.Rules) != 2 {
		t.Errorf("skipped: %+v", b.Rules)
	}
	run.Checks = nil // a proxy: requests belong to no scenario
	if b := capture.NewBoard("x", []capture.Run{run}, capture.Selection{}); b.Checks != nil ||
		b.Verdict().Counts().Judged() != 3 {
		t.Errorf("proxy: %d checks", len(b.Checks))
	}
}

func TestBoard_NothingWasCalled(t *testing.T) {
	b := capture.NewBoard("x", []capture.Run{{Checks: capture.ObserveEnded(nil)}}, capture.Selection{})
	v := b.Verdict()
	if h := v.Headline(); v.ExitCode() != 3 || h.Outcome != verdict.NotJudged ||
		!strings.HasPrefix(h.Words, "Nothing could be judged in 0 requests, ") {
		t.Errorf("exit code %d, %+v", v.ExitCode(), h)
	}
}

func TestSelection(t *testing.T) {
	bad := runOf(t, "new_ids", faults["new-id"])
	for name, c := range map[string]struct {
		only, skip []string
		failed     []string
	}{
		"everything":            {nil, nil, []string{"new_ids/new-id"}},
		"a scenario":            {[]string{"new_ids"}, nil, []string{"new_ids/new-id"}},
		"another scenario":      {[]string{"echo_quotes"}, nil, nil},
		"a requirement":         {[]string{"mrtr.echo", "mrtr.new-id"}, nil, []string{"new_ids/new-id"}},
		"its second one":        {[]string{"tools.new-id"}, nil, []string{"new_ids/new-id"}},
		"another requirement":   {[]string{"mrtr.echo"}, nil, nil},
		"without a scenario":    {nil, []string{"new_ids"}, nil},
		"without a requirement": {nil, []string{"mrtr.new-id"}, nil},
		"without another":       {nil, []string{"mrtr.echo"}, []string{"new_ids/new-id"}},
		"both":                  {[]string{"new_ids"}, []string{"mrtr.new-id"}, nil},
	} {
		s, err := capture.NewSelection(c.only, c.skip)
		check(t, err)
		b := capture.NewBoard("x", []capture.Run{bad}, s)
		if got := found(b.Checks, verdict.Failed); !slices.Equal(got, c.failed) {
			t.Errorf("%s: %v, want %v", name, got, c.failed)
		}
	}
}

func TestSelection_Scenarios(t *testing.T) {
	for _, c := range []struct{ only, skip, want []string }{
		{[]string{"no_state"}, nil, []string{"no_state"}},
		{[]string{"mrtr.no-state"}, nil, []string{"no_state", "vanishing_state", "state_in_error"}},
		{[]string{"mrtr.no-state"}, []string{"no_state"}, []string{"vanishing_state", "state_in_error"}},
		{[]string{"C2"}, nil, nil}, // a rule has no scenario
	} {
		s, err := capture.NewSelection(c.only, c.skip)
		check(t, err)
		var got []string
		for _, x := range s.Scenarios() {
			got = append(got, x.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v without %v: %v, want %v", c.only, c.skip, got, c.want)
		}
	}
	if all := (capture.Selection{}).Scenarios(); len(all) != len(rules.Scenarios()) {
		t.Errorf("%d of all scenarios", len(all))
	}
	for _, id := range []string{"", "nothing", "mrtr.nothing", "S1", "Mrtr.echo"} {
		if _, err := capture.NewSelection(nil, []string{id}); err == nil {
			t.Errorf("%q is known", id)
		}
	}
}

// hostile returns a board with foreign text everywhere.
func hostile(t *testing.T) capture.Board {
	t.Helper()
	const foreign = "a | b <script>x</script>\x1b[2J\u202e\n| c |"
	bad := runOf(t, "echo_quotes", faults["echo"])
	bad.Report.Clients, bad.Ended = []string{foreign}, foreign
	b := capture.NewBoard(foreign, []capture.Run{bad, {Scenario: "no_state", Ended: "exit status 3"}},
		capture.Selection{})
	b.Checks[0].Sentence, b.Checks[0].Place.Name = foreign, foreign
	return b
}

func TestBoard_JSON(t *testing.T) {
	b := hostile(t)
	encoded, err := json.Marshal(b.Document())
	check(t, err)
	var d capture.Document
	check(t, json.Unmarshal(encoded, &d))
	if d.OK || !d.Judged || d.Summary.Failed != 1 || d.Summary.NotReached == 0 || d.Summary.Passed == 0 ||
		len(d.Checks) != len(b.Checks) || d.Rules == nil || len(d.Runs) != 2 {
		t.Errorf("%+v", d.Summary)
	}
	first := d.Checks[0]
	if first.Verdict != verdict.Failed || first.Where == nil || first.Clause == "" {
		t.Fatalf("%+v", first)
	}
	request := d.Runs[0].Requests[first.Where.Request-1]
	if request.Round != first.Where.Request || !strings.Contains(request.Request.Body, "requestState") ||
		!strings.Contains(request.Request.Head, "POST ") || request.Response.Body == "" {
		t.Errorf("%+v", request)
	}
	if d.Runs[1].Requests == nil {
		t.Error("no requests are not an empty list")
	}
}

func TestBoard_JUnit(t *testing.T) {
	b := hostile(t)
	var out bytes.Buffer
	check(t, b.Verdict().WriteJUnit(&out))
	var all struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Type string `xml:"type,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	check(t, xml.Unmarshal(out.Bytes(), &all))
	if all.Failures != 1 || all.Errors != 1 || all.Tests != 2+len(b.Checks)+len(b.Rules) ||
		len(all.Suites) != 3 || len(all.Suites[1].Cases) != len(b.Checks) {
		t.Errorf("%+v", all)
	}
	if f := all.Suites[1].Cases[0].Failure; f == nil || f.Type != "MUST" {
		t.Errorf("%+v", all.Suites[1].Cases[0])
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Error("hidden characters")
	}
}

func TestBoard_Text(t *testing.T) {
	var out bytes.Buffer
	check(t, hostile(t).Verdict().WriteText(&out))
	for _, want := range []string{
		"Client test\n  ✕ failed         MUST       echo_quotes echo ",
		" request 4 of the run ",
		"https://modelcontextprotocol.io/specification/2026-07-28/",
		"command no_state: exit status 3; the client called nothing\n",
		"client test: 1 failed, ", " not reached\nrules: nothing to judge\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") || strings.Contains(out.String(), "\n| c |") {
		t.Errorf("foreign text can act in\n%s", out.String())
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// findingOf returns the finding of a rule in a request that belongs to no call.
func findingOf(rule string, side rules.Side, v verdict.Outcome, conn int) capture.Finding {
	return capture.Finding{
		Finding:  rules.Finding{Rule: rule, Side: side, Verdict: v, Round: conn, Text: "Words."},
		Recorded: rules.Recorded{Conn: conn},
	}
}

// TestBoard_CountsAFaultOnce: a fault that a check of the client test and a
// rule see in the same request, about the same requirement, is one, unless the
// rule finds it to be worse. In another request it is another, also if the
// first one is counted.
func TestBoard_CountsAFaultOnce(t *testing.T) {
	const fails, advises, passes = verdict.Failed, verdict.Advisory, verdict.Passed
	echo := func(o verdict.Outcome, conns ...int) []rules.Observation {
		x := rules.Observation{Line: verdict.Line{
			ID: "echo", Scope: "echo_json", Requirement: "mrtr.state-opaque", Outcome: o, Times: 1,
		}}
		for _, conn := range conns {
			x.Shown = append(x.Shown, rules.Recorded{Conn: conn})
		}
		return []rules.Observation{x}
	}
	c2 := func(o verdict.Outcome, conn int) capture.Finding { return findingOf("C2", rules.Client, o, conn) }
	for name, c := range map[string]struct {
		checks   []rules.Observation
		findings []capture.Finding
		failed   int
		same     bool // the rule's line is counted as the check
		request  int  // that it is about
	}{
		"the same":          {echo(fails, 2), []capture.Finding{c2(fails, 2)}, 1, true, 2},
		"another request":   {echo(fails, 2), []capture.Finding{c2(fails, 3)}, 2, false, 3},
		"two of the check":  {echo(fails, 2, 3), []capture.Finding{c2(fails, 2), c2(fails, 3)}, 1, true, 2},
		"one more":          {echo(fails, 2), []capture.Finding{c2(fails, 2), c2(fails, 3)}, 2, false, 3},
		"one before":        {echo(fails, 3), []capture.Finding{c2(fails, 2), c2(fails, 3)}, 2, false, 2},
		"milder":            {echo(fails, 2), []capture.Finding{c2(advises, 2)}, 1, true, 2},
		"advice":            {echo(advises, 2), []capture.Finding{c2(advises, 2)}, 0, true, 2},
		"worse":             {echo(advises, 2), []capture.Finding{c2(fails, 2)}, 1, false, 2},
		"the rule is kept":  {echo(fails, 2), []capture.Finding{c2(passes, 2)}, 1, false, 2},
		"the check is kept": {echo(passes, 2), []capture.Finding{c2(fails, 2)}, 1, false, 2},
		"another rule": {
			echo(fails, 2), []capture.Finding{findingOf("C4", rules.Client, fails, 2)}, 2, false, 2,
		},
	} {
		run := capture.Run{Checks: c.checks, Report: capture.Report{Findings: c.findings}}
		for conn := range 3 {
			round := playground.Round{N: conn + 1, Trip: playground.Trip{Conn: conn + 1}}
			run.Report.Others = append(run.Report.Others, capture.Other{Round: round})
		}
		v := capture.NewBoard("x", []capture.Run{run}, capture.Selection{}).Verdict()
		l := v.Group("rules").Lines[0]
		if n := v.Counts().Failed; n != c.failed || (l.SameAs != "") != c.same ||
			l.Place.Request != c.request || l.Times != len(c.findings) {
			t.Errorf("%s: %d faults, %+v", name, n, l)
		}
	}
	run := capture.Run{Checks: echo(fails, 2)}
	other := capture.Run{Report: capture.Report{Findings: []capture.Finding{c2(fails, 2)}}}
	v := capture.NewBoard("x", []capture.Run{run, other}, capture.Selection{}).Verdict()
	if n := v.Counts().Failed; n != 2 {
		t.Errorf("another run: %d faults", n)
	}
}
