package capture

import (
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// addAsked counts the calls of a run. Those of a scenario where the client may stop are left
// out: nothing requires it to go on.
func addAsked(a *rules.Asked, r Run) {
	a.Unjoined += r.Report.Unjoined()
	var newest time.Time
	for _, c := range r.Report.Contacts() {
		if c.Started.After(newest) {
			newest = c.Started
		}
	}
	for _, c := range r.Report.Calls {
		if r.Checks != nil {
			s := rules.ScenarioOf(c.Exchange.Call.Method, c.Exchange.Call.Name())
			if s != nil && s.Stop != "" {
				continue
			}
		}
		asked, continued, left := false, false, false
		for _, round := range c.Transcript.Rounds {
			if asked && round.Decision.Action == playground.ActionAnswer {
				continued, left = true, false
			}
			if asksDeclared(round) {
				asked, left = true, true
			}
		}
		if !asked {
			continue
		}
		a.Calls++
		if continued {
			a.Continued++
		}
		if left {
			a.Left++
			if r.Open && !newest.After(c.Transcript.Last().Ended) {
				a.Waiting++
			}
		}
	}
}

// asksDeclared reports whether a Round asked something that its request declares.
func asksDeclared(r playground.Round) bool {
	const name = "io.modelcontextprotocol/clientCapabilities"
	declared := r.Sent.At("params", "_meta", name)
	return r.Open() && slices.ContainsFunc(r.Questions, func(q playground.Question) bool {
		return rules.IsAnswerable(q.Node, declared)
	})
}
