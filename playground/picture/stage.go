package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
)

// StageOptions say how an Exchange is drawn for an audience.
type StageOptions struct {
	Current   int
	Link      func(round int) string
	Instances []Instance // at the start
	Events    []StageEvent
	Request   string  // what you ask the client to do, in a few words; empty for nothing
	Width     int     // in user units
	Height    int     // at least so many user units; 0 for the height of the rows
	MaxHeight float64 // leaves out the first Rounds of a taller picture; 0 means any height
	Brief     bool    // fewer words, for a lane beside another
	ID        string
	Messages  func(Message) string // as in Options
	Selected  Message              // as in Options
	Judged    Judged               // as in Options
}

// StageEvent is a change of an instance after a Round.
type StageEvent struct {
	After    int
	Instance string
	Label    string // "killed"
	Gone     bool   // the instance is down from now on
	Sentence string
}

// EventsOf returns the events of the instances of a sample, as the record of a
// call shows it.
func EventsOf(x playground.Exchange, f playground.Transcript) []StageEvent {
	if x.Target.Sample == "" {
		return nil
	}
	return StageEvents(cluster.History(f))
}

// StageEvents returns the changes of instances as a picture shows them.
func StageEvents(history []cluster.HistoryEntry) []StageEvent {
	list := make([]StageEvent, len(history))
	for i, h := range history {
		label := map[cluster.Operation]string{
			cluster.Kill: "killed", cluster.Stop: "drained", cluster.Revive: "back",
			cluster.Upgrade: "now " + visible(h.Version),
		}[h.Do]
		list[i] = StageEvent{
			After: h.After, Instance: h.Instance, Label: label, Gone: h.Do == cluster.Kill,
			Sentence: fmt.Sprintf("Instance %s is %s.", visible(h.Instance), label),
		}
	}
	return list
}

// Stage returns the sequence diagram of an Exchange for an audience: you, the
// client and the instances, with two arrows per Round and the changes of
// instances in between. What you and the client say to each other stands in
// bubbles in the rows of the arrows. It leaves out the balancer and
// notifications, so that there is room for large letters.
func Stage(x playground.Exchange, f playground.Transcript, o StageOptions) Picture {
	s := builder{
		participants: newParticipants(x, f, Options{Instances: o.Instances}), declined: declined(f),
		brief: o.Brief, judged: o.Judged,
	}
	s.addEvents(o.Events, 0)
	for _, r := range f.Rounds {
		if r.Legacy && r.Kind == playground.OutcomeComplete {
			// The call was open all the time, so the instances changed before its end.
			final := r
			r.Kind, r.Result = playground.OutcomePending, nil
			s.stageRound(r, o.Request)
			s.addEvents(o.Events, r.N)
			s.stageReply(final, s.openCall)
			continue
		}
		s.stageRound(r, o.Request)
		s.addEvents(o.Events, r.N)
	}
	p := Picture{
		Title: title(x), Current: o.Current, Link: o.Link, Width: o.Width, Height: o.Height, ID: o.ID,
		Dense: true, Brief: o.Brief, Messages: o.Messages, Selected: o.Selected,
	}
	p.Lanes, p.Steps = s.forStage()
	if o.MaxHeight > 0 {
		p.leaveOut(o.MaxHeight, p.Current)
	}
	return p
}

// stageRound adds one Round as two arrows. request is your request in the first
// one.
func (s *builder) stageRound(r playground.Round, request string) {
	speech := request
	if r.Decision.Action == playground.ActionAnswer {
		speech = answered(r.Answers())
		if r.Decision.Changed {
			speech = "changed: " + speech
		}
	} else if r.N > 1 {
		speech = ""
	}
	if r.Legacy {
		s.legacyRound(r, speech)
		return
	}
	at := s.server(r)
	step := s.stageRequest(r, at)
	step.Speech = speech
	s.add(step)
	if unreached(r) {
		return
	}
	if r.Kind != playground.OutcomePending {
		s.stageReply(r, at)
	}
	if r.Result != nil {
		s.answered = &r
	}
}

// stageRequest is the arrow of a request, with a label that a large type has
// room for.
func (s *builder) stageRequest(r playground.Round, at int) Step {
	step := s.request(r, at)
	if strings.HasSuffix(step.State, ", unchanged") {
		step.State = "requestState, unchanged" // its size stands where it came from
	}
	name, isFirst := strings.CutPrefix(step.Label, r.Method+" ")
	switch {
	case s.brief && step.Mark == NoMark && strings.HasPrefix(step.Label, "the same call + "):
		step.Label = "call + answer"
	case s.brief && step.Mark == NoMark && isFirst:
		step.Label = "the call"
	case isFirst:
		step.Label = "calls " + name
	}
	return step
}

// stageReply adds the arrow of a response, and the sentence of the client after
// it.
func (s *builder) stageReply(r playground.Round, at int) {
	step := s.response(r, at)
	step.Label = strings.Replace(step.Label, "input_required: ", "asks for ", 1)
	step.Label = strings.Replace(step.Label, "input_required, no question", "yields, no question", 1)
	step.Speech = asked(r.Questions)
	switch r.Kind {
	case playground.OutcomeComplete:
		step.Speech = resultText(r)
	case playground.OutcomeInputRequired:
		if s.brief {
			step.Label = "asks; call ends"
		}
	case playground.OutcomeRetry:
		if s.brief {
			step.Label = "yields"
		}
	}
	s.add(step)
}

// legacyRound adds a Round of a call that stays open: the call or an answer,
// and the next question on the open call, or why the answer was lost.
func (s *builder) legacyRound(r playground.Round, speech string) {
	at := s.server(r)
	if at == entry && s.openCall != 0 {
		at = s.openCall // the instance of an answer may be known only after its effect
	}
	if r.Decision.Action == playground.ActionAnswer {
		s.legacyAnswer(r, at, speech)
	} else {
		step := s.stageRequest(r, at)
		step.Speech = speech
		s.add(step)
		s.openCall = at
	}
	if r.Lost != "" {
		return
	}
	switch r.Kind {
	case playground.OutcomePending:
	case playground.OutcomeInputRequired:
		s.add(Step{
			Kind: Reply, Round: r.N, From: s.openCall, To: client, Label: "asks; call stays open",
			Sentence: capital(s.name(s.openCall)) + " asks on the open call, which stays open.",
			Speech:   asked(r.Questions),
		})
	default:
		s.stageReply(r, s.openCall)
	}
}

// legacyAnswer adds an answer to the open call. An instance that is down never
// receives it; an instance that does not hold the call refuses it.
func (s *builder) legacyAnswer(r playground.Round, at int, speech string) {
	step := Step{
		Kind: Call, Round: r.N, From: client, To: at, Label: "the answer", Speech: speech,
		Sentence: fmt.Sprintf("Round %d: the client posts the answer, which reaches %s.", r.N, s.name(at)),
	}
	switch {
	case r.Lost == "":
		s.add(step)
	case s.down[at]:
		step.Label, step.Mark = lostStatus(r)+": no such session", Broken
		step.Sentence = fmt.Sprintf("Round %d: the client posts the answer. "+
			"No running instance holds the session of the call: %s.", r.N, lostStatus(r))
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

// forStage returns the lanes and steps without the balancer.
func (s *builder) forStage() ([]Lane, []Step) {
	lanes := []Lane{{Name: youName}, {Name: clientName}}
	if s.lanes[you].Name == userName { // a foreign client, which has a name of its own
		lanes = slices.Clone(s.lanes[:entry])
	}
	if len(s.instances) == 0 {
		return append(lanes, s.lanes[entry:]...), s.steps
	}
	for _, lane := range s.lanes[entry+1:] {
		if s.brief {
			lane.Name, lane.Instance = lane.Instance, ""
		}
		lanes = append(lanes, lane)
	}
	move := func(lane int) int {
		if lane > entry {
			return lane - 1
		}
		return lane
	}
	var steps []Step
	for _, step := range s.steps {
		if step.From == entry || step.To == entry {
			continue // the instance that it reaches is not known yet
		}
		step.From, step.To, step.Via = move(step.From), move(step.To), 0
		steps = append(steps, step)
	}
	return lanes, steps
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
