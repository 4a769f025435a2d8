package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestFacts_AreShown: the judge of today finds in the recording what a fact cites it for, at
// its place.
func TestFacts_AreShown(t *testing.T) {
	shows := map[field.Kind]func(*testing.T, field.Subject, session.Session){
		field.Client: clientShows, field.Server: serverShows, field.Gateway: gatewayShows,
	}
	for _, s := range field.Subjects() {
		t.Run(s.Slug, func(t *testing.T) {
			t.Parallel()
			n := recording(t, s)
			cited := map[int]bool{}
			for _, f := range s.Facts {
				if f.Exchange == 0 {
					continue
				}
				if f.Exchange > len(n.Exchanges) || f.Round > len(n.Exchanges[f.Exchange-1].Fold().Rounds) {
					t.Errorf("%s is at %d, %d", f.Check, f.Exchange, f.Round)
					return
				}
				cited[f.Exchange] = true
			}
			shows[s.Kind](t, s, n)
		})
	}
}

// clientShows judges each call of the client test again, alone.
func clientShows(t *testing.T, s field.Subject, n session.Session) {
	t.Helper()
	observed := make([][]rules.Observation, len(n.Exchanges))
	for i := range n.Exchanges {
		one := n
		one.Exchanges = n.Exchanges[i : i+1]
		observed[i] = capture.ObserveEnded(capture.NewReport(one, nil).Contacts())
	}
	whole := capture.ObserveEnded(capture.NewReport(n, nil).Contacts())
	for _, f := range s.Facts {
		if f.Exchange == 0 {
			continue
		}
		scenario, check, _ := strings.Cut(f.Check, "/")
		if x, ok := rules.ScenarioByID(scenario); !ok || f.Condition != x.Title {
			t.Errorf("%s: the condition is %q", f.Check, f.Condition)
		}
		if !slices.ContainsFunc(append(observed[f.Exchange-1], whole...), func(o rules.Observation) bool {
			return o.Scope == scenario && o.ID == check && o.Outcome == f.Outcome &&
				o.Requirement == f.Requirement && (f.Outcome == verdict.Passed || o.Sentence == f.Sentence)
		}) {
			t.Errorf("exchange %d does not show %s %s", f.Exchange, f.Check, f.Outcome)
		}
	}
}

// serverShows makes the report on the calls of each tool again.
func serverShows(t *testing.T, s field.Subject, n session.Session) {
	t.Helper()
	byCall := map[string][]playground.Exchange{}
	var connecting []playground.Event
	connections := 0
	for _, x := range n.Exchanges {
		key := x.Call.Method + x.Call.Name()
		if x.Call.Method == playground.ToolsCall {
			byCall[key] = append(byCall[key], x)
			continue
		}
		connections++
		for _, e := range x.Log {
			if e.Kind != playground.Decided {
				e.Conn, e.Seq = connections, len(connecting)+1
				connecting = append(connecting, e)
			}
		}
	}
	connection := server.FoldConnection(connecting)
	reports := map[string]verdict.Report{}
	for key, list := range byCall {
		reports[key] = lab.NewReport(list, connection, false).Verdict()
	}
	for _, f := range s.Facts {
		if f.Exchange == 0 {
			continue
		}
		x := n.Exchanges[f.Exchange-1]
		if _, probe := lab.ExperimentByID(f.Check); probe {
			lines := reports[x.Call.Method+x.Call.Name()].Group("probes").Lines
			i := slices.IndexFunc(lines, func(l verdict.Line) bool { return l.ID == f.Check })
			if l := lines[max(i, 0)]; x.Experiment() != f.Check || i < 0 || l.Outcome != f.Outcome ||
				l.Sentence != f.Sentence {
				t.Errorf("exchange %d, %q, shows %s %+v", f.Exchange, x.Experiment(), f.Check, l)
			}
			continue
		}
		found := slices.Concat(rules.Judge(x), rules.JudgeNamed(x), rules.JudgeConnection(connection))
		if !slices.ContainsFunc(found, func(g rules.Finding) bool {
			return g.Rule == f.Check && g.Verdict == f.Outcome && g.Text == f.Sentence
		}) {
			t.Errorf("exchange %d does not show %s %s", f.Exchange, f.Check, f.Outcome)
		}
	}
}

// focused are lines of the gateway test with calls of their own.
var focused = []string{gateway.Large, gateway.Cancellation}

// several are lines that one call does not show: which arguments are repeated in headers is in a
// list of the upstream, pages and mixed calls are several, and the metadata that a challenge names
// are another request.
var several = []string{"header-params", "pages", gateway.Mixed, gateway.Challenge}

// gatewayShows compares the two ends of each call again.
func gatewayShows(t *testing.T, s field.Subject, n session.Session) {
	t.Helper()
	for _, f := range s.Facts {
		if f.Exchange == 0 || slices.Contains(several, f.Check) {
			continue
		}
		x := n.Exchanges[f.Exchange-1]
		sent := x.Fold().Rounds[0].Sent
		call := gateway.Call{
			Exchange: x.ID, Method: x.Call.Method,
			Mark: sent.At("params", "arguments", gateway.MarkMember).Str(), Log: x.Log,
			Tool: sent.At("params", "name").Str(), Stopped: f.Check == gateway.Cancellation,
		}
		if slices.Contains(focused, f.Check) {
			call.Focus = f.Check
		}
		rec := gateway.Recording{Calls: []gateway.Call{call}}
		connections := 0
		for _, up := range n.Exchanges[f.Exchange:] {
			if !strings.HasPrefix(up.Target.Name, "the upstream") {
				break
			}
			for _, e := range up.Log {
				if e.Kind != playground.Decided {
					e.Conn += connections
					rec.Upstream = append(rec.Upstream, e)
				}
			}
			connections += 1000
		}
		lines := gateway.Report(rec).Group(gateway.GroupLines).Lines
		i := slices.IndexFunc(lines, func(l verdict.Line) bool { return l.ID == f.Check })
		if i < 0 || lines[i].Outcome != f.Outcome {
			l := lines[max(i, 0)]
			t.Errorf("exchange %d shows %s %s: %s", f.Exchange, f.Check, l.Outcome, l.Sentence)
		}
	}
}
