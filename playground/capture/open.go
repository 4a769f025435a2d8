package capture

import (
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Asked counts the calls of some runs whose server asked for something that the client
// declares.
type Asked struct {
	Calls     int
	Continued int // with an answer, also one that declines
	Left      int // whose last questions were not answered
	Waiting   int // of those left: the client has done nothing else since
	Unjoined  int // retries that could not be joined to their calls
}

// add counts the calls of a run. Those of a scenario where the client may stop are left
// out: nothing requires it to go on.
func (a *Asked) add(r Run) {
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

// unjoinedID is the id of the line about retries that were not joined.
const unjoinedID = "joined"

// lines returns what is said of all calls together: whether one that was asked was
// continued, and which retries were not judged.
func (a Asked) lines() []verdict.Line {
	var list []verdict.Line
	if a.Calls > 0 {
		list = append(list, a.continued())
	}
	if a.Unjoined > 0 {
		list = append(list, verdict.Line{
			ID: unjoinedID, Title: "Every retry can be joined to its call.", Outcome: verdict.NotJudged,
			Sentence: UnjoinedWords(a.Unjoined), Times: a.Unjoined,
		})
	}
	return list
}

// continued says how many calls were continued. Clients may stop, so a call that was left
// is no failure; but nothing shows what its retry would have been.
func (a Asked) continued() verdict.Line {
	calls := text.Plural(a.Calls, "call") + " that asked something"
	l := verdict.Line{ID: "continued", Title: "A call that is asked is continued.", Times: 1}
	switch {
	case a.Continued > 0 && a.Left == a.Waiting:
		l.Outcome = verdict.Passed
		l.Sentence = fmt.Sprintf("The client continued %d of %s.", a.Continued, calls)
	case a.Continued > 0:
		l.Outcome, l.Times = verdict.Stopped, a.Left-a.Waiting
		were := "were"
		if l.Times == 1 {
			were = "was"
		}
		l.Sentence = fmt.Sprintf("%d of %s %s not continued to the end.", l.Times, calls, were)
	case a.Unjoined > 0:
		l.Outcome = verdict.NotJudged
		l.Sentence = fmt.Sprintf("No retry could be joined to the %s.", calls)
	case a.Waiting == a.Calls:
		l.Outcome, l.Sentence = verdict.NotJudged, "No answer yet to "+calls+"."
	default:
		l.Outcome, l.Sentence = verdict.Stopped, fmt.Sprintf("The client continued none of %s.", calls)
	}
	return l
}
