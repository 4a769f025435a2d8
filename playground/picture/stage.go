package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// StageOptions say how an Exchange is drawn for an audience.
type StageOptions struct {
	Current int
	Link    func(round int) string
	Copies  []Copy // at the start
	Events  []StageEvent
	Ratio   float64 // of width to height that is wanted; 0 takes Width as it is
	Width   int
	ID      string
}

// StageEvent is what happened to a copy after a Round.
type StageEvent struct {
	After    int
	Copy     string
	Label    string // "killed"
	Gone     bool   // nothing comes from that copy any more
	Sentence string
}

// Stage is the sequence diagram of an Exchange for an audience: the client and
// the copies alone, two arrows per Round, and what happened to copies meanwhile.
// What you and the client say to each other, and the balancer in between, are
// left out, because large letters leave no room for them.
func Stage(x playground.Exchange, f playground.Folded, o StageOptions) Picture {
	s := script{cast: newCast(x, f, Options{Copies: o.Copies})}
	s.events(o, 0)
	for _, r := range f.Rounds {
		s.scene(r)
		s.events(o, r.N)
	}
	p := Picture{Title: title(x), Current: o.Current, Link: o.Link, Width: o.Width, ID: o.ID}
	p.Lanes, p.Steps = s.forStage()
	if o.Ratio > 0 {
		p.fit(o.Ratio)
	}
	return p
}

// scene is one Round in its two arrows, and what it reports in between.
func (s *script) scene(r playground.Round) {
	if r.Legacy {
		s.olderScene(r)
		return
	}
	at := s.server(r)
	s.add(s.request(r, at))
	if unreached(r) {
		return
	}
	s.notices(r, at)
	if r.Outcome != playground.OutcomePending {
		step := s.response(r, at)
		step.Label = strings.Replace(step.Label, "input_required: ", "asks ", 1)
		step.Label = strings.Replace(step.Label, "input_required, nothing asked", "lets go, asks nothing", 1)
		s.add(step)
	}
	if r.Result != nil {
		s.given = &r
	}
}

// olderScene is a Round of a call that stays open: the call or an answer, and
// what its server asks meanwhile, or why the answer was lost.
func (s *script) olderScene(r playground.Round) {
	at := s.server(r)
	if r.Decision.Action == playground.Answer {
		s.add(Step{
			Kind: Call, Round: r.N, From: client, To: at, Label: "the answer",
			Sentence: fmt.Sprintf("Round %d: the client posts the answer, which reaches %s.", r.N, s.name(at)),
		})
	} else {
		s.add(s.request(r, at))
		s.holder = at
	}
	s.notices(r, s.holder)
	if r.Lost != "" {
		s.add(Step{
			Kind: Reply, Round: r.N, From: at, To: client, Label: fmt.Sprintf("%s: no such session", lostStatus(r)), Mark: Wrong,
			Sentence: visible(r.Lost),
		})
		return
	}
	switch r.Outcome {
	case playground.OutcomePending:
	case playground.OutcomeInputRequired:
		s.add(Step{
			Kind: Reply, Round: r.N, From: s.holder, To: client, Label: "asks, and keeps the call open",
			Sentence: upper(s.name(s.holder)) + " asks on the open call, and keeps it open.",
		})
	default:
		s.add(s.response(r, s.holder))
	}
}

// lostStatus is the HTTP status that refused an answer.
func lostStatus(r playground.Round) string {
	if r.Head.Status == 0 {
		return "lost"
	}
	return fmt.Sprint(r.Head.Status)
}

// events adds what happened to copies after a Round.
func (s *script) events(o StageOptions, after int) {
	for _, e := range o.Events {
		at, ok := s.copies[e.Copy]
		if e.After != after || !ok {
			continue
		}
		mark := NoMark
		if e.Gone {
			mark = Broken
		}
		s.add(Step{Kind: Change, Round: after, From: at, To: at, Label: e.Label, Mark: mark, Sentence: e.Sentence})
	}
}

// forStage leaves you and the balancer out.
func (s *script) forStage() ([]Lane, []Step) {
	gone := 1 // you
	if len(s.copies) > 0 {
		gone = 2
	}
	move := func(lane int) int {
		if lane <= client {
			return 0
		}
		return lane - gone
	}
	lanes := append([]Lane{{Name: "Client"}}, s.lanes[1+gone:]...)
	var steps []Step
	for _, step := range s.steps {
		if gone == 2 && (step.From == entry || step.To == entry) {
			continue // nobody knows yet which copy it reaches
		}
		step.From, step.To, step.Via = move(step.From), move(step.To), 0
		steps = append(steps, step)
	}
	return lanes, steps
}

// fit chooses the width at which the picture has about the wanted shape: the
// wider it is in its own units, the smaller are its letters.
func (p *Picture) fit(ratio float64) {
	const least, most, step = 420, 1100, 20
	for p.Width = least; p.Width < most; p.Width += step {
		if float64(p.Width) >= ratio*layout(*p).height {
			return
		}
	}
}
