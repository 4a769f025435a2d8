package sampletools

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// conformanceTasks returns the suite's tasks-* fixtures.
func conformanceTasks(c Config) []tool {
	w := taskScripts{wait: c.Wait}
	return []tool{
		{name: "slow_compute", description: "Takes the given time.", run: w.slowCompute,
			input: `{"type":"object","properties":{"seconds":{"type":"number"},"label":{"type":"string"}}}`},
		fixture("failing_job", "A task whose tool fails.",
			jobFixture(true, func(ctx context.Context, _ JobClient) (*toolResult, error) {
				if err := w.wait(ctx, time.Second); err != nil {
					return nil, err
				}
				return nil, toolErrorf("This job always fails.")
			})),
		fixture("protocol_error_job", "A task that ends in a protocol error.",
			jobFixture(true, func(context.Context, JobClient) (*toolResult, error) {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError,
					Message: "this job always breaks"}
			})),
		{name: "confirm_delete", description: "A task that asks a question.", run: confirmDelete,
			input: `{"type":"object","properties":{"filename":{"type":"string"}}}`},
		fixture("multi_input", "A task that asks two questions at once.", jobFixture(true, multiInput)),
		fixture("test_tool_with_task", "Asks in the call, then becomes a task.", nameThenTask),
	}
}

// jobFixture returns a script that goes straight to the job.
func jobFixture(required bool, run func(context.Context, JobClient) (*toolResult, error)) script {
	return func(context.Context, *Turn) (Result, error) { return nil, &Job{required: required, run: run} }
}

func (w taskScripts) slowCompute(_ context.Context, t *Turn) (Result, error) {
	args, err := arguments[struct {
		Seconds float64 `json:"seconds"`
		Label   string  `json:"label"`
	}](t)
	if err != nil {
		return nil, err
	}
	if args.Seconds < 0 || args.Seconds > 60 {
		return nil, toolErrorf("seconds must be from 0 to 60.")
	}
	return nil, &Job{run: func(ctx context.Context, d JobClient) (*toolResult, error) {
		takes := time.Duration(args.Seconds * float64(time.Second))
		if err := w.runStage(ctx, d, "computing", takes); err != nil {
			return nil, err
		}
		return text("Computed %s in %v seconds.", args.Label, args.Seconds), nil
	}}
}

func confirmDelete(_ context.Context, t *Turn) (Result, error) {
	args, err := arguments[struct {
		Filename string `json:"filename"`
	}](t)
	if err != nil {
		return nil, err
	}
	return nil, &Job{required: true, run: func(ctx context.Context, d JobClient) (*toolResult, error) {
		answers, err := d.Ask(ctx, Form("confirm", "Delete "+args.Filename+"?",
			`{"type":"object","properties":{"confirm":{"type":"boolean"}},"required":["confirm"]}`))
		if err != nil {
			return nil, err
		}
		return text("Deleted %s: %t", args.Filename, answers["confirm"].Bool("confirm")), nil
	}}
}

func multiInput(ctx context.Context, d JobClient) (*toolResult, error) {
	answers, err := d.Ask(ctx, nameQuestion("first", "First name?"), nameQuestion("second", "Second name?"))
	if err != nil {
		return nil, err
	}
	return text("%s and %s", answers["first"].Text("name"), answers["second"].Text("name")), nil
}

func nameThenTask(_ context.Context, t *Turn) (Result, error) {
	a, err := t.AskOne(nameQuestion("user_name", "What is your name?"))
	if err != nil {
		return nil, err
	}
	return nil, &Job{required: true, run: func(context.Context, JobClient) (*toolResult, error) {
		return text("Hello, %s! This took a task.", a.Text("name")), nil
	}}
}
