package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// StageOptions say how an Exchange is drawn for an audience.
type StageOptions struct {
	Current   int
	Link      func(round int) string
	Instances []Instance // at the start
	Events    []StageEvent
	Width     int     // in user units
	Ratio     float64 // of width to height; when it is set the picture may be wider than Width
	ID        string
}

// StageEvent is what happened to an instance after a Round.
type StageEvent struct {
	After    int
	Instance string
	Label    string // "killed"
	Gone     bool   // nothing comes from that instance any more
	Sentence string
}

// Stage is the sequence diagram of an Exchange for an audience: the client and
// the instances alone, two arrows per Round, and what happened to instances meanwhile.
// What you and the client say to each other, progress, and the balancer in
// between are left out, because large letters leave no room for them.
func Stage(x playground.Exchange, f playground.Transcript, o StageOptions) Picture {
	s := script{cast: newCast(x, f, Options{Instances: o.Instances})}
	s.events(o, 0)
	for _, r := range f.Rounds {
		s.scene(r)
		s.events(o, r.N)
	}
	p := Picture{Title: title(x), Current: o.Current, Link: o.Link, Width: o.Width, ID: o.ID, Dense: true}
	p.Lanes, p.Steps = s.forStage()
	if o.Ratio > 0 {
		p.fit(o.Ratio)
	}
	return p
}

// scene is one Round in its two arrows.
func (s *script) scene(r playground.Round) {
	if r.Legacy {
		s.legacyScene(r)
		return
	}
	at := s.server(r)
	s.add(s.request(r, at))
	if unreached(r) {
		return
	}
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

// legacyScene is a Round of a call that stays open: the call or an answer, and
// what its server asks meanwhile, or why the answer was lost.
func (s *script) legacyScene(r playground.Round) {
	at := s.server(r)
	if at == entry && s.holder != 0 {
		at = s.holder // who took the answer may be told after what came of it
	}
	if r.Decision.Action == playground.ActionAnswer {
		s.legacyAnswer(r, at)
	} else {
		s.add(s.request(r, at))
		s.holder = at
	}
	if r.Lost != "" {
		return
	}
	switch r.Outcome {
	case playground.OutcomePending:
	case playground.OutcomeInputRequired:
		s.add(Step{
			Kind: Reply, Round: r.N, From: s.holder, To: client, Label: "asks; the call stays open",
			Sentence: upper(s.name(s.holder)) + " asks on the open call, and keeps it open.",
		})
	default:
		s.add(s.response(r, s.holder))
	}
}

// legacyAnswer is an answer on its way to the open call. One to an instance that is
// down never arrives; one to an instance that does not know the call is refused.
func (s *script) legacyAnswer(r playground.Round, at int) {
	step := Step{
		Kind: Call, Round: r.N, From: client, To: at, Label: "the answer",
		Sentence: fmt.Sprintf("Round %d: the client posts the answer, which reaches %s.", r.N, s.name(at)),
	}
	switch {
	case r.Lost == "":
		s.add(step)
	case s.gone[at]:
		step.Label, step.Mark = lostStatus(r)+": no such session", Broken
		step.Sentence = fmt.Sprintf("Round %d: the client posts the answer, and nobody holds the session of the call: %s.", r.N, lostStatus(r))
		s.add(step)
	default:
		s.add(step)
		s.add(Step{
			Kind: Reply, Round: r.N, From: at, To: client, Label: lostStatus(r) + ": no such session", Mark: Wrong,
			Sentence: visible(r.Lost),
		})
	}
}

// lostStatus is the HTTP status that refused an answer.
func lostStatus(r playground.Round) string {
	if r.Head.Status == 0 {
		return "lost"
	}
	return fmt.Sprint(r.Head.Status)
}

// events adds what happened to instances after a Round.
func (s *script) events(o StageOptions, after int) {
	for _, e := range o.Events {
		at, ok := s.instances[e.Instance]
		if e.After != after || !ok {
			continue
		}
		mark := NoMark
		if s.gone == nil {
			s.gone = map[int]bool{}
		}
		s.gone[at] = e.Gone
		if e.Gone {
			mark = Broken
		}
		s.add(Step{Kind: Change, Round: after, From: at, To: at, Label: e.Label, Mark: mark, Sentence: e.Sentence})
	}
}

// forStage leaves you and the balancer out.
func (s *script) forStage() ([]Lane, []Step) {
	gone := 1 // you
	if len(s.instances) > 0 {
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
			continue // nobody knows yet which instance it reaches
		}
		step.From, step.To, step.Via = move(step.From), move(step.To), 0
		steps = append(steps, step)
	}
	return lanes, steps
}

// fit widens the picture until it has about the wanted shape: the wider it is
// in its own units, the smaller are its letters, and the flatter it is.
func (p *Picture) fit(ratio float64) {
	const most, step = 1200, 20
	for p.Width < most && float64(p.Width) < ratio*layout(*p).height {
		p.Width += step
	}
}
