package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Observation is the Line of one check of a scenario, and every request that shows its
// outcome. The first of them is the place of the line; an outcome that no request shows
// has none.
type Observation struct {
	verdict.Line
	Shown []Recorded
}

// JudgeScenarios returns the observations of the client test about the requests
// of a client: one Observation for each check of every scenario, in the order
// of the table. The contacts are in the order in which they began, and the
// place of a line counts them from 1. An omission counts once the client has
// done something else, or has ended.
func JudgeScenarios(contacts []*Contact, ended bool) []Observation {
	r := newRecord(contacts, ended)
	var all []Observation
	list := scenarios()
	for i := range list {
		s := &list[i]
		for _, c := range s.Checks {
			found := checks[c.ID](r, s)
			worst := worstOf(found)
			if worst.severity() == 0 {
				worst = r.unseen(s)
				found = []ruling{worst}
			}
			all = append(all, r.observation(s, c, worst, found))
		}
	}
	return all
}

// worstOf returns the first of the worst rulings on the requests of a scenario.
func worstOf(list []ruling) ruling {
	found := na()
	for _, a := range list {
		if a.severity() > found.severity() {
			found = a
		}
	}
	return found
}

// severity orders the rulings on the requests of a scenario. The requirement of a check, not
// its function, says how bad a fault is.
func (a ruling) severity() int {
	switch {
	case a.verdict.Wrong():
		return 2
	case a.verdict == verdict.Passed:
		return 1
	}
	return 0
}

// observation returns the Observation of the worst finding of a check. The
// level of its requirement decides whether a fault fails or is advice.
func (r *record) observation(s *Scenario, c Check, found ruling, list []ruling) Observation {
	o := Observation{Line: verdict.Line{
		ID: c.ID, Scope: s.ID, Title: s.Title, Level: c.Level(), Outcome: found.verdict, Times: 1,
	}}
	words := "Nothing to note."
	if !c.Robust() {
		sentence, _ := spec.ByID(c.Requirements[0])
		o.Requirement, o.Clause, words = sentence.ID, sentence.Link(), sentence.Text
	}
	o.Sentence = cmp.Or(found.text, words)
	if found.verdict.Wrong() {
		o.Outcome, o.Sentence = verdict.Advisory, cmp.Or(found.text, c.Words)
		if o.Level == spec.Must || o.Level == spec.MustNot {
			o.Outcome = verdict.Failed
		}
	}
	if found.spot != nil {
		o.Place = r.place(*found.spot)
	}
	for _, a := range list {
		if a.spot != nil && a.severity() == found.severity() {
			o.Shown = append(o.Shown, a.spot.at.Recorded)
		}
	}
	return o
}

// place returns the Place of a spot.
func (r *record) place(s spot) verdict.Place {
	return verdict.Place{
		Request: slices.Index(r.contacts, s.at) + 1, Method: s.at.Method, Name: s.at.Name(), Path: s.path,
		Header: s.header, Lines: s.at.RequestSeq == 0,
	}
}

// A row with a scenario returns rulings that name their request. The three below are the
// others of a rule's function with a place. Without a sentence of its own, a fault has the
// words that scenarios.txt gives it.

// kept is pass for a request, or for a part of it.
func kept(c *Contact, path ...string) ruling {
	return ruling{verdict: verdict.Passed, spot: &spot{at: c, path: path}}
}

// broken is fail for a request, or for a part of it.
func broken(c *Contact, path ...string) ruling {
	return ruling{verdict: verdict.Failed, spot: &spot{at: c, path: path}}
}

// keeps returns kept or broken.
func keeps(ok bool, c *Contact, path ...string) ruling {
	if ok {
		return kept(c, path...)
	}
	return broken(c, path...)
}

// left is kept for a request after which the client did something else, or
// ended: a step that it did not take by then is an omission.
func left(c *Contact) ruling {
	if c.record.wentOn(c) {
		return kept(c)
	}
	return na()
}

// says sets the sentence of a ruling.
func (a ruling) says(format string, args ...any) ruling {
	a.text = fmt.Sprintf(format, args...)
	return a
}

// inHeader sets the header that shows a ruling on a request.
func (a ruling) inHeader(name string) ruling {
	a.spot.header = name
	return a
}

// check judges the requests of a scenario.
type check func(*record, *Scenario) []ruling

// each judges every request of the scenario.
func each(judge func(*Contact) ruling) check {
	return func(r *record, s *Scenario) []ruling {
		var found []ruling
		for _, c := range r.of(s) {
			found = append(found, judge(c))
		}
		return found
	}
}

// eachRequest judges every request of this revision.
func eachRequest(judge func(*Contact) ruling) check {
	return each(func(c *Contact) ruling {
		if !c.isModern() {
			return na()
		}
		return judge(c)
	})
}

// eachRetry judges every request with answers or a state that continues a call.
func eachRetry(judge func(*Contact) ruling) check {
	return each(func(c *Contact) ruling {
		if c.Source == nil {
			return na()
		}
		return judge(c)
	})
}

// eachAnswer judges every answer to a question of the source, with that question.
func eachAnswer(judge func(c *Contact, q, answer *jsontree.Node, path []string) ruling) check {
	return eachRetry(func(c *Contact) ruling {
		var list []ruling
		for _, a := range c.inputResponses() {
			if q := c.Source.asked().At("inputRequests", a.Key); q != nil {
				list = append(list, judge(c, q, a.Value, []string{"params", "inputResponses", a.Key}))
			}
		}
		return worstOf(list)
	})
}

// alone judges a request by the function of a rule that reads nothing before it.
func alone(judge func(*subject) ruling, path ...string) func(*Contact) ruling {
	return func(c *Contact) ruling { return judge(&c.subject).of(c, path) }
}

// inCall judges a request by the function of a rule that reads its call, too.
func inCall(judge func(*subject) ruling, path ...string) func(*Contact) ruling {
	return func(c *Contact) ruling { return judge(c.inCall()).of(c, path) }
}

// inWords is alone for a check that has its own words for a fault.
func inWords(judge func(*subject) ruling, path ...string) func(*Contact) ruling {
	return func(c *Contact) ruling {
		found := judge(&c.subject).of(c, path)
		found.text = ""
		return found
	}
}

// of returns the ruling of a rule as one on a contact.
func (a ruling) of(c *Contact, path []string) ruling {
	if a.verdict != verdict.NotApplicable {
		a.spot = &spot{at: c, path: path}
	}
	return a
}

// terminal are the statuses in which a task stays.
var terminal = []string{"completed", "failed", "cancelled"}

// unseen says why a check found nothing: its scenario was not called, the client was asked
// there and never went on, or no request shows it.
func (r *record) unseen(s *Scenario) ruling {
	list := r.of(s)
	switch {
	case len(list) == 0 && s.Kind == anyRequest:
		return because(verdict.NotReached, "The client sent no request.")
	case len(list) == 0:
		return because(verdict.NotReached, "The client did not call this scenario.")
	case s.Kind == anyRequest:
		return because(verdict.NotReached, "No request of the client is about it.")
	}
	waits := false
	for _, c := range list {
		switch {
		case !c.asks() || r.continued(c):
		case !r.wentOn(c):
			waits = true
		case s.Stop != "":
			return because(verdict.NotJudged, s.Stop).of(c, nil)
		default:
			const left = "The client was asked, and never went on with the call."
			return because(verdict.Stopped, left).of(c, nil)
		}
	}
	if waits {
		return because(verdict.NotJudged, "The call waits for the client.")
	}
	return because(verdict.NotJudged, "No request of this scenario shows it.")
}

// asks reports whether the response requires the client to go on: with answers, with a
// state, or with a task that has not ended.
func (c *Contact) asks() bool {
	if c.asked().Has("requestState") || len(c.asked().Get("inputRequests").Entries()) > 0 {
		return true
	}
	return c.CreatedTask() != "" && !slices.Contains(terminal, c.Result.Get("status").Str())
}

// continued reports whether the client went on after a response that asks.
func (r *record) continued(c *Contact) bool {
	return slices.ContainsFunc(r.contacts, func(x *Contact) bool {
		switch {
		case x.Source == c, x.Task == c:
			return true
		case c.Task != nil && x.Task == c.Task:
			return x.Method == playground.TasksUpdate && x.after(c)
		}
		return false
	})
}
