package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// run is the script of a flow's tool.
func (s *Service) run(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	v := s.Version(t.Instance.Version)
	if v == nil {
		return nil, fmt.Errorf("the flow has no version %s", t.Instance.Version)
	}
	args, err := s.arguments(t)
	if err != nil {
		return nil, err
	}
	turn, err := s.newTurn(t, v)
	if err != nil {
		return nil, err
	}
	r := v.Start(args, t.Instance.Label())
	e, err := r.Call(ctx, turn)
	if e != nil || err != nil {
		return serve.ResultOf(turn.finish(ctx, e, err))
	}
	if t.KnowsTasks() {
		if err := turn.flush(ctx); err != nil {
			return nil, err
		}
	}
	return nil, &serve.Job{
		Required: v.Task.Required,
		Run: func(ctx context.Context, d serve.JobClient) (*serve.ToolResult, error) {
			if d.Inline() {
				e, err := r.Task(ctx, turn)
				return turn.finish(ctx, e, err)
			}
			return resultOf(r.Task(ctx, &taskTurn{
				Service: s, client: d, version: v, given: map[string]flow.Answer{},
				pages: map[string]string{},
			}))
		},
	}
}

// arguments reads the arguments of a call, which fit the input schema then.
func (s *Service) arguments(t *serve.Turn) (map[string]any, error) {
	args, err := serve.Arguments[map[string]any](t)
	if err != nil {
		return nil, err
	}
	if problem := serve.CheckContent(s.input, args); problem != "" {
		return nil, serve.ToolErrorf("The arguments do not fit the tool's input schema: %s", problem)
	}
	return args, nil
}

// resultOf returns the result of a call that has ended.
func resultOf(e *flow.Ended, err error) (*serve.ToolResult, error) {
	var refused flow.Refusal
	switch {
	case errors.As(err, &refused):
		return nil, serve.ToolError(refused)
	case err != nil:
		return nil, err
	case e.Error:
		return serve.Failure(e.Text), nil
	}
	return serve.Text("%s", e.Text), nil
}

// questionOf returns a question of a flow as it is asked; link is where one in URL
// mode leads.
func questionOf(q flow.Asked, link string) serve.Question {
	switch q.Kind {
	case flow.URL:
		return serve.Link(q.Key, q.Words, link)
	case flow.Sampling:
		return serve.Sampling(q.Key, samplingParams(q))
	case flow.Roots:
		return serve.Roots(q.Key)
	}
	return serve.Form(q.Key, q.Words, string(q.Schema))
}

// samplingParams returns the params of a sampling request.
func samplingParams(q flow.Asked) string {
	params := map[string]any{"maxTokens": q.MaxTokens, "messages": []any{map[string]any{
		"role": "user", "content": map[string]any{"type": "text", "text": q.Words},
	}}}
	if q.SystemWords != "" {
		params["systemPrompt"] = q.SystemWords
	}
	return string(encode(params))
}

// answerOf returns an answer as a flow sees it.
func answerOf(q flow.Asked, a serve.Answer) flow.Answer {
	values := a.Content
	switch q.Kind {
	case flow.Sampling:
		var lines []string
		for _, b := range a.Message.Blocks {
			if b.Type == "text" {
				lines = append(lines, b.Text)
			}
		}
		values = map[string]any{"text": strings.Join(lines, "\n"), "model": a.Message.Model}
	case flow.Roots:
		var uris, names []any
		for _, r := range a.Roots {
			uris, names = append(uris, r.URI), append(names, cmp.Or(r.Name, r.URI))
		}
		values = map[string]any{"uris": uris, "names": names}
	}
	return flow.Answer{Action: a.Action, Values: values}
}
