package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// slow takes seconds and reports progress.
func slow(c Config) scenario {
	s := waiter{wait: c.Wait}
	return scenario{
		Sample: Sample{
			Slug:    "slow",
			Title:   "Slow",
			Summary: "A call that takes seconds, reports progress and can be cancelled.",
			Teaches: "Progress notifications come on the SSE stream of the call. " +
				"In 2026-07-28 a client cancels a call by closing its stream.",
			Try: []string{
				"Cancel halfway.",
				"Set stream=0: the same result without progress notifications.",
			},
			Replay:    "There is no retry, since nothing is asked.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Stream:    true,
			Start: Start{
				Label:  "Wait five seconds",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"wait","arguments":{"seconds":5}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "wait", Title: "Wait",
			Description: "Waits and reports progress twice a second.",
			Input: `{"type":"object","properties":{
				"seconds":{"type":"number","minimum":0,"maximum":20,
					"description":"How long to wait (default 5)"}}}`,
			Run: s.run,
		}},
	}
}

const sleepStep = 500 * time.Millisecond

type waiter struct {
	wait func(context.Context, time.Duration) error
}

func (s waiter) run(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Seconds *float64 `json:"seconds"`
	}](t)
	if err != nil {
		return nil, err
	}
	seconds := 5.0
	if args.Seconds != nil {
		seconds = *args.Seconds
	}
	if seconds < 0 || seconds > 20 {
		return nil, serve.ToolErrorf("seconds must be from 0 to 20.")
	}
	steps := int(seconds / sleepStep.Seconds())
	for i := range steps {
		if err := s.wait(ctx, sleepStep); err != nil {
			return nil, err
		}
		waited := float64(i+1) * sleepStep.Seconds()
		t.Progress(ctx, float64(i+1), float64(steps), fmt.Sprintf("%.1f of %v seconds", waited, seconds))
	}
	return serve.Text("Waited %v seconds.", seconds), nil
}
