package capture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// asking are the scenarios that ask, and require to go on.
func asking(t *testing.T) []rules.Scenario {
	var list []rules.Scenario
	for _, s := range rules.Scenarios() {
		good := newClient(t, fault{})
		good.drive(s)
		if s.Stop == "" && slices.ContainsFunc(good.contacts, func(c capture.Contact) bool {
			return c.Sent.At("params", "inputResponses") != nil
		}) {
			list = append(list, s)
		}
	}
	return list
}

// TestObserve_Stopped: a client that is asked and never goes on has stopped, which is
// neither a failure nor nothing. Where a client may stop it is not judged, with the reason.
func TestObserve_Stopped(t *testing.T) {
	stopped := 0
	for _, s := range rules.Scenarios() {
		c := newClient(t, fault{quirk: "never continues"})
		c.drive(s)
		for _, tick := range capture.ObserveEnded(c.contacts) {
			switch {
			case tick.Scope != s.ID:
				if tick.Outcome == verdict.Stopped && s.Kind != "any" { // its driver calls others
					t.Errorf("%s: %s/%s stopped", s.ID, tick.Scope, tick.ID)
				}
			case tick.Outcome == verdict.NotReached && s.Kind != "any":
				t.Errorf("%s/%s was reached", s.ID, tick.ID)
			case tick.Outcome == verdict.Stopped && s.Stop != "":
				t.Errorf("%s/%s stopped where a client may stop", s.ID, tick.ID)
			case tick.Outcome == verdict.Stopped:
				stopped++
				if tick.Place.Request == 0 || !strings.HasSuffix(tick.Sentence, ".") {
					t.Errorf("%s/%s: %+v %q", s.ID, tick.ID, tick.Place, tick.Sentence)
				}
			}
		}
	}
	if stopped < 60 {
		t.Errorf("%d checks stopped", stopped)
	}
}

// TestObserve_StoppedInEach: each scenario that asks has a check that says so.
func TestObserve_StoppedInEach(t *testing.T) {
	list := asking(t)
	for _, s := range list {
		c := newClient(t, fault{quirk: "never continues"})
		c.drive(s)
		if s.Kind == "any" || s.ID == "parallel_calls" { // their drivers go on
			continue
		}
		if !slices.ContainsFunc(capture.ObserveEnded(c.contacts), func(t rules.Observation) bool {
			return t.Scope == s.ID && t.Outcome == verdict.Stopped
		}) {
			t.Errorf("%s: nothing stopped", s.ID)
		}
	}
	if len(list) < 40 {
		t.Errorf("%d scenarios ask", len(list))
	}
}

// TestObserve_Waits: a call that was just asked has not stopped; the next request shows
// that it has.
func TestObserve_Waits(t *testing.T) {
	s, _ := rules.ScenarioByID("no_state")
	c := newClient(t, fault{quirk: "never continues"})
	c.drive(s)
	of := func() rules.Observation {
		ticks := capture.Observe(c.contacts)
		return ticks[slices.IndexFunc(ticks, func(t rules.Observation) bool { return t.Scope == s.ID })]
	}
	if tick := of(); tick.Outcome != verdict.NotJudged || !strings.Contains(tick.Sentence, "waits") {
		t.Errorf("%s: %s", tick.Outcome, tick.Sentence)
	}
	c.list()
	if tick := of(); tick.Outcome != verdict.Stopped {
		t.Errorf("%s: %s", tick.Outcome, tick.Sentence)
	}
}

// TestBoard_Continued: a client that continues nothing it is asked proves nothing, in front
// of any server; one that continues one call does, and so does one that declines.
func TestBoard_Continued(t *testing.T) {
	for name, c := range map[string]struct {
		call    func(d *desk)
		open    bool
		outcome verdict.Outcome // of the line; empty for none
		exit    int
		words   string
	}{
		"nothing was asked": {func(d *desk) { d.answer(`{}`, "") }, false, "", 0, ""},
		"asked, not continued": {func(d *desk) { d.ask(`{}`, "S1") }, false, verdict.Stopped, 3,
			"none of 1 call "},
		"asked twice, never continued": {func(d *desk) {
			d.ask(`{}`, "S1")
			d.ask(`{"n":2}`, "S2")
		}, false, verdict.Stopped, 3, "none of 2 calls "},
		"one of two continued": {func(d *desk) {
			d.ask(`{}`, "S1")
			d.ask(`{"n":2}`, "S2")
			d.answer(`{}`, answerOfDesk+`"requestState":"S1",`)
		}, false, verdict.Stopped, 0, "1 of 2 calls that asked something was not continued to the end."},
		"two right, three left": {func(d *desk) {
			for n := range 2 {
				d.ask(`{}`, fmt.Sprint("S", n))
				d.answer(`{}`, answerOfDesk+fmt.Sprintf(`"requestState":"S%d",`, n))
			}
			for n := range 3 {
				d.ask(fmt.Sprintf(`{"n":%d}`, n), "S")
			}
		}, false, verdict.Stopped, 0, "3 of 5 calls that asked something were not continued to the end."},
		"left in its second round": {func(d *desk) {
			d.ask(`{}`, "S1")
			d.askAgain(`{}`, "S1", "S2")
		}, false, verdict.Stopped, 0, "1 of 1 call that asked something was not continued to the end."},
		"a retry with other names": {func(d *desk) {
			d.ask(`{}`, "S1")
			d.answer(`{}`, answerOfDesk+`"requestState":"S1",`)
			d.ask(`{}`, "S2")
			d.answer(`{}`, `"responses":{"who":{"action":"decline"}},"state":"S2",`)
		}, false, verdict.Stopped, 3, "1 retry could not be joined to its call and was not judged."},
		"the same call with a member of its own": {func(d *desk) {
			d.answer(`{}`, `"vendor":1,`)
			d.answer(`{}`, `"vendor":1,`)
		}, false, "", 0, ""},
		"declined": {func(d *desk) {
			d.ask(`{}`, "S1")
			d.answer(`{}`, `"inputResponses":{"who":{"action":"decline"}},"requestState":"S1",`)
		}, false, verdict.Passed, 0, ""},
		"still waiting": {func(d *desk) { d.ask(`{}`, "S1") }, true, verdict.NotJudged, 0, "1 not judged"},
		"went on without it": {func(d *desk) {
			d.ask(`{}`, "S1")
			d.answer(`{"n":2}`, "")
		}, true, verdict.Stopped, 3, "none of 1 call "},
		"a retry of no call": {func(d *desk) {
			d.answer(`{"n":1}`, answerOfDesk+`"requestState":"S5",`)
		}, false, verdict.NotJudged, 3, "could not be joined"},
	} {
		var d desk
		c.call(&d)
		r, _ := tape(roomy, d.lines...)
		v := capture.NewBoard("s", []capture.Run{{Report: r, Open: c.open}}, capture.Selection{}).Verdict()
		var outcome verdict.Outcome
		if lines := v.Group("calls").Lines; len(lines) > 0 {
			outcome = lines[0].Outcome
		}
		h := v.Headline()
		if outcome != c.outcome || v.ExitCode() != c.exit || !strings.Contains(h.Words, c.words) ||
			(h.Outcome == verdict.Passed) != (c.exit == 0 && c.outcome != verdict.Stopped) {
			t.Errorf("%s: %q, exit code %d, %s: %s", name, outcome, v.ExitCode(), h.Outcome, h.Words)
		}
	}
}

// TestBoard_Chosen: a scenario that was chosen and not reached, or where the client
// stopped, is no success.
func TestBoard_Chosen(t *testing.T) {
	good := runOf(t, "no_state", fault{})
	stops := runOf(t, "no_state", fault{quirk: "never continues"})
	alone := runOf(t, "state_only", fault{quirk: "never continues"})
	for name, c := range map[string]struct {
		run   capture.Run
		only  []string
		exit  int
		green bool
		words string
	}{
		"judged": {good, []string{"no_state"}, 0, true, ""},
		"not called": {good, []string{"no_state", "echo_json"}, 3, false,
			"Chosen and not judged: echo_json."},
		"stopped": {stops, []string{"no_state"}, 3, false,
			"the client stopped there: no_state."},
		"stopped, of all": {stops, nil, 0, false, "1 stopped"},
		"a requirement":   {good, []string{"mrtr.no-state"}, 0, true, ""},
		"of which nothing": {good, []string{"mrtr.new-id"}, 3, false,
			"Chosen and not judged: mrtr.new-id."},
		"left where it may": {alone, []string{"state_only"}, 3, false,
			"Chosen and not judged: state_only."},
		"left where it may too": {alone, nil, 0, true, "1 not judged"},
	} {
		s, err := capture.NewSelection(c.only, nil)
		check(t, err)
		v := capture.NewBoard("x", []capture.Run{c.run}, s).Verdict()
		h := v.Headline()
		if v.ExitCode() != c.exit || !strings.Contains(h.Words, c.words) ||
			(h.Outcome == verdict.Passed) != c.green {
			t.Errorf("%s: exit code %d, %s: %s", name, v.ExitCode(), h.Outcome, h.Words)
		}
	}
}
