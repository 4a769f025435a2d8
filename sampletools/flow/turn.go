package flow

import (
	"context"
	"errors"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// callTurn is one turn of a flow's call. It runs the flow from its first step in
// every round, as every script does.
type callTurn struct {
	*Service
	turn    *serve.Turn
	version *flow.Version
	work    work
	// first says that the call has had no answer yet. Its first questions can do without a
	// state, so an answer to them counts also if none shows that they were asked.
	first bool
	// queue is the progress since the last question or shed. What comes before one that
	// an earlier round had is not reported again.
	queue []flow.Report
}

// work is the content of the state of a flow besides the answers.
type work struct {
	Asked map[string]string   `json:"asked,omitempty"` // which version asked, by key
	Shed  map[string]string   `json:"shed,omitempty"`  // which instance shed, by key
	Pages map[string]pageWork `json:"pages,omitempty"` // of questions in URL mode, by key
}

// pageWork is how far a question in URL mode is.
type pageWork struct {
	Ticket string `json:"ticket"`
	Action string `json:"action,omitempty"` // the answer, once it counts
}

// newTurn reads the state, and takes the answers to questions of other versions.
func (s *Service) newTurn(t *serve.Turn, v *flow.Version) (*callTurn, error) {
	c := &callTurn{Service: s, turn: t, version: v}
	if _, err := t.LoadWork(&c.work); err != nil {
		return nil, err
	}
	for _, m := range []*map[string]string{&c.work.Asked, &c.work.Shed} {
		if *m == nil {
			*m = map[string]string{}
		}
	}
	if c.work.Pages == nil {
		c.work.Pages = map[string]pageWork{}
	}
	c.first = t.Work == nil && len(t.Answers) == 0
	c.carry()
	return c, nil
}

// carry keeps the answers to questions that another version asked, also if this one
// does not know them or asks others before. Where versions take turns, each would
// otherwise ask again for answers that the other one does not know, without an
// end.
func (c *callTurn) carry() {
	for key := range c.turn.Responses {
		asker := c.Version(c.work.Asked[key])
		if asker == nil {
			continue
		}
		q, ok := c.version.Question(key)
		if !ok {
			q, ok = asker.Question(key)
		}
		if ok && q.Kind != flow.URL {
			_, _, _ = c.turn.Answer(questionOf(flow.Asked{Step: q}, "")) // one that does not fit is ignored
		}
	}
}

// Ask implements [flow.Turn].
func (c *callTurn) Ask(_ context.Context, list []flow.Asked) (map[string]flow.Answer, error) {
	given, pause := map[string]flow.Answer{}, &serve.Pause{}
	defer func() { c.first = c.first && len(given) == 0 }()
	for _, q := range list {
		c.dropEarly(q.Key)
		if c.askedBefore(q.Key) {
			c.queue = nil
		}
		ask := c.answer
		if q.Kind == flow.URL {
			ask = c.visit
		}
		a, open, err := ask(q)
		switch {
		case err != nil:
			return nil, err
		case open != nil:
			pause.Questions = append(pause.Questions, *open)
		default:
			given[q.Key] = a
		}
	}
	if len(pause.Questions) > 0 {
		return given, pause
	}
	return given, nil
}

// dropEarly drops the answer to a question that was not asked: a confirmation is none if
// the client gives it with the answer to the question before it.
func (c *callTurn) dropEarly(key string) {
	if !c.first && c.work.Asked[key] == "" {
		delete(c.turn.Responses, key)
	}
}

// askedBefore reports whether an earlier round asked a question.
func (c *callTurn) askedBefore(key string) bool {
	if c.work.Asked[key] != "" {
		return true
	}
	_, now := c.turn.Responses[key]
	_, kept := c.turn.Answers[key]
	_, linked := c.work.Pages[key]
	return now || kept || linked
}

// answer returns the answer to a question, or the question if it is open.
func (c *callTurn) answer(q flow.Asked) (flow.Answer, *serve.Question, error) {
	if slices.Contains(c.version.Again, q.Key) && c.work.Asked[q.Key] != c.version.Name {
		c.Forget(q.Key)
	}
	question := questionOf(q, "")
	a, problem, err := c.turn.Answer(question)
	if err != nil {
		return flow.Answer{}, nil, err
	}
	if a.Action == "" {
		question = question.WithProblem(problem)
		return flow.Answer{}, &question, nil
	}
	return answerOf(q, a), nil, nil
}

// visit is answer for a question in URL mode. Accepting it is consent: it is open
// until the button of its page was pressed.
func (c *callTurn) visit(q flow.Asked) (flow.Answer, *serve.Question, error) {
	p := c.work.Pages[q.Key]
	if slices.Contains([]string{"accept", "decline", "cancel"}, p.Action) {
		return flow.Answer{Action: p.Action}, nil, nil
	}
	if !c.isValid(p.Ticket) {
		// An answer in this request is to no question of this state.
		delete(c.turn.Responses, q.Key)
		var err error
		if p.Ticket, err = c.newTicket(c.version, q); err != nil {
			return flow.Answer{}, nil, err
		}
		c.work.Pages[q.Key] = p
	}
	question := questionOf(q, c.pageURL(p.Ticket))
	done, err := c.isPressed(p.Ticket)
	if err != nil {
		return flow.Answer{}, nil, err
	}
	raw, answered := c.turn.Responses[q.Key]
	switch {
	case done:
		p.Action = "accept"
	case answered:
		a, _, err := question.Read(raw)
		if err != nil {
			return flow.Answer{}, nil, serve.InvalidParams("inputResponses: " + err.Error())
		}
		if p.Action = a.Action; a.Accepted() {
			question = question.WithProblem(pageNotFinished)
			return flow.Answer{}, &question, nil
		}
	default:
		return flow.Answer{}, &question, nil
	}
	c.work.Pages[q.Key] = p
	return flow.Answer{Action: p.Action}, nil, nil
}

// Forget implements [flow.Turn].
func (c *callTurn) Forget(key string) {
	delete(c.turn.Responses, key)
	delete(c.turn.Answers, key)
	if p, ok := c.work.Pages[key]; ok {
		c.work.Pages[key] = pageWork{Ticket: p.Ticket}
	}
}

// Shed implements [flow.Turn].
func (c *callTurn) Shed(_ context.Context, key string) (string, error) {
	if instance, ok := c.work.Shed[key]; ok {
		c.queue = nil
		return instance, nil
	}
	c.work.Shed[key] = c.turn.Instance.Label()
	return "", &serve.Pause{}
}

// Progress implements [flow.Turn]. It is reported when the turn ends.
func (c *callTurn) Progress(_ context.Context, p flow.Report) error {
	c.queue = append(c.queue, p)
	return nil
}

// flush reports the progress of this turn and takes its time. Work that is done again
// in another process has no client that waits.
func (c *callTurn) flush(ctx context.Context) error {
	queue := c.queue
	c.queue = nil
	if c.turn.Session == nil {
		return nil
	}
	for _, p := range queue {
		done := p.Done
		if p.Of == 0 && done == 0 {
			last, _ := c.turn.Reported()
			done = last + 1
		}
		c.turn.Progress(ctx, done, p.Of, p.Message)
		if err := c.config.Wait(ctx, min(p.Wait, maxWait)); err != nil {
			return err
		}
	}
	return nil
}

// finish ends the turn: with a result, a pause or an error.
func (c *callTurn) finish(ctx context.Context, e *flow.Ended, err error) (*serve.ToolResult, error) {
	var pause *serve.Pause
	if paused := errors.As(err, &pause); err == nil || paused {
		if wrong := c.flush(ctx); wrong != nil {
			return nil, wrong
		}
		if paused {
			err = errors.Join(err, c.save(pause))
		}
	}
	return resultOf(e, err)
}

// save puts into the state what the next turn needs. The first questions of a call are in
// no state unless it matters which version asked them: there is nothing else to remember.
func (c *callTurn) save(p *serve.Pause) error {
	asked := map[string]string{}
	for key := range c.turn.Answers {
		if by, ok := c.work.Asked[key]; ok {
			asked[key] = by
		}
	}
	for _, q := range p.Questions {
		asked[q.Key] = c.version.Name
	}
	others := len(c.turn.Answers) + len(c.work.Shed) + len(c.work.Pages)
	if others == 0 && !c.asksAgain() {
		asked = nil
	}
	c.work.Asked = asked
	if asked == nil && len(c.work.Shed)+len(c.work.Pages) == 0 {
		c.turn.Work = nil
		return nil
	}
	return c.turn.SaveWork(c.work)
}
