package sampletools

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// conformanceTasks returns the suite's tasks-* fixtures.
func conformanceTasks(c Config) []serve.Tool {
	w := taskScripts{wait: c.Wait}
	return []serve.Tool{
		{Name: "slow_compute", Description: "Takes the given time.", Run: w.slowCompute,
			Input: `{"type":"object","properties":{"seconds":{"type":"number"},"label":{"type":"string"}}}`},
		fixture("failing_job", "A task whose tool fails.",
			jobFixture(true, func(ctx context.Context, _ serve.JobClient) (*serve.ToolResult, error) {
				if err := w.wait(ctx, time.Second); err != nil {
					return nil, err
				}
				return nil, serve.ToolErrorf("This job always fails.")
			})),
		fixture("protocol_error_job", "A task that ends in a protocol error.",
			jobFixture(true, func(context.Context, serve.JobClient) (*serve.ToolResult, error) {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError,
					Message: "this job always breaks"}
			})),
		{Name: "confirm_delete", Description: "A task that asks a question.", Run: confirmDelete,
			Input: `{"type":"object","properties":{"filename":{"type":"string"}}}`},
		fixture("multi_input", "A task that asks two questions at once.", jobFixture(true, multiInput)),
		fixture("test_tool_with_task", "Asks in the call, then becomes a task.", nameThenTask),
	}
}

// jobFixture returns a script that goes straight to the job.
func jobFixture(
	required bool, run func(context.Context, serve.JobClient) (*serve.ToolResult, error),
) serve.Script {
	return func(context.Context, *serve.Turn) (serve.Result, error) {
		return nil, &serve.Job{Required: required, Run: run}
	}
}

func (w taskScripts) slowCompute(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Seconds float64 `json:"seconds"`
		Label   string  `json:"label"`
	}](t)
	if err != nil {
		return nil, err
	}
	if args.Seconds < 0 || args.Seconds > 60 {
		return nil, serve.ToolErrorf("seconds must be from 0 to 60.")
	}
	return nil, &serve.Job{Run: func(ctx context.Context, d serve.JobClient) (*serve.ToolResult, error) {
		takes := time.Duration(args.Seconds * float64(time.Second))
		if err := w.runStage(ctx, d, "computing", takes); err != nil {
			return nil, err
		}
		return serve.Text("Computed %s in %v seconds.", args.Label, args.Seconds), nil
	}}
}

func confirmDelete(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Filename string `json:"filename"`
	}](t)
	if err != nil {
		return nil, err
	}
	return nil, &serve.Job{
		Required: true,
		Run: func(ctx context.Context, d serve.JobClient) (*serve.ToolResult, error) {
			answers, err := d.Ask(ctx, serve.Form("confirm", "Delete "+args.Filename+"?",
				`{"type":"object","properties":{"confirm":{"type":"boolean"}},"required":["confirm"]}`))
			if err != nil {
				return nil, err
			}
			return serve.Text("Deleted %s: %t", args.Filename, answers["confirm"].Bool("confirm")), nil
		},
	}
}

func multiInput(ctx context.Context, d serve.JobClient) (*serve.ToolResult, error) {
	answers, err := d.Ask(ctx, nameQuestion("first", "First name?"), nameQuestion("second", "Second name?"))
	if err != nil {
		return nil, err
	}
	return serve.Text("%s and %s", answers["first"].Text("name"), answers["second"].Text("name")), nil
}

func nameThenTask(_ context.Context, t *serve.Turn) (serve.Result, error) {
	a, err := t.AskOne(nameQuestion("user_name", "What is your name?"))
	if err != nil {
		return nil, err
	}
	return nil, &serve.Job{
		Required: true,
		Run: func(context.Context, serve.JobClient) (*serve.ToolResult, error) {
			return serve.Text("Hello, %s! This took a task.", a.Text("name")), nil
		},
	}
}
