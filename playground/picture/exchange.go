package picture

import (
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

// Of returns the sequence diagram of an Exchange with the transcript f.
func Of(x playground.Exchange, f playground.Transcript, o Options) Picture {
	s := builder{
		participants: newParticipants(x, f, o), hideAnswers: o.HideAnswers, judged: o.Judged,
		declined: declined(f),
	}
	events := EventsOf(x, f)
	for i, r := range f.Rounds {
		if i > 0 {
			s.addEvents(events, r.N-1)
			s.decision(f.Rounds[i-1], r)
		}
		s.round(r)
	}
	s.status(f)
	return Picture{
		Title: title(x), Lanes: s.lanes, Steps: s.steps,
		Current: o.Current, Link: o.Link, Messages: o.Messages, Selected: o.Selected,
		Width: o.Width, ID: o.ID,
	}
}

func title(x playground.Exchange) string {
	return fmt.Sprintf("%s to %s, step by step", visible(x.Call.Method), serverName(x.Target))
}

// builder collects the steps of an Exchange, in order.
type builder struct {
	participants
	hideAnswers bool
	brief       bool // on a stage only
	judged      Judged
	declined    int // Round that ended the call after you declined or cancelled; 0 if none
	steps       []Step
	answered    *playground.Round // the last Round with a result, whose state a retry echoes

	openCall int          // lane of the instance that holds an open call; legacy servers only
	down     map[int]bool // lanes of instances that are down; on a stage only
}

// declined returns the Round that ended the call after you declined or
// cancelled, or 0.
func declined(f playground.Transcript) int {
	if i := len(f.Rounds) - 1; i >= 0 && narrate.EndingOf(f, i) == narrate.Neutral {
		return f.Rounds[i].N
	}
	return 0
}

func (s *builder) add(step Step) { s.steps = append(s.steps, step) }

// round adds one request and its outcome.
func (s *builder) round(r playground.Round) {
	at := s.server(r)
	s.add(s.request(r, at))
	if unreached(r) || r.Kind == playground.OutcomePending && at == entry && len(r.AllMessages()) == 0 {
		return
	}
	if r.LostBy != 0 {
		s.add(s.rejected(r, at))
	}
	s.notices(r, at)
	if r.Kind != playground.OutcomePending {
		s.add(s.response(r, at))
	}
	if len(r.Questions) > 0 {
		s.add(s.question(r))
	}
	if r.Result != nil {
		s.answered = &r
	}
}

// rejected is the response of an instance that did not accept the answer of a
// legacy client.
func (s *builder) rejected(r playground.Round, at int) Step {
	return Step{
		Kind: Reply, Round: r.N, From: at, To: client, Mark: Wrong,
		Label: fmt.Sprintf("HTTP %d: the answer is lost", r.LostBy), Message: Message{r.N, Response},
		Sentence: visible(r.Lost),
	}
}

// decision adds what you did between two Rounds. It belongs to the earlier one,
// whose question it answers.
func (s *builder) decision(before, r playground.Round) {
	if before.Open() && r.Decision.Experiment == "" {
		s.pause(before, r.Decided)
	}
	switch r.Decision.Action {
	case playground.ActionAnswer:
		step := s.answer(before.N, r.Answers())
		step.Message = Message{r.N, Request}
		if r.Decision.Changed {
			step.Sentence = fmt.Sprintf("The request was changed on purpose. Its answer: %s.", step.Label)
			step.Label = "changed: " + step.Label
		}
		s.add(step)
	case playground.ActionResend:
		step := Step{
			Kind: Call, Round: r.N, From: you, To: client, Label: "send again",
			Message:  Message{r.N, Request},
			Sentence: "You tell the client to send the same request again.",
		}
		if r.Decision.Changed && before.Task != nil && before.Method != r.Method {
			step.Label = "send " + r.Method
			step.Sentence = "You tell the client to send " + r.Method + "."
		}
		s.add(step)
	}
}

// pause adds think time of a second or more.
func (s *builder) pause(before playground.Round, decided time.Time) {
	thought := decided.Sub(before.Ended)
	if before.Ended.IsZero() || thought < time.Second {
		return
	}
	label, sentence := "you thought "+span(thought), "You thought for "+span(thought)+"."
	if before.Kind == playground.OutcomeRetry {
		label, sentence = span(thought)+" later", "The client waits "+span(thought)+"."
	}
	s.add(Step{Kind: Pause, Round: before.N, From: you, To: client, Label: label, Sentence: sentence})
}

// status adds where the Exchange stands.
func (s *builder) status(f playground.Transcript) {
	last := f.Last()
	if last == nil {
		s.now(0, "nothing sent yet", "Now: nothing was sent yet.")
		return
	}
	switch f.Status {
	case playground.StatusDeclined:
		if last.Open() {
			s.add(Step{
				Kind: Call, Round: last.N, From: you, To: client,
				Label: "refused; nothing is sent", Mark: Neutral,
				Sentence: "You refuse, so the client sends nothing and the call ends here.",
			})
		}
	case playground.StatusWaiting:
		s.waiting(*last)
	case playground.StatusRunning:
		if last.Task != nil && last.Kind != playground.OutcomePending || last.LegacyTask != nil {
			s.now(last.N, "polling the task", "Now: the client polls the task.")
			return
		}
		s.now(last.N, "waiting for the server", "Now: the client waits for the server.")
	case playground.StatusCapped:
		sentence := fmt.Sprintf("The exchange stopped at its limit of %d rounds.", last.N)
		s.now(last.N, "stopped at the round limit", sentence)
	}
}

func (s *builder) waiting(r playground.Round) {
	if r.Kind == playground.OutcomeRetry {
		s.now(r.N, "ready to retry", "Now: the client can retry the call with the state, without an answer.")
		return
	}
	if !r.Open() {
		s.now(r.N, "polling stopped", "Now: the client does not poll the task any more.")
		return
	}
	s.now(r.N, "your turn", "Now: it is your turn to answer.")
}

func (s *builder) now(round int, label, sentence string) {
	s.add(Step{Kind: Now, Round: round, From: you, To: client, Label: label, Sentence: sentence})
}
