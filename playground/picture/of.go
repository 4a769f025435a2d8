package picture

import (
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Of is the sequence diagram of an Exchange, whose log f is.
func Of(x playground.Exchange, f playground.Transcript, o Options) Picture {
	s := script{cast: newCast(x, f, o), hide: o.HideAnswers}
	for i, r := range f.Rounds {
		if i > 0 {
			s.decided(f.Rounds[i-1], r)
		}
		s.round(r)
	}
	s.end(f)
	return Picture{
		Title: title(x), Lanes: s.lanes, Steps: s.steps,
		Current: o.Current, Link: o.Link, Width: o.Width, ID: o.ID,
	}
}

func title(x playground.Exchange) string {
	return fmt.Sprintf("%s to %s, step by step", visible(x.Call.Method), serverName(x.Target))
}

// script writes the steps down, in order.
type script struct {
	cast
	hide  bool
	steps []Step
	given *playground.Round // the last Round that answered, whose state a retry echoes

	holder int          // lane of the instance that holds an open call; older servers only
	gone   map[int]bool // lanes of instances that are down; on a stage only
}

func (s *script) add(step Step) { s.steps = append(s.steps, step) }

// round is one request and what came of it.
func (s *script) round(r playground.Round) {
	at := s.server(r)
	s.add(s.request(r, at))
	if unreached(r) || r.Outcome == playground.OutcomePending && at == entry && len(r.Messages) == 0 {
		return
	}
	s.notices(r, at)
	if r.Outcome != playground.OutcomePending {
		s.add(s.response(r, at))
	}
	if len(r.Questions) > 0 {
		s.add(s.question(r))
	}
	if r.Result != nil {
		s.given = &r
	}
}

// decided is what you did between two Rounds. It belongs to the earlier one,
// whose question it answers.
func (s *script) decided(before, r playground.Round) {
	if before.Open() {
		s.pause(before, r.Decided)
	}
	switch r.Decision.Action {
	case playground.ActionAnswer:
		s.add(s.answer(before.N, r.Answers()))
	case playground.ActionResend:
		s.add(Step{
			Kind: Call, Round: r.N, From: you, To: client, Label: "send it again",
			Sentence: "You have the client send the same request again.",
		})
	}
}

// pause shows think time, when there was some worth telling.
func (s *script) pause(before playground.Round, decided time.Time) {
	thought := decided.Sub(before.Ended)
	if before.Ended.IsZero() || thought < time.Second {
		return
	}
	label, sentence := "you thought "+span(thought), "You thought for "+span(thought)+"."
	if before.Outcome == playground.OutcomeRetry {
		label, sentence = span(thought)+" later", "The client waits "+span(thought)+"."
	}
	s.add(Step{Kind: Pause, Round: before.N, From: you, To: client, Label: label, Sentence: sentence})
}

// end is where the Exchange stands.
func (s *script) end(f playground.Transcript) {
	last := f.Last()
	if last == nil {
		s.now(0, "nothing sent yet", "Now: nothing was sent yet.")
		return
	}
	switch f.Status {
	case playground.StatusDeclined:
		if last.Open() {
			s.add(Step{
				Kind: Call, Round: last.N, From: you, To: client, Label: "no; nothing is sent", Mark: Wrong,
				Sentence: "You refuse, so the client sends nothing and the call ends here.",
			})
		}
	case playground.StatusWaiting:
		s.waiting(*last)
	case playground.StatusRunning:
		s.now(last.N, "the server works", "Now: the client waits for the server.")
	case playground.StatusCapped:
		s.now(last.N, "stopped: too many rounds", fmt.Sprintf("The exchange stops here: %d rounds are enough.", last.N))
	}
}

func (s *script) waiting(r playground.Round) {
	if r.Outcome == playground.OutcomeRetry {
		s.now(r.N, "ready to retry", "Now: the client may send the same call again, with the state and without an answer.")
		return
	}
	s.now(r.N, "your turn", "Now: it is your turn to answer.")
}

func (s *script) now(round int, label, sentence string) {
	s.add(Step{Kind: Now, Round: round, From: you, To: client, Label: label, Sentence: sentence})
}

// span is a duration for people, in one unit.
func span(d time.Duration) string {
	switch {
	case 0 < d && d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f\u00a0ms", float64(d.Microseconds())/1000)
	case d < time.Second:
		return fmt.Sprintf("%d\u00a0ms", max(d.Milliseconds(), 0))
	case d < 2*time.Minute:
		return fmt.Sprintf("%d\u00a0s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d\u00a0min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d\u00a0h", int(d.Hours()))
	}
	return fmt.Sprintf("%d\u00a0days", int(d.Hours()/24))
}
