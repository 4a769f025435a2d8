package demo

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Plan is the effect of one press of the button.
type Plan struct {
	Topology cluster.Topology     // the topology afterwards; Next gets the request
	Decision *playground.Decision // nil if nothing is sent
	Replay   bool                 // start the lane before MRTR
}

// Plan returns the plan of step n of the story, n from 1. Its Decision is nil
// if the request was sent already, by hand or by an earlier press.
func (s Story) Plan(n int, t cluster.Topology, f playground.Transcript) Plan {
	act := s.Steps[n-1].Act
	p := act.apply(t, asker(f))
	if act.Kind == Send {
		p.addDecision(s, f)
	}
	return p
}

// ResumePlan returns the request that can be sent at step n outside the story:
// the newest Round again if it never arrived, and at the last step an answer
// that is still open because the user led the lane elsewhere. It returns false
// if there is nothing.
func (s Story) ResumePlan(n int, t cluster.Topology, f playground.Transcript) (Plan, bool) {
	last := f.Last()
	if last == nil {
		return s.Plan(1, t, f), true
	}
	if last.Resendable() {
		return Plan{Topology: t, Decision: &playground.Decision{Action: playground.ActionResend,
			Round: last.N + 1, Instance: t.Next}}, true
	}
	p := Plan{Topology: t}
	if n == len(s.Steps) {
		p.addDecision(s, f)
	}
	return p, p.Decision != nil
}

// apply returns the plan of an act. An instance that the user chose stays
// chosen.
func (a Act) apply(t cluster.Topology, asked string) Plan {
	who := map[Role]string{Asker: asked, Other: t.Other(asked)}[a.To]
	switch a.Kind {
	case Alter:
		t, _ = cluster.Change{Do: a.Do, Instance: who, Version: a.Version}.Apply(t)
	case Send:
		if c, ok := t.Find(who); t.Next == "" && ok && c.Health != cluster.Dead {
			t.Next = who
		}
	}
	return Plan{Topology: t, Replay: a.Kind == Replay}
}

// Expected returns the topology after the act, and the instance that serves the
// request if the act sends one. asked is the instance that served last.
func (a Act) Expected(t cluster.Topology, asked string) (cluster.Topology, string) {
	later := a.apply(t, asked).Topology
	if a.Kind != Send {
		return later, ""
	}
	who := later.Next
	if who == "" {
		who = later.Other("")
	}
	later.Next = ""
	return later, who
}

// addDecision adds the decision that continues the lane.
func (p *Plan) addDecision(s Story, f playground.Transcript) {
	last := f.Last()
	d := playground.Decision{Instance: p.Topology.Next}
	switch {
	case last == nil:
		d.Action, d.Round = playground.ActionStart, 1
	case f.Status != playground.StatusWaiting:
		return
	case last.Kind == playground.OutcomeRetry:
		d.Action, d.Round = playground.ActionRetry, last.N+1
	default:
		d.Action, d.Round = playground.ActionAnswer, last.N+1
		d.Answers = s.answers(last.Questions)
	}
	p.Decision = &d
}

// answers returns the prepared answers. A question without one is declined.
func (s Story) answers(asked []playground.Question) []playground.Answer {
	list := make([]playground.Answer, len(asked))
	for i, q := range asked {
		list[i] = playground.Answer{Key: q.Key, Value: json.RawMessage(`{"action":"decline"}`)}
		if content := s.Answer(q); content != nil {
			list[i].Value = slices.Concat(json.RawMessage(`{"action":"accept","content":`), content,
				json.RawMessage(`}`))
		} else if response := s.response(q); response != nil {
			list[i].Value = response
		}
	}
	return list
}

// Answer returns the content prepared for a question, or nil if there is none.
// Legacy servers number their questions, so a question without a known key is
// found by its fields.
func (s Story) Answer(q playground.Question) json.RawMessage {
	if content, ok := s.Answers[q.Key]; ok {
		return content
	}
	if s.Responses[q.Key] != nil {
		return nil
	}
	fields := q.Params.At("requestedSchema", "properties")
	for _, key := range slices.Sorted(maps.Keys(s.Answers)) {
		content, err := jsontree.Parse(s.Answers[key], jsontree.Limits{})
		if err == nil && content.Len() > 0 && !slices.ContainsFunc(content.Members,
			func(m jsontree.Member) bool { return !fields.Has(m.Key) }) {
			return s.Answers[key]
		}
	}
	return nil
}

// response returns the whole answer prepared for a question, or nil if there is
// none. One without a known key is found by its method.
func (s Story) response(q playground.Question) json.RawMessage {
	if response, ok := s.Responses[q.Key]; ok {
		return response
	}
	member := map[string]string{
		playground.RootsList: "roots", playground.CreateMessage: "role",
		playground.Elicit: "action",
	}[q.Method]
	for _, key := range slices.Sorted(maps.Keys(s.Responses)) {
		response, err := jsontree.Parse(s.Responses[key], jsontree.Limits{})
		if err == nil && response.Has(member) {
			return s.Responses[key]
		}
	}
	return nil
}

// asker returns the instance that served the newest Round.
func asker(f playground.Transcript) string {
	if last := f.Last(); last != nil {
		return askerAt(f, last.N)
	}
	return ""
}

// instanceOf returns the instance that served a Round, or else the one that was
// chosen for it.
func instanceOf(r playground.Round) string {
	name, _ := r.ServedBy()
	if name == "" {
		return r.Decision.Instance
	}
	return name
}
