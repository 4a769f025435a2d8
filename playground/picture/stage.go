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
	Ratio     float64 // width to height of the room; 0 if the height is free
	MaxWidth  int     // how wide the picture may become to fit the Ratio
	MaxHeight float64 // leaves out the first Rounds of a taller picture; 0 means any height
	ID        string
}

// StageEvent is a change of an instance after a Round.
type StageEvent struct {
	After    int
	Instance string
	Label    string // "killed"
	Gone     bool   // the instance is down from now on
	Sentence string
}

// Stage returns the sequence diagram of an Exchange for an audience: only the
// client and the instances, with two arrows per Round and the changes of
// instances in between. It leaves out you, the balancer and notifications, so
// that there is room for large letters.
func Stage(x playground.Exchange, f playground.Transcript, o StageOptions) Picture {
	s := builder{participants: newParticipants(x, f, Options{Instances: o.Instances}), declined: declined(f)}
	s.addEvents(o.Events, 0)
	for _, r := range f.Rounds {
		s.stageRound(r)
		s.addEvents(o.Events, r.N)
	}
	p := Picture{Title: title(x), Current: o.Current, Link: o.Link, Width: o.Width, ID: o.ID, Dense: true}
	p.Lanes, p.Steps = s.forStage()
	if o.Ratio > 0 {
		p.fit(o)
	}
	return p
}

// stageRound adds one Round as two arrows.
func (s *builder) stageRound(r playground.Round) {
	if r.Legacy {
		s.legacyRound(r)
		return
	}
	at := s.server(r)
	s.add(s.request(r, at))
	if unreached(r) {
		return
	}
	if r.Kind != playground.OutcomePending {
		step := s.response(r, at)
		step.Label = strings.Replace(step.Label, "input_required: ", "asks for ", 1)
		step.Label = strings.Replace(step.Label, "input_required, no question", "yields, no question", 1)
		s.add(step)
	}
	if r.Result != nil {
		s.answered = &r
	}
}

// legacyRound adds a Round of a call that stays open: the call or an answer,
// and the next question on the open call, or why the answer was lost.
func (s *builder) legacyRound(r playground.Round) {
	at := s.server(r)
	if at == entry && s.openCall != 0 {
		at = s.openCall // the instance of an answer may be known only after its effect
	}
	if r.Decision.Action == playground.ActionAnswer {
		s.legacyAnswer(r, at)
	} else {
		s.add(s.request(r, at))
		s.openCall = at
	}
	if r.Lost != "" {
		return
	}
	switch r.Kind {
	case playground.OutcomePending:
	case playground.OutcomeInputRequired:
		s.add(Step{
			Kind: Reply, Round: r.N, From: s.openCall, To: client, Label: "asks; the call stays open",
			Sentence: capital(s.name(s.openCall)) + " asks on the open call, which stays open.",
		})
	default:
		s.add(s.response(r, s.openCall))
	}
}

// legacyAnswer adds an answer to the open call. An instance that is down never
// receives it; an instance that does not hold the call refuses it.
func (s *builder) legacyAnswer(r playground.Round, at int) {
	step := Step{
		Kind: Call, Round: r.N, From: client, To: at, Label: "the answer",
		Sentence: fmt.Sprintf("Round %d: the client posts the answer, which reaches %s.", r.N, s.name(at)),
	}
	switch {
	case r.Lost == "":
		s.add(step)
	case s.down[at]:
		step.Label, step.Mark = lostStatus(r)+": no such session", Broken
		step.Sentence = fmt.Sprintf("Round %d: the client posts the answer, "+
			"but no running instance holds the session of the call: %s.", r.N, lostStatus(r))
		s.add(step)
	default:
		s.add(step)
		s.add(Step{
			Kind: Reply, Round: r.N, From: at, To: client,
			Label: lostStatus(r) + ": no such session", Mark: Wrong,
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

// addEvents adds the changes of instances after a Round.
func (s *builder) addEvents(events []StageEvent, after int) {
	for _, e := range events {
		at, ok := s.instances[e.Instance]
		if e.After != after || !ok {
			continue
		}
		mark := NoMark
		if s.down == nil {
			s.down = map[int]bool{}
		}
		s.down[at] = e.Gone
		if e.Gone {
			mark = Broken
		}
		s.add(Step{Kind: Change, Round: after, From: at, To: at, Label: e.Label, Mark: mark,
			Sentence: e.Sentence})
	}
}

// forStage returns the lanes and steps without you and the balancer.
func (s *builder) forStage() ([]Lane, []Step) {
	removed := 1 // you
	if len(s.instances) > 0 {
		removed = 2
	}
	move := func(lane int) int {
		if lane <= client {
			return 0
		}
		return lane - removed
	}
	lanes := append([]Lane{{Name: "Client"}}, s.lanes[1+removed:]...)
	var steps []Step
	for _, step := range s.steps {
		if removed == 2 && (step.From == entry || step.To == entry) {
			continue // the instance that it reaches is not known yet
		}
		step.From, step.To, step.Via = move(step.From), move(step.To), 0
		steps = append(steps, step)
	}
	return lanes, steps
}

// fit widens the picture until it has about the given shape. The wider it is in
// its own units, the smaller its letters, and the flatter it is. Where even the
// widest picture is too tall, it leaves out the first Rounds.
func (p *Picture) fit(o StageOptions) {
	const step = 20
	for p.Width+step <= o.MaxWidth && float64(p.Width) < o.Ratio*layout(*p).height {
		p.Width += step
	}
	if o.MaxHeight > 0 {
		p.leaveOut(o.MaxHeight, p.Current)
	}
}

// leaveOut leaves out the first Rounds of a picture that is taller than height,
// but neither the Round keep nor later ones.
func (p *Picture) leaveOut(height float64, keep int) {
	for layout(*p).height > height {
		next := p.roundAfter(p.LeftOut)
		if next == len(p.Steps) || p.Steps[next].Round > keep {
			return
		}
		p.LeftOut = next
	}
}

// roundAfter is the first step of the Round after that of step i.
func (p *Picture) roundAfter(i int) int {
	for next := i; next < len(p.Steps); next++ {
		if p.Steps[next].Round > max(p.Steps[i].Round, 1) {
			return next
		}
	}
	return len(p.Steps)
}
