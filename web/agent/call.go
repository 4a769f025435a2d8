package agent

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// callInput is the input schema of call_tool.
const callInput = `{"type":"object","properties":{
	` + whichTool + `
	"arguments":{"type":"object","description":"Arguments of the call; none if absent"},
	"answers":{"type":"object","description":"Answers to questions of the tool that are not to be ` +
	`asked, by key: the content of a form, or a whole answer"}},
	"required":["url","tool"]}`

func (s *Pages) callTool() serve.Tool {
	yes := true
	return serve.Tool{
		Name: "call_tool", Title: "Call a tool of a server",
		Description: "Makes one call of a tool of an MCP server, round by round, and records it. What that " +
			"server asks is asked here: each question names it. Give answers in advance to leave " +
			"questions out.",
		Input: callInput, Output: calledOutput,
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &yes},
		Run: func(ctx context.Context, t *serve.Turn) (serve.Result, error) {
			r, err := s.call(ctx, t)
			return r, s.inWords(err)
		},
	}
}

// openCall is what a call of call_tool carries from round to round.
type openCall struct {
	Exchange  string `json:"exchange"`
	Workspace string `json:"workspace"`
}

// call makes a call until it ends or asks what has no answer yet. The recording is what it
// goes on from: a retry that comes twice finds it further on.
func (s *Pages) call(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := read[toolArgs](t, callInput)
	if err != nil {
		return nil, err
	}
	patience, cancel := context.WithTimeout(ctx, s.App.Times.AgentRound)
	defer cancel()
	open, v, err := s.openCall(ctx, t, args)
	if err != nil {
		return nil, err
	}
	for {
		s.App.Runner.Wait(patience, open.Exchange)
		x, err := s.App.Load(v.Visit, open.Exchange)
		if err != nil {
			return nil, err
		}
		f := x.Fold()
		if last := f.Last(); last != nil {
			t.Progress(ctx, float64(last.N), 0, roundWords(x, f))
		}
		if f.Status != playground.StatusWaiting {
			return s.called(v, x, f, "", args.Answers)
		}
		d, unasked, err := s.decide(t, x, f, args)
		switch {
		case err != nil:
			return nil, err
		case unasked != "":
			return s.called(v, x, f, unasked, args.Answers)
		}
		if err := s.send(v, x, d); err != nil && !app.IsOutdated(err) {
			return nil, err
		}
	}
}

// openCall returns the recording of a call, which it begins in the first round.
func (s *Pages) openCall(ctx context.Context, t *serve.Turn, args toolArgs) (openCall, visit, error) {
	var open openCall
	known, err := t.LoadWork(&open)
	if err != nil {
		return open, visit{}, err
	}
	if !known {
		open.Workspace = s.workspaceOf(t)
	}
	v, err := s.visit(ctx, t, open.Workspace)
	if err != nil || known {
		return open, v, err
	}
	target, err := s.target(v, args.URL)
	if err != nil {
		return open, v, err
	}
	c, tool, err := s.find(v, target, args.Tool)
	if err != nil {
		return open, v, err
	}
	if c.Era == playground.Legacy {
		target.Era = playground.Legacy
	}
	if args.Arguments == nil {
		args.Arguments = json.RawMessage("{}")
	}
	if open.Exchange, err = s.App.Open(v.Visit, target, server.ToolCall(tool, args.Arguments), ""); err != nil {
		return open, v, err
	}
	return open, v, t.SaveWork(open)
}

// decide returns what follows an open round: the answers, once there are all. Questions
// that can be asked are asked with a pause; unasked says why others cannot.
func (s *Pages) decide(t *serve.Turn, x playground.Exchange, f playground.Transcript, args toolArgs) (
	d playground.Decision, unasked string, err error) {
	last := f.Last()
	d = playground.Decision{Action: playground.ActionRetry, Round: last.N + 1}
	pause := &serve.Pause{}
	for i, q := range question.Forms(*last) {
		d.Action = playground.ActionAnswer
		if value, ok := q.Given(args.Answers); ok {
			a, err := q.FromJSON(value)
			if err != nil {
				return d, "", serve.ToolErrorf("The answers do not fit: %v.", err)
			}
			d.Answers = append(d.Answers, a)
			continue
		}
		p, problem := pass(x.Target, q, last.N, i)
		if problem == "" && !p.canAsk(t) {
			problem = "this client does not declare what it needs to be asked that"
		}
		if problem != "" {
			return d, "The question " + quoted(q.Key) + " was not asked: " + problem +
				". Call again with an answer to it in answers.", nil
		}
		a, missing, err := p.answer(t)
		if err != nil {
			return d, "", err
		}
		pause.Questions = append(pause.Questions, missing...)
		d.Answers = append(d.Answers, a)
	}
	switch {
	case len(pause.Questions) > 0:
		return d, "", pause
	case !last.Legacy && slices.ContainsFunc(d.Answers, refused):
		return playground.Decision{Action: playground.ActionRefuse, Round: last.N}, "", nil
	}
	clear(t.Answers) // they are in the recording
	return d, "", nil
}

// refused reports whether the user refused what cannot be declined.
func refused(a playground.Answer) bool { return a.Error != nil }

// send opens the round of a decision.
func (s *Pages) send(v visit, x playground.Exchange, d playground.Decision) error {
	if err := s.App.Admit(v.Visit, x); err != nil {
		return err
	}
	_, err := s.App.Driver(v.Visit).Open(v.Context(), x, d)
	return err
}
