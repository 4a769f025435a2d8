package flow

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// taskTurn is the turn of a flow that goes on as a task.
type taskTurn struct {
	*Service
	client  serve.JobClient
	version *flow.Version
	given   map[string]flow.Answer
	pages   map[string]string // tickets of pages, by key
}

// Ask asks until all questions have an answer, and the button of a page was pressed.
func (c *taskTurn) Ask(ctx context.Context, list []flow.Asked) (map[string]flow.Answer, error) {
	problems := map[string]string{}
	for {
		var open []serve.Question
		for _, q := range list {
			if _, ok := c.given[q.Key]; ok {
				continue
			}
			link, err := c.page(q)
			if err != nil {
				return nil, err
			}
			open = append(open, questionOf(q, link).WithProblem(problems[q.Key]))
		}
		if len(open) == 0 {
			return c.given, nil
		}
		answers, err := c.client.Ask(ctx, open...)
		if err != nil {
			return nil, err
		}
		for _, q := range list {
			a, ok := answers[q.Key]
			done, err := !ok || q.Kind != flow.URL || !a.Accepted(), error(nil)
			if !done {
				done, err = c.isPressed(c.pages[q.Key])
			}
			switch {
			case err != nil:
				return nil, err
			case !done:
				problems[q.Key] = pageNotFinished
			case ok:
				c.given[q.Key] = answerOf(q, a)
			}
		}
	}
}

// page returns the link of a question in URL mode, or "".
func (c *taskTurn) page(q flow.Asked) (string, error) {
	if q.Kind != flow.URL {
		return "", nil
	}
	if c.pages[q.Key] == "" {
		ticket, err := c.newTicket(c.version, q)
		if err != nil {
			return "", err
		}
		c.pages[q.Key] = ticket
	}
	return c.pageURL(c.pages[q.Key]), nil
}

// Forget implements [flow.Turn].
func (c *taskTurn) Forget(key string) { delete(c.given, key) }

// Shed implements [flow.Turn]. No task sheds its work.
func (c *taskTurn) Shed(context.Context, string) (string, error) {
	return "", flow.Refusal("A task has no state to shed its work with.")
}

// Progress sets the status message.
func (c *taskTurn) Progress(ctx context.Context, p flow.Report) error {
	if err := c.client.SetStatus(ctx, p.Message); err != nil {
		return err
	}
	return c.config.Wait(ctx, min(p.Wait, maxWait))
}
